"""Proposals in a site library's folder, and the tickets and causes that the accepted ones are.

`proposals/<id>.json` is what was proposed and decided, `proposals/causes/<id>` how a new cause was described first.
Everything else follows from these: `tickets/case-*.jsonl` and `root_causes/rc-9*.yaml` from the proposals that teach,
`holdout/case-*.jsonl` from those that do not.
"""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from services.chassis.errors import NotFound
from services.knowledge.case_entries import cause_of, ticket_line, ticket_of
from services.knowledge.entries import RootCauseEntry
from services.knowledge.library import ROOT_CAUSES, TICKETS, InvalidLibrary, Library, Problem
from services.knowledge.proposal import Proposal, ProposalState
from services.knowledge.shelf import DirectoryShelf
from services.knowledge.yaml_text import write_yaml

HOLDOUT = "holdout"
_PROPOSALS, _CAUSES = "proposals", "causes/"
_FIRST_CAUSE = 9000
_ID = re.compile(r"PR-[0-9a-f]{12}")
Entry = TypeVar("Entry")


class Proposals:
    """The proposals of the site library at `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shelf = DirectoryShelf(folder / _PROPOSALS)
        self._site = DirectoryShelf(folder)

    def all(self) -> tuple[Proposal, ...]:
        """All proposals, the oldest first. Raises InvalidLibrary when a file was edited into something else."""
        names = (name.removesuffix(".json") for name in self._shelf.names("PR-"))
        found = [self.get(name) for name in names if _ID.fullmatch(name)]
        return tuple(sorted(found, key=lambda item: (item.proposed_at, item.proposal_id)))

    def get(self, proposal_id: str) -> Proposal:
        """One proposal. Raises NotFound."""
        content = self._shelf.read(f"{proposal_id}.json") if _ID.fullmatch(proposal_id) else None
        if content is None:
            message = f"looking for proposal {proposal_id[:80]} in {self._folder}: it is not there"
            raise NotFound(f"{message}; `dbdiag knowledge proposals list` shows what is", reason="proposal_not_found")
        try:
            return Proposal.model_validate_json(content)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            file = str(self._folder / _PROPOSALS / f"{proposal_id}.json")
            raise InvalidLibrary([self._folder], [Problem(file, place, first["msg"])]) from None

    def create(self, proposal: Proposal) -> bool:
        """Keeps a new proposal; False when the case has one already."""
        return self._shelf.create(f"{proposal.proposal_id}.json", _content(proposal))

    def write(self, proposal: Proposal) -> None:
        """Keeps a proposal in place of what it was."""
        self._shelf.write(f"{proposal.proposal_id}.json", _content(proposal))

    def cause_id(self, description: str, solution: str, known: Library) -> str:
        """The id for a new cause in these words: the one they got before, else the next that nothing ever had."""
        content = json.dumps({"description": description, "solution": solution}, ensure_ascii=False).encode()
        for number in itertools.count(_FIRST_CAUSE):
            identity = f"RC-{number}"
            described = self._described(identity)
            if described is None and identity not in known.root_causes:
                if self._shelf.create(_CAUSES + identity, content):
                    return identity
                described = self._described(identity)
            if described is not None and plain(described[0]) == plain(description):
                return identity
        raise AssertionError("numbers do not end")

    def cause(self, identity: str) -> RootCauseEntry:
        """The entry of a new cause: of the words in which it was described first, whatever is accepted when."""
        described = self._described(identity)
        if described is None:
            raise NotFound(f"looking for the description of {identity} in {self._folder}: it is not there")
        return cause_of(identity, *described)

    def _described(self, identity: str) -> tuple[str, str] | None:
        content = self._shelf.read(_CAUSES + identity)
        value = json.loads(content) if content else None
        return (value["description"], value["solution"]) if value else None

    def settle(self, library: Library) -> None:
        """Brings tickets and causes to what was decided. Causes that a person has edited stay as they are."""
        proposals = self.all()
        described = {name.removeprefix(_CAUSES) for name in self._shelf.names(_CAUSES)}
        taught = {item.case.root_cause_id for item in proposals if item.teaches}
        for identity in sorted(described & taught):
            if self._site.read(_cause_file(identity)) is None:
                self._site.write(_cause_file(identity), _yaml(self.cause(identity)))
        for proposal in proposals:
            held_out = proposal.held_out and proposal.state is ProposalState.ACCEPTED
            self._place(proposal, TICKETS, proposal.teaches, library)
            self._place(proposal, HOLDOUT, held_out, library)
        own = {item.ticket_id for item in proposals}
        for identity in sorted(described - taught - _used(library, own)):
            if self._site.read(_cause_file(identity)) == _yaml(self.cause(identity)):
                self._site.remove(_cause_file(identity))

    def _place(self, proposal: Proposal, folder: str, wanted: bool, library: Library) -> None:
        name = f"{folder}/{proposal.ticket_id.lower()}.jsonl"
        if wanted:
            self._site.write(name, ticket_line(ticket_of(proposal, library)))
        elif self._site.read(name) is not None:
            self._site.remove(name)

    def with_case(self, library: Library, proposal: Proposal) -> Library:
        """The library as it would be with a case accepted."""
        causes = dict(library.root_causes)
        if proposal.case.new_root_cause_description and proposal.case.root_cause_id not in causes:
            causes[proposal.case.root_cause_id] = self.cause(proposal.case.root_cause_id)
        ticket = ticket_of(proposal, library)
        tickets = {**library.tickets, ticket.ticket_id: ticket}
        return Library(library.phenomena, _in_order(causes), _in_order(tickets), library.files)

    def without_case(self, library: Library, proposal: Proposal) -> Library:
        """The library as it would be without a case, and without the cause that nothing else needs then."""
        identity, causes = proposal.case.root_cause_id, dict(library.root_causes)
        if proposal.case.new_root_cause_description and identity not in _used(library, {proposal.ticket_id}):
            causes = {key: entry for key, entry in causes.items() if entry != self.cause(identity)}
        tickets = {key: entry for key, entry in library.tickets.items() if key != proposal.ticket_id}
        return Library(library.phenomena, causes, tickets, library.files)


def _used(library: Library, without: set[str]) -> set[str | None]:
    """The causes that tickets, but for those of some ids, or other causes name."""
    used = {ticket.root_cause_id for ticket in library.tickets.values() if ticket.ticket_id not in without}
    return used | {other for cause in library.root_causes.values() for other in cause.not_to_confuse_with}


def held_out_files(folder: Path) -> list[Path]:
    """The files of the cases of a site library that never teach, one JSON line each."""
    return sorted((folder / HOLDOUT).glob("*.jsonl"))


def plain(words: str) -> str:
    """What two descriptions of one cause have in common: letters and digits, in lower case."""
    return "".join(character for character in words.casefold() if character.isalnum())


def _cause_file(identity: str) -> str:
    return f"{ROOT_CAUSES}/{identity.lower()}.yaml"


def _yaml(cause: RootCauseEntry) -> bytes:
    from services.knowledge.importing.compose import entry_document

    return write_yaml(entry_document(cause)).encode()


def _content(proposal: Proposal) -> bytes:
    return (proposal.model_dump_json(indent=1) + "\n").encode()


def _in_order(entries: dict[str, Entry]) -> dict[str, Entry]:
    return dict(sorted(entries.items()))
