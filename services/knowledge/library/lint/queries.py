"""Queries that dbdiag may run as they are: parsed, and checked against the catalogue of each PostgreSQL version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import Scope, traverse_scope

from lang.pastes import Check, CheckIndex
from lang.pastes.told.named_device import CORES
from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.library.schema import Observe, PhenomenonEntry
from services.knowledge.sql_texts import explain_refusal
from sql_admission.rules import catalogue, versions_of

_READS = (exp.Select, exp.SetOperation, exp.Subquery)
_SYSTEM_SCHEMAS = ("", "pg_catalog", "information_schema")
_SHOW = re.compile(r"\s*show\s+([\w.]+)\s*;?\s*", re.IGNORECASE)
# Columns that every table has.
_HIDDEN = {"oid", "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"}
# Read by the parser as names, though PostgreSQL means values.
_VALUES = {"current_user", "session_user", "current_role", "current_catalog", "user"}


# A function, setting, relation or column by its name, and the versions that have it.
Named = tuple[tuple[str, str], frozenset[int]]


def check_queries(report: Report) -> None:
    """Checks every `kind: sql`: admission, names that a PostgreSQL version lacks; and the rules for its output."""
    for entry in report.library.phenomena.values():
        if entry.observe.kind == "sql":
            for field, text in entry.observe.texts.items():
                _query(report, (entry.id, f"observe.{field}"), text, entry.observe)
        _rows(report, entry)


def _rows(report: Report, entry: PhenomenonEntry) -> None:
    """An error for a rule about columns that the query does not print, or about an output of no known form."""
    rule = entry.observe.rows
    if rule is None:
        return
    check = CheckIndex.of([Check(phenomenon_id=entry.id, how=tuple(entry.observe.texts.values()), rows=rule)]).checks[
        entry.id
    ]
    place = (entry.id, "observe.rows")
    if not (check.columns or check.forms or check.shown):
        report.add(Severity.ERROR, "rows-formless", place)
    named = {name for expression in rule.expressions for name in expression.names} | set(rule.key)
    named -= {CORES}
    lacking = sorted(name for name in named if not any(name in columns for columns in check.columns))
    if entry.observe.kind == "sql" and check.columns and lacking:
        report.add(Severity.ERROR, "rows-column", place, names=", ".join(lacking))


def _query(report: Report, place: tuple[str, str], text: str, observe: Observe) -> None:
    if observe.engine == "postgresql" and not _readable(report, place, text, versions_of(observe.versions)):
        return
    if refusal := explain_refusal(observe, text):
        report.add(Severity.ERROR, "query-refused", place, reason=refusal.text())


def _readable(report: Report, place: tuple[str, str], text: str, wanted: frozenset[int]) -> bool:
    """Whether a query reads at all; what a version lacks of it is reported."""
    if shown := _SHOW.fullmatch(text):
        _report(report, place, _setting(shown[1]), wanted)
        return True
    try:
        statements = [found for found in sqlglot.parse(text, read="postgres") if found is not None]
    except SqlglotError as error:
        report.add(Severity.ERROR, "query-unreadable", place, error=str(error).splitlines()[0][:160])
        return False
    writing = [statement for statement in statements if not isinstance(statement, _READS)]
    for statement in writing:
        report.add(Severity.ERROR, "query-writes", place, statement=statement.key.upper())
    for statement in statements:
        if statement not in writing:
            _report(report, place, _named(statement), wanted)
    return not writing


def _report(report: Report, place: tuple[str, str], named: Iterable[Named], wanted: frozenset[int]) -> None:
    """An error for each thing that some wanted version lacks."""
    for (kind, name), lacking in sorted({(thing, tuple(sorted(wanted - versions))) for thing, versions in named}):
        if lacking:
            versions = ", ".join(map(str, lacking))
            report.add(Severity.ERROR, f"query-versions.{kind}", place, name=name, versions=versions)


def _named(statement: exp.Expr) -> Iterator[Named]:
    known = catalogue()
    for function in statement.find_all(exp.Anonymous):
        name = function.name.lower()
        if name.startswith("pg_") or name in known.functions:
            yield ("function", name), known.functions.get(name, frozenset())
        if name == "current_setting" and len(function.expressions) == 1:
            argument = function.expressions[0]
            if isinstance(argument, exp.Literal) and argument.is_string:
                yield from _setting(argument.name)
    for scope in traverse_scope(statement):
        yield from _relations(scope)
        yield from _columns(scope)


def _setting(name: str) -> Iterator[Named]:
    if "." not in name:
        yield ("setting", name), catalogue().settings.get(name.lower(), frozenset())


def _relations(scope: Scope) -> Iterator[Named]:
    for table in scope.tables:
        if _is_system(table, scope):
            yield ("relation", table.name), catalogue().relation(table.name)


def _is_system(table: exp.Table, scope: Scope) -> bool:
    """True if the name is a catalogue relation rather than a function, a CTE or a user's table."""
    if isinstance(table.this, exp.Func) or table.name in scope.cte_sources or table.db not in _SYSTEM_SCHEMAS:
        return False
    return bool(table.db) or table.name.startswith("pg_") or table.name in catalogue().relations


def _columns(scope: Scope) -> Iterator[Named]:
    tables = {alias: source for alias, source in scope.sources.items() if isinstance(source, exp.Table)}
    system = {alias: table.name for alias, table in tables.items() if _is_system(table, scope)}
    closed = len(system) == len(scope.sources) and (scope.is_root or scope.is_cte or scope.is_derived_table)
    named = {alias.alias for alias in scope.expression.find_all(exp.Alias)}
    for column in scope.columns:
        name = column.name
        if name in _HIDDEN or name in _VALUES or isinstance(column.this, exp.Star):
            continue
        if column.table in system:
            relation = system[column.table]
            yield ("column", f"{relation}.{name}"), catalogue().relations.get(relation, {}).get(name, frozenset())
        elif not column.table and closed and name not in named and _is_own(column, scope):
            yield ("column", name), _in_any(name, system.values())


def _is_own(column: exp.Column, scope: Scope) -> bool:
    """True if the column belongs to this select itself; in a subquery it may refer to either."""
    return column.find_ancestor(exp.Select) is scope.expression and column.name not in scope.sources


def _in_any(column: str, relations: Iterable[str]) -> frozenset[int]:
    known = catalogue().relations
    return frozenset().union(*(known.get(name, {}).get(column, frozenset()) for name in relations))
