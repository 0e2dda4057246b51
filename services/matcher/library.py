"""What the matcher needs of a snapshot: names, descriptions, aliases and what counts as present."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from services.chassis.errors import InvalidInput
from services.matcher.model import LocalizedText

FORMAT = "dbdiag.snapshot.v1"
_IDENTIFIER = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Words(_Part):
    zh: str = ""
    en: str = ""


class _Lists(_Part):
    zh: tuple[str, ...] = ()
    en: tuple[str, ...] = ()


class _Observe(_Part):
    how: str | _Words = ""
    present_when: _Words = _Words()


class _Phenomenon(_Part):
    id: str
    name: _Words | None = None
    description: _Words = _Words()
    aliases: _Lists = _Lists()
    observe: _Observe = _Observe()


class _RootCause(_Part):
    id: str
    name: _Words | None = None
    description: _Words = _Words()
    aliases: _Lists = _Lists()


class _File(_Part):
    phenomena: tuple[_Phenomenon, ...]
    root_causes: tuple[_RootCause, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A phenomenon or root cause as text. `statements` are name and description, `present_when` the test of presence.

    `identifiers` are the database's own names in `how` it is observed.
    """

    id: str
    name: LocalizedText
    statements: tuple[str, ...]
    aliases: tuple[str, ...]
    present_when: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Library:
    """The entries of one snapshot, in id order."""

    snapshot_id: str
    phenomena: tuple[Entry, ...]
    root_causes: tuple[Entry, ...]


def read_snapshot(content: bytes, snapshot_id: str) -> Library:
    """The library of a snapshot's canonical bytes. Raises InvalidInput when format or name do not fit the bytes."""
    parsed = _parsed(content)
    if parsed.get("format") != FORMAT:
        raise InvalidInput(f"reading snapshot {snapshot_id}: format {parsed.get('format')!r}, expected {FORMAT!r}")
    actual = name_of(content)
    if actual != snapshot_id:
        raise InvalidInput(f"reading snapshot {snapshot_id}: its bytes are named {actual}")
    return _library(parsed, snapshot_id)


def read_world(content: bytes) -> Library:
    """The library of a plain JSON file with `phenomena` and `root_causes` (id, description, observe)."""
    return _library(_parsed(content), name_of(content))


def name_of(content: bytes) -> str:
    """The name of a snapshot's bytes: `sha256:` and the digest."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(content)
    except ValueError as error:
        raise InvalidInput(f"reading a library: it is no JSON ({error})") from error
    if not isinstance(parsed, dict):
        raise InvalidInput("reading a library: expected one JSON object")
    return parsed


def _library(parsed: dict[str, Any], snapshot_id: str) -> Library:
    try:
        file = _File.model_validate(parsed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(f"reading library {snapshot_id}: {place}: {first['msg']}") from error
    return Library(
        snapshot_id=snapshot_id,
        phenomena=tuple(sorted(map(_phenomenon, file.phenomena), key=lambda entry: entry.id)),
        root_causes=tuple(sorted(map(_root_cause, file.root_causes), key=lambda entry: entry.id)),
    )


def _phenomenon(read: _Phenomenon) -> Entry:
    name = read.name or read.description
    how = read.observe.how if isinstance(read.observe.how, str) else read.observe.how.en
    return Entry(
        id=read.id,
        name=LocalizedText(name.zh, name.en),
        statements=_distinct([name.zh, name.en, read.description.zh, read.description.en]),
        aliases=_distinct([*read.aliases.zh, *read.aliases.en]),
        present_when=_distinct([read.observe.present_when.zh, read.observe.present_when.en]),
        identifiers=_distinct(_IDENTIFIER.findall(how)),
        how=how,
    )


def _root_cause(read: _RootCause) -> Entry:
    name = read.name or read.description
    return Entry(
        id=read.id,
        name=LocalizedText(name.zh, name.en),
        statements=_distinct([name.zh, name.en, read.description.zh, read.description.en]),
        aliases=_distinct([*read.aliases.zh, *read.aliases.en]),
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if text))
