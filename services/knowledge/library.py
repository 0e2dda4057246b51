"""Reads libraries from disk: every problem of every file is found in one pass and named with its place."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from services.chassis.errors import InvalidInput
from services.knowledge import entries
from services.knowledge.entries import PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.yaml_text import read_yaml

PHENOMENA, ROOT_CAUSES, TICKETS = "phenomena", "root_causes", "tickets"
# A message travels in a header of a few kilobytes.
_SHOWN_PROBLEMS = 10
Entry = TypeVar("Entry", bound=BaseModel)


@dataclass(frozen=True, order=True)
class Problem:
    """One thing wrong: in which file, where in it (`line 3` or a field's path), and what."""

    file: str
    place: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.place}: {self.what}" if self.place else f"{self.file}: {self.what}"


class InvalidLibrary(InvalidInput):
    """A library that cannot be used; `problems` holds all that is wrong with it, by file and place."""

    default_reason = "invalid_library"

    def __init__(self, paths: Sequence[Path], problems: Sequence[Problem]) -> None:
        shown = "\n".join(f"  {problem}" for problem in problems[:_SHOWN_PROBLEMS])
        rest = f"\n  and {len(problems) - _SHOWN_PROBLEMS} more" if len(problems) > _SHOWN_PROBLEMS else ""
        names = ", ".join(map(str, paths))
        super().__init__(
            f"reading the library {names}: {len(problems)} found wrong\n{shown}{rest}",
            details={"problem_count": str(len(problems))},
        )
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Library:
    """Valid entries by id, in id order, and the file each came from."""

    phenomena: Mapping[str, PhenomenonEntry]
    root_causes: Mapping[str, RootCauseEntry]
    tickets: Mapping[str, TicketEntry]
    files: Mapping[str, Path]


def load(paths: Sequence[Path]) -> Library:
    """All entries of the libraries at `paths` together. Raises InvalidLibrary listing every problem."""
    reader = _Reader()
    for path in paths:
        reader.read(path)
    library = reader.library()
    problems = sorted([*reader.problems, *_dangling(library)])
    if problems:
        raise InvalidLibrary(paths, problems)
    return library


def fingerprint(paths: Sequence[Path]) -> str:
    """A hex digest over the names and bytes of all library files; changes when any of them does."""
    digest = hashlib.sha256()
    for path in paths:
        for file in library_files(path):
            content = file.read_bytes()
            digest.update(f"{file.relative_to(path).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
        digest.update(b"\0\0")
    return digest.hexdigest()


def library_files(path: Path) -> list[Path]:
    """The files of one library in an order that no locale and no file system changes; hidden ones are no part of it.

    A hidden file is one that a killed process was writing.
    """
    found = [file for folder in (PHENOMENA, ROOT_CAUSES, TICKETS) for file in (path / folder).glob("*")]
    shown = (file for file in found if file.is_file() and not file.name.startswith("."))
    return sorted(shown, key=lambda file: file.relative_to(path).as_posix())


class _Reader:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._phenomena: dict[str, PhenomenonEntry] = {}
        self._root_causes: dict[str, RootCauseEntry] = {}
        self._tickets: dict[str, TicketEntry] = {}
        self._files: dict[str, Path] = {}

    def read(self, path: Path) -> None:
        files = library_files(path)
        if not files:
            self.problems.append(Problem(str(path), "", f"no files in {PHENOMENA}/, {ROOT_CAUSES}/ or {TICKETS}/"))
        for file in files:
            expected = ".jsonl" if file.parent.name == TICKETS else ".yaml"
            if file.suffix != expected:
                self.problems.append(
                    Problem(str(file), "", f"only *{expected} files are read here; rename or remove it")
                )
            elif file.parent.name == TICKETS:
                self._read_tickets(file)
            elif file.parent.name == PHENOMENA:
                self._read_yaml(file, PhenomenonEntry, self._phenomena)
            else:
                self._read_yaml(file, RootCauseEntry, self._root_causes)

    def _read_yaml(self, file: Path, kind: type[Entry], into: dict[str, Entry]) -> None:
        try:
            entry = kind.model_validate(read_yaml(file.read_text(encoding="utf-8")))
        except UnicodeDecodeError as error:
            self.problems.append(Problem(str(file), f"byte {error.start}", "not UTF-8"))
        except yaml.YAMLError as error:
            self.problems.append(Problem(str(file), *_yaml_place(error)))
        except ValidationError as error:
            self.problems += [Problem(str(file), place, what) for place, what in validation_problems(error)]
        else:
            self._add(str(getattr(entry, "id")), entry, into, file, "id")  # noqa: B009

    def _read_tickets(self, file: Path) -> None:
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
            self.problems.append(Problem(str(file), place, f"{identity} is also in {self._files[identity]}"))
            return
        into[identity] = entry
        self._files[identity] = file

    def library(self) -> Library:
        return Library(
            dict(sorted(self._phenomena.items())),
            dict(sorted(self._root_causes.items())),
            dict(sorted(self._tickets.items())),
            self._files,
        )


def validation_problems(error: ValidationError, known: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Field path and what is wrong there, for each finding of pydantic.

    An unknown key gets the nearest of the `known` ones; without them, of the library's entries.
    """
    found = []
    for item in error.errors(include_url=False, include_input=False):
        place = ".".join(str(part) for part in item["loc"]) or "the entry"
        what = item["msg"]
        if item["type"] == "extra_forbidden":
            keys = _entry_keys() if known is None else known
            what = f"unknown key; the nearest known one is {_nearest(str(item['loc'][-1]), keys)}"
        found.append((place, what))
    return found


def _entry_keys() -> set[str]:
    models = (value for value in vars(entries).values() if isinstance(value, type) and issubclass(value, BaseModel))
    return {key for model in models for key in model.model_fields}


def _nearest(word: str, known: Iterable[str]) -> str:
    return next(iter(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.0)), "none")


def _yaml_place(error: yaml.YAMLError) -> tuple[str, str]:
    mark = getattr(error, "problem_mark", None)
    what = str(getattr(error, "problem", None) or error)
    return (f"line {mark.line + 1}, column {mark.column + 1}" if mark else "", what)


def _dangling(library: Library) -> Iterator[Problem]:
    for cause in library.root_causes.values():
        file = str(library.files[cause.id])
        linked: set[str] = set()
        for index, link in enumerate(cause.links):
            place = f"links.{index}.phenomenon"
            if link.phenomenon in linked:
                yield Problem(file, place, f"{link.phenomenon} is linked twice")
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


def _unknown(file: str, place: str, identity: str | None, known: Mapping[str, object]) -> Iterator[Problem]:
    if identity is not None and identity not in known:
        yield Problem(file, place, f"{identity} does not exist; the nearest id is {_nearest(identity, known)}")
