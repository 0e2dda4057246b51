"""The blanks of a step or check, and the objects of somebody's system that fill them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lang.objects.kinds_and_roles import (
    APP,
    AUTOVACUUM_PID,
    CHILD,
    DDL_PID,
    FK_COLUMN,
    PARENT,
    ROLE,
    STANDBYS,
    SYNC_NAMES,
    USER,
)
from lang.objects.scan_keys import KEY

SCHEMA, COLUMN, COLUMNS = "schema", "column", "columns"
# A step's blanks, and the kind of object that fills them. A session is filled in only if it is the one to act on.
_BLANKS = {
    "pid": "pid",
    "ddl_pid": DDL_PID,
    "autovacuum_pid": AUTOVACUUM_PID,
    "root_pid": "pid",
    "holder_pid": "pid",
    "blocker_pid": "pid",
    "slot": "slot",
    "gid": "gid",
    "table": "table",
    "index": "index",
    "seq": "seq",
    "subscription": "subscription",
    "app": "app",
    "service": "app",
    "child": CHILD,
    "parent": PARENT,
    "fk_column": FK_COLUMN,
    "sync_names": SYNC_NAMES,
    "standbys": STANDBYS,
    "role": ROLE,
    "big_table": "table",
    "表": "table",
    "模式": SCHEMA,
    "schema": SCHEMA,
    "索引": "index",
    "column": COLUMN,
    "columns": COLUMNS,
    "列": COLUMN,
    "user": ROLE,
}
# A table with what an index is on.
_OF_INDEX = re.compile(r"<table> \(+(?:lower\()?<column>(?:::\w+)?\)+")
# The name of an index to build, and an application where only the user of the connections is known.
_OF_NEW_INDEX = re.compile(r"(?<=INDEX CONCURRENTLY )<name>|(?<=ADD INDEX )<name>")
_OF_APP = re.compile(r"application_name = (?:'<app>'|:app\b)")
_NOT_OF_NAME = re.compile(r"\W+")
# What stands after ROLE is a role, whatever it is called.
_BLANK = re.compile(r"(?<=ROLE )(<\w+>|app_role\b)|<(\w+)>|(?<![:\w]):(\w*pid|app)(?!\w)|\b(big_table)\b")


def blanks_in(text: str) -> tuple[str, ...]:
    """The kinds of object that the blanks of a step's text stand for, each once."""
    kinds = map(_kind_of_blank, _BLANK.finditer(text))
    return tuple(dict.fromkeys(kind for kind in kinds if kind))


def bind(text: str, objects: Mapping[str, str]) -> str:
    """A step's text with its blanks filled from what was seen; a blank that nobody knows stays.

    A parameter, `:app`, stands for a value of SQL: a name is quoted there.
    """
    if key := objects.get(KEY):
        named = _NOT_OF_NAME.sub("_", key.rstrip(")")) + "_idx"
        text = _OF_NEW_INDEX.sub(lambda _: named, _OF_INDEX.sub(lambda _: key, text))
    if APP not in objects and (user := objects.get(USER)):
        text = _OF_APP.sub(lambda _: f"usename = '{user}'", text)
    owner = {ROLE: objects[USER]} if USER in objects else {}
    known = {**owner, **_parts_of(key or objects.get("table", "")), **objects}
    return _BLANK.sub(lambda blank: _filled(blank, known), text)


def _parts_of(named: str) -> Mapping[str, str]:
    """The schema of a table that is told with it, and the one column of a key."""
    table, _, columns = named.partition(" (")
    schema, column = table.rpartition(".")[0], columns.removesuffix(")")
    known = {kind: each for kind, each in ((SCHEMA, schema), (COLUMN, column)) if each and each.isidentifier()}
    return {**known, COLUMNS: column} if column else known


def _kind_of_blank(blank: re.Match[str]) -> str:
    return ROLE if blank[1] else _BLANKS.get(next(filter(None, blank.groups()), ""), "")


def _filled(blank: re.Match[str], objects: Mapping[str, str]) -> str:
    name = objects.get(_kind_of_blank(blank))
    if name is None:
        return blank[0]
    return f"'{name}'" if blank[3] and not name.isdecimal() else name
