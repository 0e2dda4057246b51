"""The values that a message names one by one, as one row: settings and counters in rows, or lines of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.pastes.model import Table

FORM = "values"
_NAMES, _VALUES = ("variable_name", "name", "parameter"), ("value", "variable_value", "setting")
# A name of several parts with a value right behind it, and the age of a database, which is asked for by a function.
_NAMED = re.compile(
    r"(?<![\w.(])([a-z]+(?:_[a-z]+)+)\s{0,4}(?:=|:|：|是|is|was|says)?\s{0,4}(\d[\d,]*(?:\.\d+)?)(?![\w.]*\w)", re.I
)
_AGE = re.compile(r"(age\(datfrozenxid\))[^\d\n]{0,30}(\d[\d,]{6,})", re.I)


def values_named(message: str, tables: Sequence[Table]) -> tuple[Table, ...]:
    """A table of one row of all the values that a message names; none where it names none."""
    found = dict((*_in_words(message), *_in_rows(tables)))
    return (Table(tuple(found), (tuple(found.values()),), form=FORM),) if found else ()


def _in_words(message: str) -> Iterator[tuple[str, str]]:
    said = "\n".join(line for line in message.splitlines() if "|" not in line)
    for pattern in (_NAMED, _AGE):
        yield from ((name.lower(), value.replace(",", "")) for name, value in pattern.findall(said))


def _in_rows(tables: Sequence[Table]) -> Iterator[tuple[str, str]]:
    for table in tables:
        columns = [each.strip().lower() for each in table.columns]
        name, value = (next((columns.index(each) for each in of if each in columns), None) for of in (_NAMES, _VALUES))
        if name is not None and value is not None:
            rows = (row for row in table.rows if len(row) > max(name, value))
            yield from ((row[name].strip().lower(), row[value].strip()) for row in rows)
