"""The choices of opening questions that words say, by the patterns of `said_of_choices.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from re import Pattern
from typing import Any

import yaml

from gateway.session.catalog import Catalog
from lang import deferred_re as re
from lang.judging.amending import clauses_in
from lang.modality import is_negated

_FILE = Path(__file__).with_name("said_of_choices.yaml")
_PART = re.compile("«(\\w+)»")

# Patterns by the English name of the phenomenon that a choice stands for.
_Patterns = Mapping[str, Pattern[str]]


@dataclass(frozen=True)
class Said:
    """What people say. of: for each choice; within: by the kind of trouble, where only its question gives the sense.

    rest_well: that the trouble is confined, which excludes the choices named in `wide`.
    """

    of: _Patterns
    disputes: Pattern[str]
    again: Pattern[str]
    rest_well: Pattern[str]
    wide: frozenset[str]
    within: Mapping[str, _Patterns] = field(default_factory=dict)


def choices_told(catalog: Catalog, message: str) -> dict[str, str]:
    """The phenomena of the choices that a message says, with the words that say so; no denials."""
    found = {name: _all_said(pattern, message) for name, pattern in said().of.items()}
    return _by_id(catalog, {name: ", ".join(words) for name, words in found.items() if words})


def choices_told_within(catalog: Catalog, kind: str, message: str) -> dict[str, str]:
    """The phenomena of the choices that a message says once this kind of trouble is what is talked of; no denials."""
    patterns = said().within.get(kind, {})
    told = {name: _all_said(pattern, message)[-1:] for name, pattern in patterns.items()}
    return _by_id(catalog, {name: words[0] for name, words in told.items() if words})


def choices_excluded(catalog: Catalog, message: str) -> set[str]:
    """The phenomena of the choices that cannot be, by a message that says that the rest works."""
    wide = said().wide if said().rest_well.search(message) else frozenset()
    return {found.phenomenon_id for found in catalog.phenomena.values() if found.name.en in wide}


def _all_said(pattern: Pattern[str], message: str) -> list[str]:
    return [each[0] for each in pattern.finditer(message) if not _is_denied(message, each.start())]


def _is_denied(message: str, start: int) -> bool:
    before = message[:start]
    clause = clauses_in(before)[-1:] if before.strip() else []
    return any(is_negated(each) for each in clause if before.endswith(each))


def _by_id(catalog: Catalog, told: dict[str, str]) -> dict[str, str]:
    ids = {found.name.en: found.phenomenon_id for found in catalog.phenomena.values()} if told else {}
    return {ids[name]: words for name, words in told.items() if name in ids}


@cache
def said() -> Said:
    """The patterns as the file has them."""
    read: dict[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    parts: dict[str, str] = {}

    def filled(text: str) -> str:
        return _PART.sub(lambda found: parts[found[1]], text)

    for name, part in read["parts"].items():
        parts[name] = filled(part)

    def pattern(texts: list[str]) -> Pattern[str]:
        return re.compile("(?i)" + "|".join(map(filled, texts)))

    def patterns(listed: dict[str, list[str]]) -> _Patterns:
        return {name: pattern(texts) for name, texts in listed.items()}

    within = {kind: patterns(listed) for kind, listed in read["said_within"].items()}
    rest_well, wide = pattern(read["rest_well"]["said"]), frozenset(read["rest_well"]["excludes"])
    return Said(patterns(read["said"]), pattern(read["disputes"]), pattern(read["again"]), rest_well, wide, within)
