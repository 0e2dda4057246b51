"""Tables as psql, mysql and other clients print them, from columns and cells."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

Cells = Sequence[Sequence[str]]
Printer = Callable[[Sequence[str], Cells], str]


def _aligned(names: Sequence[str], rows: Cells, border: int = 1, signs: tuple[str, str, str] = ("|", "-", "+")) -> str:
    wall, dash, cross = signs
    widths = [
        max(len(line) for row in (names, *rows) for line in row[place].split("\n")) for place in range(len(names))
    ]
    joints = {0: "", 1: "", 2: cross}[border]
    ruler = {0: " ", 1: cross, 2: cross}[border].join(dash * (width + (2 if border else 0)) for width in widths)
    heading = _line(list(names), widths, border, wall)
    body = [_line(cells, widths, border, wall) for row in rows for cells in _broken(row)]
    lines = [heading, joints + ruler + joints, *body]
    if border == 2:
        lines = [joints + ruler + joints, *lines, joints + ruler + joints]
    return "\n".join([*lines, _count(rows)])


def _broken(row: Sequence[str]) -> list[list[str]]:
    """A row on several lines: a `+` behind each part of a cell that goes on."""
    parts = [cell.split("\n") for cell in row]
    height = max(map(len, parts))
    return [
        [(part[at] + ("\0" if at + 1 < len(part) else "")) if at < len(part) else "" for part in parts]
        for at in range(height)
    ]


def _line(cells: Sequence[str], widths: Sequence[int], border: int, wall: str) -> str:
    if border == 0:
        return " ".join(cell.rstrip("\0").ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
    padded = [
        " " + cell.rstrip("\0").ljust(width) + ("+" if cell.endswith("\0") else " ")
        for cell, width in zip(cells, widths, strict=True)
    ]
    joined = wall.join(padded)
    return f"{wall}{joined}{wall}" if border == 2 else joined


def _count(rows: Cells) -> str:
    return f"({len(rows)} row{'' if len(rows) == 1 else 's'})"


def _expanded(names: Sequence[str], rows: Cells) -> str:
    if not rows:
        return "(0 rows)"
    width = max(map(len, names))
    lines = []
    for number, row in enumerate(rows, 1):
        lines.append(f"-[ RECORD {number} ]".ljust(width + 1, "-") + "+" + "-" * 20)
        lines += [f"{name.ljust(width)} | {cell}" for name, cell in zip(names, row, strict=True)]
    return "\n".join(lines)


def _unaligned(names: Sequence[str], rows: Cells, sign: str = "|") -> str:
    return "\n".join([sign.join(names), *(sign.join(row) for row in rows), _count(rows)])


def _csv(names: Sequence[str], rows: Cells) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows([names, *rows])
    return written.getvalue()


def _json(names: Sequence[str], rows: Cells) -> str:
    return json.dumps([dict(zip(names, (cell or None for cell in row), strict=True)) for row in rows], indent=1)


def _mysql(names: Sequence[str], rows: Cells) -> str:
    if not rows:
        return "Empty set (0.00 sec)"
    grid = _aligned(names, [[cell or "NULL" for cell in row] for row in rows], border=2).rpartition("\n")[0]
    return f"{grid}\n{len(rows)} row{'' if len(rows) == 1 else 's'} in set (0.01 sec)"


def _mysql_records(names: Sequence[str], rows: Cells) -> str:
    if not rows:
        return "Empty set (0.00 sec)"
    width = max(map(len, names))
    lines = []
    for number, row in enumerate(rows, 1):
        lines.append(f"{'*' * 27} {number}. row {'*' * 27}")
        lines += [f"{name.rjust(width)}: {cell}" for name, cell in zip(names, row, strict=True)]
    return "\n".join([*lines, f"{len(rows)} rows in set (0.01 sec)"])


def _markdown(names: Sequence[str], rows: Cells) -> str:
    lines = [" | ".join(names), " | ".join("---" for _ in names), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines)


# Those that can print a cell with a line break, and those that cannot.
WRAPPING: dict[str, Printer] = {
    "aligned": _aligned,
    "border 2": lambda names, rows: _aligned(names, rows, 2),
    "unicode": lambda names, rows: _aligned(names, rows, 1, ("│", "─", "┼")),
    "csv": _csv,
    "json": _json,
}
PRINTERS: dict[str, Printer] = WRAPPING | {
    "border 0": lambda names, rows: _aligned(names, rows, 0),
    "expanded": _expanded,
    "unaligned": _unaligned,
    "tsv": lambda names, rows: _unaligned(names, rows, "\t"),
    "mysql": _mysql,
    "mysql records": _mysql_records,
    "markdown": _markdown,
}
