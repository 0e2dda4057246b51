"""Whose output a table is: by the query above it, by what was asked for, by its columns or its tool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lang.pastes.cells import type_cell, type_rows
from lang.pastes.check_index import CheckIndex, KnownCheck
from lang.pastes.formats.tables.expected_rows import can_be
from lang.pastes.judge_rows import is_of_rule, judge_rows
from lang.pastes.model import UNCHANGED, Block, Column, Standing, Table
from lang.pastes.select_list import split_statements

# So many of an asked check's columns are enough where its rule needs none, else of those that are shown.
_ENOUGH = 0.5
_DESCRIBES = "\\d"


@dataclass(frozen=True, slots=True)
class Recognised:
    """A table as a check's output. asked: by the person, or by the query that stands above it."""

    check: KnownCheck
    table: Table
    block: Block
    standing: Standing
    asked: bool


def recognise(
    block: Block, echo: Block | None, index: CheckIndex, asked: Sequence[str], alone: bool
) -> tuple[Recognised, ...]:
    """The checks whose output a table may be. echo: the query or command right above; alone: the only table there."""
    if block.table is None:
        return ()
    table = block.table
    if table.form not in ("rows", UNCHANGED):
        # What a tool measures is of this host, or of the standby that it is said to be of.
        shown = (
            one for one in index.by_form.get(table.form, ()) if block.elsewhere or not index.checks[one].on_standby
        )
        return tuple(_as(index, one, block, table, "counts", one in asked) for one in shown)
    echoed = _echoed(echo, index)
    if not table.columns:
        # Only a count of no rows, or that two readings were the same: it answers the query above it, else the check
        # whose command was given last.
        ids = echoed or (tuple(asked[:1]) if alone and echo is None else ())
        run = [one for one in ids if one in index.checks and _answers(index.checks[one], table)]
        return tuple(_as(index, one, block, table, "counts", True) for one in run)
    columns = frozenset(name.lower() for name in table.columns)
    if found := [one for one in echoed if columns in index.checks[one].columns]:
        return tuple(_as(index, one, block, table, "counts", True) for one in found)
    printed = tuple(one for one in _printed_by_tools(index, columns) if _has_named_rows(index.checks[one], table))
    for one in asked:
        own = table if one in printed else _in_own_names(one, index, table) if one in index.checks else None
        if own is not None:
            return (_as(index, one, block, own, "counts", True),)
    printed = printed or (() if alone or columns in index.by_columns else _compared(index, columns))
    ids = index.by_columns.get(columns, ()) or printed
    # A query of the person's own may print the same columns of other rows; what psql describes is whole.
    certain = len(ids) == 1 and (echo is None or bool(echoed) or echo.words.startswith(_DESCRIBES))
    return tuple(
        _as(index, one, block, table, "counts" if certain or one in printed else "proposed", False) for one in ids
    )


def _compared(index: CheckIndex, columns: frozenset[str]) -> tuple[str, ...]:
    """The checks that compare two readings of rows that they name, whatever else a person's own query printed."""
    return tuple(
        known.phenomenon_id
        for known in index.checks.values()
        if (rule := known.check.rows) and rule.repeat == "rise" and not rule.texts.isdisjoint(rule.key)
        if columns.issuperset(name.lower() for one in rule.expressions for name in (*rule.key, *one.names))
    )


def _has_named_rows(check: KnownCheck, table: Table) -> bool:
    """True unless a check's rule picks rows by names that the table lacks: statements that list all print alike."""
    rule = check.check.rows
    return rule is not None and is_of_rule(rule, type_rows(table, rule.texts))


def _answers(check: KnownCheck, table: Table) -> bool:
    """True for a query or command whose result may be told so: that nothing changed is one of a rise."""
    rule = check.check.rows
    return check.is_run and (table.form != UNCHANGED or (rule is not None and rule.repeat == "rise"))


def echoed_checks(echo: Block | None, index: CheckIndex) -> tuple[str, ...]:
    """The checks whose query is the text of an echo."""
    return _echoed(echo, index)


def _echoed(echo: Block | None, index: CheckIndex) -> tuple[str, ...]:
    if echo is None:
        return ()
    return tuple(one for statement in split_statements(echo.words) for one in index.by_query.get(statement, ()))


def _printed_by_tools(index: CheckIndex, columns: frozenset[str]) -> tuple[str, ...]:
    """The checks by a statement whose columns differ by version, such as SHOW POOLS."""
    return next((ids for core, ids in index.by_core.items() if core <= columns), ())


def _in_own_names(identity: str, index: CheckIndex, table: Table) -> Table | None:
    """The table with the names that an asked check prints, if it has all that the rule needs; None if it is another's.

    People leave columns out, add some and shorten names: `longest` of `longest_idle`. Where a rule only counts rows,
    those that their own values speak against are of another query.
    """
    check = index.checks[identity]
    rule = check.check.rows
    needed = {name.lower() for found in rule.expressions for name in found.names} if rule else set()
    needed |= set(rule.key) if rule else set()
    printed_so = frozenset(map(str.lower, table.columns)) in check.columns
    counted = rule is not None and not needed and judge_rows(rule, (tuple({} for _ in table.rows),), 0.0)
    if counted == "confirmed" and not printed_so and index.views.refutes(identity, table):
        return None
    for printed in check.prints:
        own = {column.name.lower(): column for column in printed}
        names = [_own_name(heading.lower(), own) for heading in table.columns]
        known = [name for name in names if name]
        enough = len(known) >= _ENOUGH * len(own) if not needed & own.keys() else len(known) >= _ENOUGH * len(names)
        if enough and len({*known}) == len(known) and needed & own.keys() <= {*known} and _can_print(own, names, table):
            return replace(table, columns=tuple(name or told for name, told in zip(names, table.columns, strict=True)))
    return None


def _own_name(heading: str, own: Mapping[str, Column]) -> str:
    """The one column that a heading names in whole or in part; empty where there is none, or several."""
    parts = set(heading.split("_"))
    found = [heading] if heading in own else [name for name in own if parts < set(name.split("_"))]
    return found[0] if len(found) == 1 else ""


def _can_print(own: Mapping[str, Column], names: Sequence[str], table: Table) -> bool:
    """True if every cell below a shortened name can be one of its column."""
    short = [place for place, name in enumerate(names) if name and name != table.columns[place].lower()]
    cells = [(row[place].strip(), own[names[place]]) for row in table.rows for place in short if place < len(row)]
    return all(can_be(cell, column) for cell, column in cells if type_cell(cell) is not None)


def _as(index: CheckIndex, identity: str, block: Block, table: Table, standing: Standing, asked: bool) -> Recognised:
    return Recognised(index.checks[identity], table, block, standing, asked)
