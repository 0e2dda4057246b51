"""The kinds of trouble that people tell of, and what is asked first about each: `troubles.yaml`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml
from dbdiag.vocabulary import LocalizedText

from gateway.session.catalog import Catalog
from lang import deferred_re as re
from lang.terms import Terms
from lang.tokens import read_text

_FILE = Path(__file__).with_name("troubles.yaml")
UNKNOWN, _SLOW = "unknown", "slow"
_PART = re.compile("«(\\w+)»")
# "连接【没】问题": brackets that only stress.
_BRACKETS = re.compile("[【】「」『』]")


@dataclass(frozen=True)
class Choice:
    """A choice in plain words; means: the English name of the phenomenon that it stands for."""

    text: LocalizedText
    means: str


@dataclass(frozen=True)
class Opening:
    """What is asked first about one kind of trouble; overview: the name of the look whose output answers as well.

    of_mysql: the choices that only the library of MySQL has a phenomenon for.
    """

    question: LocalizedText
    overview: str
    choices: tuple[Choice, ...]
    narrows: bool = False
    of_mysql: tuple[Choice, ...] = ()

    @property
    def known(self) -> tuple[Choice, ...]:
        """The choices of every library."""
        return (*self.choices, *self.of_mysql)


def kind_of_trouble(message: str) -> str:
    """The kind of trouble that a message tells of; `unknown` if none of its words tells. What it denies is not told."""
    return next(iter(kinds_told(message)), UNKNOWN)


def kinds_told(message: str) -> list[str]:
    """The kinds that words of a message tell of and no words deny, the most telling first."""
    plain = _BRACKETS.sub("", message)
    told = {found.payload for found in _terms().find(read_text(_denied().sub(" , ", plain)))}
    return [kind for kind in openings() if kind in told]


def meant(catalog: Catalog, opening: Opening) -> set[str]:
    """The phenomena that the choices of an opening stand for."""
    names = {choice.means for choice in opening.known}
    return {found.phenomenon_id for found in catalog.phenomena.values() if found.name.en in names}


def scopes_left_out(catalog: Catalog, on_record: Collection[str]) -> frozenset[str]:
    """The scopes of a slowness that cannot be beside one that is on record: one statement, all, the writes, reports."""
    scopes = meant(catalog, openings()[_SLOW])
    return frozenset() if scopes.isdisjoint(on_record) else frozenset(scopes)


@cache
def _file() -> dict[str, Any]:
    return dict(yaml.load(_FILE.read_bytes(), yaml.CSafeLoader))


@cache
def openings() -> dict[str, Opening]:
    """The openings by kind of trouble, the most telling kind first."""
    return {
        kind: Opening(
            LocalizedText(**entry["question"]),
            entry["overview"],
            _choices(entry["choices"]),
            entry.get("narrows", False),
            _choices(entry.get("mysql", ())),
        )
        for kind, entry in _file()["kinds"].items()
    }


def _choices(entries: Iterable[Mapping[str, str]]) -> tuple[Choice, ...]:
    return tuple(Choice(LocalizedText(each["zh"], each["en"]), each["means"]) for each in entries)


def line_of(name: str) -> LocalizedText:
    """A line that goes with the questions, by its name in the file."""
    return LocalizedText(**_file()[name])


@cache
def _terms() -> Terms[str]:
    terms: Terms[str] = Terms()
    for kind, entry in _file()["kinds"].items():
        for word in entry["words"]:
            terms.add(str(word), kind)
    return terms


@cache
def _denied() -> Pattern[str]:
    """What denies a trouble: "not slow", "the connections are fine"."""
    words: dict[bool, list[str]] = {True: [], False: []}
    for entry in _file()["kinds"].values():
        words[entry.get("thing", False)] += map(str, entry["words"])
    parts = _file()["parts"] | {"thing": _any_of(words[True]), "trouble": _any_of(words[False])}
    texts = [_PART.sub(lambda found: parts[found[1]], text) for text in _file()["denied"]]
    return re.compile("(?i)" + "|".join(texts))


def _any_of(words: list[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return "|".join(f"\\b{re.escape(word)}\\b" if word.isascii() else re.escape(word) for word in longest)
