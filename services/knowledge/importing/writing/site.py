"""A site's library before an import (base, own entries, imported tickets, review file), locked while it runs."""

from __future__ import annotations

import contextlib
import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.chassis.errors import Precondition
from services.knowledge.blobs.port import refused_writing
from services.knowledge.importing.deciding.review import Review, read_review
from services.knowledge.importing.matching.recognition import Known
from services.knowledge.importing.matching.statement import generalise
from services.knowledge.library.load import PHENOMENA, ROOT_CAUSES, TICKETS, Library, library_files, load
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry

IMPORTED = "imported.jsonl"
# Temporary files of write_atomically.
_LEFT = re.compile(r"^\.(?:.+\.yaml|.+\.jsonl)\.[a-z0-9_]{8}$")


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


@contextlib.contextmanager
def lock_library(library: Path) -> Iterator[None]:
    """Creates and locks the library's folder. Raises Precondition if another import holds it or it is not writable."""
    made = not library.exists()
    try:
        library.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused_writing(library, error) from error
    try:
        with _locked(library):
            clear_leftovers(library)
            yield
    finally:
        if made and not any(library.iterdir()):
            library.rmdir()


def clear_leftovers(library: Path) -> None:
    """Removes half-written files."""
    for folder in (library, *(library / name for name in (PHENOMENA, ROOT_CAUSES, TICKETS))):
        for path in folder.iterdir() if folder.is_dir() else ():
            if _LEFT.match(path.name) and path.is_file():
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(library: Path) -> Iterator[None]:
    if os.name != "posix":
        yield
        return
    import fcntl

    handle = os.open(library, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Precondition("import_running", library=str(library)) from error
        # Closing the handle releases the lock, even if the process is killed.
        yield
    finally:
        os.close(handle)
