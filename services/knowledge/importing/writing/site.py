"""A site's library before an import: base, own entries, imported tickets and review file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.knowledge.importing.deciding.review import Review, read_review
from services.knowledge.importing.matching.recognition import Known
from services.knowledge.importing.matching.statement import generalise
from services.knowledge.library.load import TICKETS, Library, library_files, load
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry

IMPORTED = "imported.jsonl"


@dataclass(frozen=True)
class Site:
    """Everything an import reads. library: base and own entries together; tickets: the imported ones by id."""

    folder: Path
    library: Library
    tickets: Mapping[str, TicketEntry]
    review: Review

    def owns(self, identity: str) -> bool:
        """True if the entry belongs to this library rather than to its base."""
        file = self.library.files.get(identity)
        return file is not None and file.is_relative_to(self.folder)

    def known_phenomena(self) -> list[Known]:
        """Every phenomenon with its wordings: names, aliases, and how tickets put it."""
        told = _told(self.library)
        return [_known_phenomenon(entry, told[entry.id]) for entry in self.library.phenomena.values()]

    def known_causes(self) -> list[Known]:
        """Every cause with its wordings, and its linked phenomena as signs."""
        told: dict[str, list[str]] = defaultdict(list)
        for ticket in self.library.tickets.values():
            if ticket.root_cause_id:
                told[ticket.root_cause_id].append(generalise(ticket.root_cause).text)
        return [_known_cause(entry, told[entry.id]) for entry in self.library.root_causes.values()]

    def exact(self) -> dict[str, str]:
        """Statement key to phenomenon id, for statements that tickets of this library or its base have settled."""
        found: dict[str, set[str]] = defaultdict(set)
        for ticket in self.library.tickets.values():
            for anomaly in ticket.anomalies:
                if anomaly.phenomenon_id:
                    found[generalise(anomaly.description, anomaly.why_relevant).key].add(anomaly.phenomenon_id)
        return {key: next(iter(ids)) for key, ids in found.items() if len(ids) == 1}


def read_site(folder: Path, base: Sequence[Path]) -> Site:
    """The site library at `folder`, which may not exist yet, over its base. Raises InvalidLibrary."""
    own = [folder] if library_files(folder) else []
    library = load([*(path for path in base if path.resolve() != folder.resolve()), *own])
    imported = folder / TICKETS / IMPORTED
    tickets = {identity: ticket for identity, ticket in library.tickets.items() if library.files[identity] == imported}
    return Site(folder, library, tickets, read_review(folder))


def _told(library: Library) -> dict[str, list[str]]:
    told: dict[str, list[str]] = defaultdict(list)
    for ticket in library.tickets.values():
        for anomaly in ticket.anomalies:
            if anomaly.phenomenon_id:
                told[anomaly.phenomenon_id].append(generalise(anomaly.description, anomaly.why_relevant).text)
    return told


def _known_phenomenon(entry: PhenomenonEntry, told: Sequence[str]) -> Known:
    names = (entry.name.zh, entry.name.en)
    words = (*names, entry.description.zh, entry.description.en, *entry.aliases.zh, *entry.aliases.en)
    return Known(entry.id, names, (*(generalise(text).text for text in words), *told), entry.observe.method)


def _known_cause(entry: RootCauseEntry, told: Sequence[str]) -> Known:
    names = (entry.name.zh, entry.name.en)
    words = (*names, *entry.aliases.zh, *entry.aliases.en, entry.mechanism.zh, entry.mechanism.en)
    signs = {link.phenomenon: link.strength for link in entry.links}
    return Known(entry.id, names, (*words, *told), signs=signs)
