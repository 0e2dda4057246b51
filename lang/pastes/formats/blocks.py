"""A message as blocks, each in one form: output, logs and echoes are recognised before anything is read as prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lang.pastes.formats.documents import begins_document, read_alert, read_described, read_document
from lang.pastes.formats.innodb_status import read_innodb_status
from lang.pastes.formats.log_entries import read_error, read_log, read_notice, read_slow, read_slow_log
from lang.pastes.formats.logins import read_login_rules, read_timed
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.plan_rows import plan_from_json, plan_from_lines, read_plan
from lang.pastes.formats.processes import read_processes, read_processlist
from lang.pastes.formats.prompts import read_echo, read_query
from lang.pastes.formats.tables.by_shape import read_by_shape
from lang.pastes.formats.tables.delimited import KnownColumns, read_delimited, read_pairs
from lang.pastes.formats.tables.expected_rows import read_bare_result, read_expected_rows, read_sizes
from lang.pastes.formats.tables.grids import read_empty_result, read_grid, read_records, table_of
from lang.pastes.formats.tables.headless_rows import read_headless_rows, read_rows_again, with_rows_left_out
from lang.pastes.formats.tables.spaced import read_spaced, read_wrapped
from lang.pastes.formats.tables.told_row import as_named_values, read_server_values, read_told_row
from lang.pastes.formats.tool_tables import read_tool
from lang.pastes.model import Block, Column, Table

# So many brackets without an end are taken for documents before no more are tried.
_MOST_BROKEN = 20


_READERS = (
    *(
        read_innodb_status,
        read_slow_log,
        read_records,
        read_wrapped,
        read_grid,
        read_plan,
        read_tool,
        read_processes,
        read_timed,
        read_login_rules,
        read_processlist,
        read_alert,
        read_described,
        read_log,
        read_notice,
        read_error,
    ),
)
_PAIR = re.compile(r"\s*[({,]*\s*['\"]?([A-Za-z_]\w*)['\"]?\s?[=:]\s?('[^']*'|\"[^\"]*\"|[^\s,;)}]+)[,;)}]*")
_LEAST = 3
_ASSIGNED = "='"
_LEAST_LINES = 3
# Words and short numbers with one space or mark between them: nothing prints so.
_SPOKEN = re.compile(r"(?:(?:\d{1,2}|[^\W\d_]+(?:'[a-z]+)?)(?:[,，、;；.。!?！？] ?| |$))+")


def read_cell_lines(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The table whose first heading is line `at`, if the headings make it one of a view and the rows come out even."""
    if lines.lines[at].strip().lower() not in known.names:
        return None
    end = next((place for place in range(at, len(lines.lines)) if lines.blank[place]), len(lines.lines))
    words = [line.strip() for line in lines.lines[at:end]]
    width = next((place for place, word in enumerate(words) if word.lower() not in known.names), 0)
    if width < _LEAST_LINES or len(words) % width or len(words) < 2 * width or not known.has_view_with(words[:width]):
        return None
    rows = [tuple(words[place : place + width]) for place in range(width, len(words), width)]
    return Block("table", at, end, Table(tuple(words[:width]), tuple(rows)))


def read_assignments(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The records in the lines from `at` on, each of nothing but pairs whose names make it a row of a view."""
    records: list[dict[str, str]] = []
    last = at
    while last < len(lines.lines) and (record := _record(lines.lines[last])):
        # Where no view is known, a line of nothing but assignments is taken for output.
        if len(record) < _LEAST or not (known.has_view_with(record) if known.views else _ASSIGNED in lines.lines[last]):
            break
        records.append(record)
        last += 1
    return Block("table", at, last, table_of(records)) if records else None


def _record(line: str) -> dict[str, str]:
    """The pairs of a line; empty for a line that has anything else."""
    found: dict[str, str] = {}
    place = 0
    while place < len(line.rstrip()):
        pair = _PAIR.match(line, place)
        if pair is None:
            return {}
        found[pair[1]] = pair[2].strip("'\"")
        place = pair.end()
    return found


_KNOWN_READERS = (
    *(read_server_values, read_pairs, read_assignments, read_delimited, read_spaced, read_headless_rows),
    read_cell_lines,
)


def find_blocks(
    lines: PastedLines, known: KnownColumns, expected: Sequence[Sequence[Column]] = ()
) -> tuple[Block, ...]:
    """The blocks of a message in order; blank lines and fences belong to none.

    known: the columns of checks. expected: what the checks that were asked for print, the latest first.
    """
    if not expected and len(lines.lines) == 1 and _SPOKEN.fullmatch(lines.lines[0]):
        return (Block("prose", 0, 1),)
    return tuple(_blocks(lines, known, expected))


def _blocks(lines: PastedLines, known: KnownColumns, expected: Sequence[Sequence[Column]]) -> Iterator[Block]:
    at, broken = 0, 0
    before: Block | None = None
    table: Table | None = None
    while at < len(lines.lines):
        line = lines.lines[at]
        if lines.blank[at] or line.lstrip().startswith("```"):
            at += 1
            continue
        opens = broken < _MOST_BROKEN and begins_document(line)
        block = read_document(lines, at) if opens else None
        broken += opens and block is None
        echo = before if before and before.kind in ("echo", "query") and before.last == at else None
        block = (
            block
            or (None if echo else read_rows_again(lines, at, table))
            or _read_plain(lines, at)
            or _read_below(lines, at, echo)
            or read_expected_rows(lines, at, expected)
            or read_told_row(lines, at, expected)
            or _read_known(lines, at, known)
            or read_by_shape(lines, at)
            or Block("prose", at, at + 1)
        )
        block = with_rows_left_out(lines, block)
        block = replace(block, table=as_named_values(block.table)) if block.table else block
        yield block
        table = block.table or table
        before, at = block, block.last


def _read_plain(lines: PastedLines, at: int) -> Block | None:
    """What its form alone tells."""
    for read in _READERS:
        if block := read(lines, at):
            return _as_plan(lines, block) if block.table and block.table.form == "plan" else block
    return read_echo(lines, at) or read_query(lines, at)


def _read_known(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """What is told by the columns that checks print."""
    for read_known in _KNOWN_READERS:
        if block := read_known(lines, at, known):
            return block
    return read_slow(lines, at) or read_sizes(lines, at, None) or read_empty_result(lines, at)


def _read_below(lines: PastedLines, at: int, echo: Block | None) -> Block | None:
    """What the query or command above printed without a heading."""
    if echo is None:
        return None
    return read_sizes(lines, at, echo) if echo.words.startswith("du ") else read_bare_result(lines, at, echo)


def _as_plan(lines: PastedLines, block: Block) -> Block:
    """A plan that a client printed as a table of one column."""
    if block.table is None or block.table.columns != ("QUERY PLAN",):
        return block
    try:
        plan = plan_from_json(json.loads("\n".join(row[0] for row in block.table.rows)))
    except (ValueError, RecursionError):
        plan = None
    table = plan or plan_from_lines(lines.lines[block.first : block.last])
    return replace(block, table=table)
