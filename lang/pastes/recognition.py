"""Whose output a table is: by the query above it, by what was asked for, by its columns or its tool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lang.pastes.check_index import CheckIndex, KnownCheck
from lang.pastes.model import UNCHANGED, Block, Standing, Table
from lang.pastes.select_list import split_statements

# Of an asked check's columns so many are enough: people leave some out.
_ENOUGH = 0.5


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
    printed = _printed_by_tools(index, columns)
    if found := [one for one in asked if one in index.checks and (one in printed or _fits(index.checks[one], columns))]:
        return (_as(index, found[0], block, table, "counts", True),)
    ids = index.by_columns.get(columns, ()) or printed
    # A query of the person's own may print the same columns of other rows.
    certain = len(ids) == 1 and (echo is None or bool(echoed))
    return tuple(_as(index, one, block, table, "counts" if certain else "proposed", False) for one in ids)


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


def _fits(check: KnownCheck, columns: frozenset[str]) -> bool:
    rule = check.check.rows
    needed = {name.lower() for found in rule.expressions for name in found.names} if rule else set()
    needed |= set(rule.key) if rule else set()
    return any(needed & own <= columns <= own and len(columns) >= _ENOUGH * len(own) for own in check.columns)


def _as(index: CheckIndex, identity: str, block: Block, table: Table, standing: Standing, asked: bool) -> Recognised:
    return Recognised(index.checks[identity], table, block, standing, asked)
