"""Tables of psql in a narrow window: heading, ruler and rows go on in the next line wherever the width ended."""

from __future__ import annotations

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Table

_RULER = frozenset("-+")
_MOST_LINES = 5


def read_wrapped(lines: PastedLines, at: int) -> Block | None:
    """The table whose heading begins with line `at` and whose ruler has several lines."""
    below = _rulers(lines, at)
    if below is None:
        return None
    first, last = below
    width, signs = len(lines.lines[first]), "".join(lines.lines[first:last]).count("+")
    heading, after = _row(lines, at, width, signs)
    names = tuple(name.strip() for name in heading.split("|"))
    if after != first or not signs or len(names) != signs + 1 or not all(names):
        return None
    rows: list[tuple[str, ...]] = []
    while not _ends(lines, last):
        row, after = _row(lines, last, width, signs)
        cells = row.split("|", signs)
        if len(cells) != len(names):
            break
        rows.append(tuple(cell.strip() for cell in cells))
        last = after
    return Block("table", at, skip_footer(lines, last), Table(names, tuple(rows)))


def _rulers(lines: PastedLines, at: int) -> tuple[int, int] | None:
    """The first line of a ruler of several, at most five lines below a heading's first, and the line after its last."""
    if "|" not in lines.lines[at]:
        return None
    below = range(at + 1, min(at + _MOST_LINES + 1, len(lines.lines)))
    first = next((place for place in below if _is_ruler(lines.lines[place])), None)
    if first is None or first + 1 >= len(lines.lines) or not _is_ruler(lines.lines[first + 1]):
        return None
    last = first + 1
    while last < len(lines.lines) and _is_ruler(lines.lines[last]):
        last += 1
    return first, last


def _is_ruler(line: str) -> bool:
    return bool(line) and _RULER.issuperset(line)


def _ends(lines: PastedLines, at: int) -> bool:
    """True behind the last row. A line of nothing but spaces is the end of a row that was padded."""
    return at >= len(lines.lines) or not lines.lines[at] or FOOTER.fullmatch(lines.lines[at]) is not None


def _row(lines: PastedLines, at: int, width: int, signs: int) -> tuple[str, int]:
    """The row that begins with line `at` as one line, and the line after it. A full line was cut within a word."""
    row, last = lines.lines[at], at + 1
    while not _ends(lines, last):
        line = lines.lines[last]
        if _is_ruler(line) or (row.count("|") >= signs and "|" in line):
            break
        row += ("" if len(lines.lines[last - 1]) == width else " ") + line
        last += 1
    return row, last
