"""Tables whose columns only spaces keep apart: tabs that became spaces, a screenshot as text, lost `|`."""

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
