"""The checks of a library by what their output looks like: query, columns, tool, or the lines they search a log for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from lang.pastes.formats.tables.delimited import KnownColumns, server_columns
from lang.pastes.model import Check, Column
from lang.pastes.own_queries.judge_views import ViewRules
from lang.pastes.own_queries.views import ColumnType, View
from lang.pastes.select_list import list_items, name_columns, split_statements

# A word of a command and the form of table that it prints.
_TOOLS = (
    *(("df -i", "inodes"), ("df ", "filesystems"), ("vmstat", "cpu"), ("free -", "memory"), ("iostat", "disks")),
    *(
        ("top -b", "processes"),
        ("meminfo", "meminfo"),
        ("transparent_hugepage", "huge_pages"),
        ("pressure", "pressure"),
        ("time psql", "timed"),
        ("pg_hba.conf", "hba"),
    ),
    *(("grep", "log"), ("dmesg", "log"), ("journalctl", "log"), ("EXPLAIN", "plan"), ("explain", "plan")),
)
_GREP = re.compile(r"grep (?:-[-\w]+ (?:\d+ )?)*(?:'([^']+)'|\"([^\"]+)\"|([\w]+))")
_ON_STANDBY = ("-- on the standby", "-- 在备库上", "-- on the subscriber", "# on the standby's machine", "# 在备库那台")
# The columns that a statement of another language has had in every version.
_SHOWN = {
    "show pools": ("database", "user", "cl_active", "cl_waiting", "sv_active", "maxwait"),
    "show replica status": ("replica_io_state", "source_host", "seconds_behind_source"),
    "show global status": ("variable_name", "value"),
    "show variables": ("variable_name", "value"),
    "show binary logs": ("log_name", "file_size"),
    "xa recover": ("formatid", "gtrid_length"),
}
# By this a rule names a line of a log.
LINE = "line"
Columns = frozenset[str]
_Key = TypeVar("_Key")
_NUMBERS = frozenset(("bigint", "int", "integer", "numeric", "float", "int8", "int4"))
_COUNTS = frozenset(("count", "round", "row_number", "cardinality"))


def kinds_by_name(views: Iterable[View]) -> dict[str, ColumnType]:
    """The kind of each column's usual name, where all views that have it agree."""
    kinds: dict[str, set[ColumnType]] = {}
    for view in views:
        for column in view.columns:
            kinds.setdefault(column.name, set()).add(column.type)
    return {name: next(iter(found)) for name, found in kinds.items() if len(found) == 1}


def columns_of(statement: Sequence[str], kinds: Mapping[str, ColumnType]) -> tuple[Column, ...]:
    """The columns of a statement in order; empty where its text does not tell all of them."""
    names = name_columns(statement)
    items = list(list_items(statement)) if names else []
    literals = frozenset(token.strip("'") for token in statement if token.startswith("'"))
    return tuple(Column(name, _kind(item, name, kinds), literals) for name, item in zip(names, items, strict=True))


def _kind(item: Sequence[str], name: str, kinds: Mapping[str, ColumnType]) -> ColumnType:
    made = item[:-2] if item[-2:-1] == ["as"] else item
    if made[:1] == ["pg_size_pretty"]:
        return "bytes"
    if (made[:1] and made[0] in _COUNTS) or (made[-2:-1] == ["::"] and made[-1] in _NUMBERS):
        return "number"
    if made[:4] == ["now", "(", ")", "-"]:
        return "duration"
    return kinds.get(name, "text") if made[-1:] == [name] else "text"


@dataclass(frozen=True, slots=True)
class KnownCheck:
    """A check with what can be told from its text.

    prints: the columns of its queries in their order, with their kinds. lines: what it searches logs for, by its last
    search or its rule. shown: the columns of statements that are no query, such as SHOW POOLS.
    """

    check: Check
    statements: tuple[tuple[str, ...], ...]
    columns: tuple[Columns, ...]
    prints: tuple[tuple[Column, ...], ...]
    forms: frozenset[str]
    lines: re.Pattern[str] | None
    on_standby: bool
    shown: tuple[Columns, ...]

    @property
    def phenomenon_id(self) -> str:
        """The phenomenon that it is about."""
        return self.check.phenomenon_id

    @property
    def is_run(self) -> bool:
        """True for a query or command: it has a result, which may be empty."""
        return bool(self.columns or self.forms or self.shown)


@dataclass(frozen=True)
class CheckIndex:
    """All checks of a library, made once; ids are in the order of the library."""

    checks: Mapping[str, KnownCheck]
    by_query: Mapping[tuple[str, ...], tuple[str, ...]]
    by_columns: Mapping[Columns, tuple[str, ...]]
    by_form: Mapping[str, tuple[str, ...]]
    by_core: Mapping[Columns, tuple[str, ...]]
    known: KnownColumns
    views: ViewRules = field(default_factory=ViewRules)

    @classmethod
    def of(cls, checks: Iterable[Check], views: Iterable[View] = ()) -> CheckIndex:
        """The index of the checks; those without a rule are recognised too, so that their output is no one else's.

        views: those that people query in their own words.
        """
        checks = tuple(checks)
        views = tuple(views)
        rules = ViewRules.of(views, checks)
        kinds = kinds_by_name(views)
        known = {check.phenomenon_id: _know(check, kinds) for check in checks}
        queries: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
        columns: dict[Columns, dict[str, None]] = defaultdict(dict)
        forms: dict[str, dict[str, None]] = defaultdict(dict)
        cores: dict[Columns, dict[str, None]] = defaultdict(dict)
        for identity, found in known.items():
            for statement in found.statements:
                queries[statement][identity] = None
            for one in found.columns:
                columns[one][identity] = None
            for core in found.shown:
                cores[core][identity] = None
            for form in found.forms:
                forms[form][identity] = None
        printed = KnownColumns.of(
            columns, rules.names | server_columns(), rules.phrases, rules.known_views, rules.variables
        )
        return cls(known, _frozen(queries), _frozen(columns), _frozen(forms), _frozen(cores), printed, rules)


def _frozen(found: Mapping[_Key, Mapping[str, None]]) -> dict[_Key, tuple[str, ...]]:
    return {key: tuple(ids) for key, ids in found.items()}


def _know(check: Check, kinds: Mapping[str, ColumnType]) -> KnownCheck:
    # The languages of a check often share its query.
    statements = tuple(statement for text in dict.fromkeys(check.how) for statement in split_statements(text))
    columns = dict.fromkeys(frozenset(names) for one in statements if (names := name_columns(one)))
    prints = tuple(filter(None, (columns_of(statement, kinds) for statement in statements)))
    tools = frozenset(form for text in check.how for word, form in _TOOLS if word in text)
    if "inodes" in tools and not any("df -h" in text or "df -m" in text for text in check.how):
        tools -= {"filesystems"}
    lines = _lines_of(check) if _counts_lines(check, tools) else None
    shown = tuple(frozenset(core) for name, core in _SHOWN.items() if any(name in text.lower() for text in check.how))
    standby = any(mark in text for text in check.how for mark in _ON_STANDBY)
    forms = frozenset(("log",)) if lines else tools - {"log"}
    return KnownCheck(check, statements, tuple(columns), prints, forms, lines, standby, shown)


def _counts_lines(check: Check, tools: frozenset[str]) -> bool:
    """True if the rule counts lines of a log: it names no column but the line."""
    rule = check.rows
    return (
        rule is not None
        and ("log" in tools or rule.lines is not None)
        and not any({*one.names} - {LINE} for one in rule.expressions)
    )


def _lines_of(check: Check) -> re.Pattern[str] | None:
    """The lines that count: the rule's, else those that the command searches for."""
    if check.rows and check.rows.lines:
        return re.compile(check.rows.lines, re.IGNORECASE)
    pattern = search_of(check.how)
    return re.compile(pattern, re.IGNORECASE) if pattern else None


def search_of(how: Sequence[str]) -> str | None:
    """The pattern of the first `grep` in a command that is a regular expression here too."""
    for text in how:
        found = _GREP.search(text)
        pattern = found and (found[1] or found[2] or found[3])
        if pattern:
            try:
                re.compile(pattern)
            except re.error:
                continue
            return pattern
    return None
