"""Tables of psql in a narrow window: heading, ruler and rows go on in the next line wherever the width ended."""

from __future__ import annotations

from lang.pastes.formats.grids import skip_footer
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.model import Block, Table

_RULER = frozenset("-+")
_MOST_LINES = 4


def read_wrapped(lines: PastedLines, at: int) -> Block | None:
    """The table whose heading begins with line `at` and has as many lines as its ruler, at least two."""
    if "|" not in lines.lines[at]:
        return None
    for height in range(2, _MOST_LINES + 1):
        rulers = lines.lines[at + height : at + 2 * height]
        if len(rulers) == height and all(map(_is_ruler, rulers)) and "+" in "".join(rulers):
            break
    else:
        return None
    width, signs = len(rulers[0]), "".join(rulers).count("+")
    heading, below = _row(lines, at, width, signs)
    names = tuple(name.strip() for name in heading.split("|"))
    if below != at + height or not all(names):
        return None
    rows: list[tuple[str, ...]] = []
    last = at + 2 * height
    while last < len(lines.lines) and not _ends(lines, last):
        row, below = _row(lines, last, width, signs)
        cells = row.split("|", signs)
        if len(cells) != len(names):
            break
        rows.append(tuple(cell.strip() for cell in cells))
        last = below
    return Block("table", at, skip_footer(lines, last), Table(names, tuple(rows)))


def _is_ruler(line: str) -> bool:
    return "--" in line and _RULER.issuperset(line.strip())


def _ends(lines: PastedLines, at: int) -> bool:
    return at >= len(lines.lines) or lines.blank[at] or FOOTER.fullmatch(lines.lines[at]) is not None


def _row(lines: PastedLines, at: int, width: int, signs: int) -> tuple[str, int]:
    """The row that begins with line `at` as one line, and the line after it. A full line was cut within a word."""
    row, last = lines.lines[at], at + 1
    while not _ends(lines, last):
        line = lines.lines[last]
        if row.count("|") >= signs and ("|" in line or _is_ruler(line)):
            break
        row += ("" if len(lines.lines[last - 1]) == width else " ") + line
        last += 1
    return row, last
