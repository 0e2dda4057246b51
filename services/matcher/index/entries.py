"""The part of a snapshot that the matcher uses: names, descriptions, aliases, presence tests."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from lang.derivation import Derived, Described, derive, extend
from lang.pastes import RowRule, View, ViewRule
from lang.vocabulary import Predicate, Subject, Vocabulary
from services.chassis.errors import InvalidInput
from services.matcher.model import LocalizedText

FORMAT = "dbdiag.snapshot.v1"
# More terms of a subject than these would outweigh an entry's own texts.
_MOST_TERMS = 40
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
    rows: RowRule | None = None
    views: tuple[ViewRule, ...] = ()


class _Phenomenon(_Part):
    id: str
    name: _Words | None = None
    description: _Words = _Words()
    aliases: _Lists = _Lists()
    observe: _Observe = _Observe()
    needs: tuple[str, ...] = ()
    means: tuple[Predicate, ...] | None = None


class _RootCause(_Part):
    id: str
    name: _Words | None = None
    description: _Words = _Words()
    aliases: _Lists = _Lists()


class _File(_Part):
    phenomena: tuple[_Phenomenon, ...]
    root_causes: tuple[_RootCause, ...] = ()
    vocabulary: Vocabulary = Vocabulary()
    views: tuple[View, ...] = ()


@dataclass(frozen=True)
class Entry:
    """A phenomenon or root cause as text. `statements` are its name and description in both languages.

    `present_when` is the presence test, `how` the check, `hows` the check in each language, `rows` how its output is
    judged, `views` what people's own queries confirm, `identifiers` the database's own names in that check, `needs` the
    facilities that it cannot be without, `means` the predicates, `terms` the vocabulary's words for their subjects, a
    text for each subject and language.
    """

    id: str
    name: LocalizedText
    statements: tuple[str, ...]
    aliases: tuple[str, ...]
    present_when: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    how: str = ""
    hows: tuple[str, ...] = ()
    rows: RowRule | None = None
    views: tuple[ViewRule, ...] = ()
    needs: tuple[str, ...] = ()
    means: tuple[Predicate, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True)
class Library:
    """The entries of one snapshot, in id order, its vocabulary, and the views that people query."""

    snapshot_id: str
    phenomena: tuple[Entry, ...]
    root_causes: tuple[Entry, ...]
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    views: tuple[View, ...] = ()


def read_snapshot(content: bytes, snapshot_id: str) -> Library:
    """Parses a snapshot's canonical bytes. Raises InvalidInput if the format or the name does not fit them."""
    parsed = _parsed(content)
    if parsed.get("format") != FORMAT:
        raise InvalidInput(
            "invalid_request.snapshot_of_other_format",
            snapshot=snapshot_id,
            found=repr(parsed.get("format")),
            expected=repr(FORMAT),
        )
    actual = name_of(content)
    if actual != snapshot_id:
        raise InvalidInput("invalid_request.snapshot_of_other_name", snapshot=snapshot_id, actual=actual)
    return _library(parsed, snapshot_id)


def read_world(content: bytes) -> Library:
    """Parses a plain JSON file with `phenomena` and `root_causes` (id, description, observe)."""
    return _library(_parsed(content), name_of(content))


def name_of(content: bytes) -> str:
    """The content address of a snapshot: `sha256:` and the digest."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def _parsed(content: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(content)
    except ValueError as error:
        raise InvalidInput("invalid_request.library_not_json", problem=str(error)) from error
    if not isinstance(parsed, dict):
        raise InvalidInput("invalid_request.library_not_an_object")
    return parsed


def _library(parsed: dict[str, Any], snapshot_id: str) -> Library:
    try:
        file = _File.model_validate(parsed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise InvalidInput(
            "invalid_request.library_field", snapshot=snapshot_id, place=place, problem=first["msg"]
        ) from error
    derived = {read.id: found for read in file.phenomena if read.means is None and (found := derive(_described(read)))}
    vocabulary = extend(file.vocabulary, derived.values())
    terms = {subject.id: _terms(subject) for subject in vocabulary.subjects}
    phenomena = (_phenomenon(read, derived.get(read.id), terms) for read in file.phenomena)
    return Library(
        snapshot_id=snapshot_id,
        phenomena=tuple(sorted(phenomena, key=lambda entry: entry.id)),
        root_causes=tuple(sorted(map(_root_cause, file.root_causes), key=lambda entry: entry.id)),
        vocabulary=vocabulary,
        views=file.views,
    )


def _described(read: _Phenomenon) -> Described:
    """A phenomenon without `means`: an empty list would say that it is only asked for."""
    name, tests = read.name or read.description, read.observe.present_when
    return Described(read.id, (name.zh, name.en), (*read.aliases.zh, *read.aliases.en), (tests.zh, tests.en))


def _terms(subject: Subject) -> tuple[str, ...]:
    """What people say of a subject, as one text a language: its shortest terms, which are the plainest, in order."""
    said = (subject.say.zh, subject.say.en)
    shortest = (sorted(set(terms), key=lambda term: (len(term), term))[:_MOST_TERMS] for terms in said)
    return tuple(", ".join(terms).replace(" + ", " ") for terms in shortest)


def _phenomenon(read: _Phenomenon, derived: Derived | None, terms: Mapping[str, tuple[str, ...]]) -> Entry:
    name = read.name or read.description
    hows = read.observe.how if isinstance(read.observe.how, _Words) else _Words(en=read.observe.how)
    how = hows.en
    means = derived.means if derived else read.means or ()
    stated = [part for each in means for part in (each, *each.with_) if not part.rules_out]
    return Entry(
        id=read.id,
        name=LocalizedText(name.zh, name.en),
        statements=_distinct([name.zh, name.en, read.description.zh, read.description.en]),
        aliases=_distinct([*read.aliases.zh, *read.aliases.en]),
        present_when=_distinct([read.observe.present_when.zh, read.observe.present_when.en]),
        identifiers=_distinct(_IDENTIFIER.findall(how)),
        how=how,
        hows=_distinct([hows.en, hows.zh]),
        rows=read.observe.rows,
        views=read.observe.views,
        needs=read.needs,
        means=means,
        terms=_distinct(text for part in stated for text in terms.get(part.subject, ())),
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
