"""Unaligned psql output, CSV and TSV: a heading of names, and rows with as many cells."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from lang.cues import load_lexicon
from lang.pastes.formats.pasted_lines import FOOTER, PastedLines
from lang.pastes.formats.tables.grids import is_name, is_ruler, skip_footer, table_of
from lang.pastes.model import Block, Table

_SIGNS = ("|", "\t", ",", ";")
_PAIRED = ("|", ":", "=", "：")
# So many lines of a name and a value are a record; fewer are as likely what a person says.
_LEAST_PAIRS = 3
# A heading is believed without a footer when this share of its names is known from the checks.
_KNOWN = 0.6


class KnownView(NamedTuple):
    """A view's usual names by all names, the sets of them by which it is known, and what some columns can only hold."""

    usual: Mapping[str, str]
    known_by: tuple[frozenset[str], ...]
    values: Mapping[str, frozenset[str]]

    def named(self, name: str) -> str:
        """The name if it is that of a column; else empty."""
        return name if self.usual.get(name) == name else ""

    def has(self, names: Iterable[str]) -> bool:
        """True if a table with these names is known to be of the view, whatever else is in it."""
        found = {self.usual[name] for name in names if name in self.usual}
        return any(known <= found for known in self.known_by)


@dataclass(frozen=True)
class KnownColumns:
    """The columns that checks print, in lower case: each set, and all names with those of views.

    phrases: the values of several words that columns of views can hold. views: what tells a table of each view.
    variables: the settings and counters that rules ask for by name.
    """

    sets: frozenset[frozenset[str]]
    names: frozenset[str]
    phrases: frozenset[str] = frozenset()
    views: tuple[KnownView, ...] = ()
    variables: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        sets: Iterable[frozenset[str]],
        others: frozenset[str] = frozenset(),
        phrases: frozenset[str] = frozenset(),
        views: tuple[KnownView, ...] = (),
        variables: frozenset[str] = frozenset(),
    ) -> KnownColumns:
        """The columns of some checks; others: names that people's own queries print, and phrases in their cells."""
        found = frozenset(sets)
        return cls(found, others.union(*found), phrases, views, variables)

    def has_table_with(self, names: Iterable[str]) -> bool:
        """True if one check prints all of the names."""
        wanted = frozenset(names)
        return any(wanted <= one for one in self.sets)

    def has_view_with(self, names: Iterable[str]) -> bool:
        """True if a table with these names is known to be of a view, whatever else is in it."""
        wanted = [name.lower() for name in names]
        return any(view.has(wanted) for view in self.views)


@cache
def server_columns() -> frozenset[str]:
    """What the views of a server call their columns."""
    return frozenset(str(name) for names in load_lexicon("server_columns").values() for name in names)


def read_delimited(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """The table whose heading is line `at`: its names are known, or a footer counts its rows."""
    line = lines.lines[at]
    sign = next((sign for sign in _SIGNS if sign in line), None)
    if sign is None:
        return None
    framed = sign == "|" and line.lstrip().startswith(sign)
    names = [name.strip().strip('"') if sign == "|" else name.strip('"') for name in _split(line, sign, framed)]
    if len(names) < 2 or not all(is_name(name) or name in known.names for name in names):
        return None
    trusted = sum(name.lower() in known.names for name in names) >= _KNOWN * len(names)
    if sign in ",;":
        if not trusted:
            return None
        rows, last = _quoted_rows(lines, at + 1, sign, len(names))
    else:
        # A ruler may fit another heading than the one that somebody put above it.
        first = at + 1 + (at + 1 < len(lines.lines) and is_ruler(lines.lines[at + 1]))
        rows, last = _plain_rows(lines, first, sign, len(names), framed)
    counted = sign in "|\t" and last < len(lines.lines) and FOOTER.fullmatch(lines.lines[last]) is not None
    if not (trusted or counted or (sign in "|\t" and len(rows) > 1)):
        return None
    return Block("table", at, skip_footer(lines, last), Table(tuple(names), rows))


def read_pairs(lines: PastedLines, at: int, known: KnownColumns) -> Block | None:
    """Unaligned records: `name|value`, `name: value` or `name = value` a line and a blank line between two.

    All names are those of one check or enough for a view; two lines with another sign than `|` may be anything.
    """
    sign = next((sign for sign in _PAIRED if _name_in(lines.lines[at], sign) in known.names), None)
    if sign is None or not lines.lines[at].partition(sign)[1]:
        return None
    parts = [part.strip() for part in lines.lines[at].split("|")]
    if len(parts) > 2 and known.names.issuperset(parts):
        return None
    records: list[dict[str, str]] = [{}]
    last = at
    while last < len(lines.lines):
        name, found, value = (part.strip() for part in lines.lines[last].partition(sign))
        if found and name.lower() in known.names:
            if name in records[-1]:
                if len(records) == 1 and not _is_whole(records[0], sign, known):
                    return None
                records.append({})
            records[-1][name] = value
        elif (
            not lines.blank[last]
            or last + 1 == len(lines.lines)
            or _name_in(lines.lines[last + 1], sign) not in known.names
        ):
            break
        last += 1
    whole = _is_whole(records[0], sign, known)
    return Block("table", at, skip_footer(lines, last), table_of(records)) if whole else None


def _name_in(line: str, sign: str) -> str:
    return line.partition(sign)[0].strip().lower()


def _is_whole(record: Mapping[str, str], sign: str, known: KnownColumns) -> bool:
    if sign == "|" and len(record) > 1 and known.has_table_with(record):
        return True
    return len(record) >= _LEAST_PAIRS and known.has_view_with(record)


def _plain_rows(
    lines: PastedLines, at: int, sign: str, width: int, framed: bool
) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The rows from line `at` on, and the line after them. A cell with a line break goes on below."""
    rows: list[tuple[str, ...]] = []
    last = at
    while last < len(lines.lines) and not lines.blank[last] and not FOOTER.fullmatch(lines.lines[last]):
        # The last column is mostly a query, which may hold the sign itself.
        row = tuple(_split(lines.lines[last], sign, framed, width - 1))
        if len(row) == width:
            rows.append(row)
        elif rows and lines.footed[last]:
            rows[-1] = (*rows[-1][:-1], rows[-1][-1] + "\n" + lines.lines[last])
        else:
            break
        last += 1
    return tuple(rows), last


def _split(line: str, sign: str, framed: bool, most: int = -1) -> list[str]:
    """The cells of a line; framed: without the border of a grid on the left and, where it is not cut, on the right."""
    if not framed:
        return line.split(sign, most)
    cells = line.strip().removeprefix(sign).split(sign, most)
    return [*cells[:-1], cells[-1].rstrip().removesuffix(sign)] if most >= 0 or cells[-1].strip() else cells[:-1]


def _quoted_rows(lines: PastedLines, at: int, sign: str, width: int) -> tuple[tuple[tuple[str, ...], ...], int]:
    """The same of CSV, whose quoted cells may hold line breaks and signs."""
    reader = csv.reader(_to_blank(lines, at), delimiter=sign)
    rows: list[tuple[str, ...]] = []
    last = at
    with suppress(csv.Error):
        for row in reader:
            if len(row) != width:
                break
            rows.append(tuple(row))
            last = at + reader.line_num
    return tuple(rows), last


def _to_blank(lines: PastedLines, at: int) -> Iterator[str]:
    for place in range(at, len(lines.lines)):
        if lines.blank[place]:
            return
        yield lines.lines[place] + "\n"
