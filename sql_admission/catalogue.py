"""The contents of each PostgreSQL version: relations with their columns, functions, settings.

`catalogue.json` was read from servers of 14.23, 15.18, 16.14, 17.10 and 18.4 with the extensions that come with them.
A range of versions ("14-16") stands before the names that exist in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

VERSIONS = frozenset(range(14, 19))
Names = Mapping[str, frozenset[int]]


@dataclass(frozen=True)
class Catalogue:
    """The versions in which each name exists; a relation's columns by their names."""

    relations: Mapping[str, Names]
    functions: Names
    settings: Names

    def relation(self, name: str) -> frozenset[int]:
        """The versions that have a relation; empty for an unknown one."""
        return frozenset().union(*self.relations.get(name, {}).values())


@cache
def catalogue() -> Catalogue:
    """The catalogue as it is shipped."""
    read = json.loads((Path(__file__).parent / "catalogue.json").read_text(encoding="utf-8"))
    relations = {name: _names(columns) for name, columns in read["relations"].items()}
    return Catalogue(relations, _names(read["functions"]), _names(read["settings"]))


def versions_of(text: str) -> frozenset[int]:
    """The known versions that an entry's `versions` (">=14", ">=14,<17") means."""
    least, _, below = text.removeprefix(">=").partition(",<")
    return frozenset(v for v in VERSIONS if float(least) <= v and (not below or v < float(below)))


def _names(ranges: Mapping[str, str]) -> dict[str, frozenset[int]]:
    return {name: _versions(span) for span, names in ranges.items() for name in names.split()}


def _versions(span: str) -> frozenset[int]:
    first, last = map(int, span.split("-"))
    return frozenset(range(first, last + 1))
