"""Proposals in a site library's folder, and the tickets and causes derived from the accepted ones.

`proposals/<id>.json` holds a proposal and its decision, `proposals/causes/<id>` the first description of a new cause.
Everything else is derived: `tickets/case-*.jsonl` and `root_causes/rc-9*.yaml` from the proposals that teach,
`holdout/case-*.jsonl` from those held out.
"""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from services.chassis.errors import NotFound
from services.knowledge.blobs.directory import DirectoryBlobs
from services.knowledge.cases.proposal import Proposal, ProposalState
from services.knowledge.library.load import ROOT_CAUSES, TICKETS, InvalidLibrary, Library, Problem
from services.knowledge.library.schema import (
    Anomaly,
    RootCauseEntry,
    SolutionStep,
    Text,
    TicketEntry,
    TicketMetadata,
    Untranslated,
)
from services.knowledge.library.yaml_text import entry_yaml, verbatim

HOLDOUT = "holdout"
_PROPOSALS, _CAUSES = "proposals", "causes/"
_FIRST_CAUSE = 9000
_ID = re.compile(r"PR-[0-9a-f]{12}")
Entry = TypeVar("Entry")
_HAN = re.compile(r"[一-鿿]")
_STEP = re.compile(r"^\s*(?:\d+[.)、]|[-*•])\s*")
_NAME_CHARACTERS = 80
CATEGORY = "UNSORTED"


class Proposals:
    """The proposals of the site library at `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._blobs = DirectoryBlobs(folder / _PROPOSALS)
        self._site = DirectoryBlobs(folder)

    def all(self) -> tuple[Proposal, ...]:
        """All proposals, oldest first. Raises InvalidLibrary if a file was edited and is no longer valid."""
        names = (name.removesuffix(".json") for name in self._blobs.names("PR-"))
        found = [self.get(name) for name in names if _ID.fullmatch(name)]
        return tuple(sorted(found, key=lambda item: (item.proposed_at, item.proposal_id)))

    def get(self, proposal_id: str) -> Proposal:
        """One proposal. Raises NotFound."""
        content = self._blobs.read(f"{proposal_id}.json") if _ID.fullmatch(proposal_id) else None
        if content is None:
            raise NotFound("proposal_not_found", proposal=proposal_id[:80], folder=str(self._folder))
        try:
            return Proposal.model_validate_json(content)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            file = str(self._folder / _PROPOSALS / f"{proposal_id}.json")
            raise InvalidLibrary([self._folder], [Problem(file, place, verbatim(first["msg"]))]) from None

    def create(self, proposal: Proposal) -> bool:
        """Stores a new proposal; False if the case already has one."""
        return self._blobs.create(f"{proposal.proposal_id}.json", _content(proposal))

    def write(self, proposal: Proposal) -> None:
        """Overwrites a stored proposal."""
        self._blobs.write(f"{proposal.proposal_id}.json", _content(proposal))

    def cause_id(self, description: str, solution: str, known: Library) -> str:
        """The id of a new cause with this description: the id it got before, or the next number never used."""
        content = json.dumps({"description": description, "solution": solution}, ensure_ascii=False).encode()
        for number in itertools.count(_FIRST_CAUSE):
            identity = f"RC-{number}"
            described = self._described(identity)
            if described is None and identity not in known.root_causes:
                if self._blobs.create(_CAUSES + identity, content):
                    return identity
                described = self._described(identity)
            if described is not None and fold_words(described[0]) == fold_words(description):
                return identity
        raise AssertionError("numbers do not end")

    def cause(self, identity: str) -> RootCauseEntry:
        """The entry of a new cause, built from its first description whatever the order of acceptance."""
        described = self._described(identity)
        if described is None:
            raise NotFound("not_found.cause_description", cause=identity, folder=str(self._folder))
        return cause_of(identity, *described)

    def _described(self, identity: str) -> tuple[str, str] | None:
        content = self._blobs.read(_CAUSES + identity)
        value = json.loads(content) if content else None
        return (value["description"], value["solution"]) if value else None

    def settle(self, library: Library) -> None:
        """Updates tickets and causes to match the decisions. Causes that a person has edited are left alone."""
        proposals = self.all()
        described = {name.removeprefix(_CAUSES) for name in self._blobs.names(_CAUSES)}
        taught = {item.case.root_cause_id for item in proposals if item.teaches}
        for identity in sorted(described & taught):
            if self._site.read(_cause_file(identity)) is None:
                self._site.write(_cause_file(identity), entry_yaml(self.cause(identity)).encode())
        for proposal in proposals:
            held_out = proposal.held_out and proposal.state is ProposalState.ACCEPTED
            self._place(proposal, TICKETS, proposal.teaches, library)
            self._place(proposal, HOLDOUT, held_out, library)
        own = {item.ticket_id for item in proposals}
        for identity in sorted(described - taught - _used(library, own)):
            if self._site.read(_cause_file(identity)) == entry_yaml(self.cause(identity)).encode():
                self._site.remove(_cause_file(identity))

    def _place(self, proposal: Proposal, folder: str, wanted: bool, library: Library) -> None:
        name = f"{folder}/{proposal.ticket_id.lower()}.jsonl"
        if wanted:
            self._site.write(name, ticket_line(ticket_of(proposal, library)))
        elif self._site.read(name) is not None:
            self._site.remove(name)

    def with_case(self, library: Library, proposal: Proposal) -> Library:
        """The library with a case accepted."""
        causes = dict(library.root_causes)
        if proposal.case.new_root_cause_description and proposal.case.root_cause_id not in causes:
            causes[proposal.case.root_cause_id] = self.cause(proposal.case.root_cause_id)
        ticket = ticket_of(proposal, library)
        tickets = {**library.tickets, ticket.ticket_id: ticket}
        return replace(library, root_causes=_in_order(causes), tickets=_in_order(tickets))

    def without_case(self, library: Library, proposal: Proposal) -> Library:
        """The library without a case, and without its new cause unless something else uses that."""
        identity, causes = proposal.case.root_cause_id, dict(library.root_causes)
        if proposal.case.new_root_cause_description and identity not in _used(library, {proposal.ticket_id}):
            causes = {key: entry for key, entry in causes.items() if entry != self.cause(identity)}
        tickets = {key: entry for key, entry in library.tickets.items() if key != proposal.ticket_id}
        return replace(library, root_causes=causes, tickets=tickets)


def _used(library: Library, without: set[str]) -> set[str | None]:
    """The causes that other causes or tickets refer to, ignoring the tickets `without`."""
    used = {ticket.root_cause_id for ticket in library.tickets.values() if ticket.ticket_id not in without}
    return used | {other for cause in library.root_causes.values() for other in cause.not_to_confuse_with}


def held_out_files(folder: Path) -> list[Path]:
    """The files of a site library's held-out cases, one JSON line each."""
    return sorted((folder / HOLDOUT).glob("*.jsonl"))


def fold_words(words: str) -> str:
    """Lower-case letters and digits only, to compare two descriptions of a cause."""
    return "".join(character for character in words.casefold() if character.isalnum())


def _cause_file(identity: str) -> str:
    return f"{ROOT_CAUSES}/{identity.lower()}.yaml"


def _content(proposal: Proposal) -> bytes:
    return (proposal.model_dump_json(indent=1) + "\n").encode()


def _in_order(entries: dict[str, Entry]) -> dict[str, Entry]:
    return dict(sorted(entries.items()))


def ticket_of(proposal: Proposal, library: Library) -> TicketEntry:
    """The case as a ticket: the confirmed phenomena in the reporter's words, its origin as metadata."""
    case = proposal.case
    anomalies = tuple(
        Anomaly(
            description=item.words.strip() or library.phenomena[item.phenomenon_id].name.zh,
            phenomenon_id=item.phenomenon_id,
        )
        for item in case.evidence
        if item.verdict == "confirmed" and item.phenomenon_id in library.phenomena
    )
    known = library.root_causes.get(case.root_cause_id)
    words = case.new_root_cause_description.strip() or (known.name.zh if known else case.root_cause_id)
    return TicketEntry(
        ticket_id=proposal.ticket_id,
        metadata=_provenance(proposal),
        description=case.complaint.strip() or next((item.description for item in anomalies), words),
        root_cause=words,
        root_cause_id=case.root_cause_id,
        solution=case.solution,
        anomalies=anomalies,
    )


def cause_of(identity: str, description: str, solution: str) -> RootCauseEntry:
    """The root cause that a case is the first to describe; a person translates and categorises it later."""
    words = " ".join(description.split())
    missing: Untranslated = "en" if _HAN.search(words) else "zh"
    name = words if len(words) <= _NAME_CHARACTERS else words[: _NAME_CHARACTERS - 1] + "…"
    steps = [_STEP.sub("", line).strip() for line in solution.splitlines()]
    return RootCauseEntry(
        id=identity,
        name=_both(name),
        category=CATEGORY,
        mechanism=_both(words),
        solution=tuple(SolutionStep(do=_both(step), risk="medium") for step in steps if step),
        untranslated=missing,
    )


def ticket_line(ticket: TicketEntry) -> bytes:
    """A ticket as a line of a library's JSONL file."""
    return (json.dumps(ticket.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False) + "\n").encode()


def _provenance(proposal: Proposal) -> TicketMetadata:
    return TicketMetadata.model_validate(
        {
            "created_at": _time(proposal.proposed_at),
            "proposal_id": proposal.proposal_id,
            "session_id": proposal.case.session_id,
            "snapshot_id": proposal.case.snapshot_id,
            "reviewer": proposal.reviewer,
            "reviewed_at": _time(proposal.reviewed_at) if proposal.reviewed_at else "",
        }
    )


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _both(text: str) -> Text:
    return Text(zh=text, en=text)
