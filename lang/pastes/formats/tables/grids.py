"""Tables with a ruler (psql with border 0, 1 and 2, mysql, Markdown) and records with one column a line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines, from_columns, to_columns
from lang.pastes.formats.prompts import read_echo
from lang.pastes.formats.tables.spoken_results import tells_empty_result, tells_unchanged
from lang.pastes.model import UNCHANGED, Block, Table

_RECORD = re.compile(r"\s*(?:[-+|]*\[ ?\S+ \d+ ?\][-+|]*|\*{3,} ?\d+\. row \*{3,}|\* \S+ \d+)\s*")
_MARKS = frozenset("-+| :")


def read_grid(lines: PastedLines, at: int) -> Block | None:
    """The table with a ruler whose first line, border or heading, is line `at`."""
    top = is_ruler(lines.lines[at]) or _is_titled_border(lines.lines[at])
    heading = at + 1 if top else at
    if heading + 1 >= len(lines.lines) or lines.blank[heading] or not is_ruler(lines.lines[heading + 1]):
        return None
    ruler = to_columns(lines.lines[heading + 1])
    cuts = _cuts(ruler)
    names = _cells(to_columns(lines.lines[heading]), cuts, ruler)
    if names is None or not all(names) or (len(names) == 1 and not _is_single(lines, heading)):
        return None
    rows, last = _rows(lines, heading + 2, cuts, ruler)
    form = "plan" if names == ["QUERY PLAN"] else "rows"
    return Block("table", at, skip_footer(lines, last), Table(tuple(names), rows, form))


def read_records(lines: PastedLines, at: int) -> Block | None:
    """The records (`\\x`, `\\G`) that begin with line `at`: one column and its value a line."""
    if not _RECORD.fullmatch(lines.lines[at]):
        return None
    records: list[dict[str, str]] = []
    sign = _sign_of(lines.lines[at])
    last, name = at, ""
    while last < len(lines.lines):
        line = lines.lines[last]
        if _RECORD.fullmatch(line):
            if records and not records[-1]:
                break
            records.append({})
        elif (pair := ("", line.strip()) if sign == " " and line[:1] == " " else _pair(line, sign)) is not None:
            name = pair[0] or name
            value = records[-1].get(name) if not pair[0] else None
            records[-1][name] = pair[1] if value is None else value.rstrip("+ ") + "\n" + pair[1]
        elif not (is_ruler(line) and line.startswith("+")):
            break
        last += 1
    return Block("table", at, skip_footer(lines, last), table_of(records)) if any(records) else None


def table_of(records: Sequence[Mapping[str, str]]) -> Table:
    """Records as a table of all their columns."""
    columns = tuple(dict.fromkeys(name for record in records for name in record))
    return Table(columns, tuple(tuple(record.get(name, "") for name in columns) for record in records))


def read_empty_result(lines: PastedLines, at: int) -> Block | None:
    """A footer that stands alone: `Empty set`, `(0 rows)` of a psql that prints no heading, or words that say the same.

    Words that two readings were the same are a result, too. Any other footer is just a note.
    """
    if tells_unchanged(lines.lines[at]):
        return Block("table", at, skip_footer(lines, at + 1), Table((), (), UNCHANGED))
    if tells_empty_result(lines.lines[at]):
        return Block("table", at, skip_footer(lines, at + 1), Table((), ()))
    found = FOOTER.fullmatch(lines.lines[at])
    if found is None:
        return None
    empty = found[1] == "0" or found[3] is not None
    return Block("table" if empty else "note", at, skip_footer(lines, at), Table((), ()) if empty else None)


def skip_footer(lines: PastedLines, at: int) -> int:
    """The first line from `at` on that is no footer and no blank line before one."""
    last = at
    while last < len(lines.lines) and (lines.blank[last] or FOOTER.fullmatch(lines.lines[last])):
        last += 1
        if not lines.blank[last - 1]:
            at = last
    return at


def is_ruler(line: str) -> bool:
    """True for a line that is drawn below a heading or around a table."""
    return "--" in line and _MARKS.issuperset(line)


def _is_titled_border(line: str) -> bool:
    """`+ Cluster: shop (73...) ---+----+`, as patronictl draws it."""
    return line.startswith("+ ") and line.rstrip().endswith("-+")


def _is_single(lines: PastedLines, heading: int) -> bool:
    """One column may be an underlined title: it is a table with an identifier above the line or a footer below."""
    name = lines.lines[heading].strip().strip("| ")
    if name == "QUERY PLAN" or (name.islower() and is_name(name.removeprefix("@@"))):
        return True
    return heading + 2 < len(lines.lines) and lines.footed[heading + 2]


def _cuts(ruler: str) -> list[tuple[int, int]]:
    """Where each column begins and ends."""
    # pgcli draws a ruler with one sign within and the other around.
    signs = "+|" if "+" in ruler or "|" in ruler else " "
    places = [place for place, char in enumerate(ruler) if char in signs]
    if signs == " ":
        indent = len(ruler) - len(ruler.lstrip())
        places = [place for place in places if indent <= place < len(ruler.rstrip())]
    edges = [-1, *places, len(ruler)]
    cuts = [(start + 1, end) for start, end in pairwise(edges)]
    return [(start, end) for start, end in cuts if ruler[start:end].strip("- :") == "" and "-" in ruler[start:end]]


def _cells(line: str, cuts: Sequence[tuple[int, int]], ruler: str) -> list[str] | None:
    """The cells of a line below each other, else between its signs; None for a line of something else."""
    for shift in (0,) if ruler.startswith(("|", "+")) else (0, 1):
        # The first line of a message loses its leading spaces where it is trimmed; a border is none.
        moved = " " * shift + line
        if all(end >= len(moved) or moved[end] in "|+: " for _, end in cuts[:-1]) and _separated(moved, cuts, ruler):
            cells = [from_columns(moved[start:end]) for start, end in cuts[:-1]]
            start, end = cuts[-1]
            return [
                *cells,
                from_columns(moved[start : end if ruler.rstrip().endswith("+") else None]).strip("|").strip(),
            ]
    if "|" not in line:
        return None
    parts = line.strip().strip("|").split("|")
    whole = [*parts[: len(cuts) - 1], "|".join(parts[len(cuts) - 1 :])]
    return [from_columns(part) for part in whole] if len(whole) == len(cuts) else None


def _separated(line: str, cuts: Sequence[tuple[int, int]], ruler: str) -> bool:
    """With a border every sign that the line reaches stands where the ruler has it; without, words keep to columns."""
    if "+" in ruler or "|" in ruler:
        if line.count("|") == len(cuts) - 1 and any("|" in line[start:end] for start, end in cuts[:-1]):
            return False
        signs = {line[end] for _, end in cuts[:-1] if end < len(line)}
        return len(cuts) == 1 or _goes_on(line, cuts) or (bool(signs) and signs <= {"|", "+", ":"})
    return True


def _rows(
    lines: PastedLines, at: int, cuts: Sequence[tuple[int, int]], ruler: str
) -> tuple[tuple[tuple[str, ...], ...], int]:
    rows: list[list[str]] = []
    open_cells: set[int] = set()
    first = at
    while at < len(lines.lines):
        line = lines.lines[at]
        if FOOTER.fullmatch(line) or (lines.blank[at] and not open_cells):
            break
        if len(cuts) == 1 and rows and not open_cells and _is_below(lines, first, at):
            break
        if not is_ruler(line):
            drawn = to_columns(line)
            cells = _cells(drawn, cuts, ruler)
            if cells is None:
                break
            wrapped = {place for place, cut in enumerate(cuts) if _is_wrapped(drawn, *cut)}
            cells = [cell[:-1].rstrip() if place in wrapped else cell for place, cell in enumerate(cells)]
            if rows and not open_cells and _goes_on(drawn, cuts):
                open_cells = set(range(len(cuts)))
            if open_cells and rows:
                rows[-1] = [
                    f"{old}\n{new}" if place in open_cells else old
                    for place, (old, new) in enumerate(zip(rows[-1], cells, strict=True))
                ]
            else:
                rows.append(cells)
            open_cells = wrapped
        at += 1
    return tuple(tuple(row) for row in rows), at


def _is_below(lines: PastedLines, first: int, at: int) -> bool:
    """True for a line below a table of one column: a prompt, or what does not stand where the first row does."""
    row, line = lines.lines[first], lines.lines[at]
    return (row[:1] == " " and line[:1] not in (" ", "-")) or read_echo(lines, at) is not None


def _is_wrapped(line: str, start: int, end: int) -> bool:
    """True if a cell ends with psql's sign of going on below, at the very edge of its column."""
    return line[start:end][end - start - 1 :] in ("+", ".") and (end >= len(line) or line[end] in "|+:")


def _goes_on(line: str, cuts: Sequence[tuple[int, int]]) -> bool:
    """True for a row of psql's old style in which cells with a line break go on, behind a colon."""
    signs = {line[end] for _, end in cuts[:-1] if end < len(line)}
    return ":" in signs and signs <= {":", " "}


def _sign_of(heading: str) -> str:
    """What stands between a column and its value below the heading of a record: psql without a border has spaces."""
    return "|" if "[" in heading else ":" if "row" in heading else " "


def _pair(line: str, sign: str) -> tuple[str, str] | None:
    """`name | value`, `name: value` or `name value`; the name is empty where a value goes on."""
    name, found, value = (
        line.strip("+").removeprefix("|").rstrip().partition(sign) if sign == "|" else line.strip().partition(sign)
    )
    name = name.strip()
    if (found or sign == " ") and (not name or is_name(name)):
        return name, value.strip().removesuffix("|").strip() if sign == "|" else value.strip()
    return None


def is_name(word: str) -> bool:
    """True for a column's name as servers print it."""
    return word == "?column?" or (
        word.isascii() and word.replace("_", "a").replace(".", "a").isalnum() and not word[0].isdigit()
    )
