"""Mends a failed statement by rules: a wrong name, a text compared with a number, a column left out of GROUP BY."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sqlglot
from rapidfuzz import fuzz, process
from sqlglot import exp
from sqlglot.errors import SqlglotError

from services.analyst.queries.identifiers import identifier
from services.analyst.semantic.dataset import Dataset
from services.chassis.messages import Message

_COLUMN = re.compile(r'Referenced column "(?P<name>[^"]+)"|column "(?P<other>[^"]+)" not found', re.I)
_SUGGESTED = re.compile(r'Candidate bindings:? "(?P<name>[^"]+)"', re.I)
_TABLE = re.compile(r"Table with name (?P<name>.+?) does not exist", re.I)
_UNGROUPED = re.compile(r'column "(?P<name>[^"]+)" must appear in the GROUP BY', re.I)
_DIGITS = re.compile(r"\d+")
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|INTEGER|FLOAT|DOUBLE|DECIMAL", re.I)
_CLOSE = 70


@dataclass(frozen=True)
class Diagnosis:
    """What was wrong, and the statement with the least change."""

    diagnosis: Message
    refined_sql: str


def mend(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    """The mended statement; None where no rule knows the error."""
    for rule in _RULES:
        found = rule(sql, error, dataset)
        if found is not None and found.refined_sql != sql:
            return found
    return None


def _column(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _COLUMN.search(error)
    if not found:
        return None
    name = found["name"] or found["other"]
    names = {column for columns in dataset.columns.values() for column in columns}
    suggested = _SUGGESTED.search(error)
    close = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=_CLOSE)
    better = close[0] if close else (suggested["name"].split(".")[-1] if suggested else "")
    if not better or better not in names:
        return None
    message = Message("mend.column", {"wrong": name, "right": better})
    return Diagnosis(message, _replaced(sql, name, better))


def _table(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _TABLE.search(error)
    if not found:
        return None
    name = found["name"].strip('"')
    close = process.extractOne(name, list(dataset.columns), scorer=fuzz.ratio, score_cutoff=_CLOSE)
    if not close:
        return None
    message = Message("mend.table", {"wrong": name, "right": close[0]})
    return Diagnosis(message, _replaced(sql, name, close[0]))


def _replaced(sql: str, name: str, better: str) -> str:
    """The statement with a name replaced, quoted or not, outside of texts."""
    quoted = identifier(better).sql("duckdb")
    pattern = re.compile(rf"'(?:[^']|'')*'|\"{re.escape(name)}\"|(?<![\w\"]){re.escape(name)}(?![\w\"])", re.I)
    return pattern.sub(lambda hit: hit[0] if hit[0].startswith("'") else quoted, sql)


def _number(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    """A text that is compared with a column of numbers becomes the number in it."""
    if not re.search("Conversion Error|Cannot compare|Could not convert|explicit cast", error, re.I):
        return None
    for column, literal in _compared_texts(sql):
        kinds = [kind for columns in dataset.columns.values() for name, kind in columns.items() if name == column]
        digits = _DIGITS.search(literal)
        if not digits or not kinds or not all(_NUMERIC.match(kind) for kind in kinds):
            continue
        number = str(int(digits[0]))
        details = {"column": column, "type": kinds[0], "wrong": f"'{literal}'", "right": number}
        escaped = literal.replace("'", "''")
        return Diagnosis(Message("mend.type", details), sql.replace(f"'{escaped}'", number))
    return None


def _compared_texts(sql: str) -> Iterator[tuple[str, str]]:
    try:
        tree = sqlglot.parse_one(sql, read="duckdb")
    except SqlglotError:
        return
    for node in tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE):
        sides = (node.this, node.expression)
        for column, other in (sides, sides[::-1]):
            if isinstance(column, exp.Column) and isinstance(other, exp.Literal) and other.is_string:
                yield column.name, other.name
    for among in tree.find_all(exp.In):
        for other in among.expressions:
            if isinstance(among.this, exp.Column) and isinstance(other, exp.Literal) and other.is_string:
                yield among.this.name, other.name


def _ungrouped(sql: str, error: str, dataset: Dataset) -> Diagnosis | None:
    found = _UNGROUPED.search(error)
    if not found:
        return None
    quoted = identifier(found["name"]).sql("duckdb")
    changed = re.sub(r"(GROUP\s+BY\s+)", rf"\g<1>{quoted}, ", sql, count=1, flags=re.I)
    return Diagnosis(Message("mend.group", {"column": found["name"]}), changed)


_RULES: tuple[Callable[[str, str, Dataset], Diagnosis | None], ...] = (_column, _table, _number, _ungrouped)
