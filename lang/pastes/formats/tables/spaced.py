"""Tables whose columns only spaces keep apart: tabs that became spaces, a screenshot as text, lost `|`; and tables of
psql in a narrow window, whose lines go on in the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lang.pastes.formats.pasted_lines import FOOTER, PastedLines, to_columns
from lang.pastes.formats.tables.delimited import KnownColumns
from lang.pastes.formats.tables.grids import skip_footer
from lang.pastes.model import Block, Table

_PART = re.compile(r"\S+(?: \S+)*")
_HEADING = re.compile(r"[^\W\d]\w*(?: [\w%]+){0,2}|\?column\?")
_RULER = frozenset("-+| ")
# A heading is believed when this share of its names is known; a prose line has few of them.
_KNOWN = 0.6
# A heading of unknown names is one when so many rows keep to its columns.
_LEAST_COLUMNS, _LEAST_ROWS = 3, 2
_UNIT = r"(?:bytes|[kKMGTP]i?B)"
_ATOMS = (
    r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?: ?[+-]\d\d(?::?\d\d)?| [A-Z]{3,4}\b)?",
    r"(?:\d+ (?:years?|mons?|days?) ?)+(?:-?\d+:\d\d:\d\d(?:\.\d+)?)?(?=\s|$)",
    rf"\d+(?:\.\d+)? {_UNIT}(?=\s|$)",
)
_WRAPPED_RULER = frozenset("-+")
_MOST_LINES = 5


class _Part(NamedTuple):
    start: int
    end: int
    words: str


def read_spaced(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The table whose heading is line `at`: names with spaces between, rows that have a value for each or stand below.

    Names of unknown columns are believed when at least two rows keep to them.
    """
    wide = _parts(lines.lines[at])
    heading = wide if len(wide) > 1 else tuple(_words(lines.lines[at]))
    names = [part.words for part in heading]
    if len(names) < 2 or not all(map(_HEADING.fullmatch, names)):
        return None
    trusted = sum(_plain(name) in known.names for name in names) >= _KNOWN * len(names)
    if not trusted and (len(wide) < _LEAST_COLUMNS or not any("_" in name for name in names)):
        return None
    rows, last = _rows(lines, at + 1, heading, known if trusted else None)
    if len(rows) < (1 if trusted else _LEAST_ROWS):
        return None
    return Block("table", at, skip_footer(lines, last), Table(tuple(names), rows))


def _plain(heading: str) -> str:
    return "_".join(heading.replace("%", "pct").lower().split())


def _rows(
    lines: PastedLines, at: int, heading: Sequence[_Part], known: KnownColumns | None
) -> tuple[tuple[tuple[str, ...], ...], int]:
    rows: list[tuple[str, ...]] = []
    last = at
    while last < len(lines.lines) and not lines.blank[last] and not FOOTER.fullmatch(lines.lines[last]):
        line = lines.lines[last]
        if not _RULER.issuperset(line):
            cells = _placed(line, heading) or (_counted(line, len(heading), known) if known else None)
            if cells is None:
                break
            rows.append(cells)
        last += 1
    return tuple(rows), last


def _placed(line: str, heading: Sequence[_Part]) -> tuple[str, ...] | None:
    """The cells of a row with wide gaps: one for each name, or each below one name."""
    parts = _parts(line)
    if len(parts) == len(heading):
        return tuple(part.words for part in parts)
    if len(parts) < 2:
        return None
    cells = [""] * len(heading)
    for part in parts:
        below = [place for place, name in enumerate(heading) if part.start < name.end and name.start < part.end]
        if len(below) != 1 or cells[below[0]]:
            return None
        cells[below[0]] = part.words
    return tuple(cells)


def _counted(line: str, width: int, known: KnownColumns) -> tuple[str, ...] | None:
    """The cells of a row with single gaps: values of several words are known, the last cell has the rest."""
    phrases = [re.escape(phrase) for phrase in sorted(known.phrases, key=len, reverse=True)]
    atoms = re.findall("|".join((*phrases, *_ATOMS, r"\S+")), line)
    if len(atoms) < width or not any(atom[0].isdigit() for atom in atoms):
        return None
    return (*(atom.strip() for atom in atoms[: width - 1]), " ".join(atoms[width - 1 :]))


def _parts(line: str) -> tuple[_Part, ...]:
    """What wide gaps keep apart, by terminal column."""
    drawn = to_columns(line.expandtabs())
    return tuple(_Part(found.start(), found.end(), found[0].replace("\0", "")) for found in _PART.finditer(drawn))


def _words(line: str) -> Iterator[_Part]:
    return (_Part(found.start(), found.end(), found[0]) for found in re.finditer(r"\S+", line))


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
    return bool(line) and _WRAPPED_RULER.issuperset(line)


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
