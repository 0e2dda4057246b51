"""Loads libraries from disk and reports every problem of every file, with its place, in one pass."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from lang.pastes import View
from lang.vocabulary import Subject, Vocabulary
from services.chassis.errors import InvalidInput
from services.chassis.messages import Detail, Message
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.library.vocabularies import differing_fields, make_vocabulary, subjects_by_place, unite
from services.knowledge.library.yaml_text import nearest, read_yaml, validation_problems, verbatim

PHENOMENA, ROOT_CAUSES, TICKETS, VOCABULARY = "phenomena", "root_causes", "tickets", "vocabulary"
VIEWS = "views"
# A message travels in a header of a few kilobytes.
_SHOWN_PROBLEMS = 10
Entry = TypeVar("Entry", bound=BaseModel)


@dataclass(frozen=True)
class Problem:
    """One thing wrong: in which file, where in it (`line 3` or a field's path), and why."""

    file: str
    place: str
    why: Message

    @property
    def what(self) -> str:
        """The text in English."""
        return self.why.text()

    @property
    def as_message(self) -> Message:
        """The problem with its place, to be rendered in a language."""
        if not self.place:
            return Message("library_problem.whole", {"file": self.file, "what": self.why})
        return Message("library_problem.placed", {"file": self.file, "place": self.place, "what": self.why})

    def __str__(self) -> str:
        return self.as_message.text()


class InvalidLibrary(InvalidInput):
    """A library with errors; `problems` lists all of them by file and place."""

    def __init__(self, paths: Sequence[Path], problems: Sequence[Problem]) -> None:
        super().__init__(
            "invalid_library",
            names=", ".join(map(str, paths)),
            problem_count=str(len(problems)),
            problems=_listed(problems),
        )
        self.problems = tuple(problems)


def _listed(problems: Sequence[Problem]) -> Detail:
    """The first problems, a line each, and how many more there are."""
    left = len(problems) - _SHOWN_PROBLEMS
    listed: Detail = Message("invalid_library.more", {"count": left}) if left > 0 else ""
    for problem in reversed(problems[:_SHOWN_PROBLEMS]):
        listed = Message("invalid_library.listed", {"problem": problem.as_message, "more": listed})
    return listed


@dataclass(frozen=True)
class Library:
    """Valid entries by id, in id order, and the file each came from; the vocabulary of all files.

    defined: the file in which a subject of the vocabulary stands first, and its path in that file. views: those that
    people query themselves, by id.
    """

    phenomena: Mapping[str, PhenomenonEntry]
    root_causes: Mapping[str, RootCauseEntry]
    tickets: Mapping[str, TicketEntry]
    files: Mapping[str, Path]
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    defined: Mapping[str, tuple[Path, str]] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)


def load(paths: Sequence[Path]) -> Library:
    """All entries of the libraries at `paths` together. Raises InvalidLibrary listing every problem."""
    reader = _Reader()
    for path in paths:
        reader.read(path)
    library = reader.library()
    problems = [*reader.problems, *_dangling(library), *_ambiguous(library)]
    if problems:
        raise InvalidLibrary(paths, sorted(problems, key=str))
    return library


def load_tickets(paths: Sequence[Path]) -> list[TicketEntry]:
    """The tickets of the libraries at `paths` alone, in id order. Raises InvalidLibrary listing every problem."""
    reader = _Reader()
    for path in paths:
        for file in library_files(path):
            if file.parent.name == TICKETS and file.suffix == ".jsonl":
                reader.read_tickets(file)
    if reader.problems:
        raise InvalidLibrary(paths, sorted(reader.problems, key=str))
    return list(reader.library().tickets.values())


def fingerprint(paths: Sequence[Path]) -> str:
    """A hex digest of the names and bytes of all library files."""
    digest = hashlib.sha256()
    for path in paths:
        for file in library_files(path):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(path).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
        digest.update(b"\0\0")
    return digest.hexdigest()


def library_files(path: Path) -> list[Path]:
    """The files of a library in an order that is independent of locale and file system.

    Hidden files are skipped: a killed process leaves them behind.
    """
    found = [
        file for folder in (PHENOMENA, ROOT_CAUSES, TICKETS, VIEWS, VOCABULARY) for file in (path / folder).glob("*")
    ]
    shown = (file for file in found if file.is_file() and not file.name.startswith("."))
    return sorted(shown, key=lambda file: file.relative_to(path).as_posix())


@lru_cache(maxsize=2048)
def _entry(kind: type[Entry], text: str) -> Entry:
    """A valid entry, which is immutable: an unchanged file is parsed once a process, however often it is loaded."""
    return kind.model_validate(read_yaml(text))


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._phenomena: dict[str, PhenomenonEntry] = {}
        self._root_causes: dict[str, RootCauseEntry] = {}
        self._tickets: dict[str, TicketEntry] = {}
        self._views: dict[str, View] = {}
        self._files: dict[str, Path] = {}
        self._subjects: dict[str, Subject] = {}
        self._defined: dict[str, tuple[Path, str]] = {}

    def read(self, path: Path) -> None:
        files = library_files(path)
        if not files:
            folders = {"phenomena": PHENOMENA, "root_causes": ROOT_CAUSES, "tickets": TICKETS}
            self.problems.append(Problem(str(path), "", Message("library_problem.no_files", folders)))
        for file in files:
            expected = ".jsonl" if file.parent.name == TICKETS else ".yaml"
            if file.suffix != expected:
                other = Message("library_problem.other_file", {"suffix": expected})
                self.problems.append(Problem(str(file), "", other))
            elif file.parent.name == TICKETS:
                self.read_tickets(file)
            elif file.parent.name == VOCABULARY:
                self._read_vocabulary(file)
            elif file.parent.name == VIEWS:
                self._read_entry(file, View, self._views)
            elif file.parent.name == PHENOMENA:
                self._read_entry(file, PhenomenonEntry, self._phenomena)
            else:
                self._read_entry(file, RootCauseEntry, self._root_causes)

    def _read_entry(self, file: Path, kind: type[Entry], into: dict[str, Entry]) -> None:
        entry = self._read_yaml(file, kind)
        if entry is not None:
            self._add(str(getattr(entry, "id")), entry, into, file, "id")  # noqa: B009

    def _read_vocabulary(self, file: Path) -> None:
        for place, subject in subjects_by_place(self._read_yaml(file, Vocabulary) or Vocabulary()):
            known = self._subjects.setdefault(subject.id, subject)
            first, _ = self._defined.setdefault(subject.id, (file, place))
            for name in differing_fields(known, subject):
                why = Message("library_problem.subject_differs", {"id": subject.id, "field": name, "file": str(first)})
                self.problems.append(Problem(str(file), f"{place}.{name}", why))
            self._subjects[subject.id] = unite(known, subject)

    def _read_yaml(self, file: Path, kind: type[Entry]) -> Entry | None:
        """The valid document in a file; None where it is not valid, which is then among the problems."""
        try:
            entry: Entry = _entry(kind, file.read_text(encoding="utf-8"))
            return entry
        except UnicodeDecodeError as error:
            self.problems.append(Problem(str(file), f"byte {error.start}", Message("library_problem.not_utf8")))
        except yaml.YAMLError as error:
            self.problems.append(Problem(str(file), *_yaml_place(error)))
        except ValidationError as error:
            self.problems += [Problem(str(file), place, what) for place, what in validation_problems(error)]
        return None

    def read_tickets(self, file: Path) -> None:
        for number, line in enumerate(file.read_bytes().split(b"\n"), start=1):
            if not line.strip():
                continue
            try:
                ticket = TicketEntry.model_validate_json(line)
            except ValidationError as error:
                found = validation_problems(error)
                self.problems += [Problem(str(file), f"line {number}: {place}", what) for place, what in found]
            else:
                self._add(ticket.ticket_id, ticket, self._tickets, file, f"line {number}: ticket_id")

    def _add(self, identity: str, entry: Entry, into: dict[str, Entry], file: Path, place: str) -> None:
        if identity in into:
            why = Message("library_problem.id_twice", {"id": identity, "file": str(self._files[identity])})
            self.problems.append(Problem(str(file), place, why))
            return
        into[identity] = entry
        self._files[identity] = file

    def library(self) -> Library:
        return Library(
            dict(sorted(self._phenomena.items())),
            dict(sorted(self._root_causes.items())),
            dict(sorted(self._tickets.items())),
            self._files,
            make_vocabulary(self._subjects.values()),
            self._defined,
            dict(sorted(self._views.items())),
        )


def _yaml_place(error: yaml.YAMLError) -> tuple[str, Message]:
    mark = getattr(error, "problem_mark", None)
    what = verbatim(str(getattr(error, "problem", None) or error))
    return (f"line {mark.line + 1}, column {mark.column + 1}" if mark else "", what)


def _dangling(library: Library) -> Iterator[Problem]:
    facilities = {facility.id: facility for facility in library.vocabulary.facilities}
    for facility in facilities.values():
        defined, place = library.defined[facility.id]
        yield from _unknown(str(defined), f"{place}.within", facility.within, facilities)
    for entry in library.phenomena.values():
        for index, needed in enumerate(entry.needs):
            yield from _unknown(str(library.files[entry.id]), f"needs.{index}", needed, facilities)
        for index, rule in enumerate(entry.observe.views):
            yield from _unknown(str(library.files[entry.id]), f"observe.views.{index}.view", rule.view, library.views)
    for cause in library.root_causes.values():
        file = str(library.files[cause.id])
        linked: set[str] = set()
        for index, link in enumerate(cause.links):
            place = f"links.{index}.phenomenon"
            if link.phenomenon in linked:
                yield Problem(file, place, Message("library_problem.linked_twice", {"phenomenon": link.phenomenon}))
            linked.add(link.phenomenon)
            yield from _unknown(file, place, link.phenomenon, library.phenomena)
        for other in cause.not_to_confuse_with:
            yield from _unknown(file, f"not_to_confuse_with.{other}", other, library.root_causes)
    for ticket in library.tickets.values():
        file = str(library.files[ticket.ticket_id])
        place = f"ticket {ticket.ticket_id}: "
        yield from _unknown(file, place + "root_cause_id", ticket.root_cause_id, library.root_causes)
        for index, anomaly in enumerate(ticket.anomalies):
            field = f"{place}anomalies.{index}.phenomenon_id"
            yield from _unknown(file, field, anomaly.phenomenon_id, library.phenomena)


def _ambiguous(library: Library) -> Iterator[Problem]:
    """Entries that do not say clearly which entry of another library they are the same as."""
    named: dict[str, str] = {}
    entries: dict[str, PhenomenonEntry | RootCauseEntry] = {**library.phenomena, **library.root_causes}
    for identity, entry in entries.items():
        for index, other in enumerate(entry.same_as):
            place = (str(library.files[identity]), f"same_as.{index}")
            if other == identity:
                yield Problem(*place, Message("library_problem.same_as_itself", {"other": other}))
            elif other in named:
                yield Problem(*place, Message("library_problem.same_as_taken", {"other": other, "entry": named[other]}))
            elif other in entries and entries[other].same_as:
                yield Problem(*place, Message("library_problem.same_as_chain", {"other": other}))
            named.setdefault(other, identity)


def _unknown(file: str, place: str, identity: str | None, known: Mapping[str, object]) -> Iterator[Problem]:
    if identity is not None and identity not in known:
        details = {"id": identity, "nearest": nearest(identity, known)}
        yield Problem(file, place, Message("library_problem.unknown_id", details))
