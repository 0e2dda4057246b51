"""The lists of an engine, and the contents of each PostgreSQL version; what is not on them is refused.

`catalogue.json` was read from servers of 14.23, 15.18, 16.14, 17.10 and 18.4 with the extensions that come with them.
A range of versions ("14-16") stands before the names that exist in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from services.chassis.messages import Detail, Message

VERSIONS = frozenset(range(14, 19))
Names = Mapping[str, frozenset[int]]


class Rules(NamedTuple):
    """The lists of one engine.

    tables_of_users: every plain name is admitted in FROM, as in a dataset. table_functions: None lets every listed
    function stand in FROM. guarded: relation -> the columns that may not be read of it; readable: those that may, of
    the same relations. types: those beyond the language's own. dataset: in small letters, the only tables that may be
    read; None where the tables are not known.
    """

    dialect: str
    syntax: frozenset[str]
    changing: frozenset[str]
    nodes: frozenset[str]
    functions: frozenset[str]
    table_functions: frozenset[str] | None
    schemas: frozenset[str]
    extension_functions: frozenset[str]
    extension_schemas: frozenset[str]
    relations: frozenset[str]
    tables_of_users: bool
    extension_relations: frozenset[str]
    information: frozenset[str]
    file_endings: frozenset[str]
    statement_words: frozenset[str]
    guarded: dict[str, frozenset[str]]
    readable: dict[str, frozenset[str]]
    secret_columns: frozenset[str]
    setting_columns: frozenset[str]
    effects: re.Pattern[str]
    secret_settings: re.Pattern[str]
    setting_prefixes: frozenset[str]
    data_frames: re.Pattern[str]
    types: frozenset[str]
    one_row: frozenset[str]
    whole_readers: frozenset[str]
    broad: frozenset[str]
    keys: frozenset[str]
    dataset: frozenset[str] | None = None

    def calls(self, name: str) -> bool:
        """True if a function of this name may be called."""
        return name in self.functions

    def is_own_setting(self, name: str) -> bool:
        """True if a setting is the server's or a known extension's; applications keep secrets in those of their own."""
        prefix, dot, _ = name.strip().lower().partition(".")
        return not dot or prefix in self.setting_prefixes

    def is_secret_setting(self, name: str) -> bool:
        """True if a setting of this name, or with this beginning, holds a password or a key."""
        return self.secret_settings.search(name.strip().lower()) is not None


@cache
def rules_of(engine: str) -> Rules:
    """The lists of an engine."""
    language, own = _read("language"), _read(engine)
    extensions = _words(own, "extension_functions")
    return Rules(
        dialect=own["dialect"],
        syntax=_words(language, "syntax"),
        changing=_words(language, "changing"),
        nodes=_words(language, "nodes") | _words(own, "nodes"),
        functions=_words(own, "functions") | extensions | _matching(own, "function_patterns", catalogue().functions),
        table_functions=_words(own, "table_functions") or None,
        schemas=_words(own, "schemas"),
        extension_functions=extensions,
        extension_schemas=_words(own, "extension_schemas"),
        relations=_words(own, "relations") | _matching(own, "relation_patterns", catalogue().relations),
        tables_of_users=own["dialect"] == "duckdb",
        extension_relations=_words(own, "extension_relations"),
        information=_words(own, "information"),
        file_endings=_words(own, "file_endings"),
        statement_words=_words(own, "statement_words"),
        guarded=_columns(own, "guarded"),
        readable=_columns(own, "readable"),
        secret_columns=_words(own, "secret_columns"),
        setting_columns=_words(own, "setting_columns"),
        effects=_pattern(own, "effects"),
        secret_settings=_pattern(own, "secret_settings"),
        setting_prefixes=_words(own, "setting_prefixes"),
        data_frames=_pattern(own, "data_frames"),
        types=_words(own, "types"),
        one_row=_words(own, "one_row"),
        whole_readers=_words(own, "whole_readers"),
        broad=_words(language, "broad"),
        keys=_words(own, "keys"),
    )


def of_dataset(rules: Rules, tables: Iterable[str]) -> Rules:
    """The lists for one dataset: its tables are all that may be read, the catalogue's functions are gone."""
    catalogue_functions = frozenset(name for name in rules.functions if name.startswith("duckdb_"))
    return rules._replace(
        dataset=frozenset(table.lower() for table in tables),
        functions=rules.functions - catalogue_functions,
        table_functions=(rules.table_functions or frozenset()) - catalogue_functions,
        nodes=rules.nodes - {"Show"},
    )


def _read(name: str) -> dict[str, Any]:
    text = files("sql_admission").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    lists: dict[str, Any] = yaml.load(text, yaml.CSafeLoader)
    return lists


def _words(lists: dict[str, Any], name: str) -> frozenset[str]:
    return frozenset(lists.get(name, "").split())


def _matching(lists: dict[str, Any], name: str, known: Iterable[str]) -> frozenset[str]:
    """PostgreSQL's own names that match a pattern of the list; objects of others may not have such names."""
    pattern = _pattern(lists, name)
    return frozenset(filter(pattern.fullmatch, known))


def _columns(lists: dict[str, Any], name: str) -> dict[str, frozenset[str]]:
    return {relation: frozenset(columns.split()) for relation, columns in lists.get(name, {}).items()}


def _pattern(lists: dict[str, Any], name: str) -> re.Pattern[str]:
    """One of the list's patterns; matches nothing when there is none."""
    return re.compile("|".join(sorted(_words(lists, name))) or r"(?!)")


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


class Refused(Exception):
    """The statement is not admitted. The message says why."""

    def __init__(self, key: str, **details: Detail) -> None:
        super().__init__(key)
        self.message = Message(key, details)
