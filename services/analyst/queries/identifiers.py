"""A query, and identifiers and literals of DuckDB as nodes of sqlglot."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

import sqlglot
from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

from services.analyst.questions.intent import Measure, Value
from services.chassis.errors import InvalidInput
from services.chassis.messages import Message

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")
_NUMERIC = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT|FLOAT|DOUBLE|DECIMAL")
_WORDS = frozenset(word.lower() for word in DuckDB.Tokenizer.KEYWORDS)
Role: TypeAlias = Literal["dimension", "time", "part", "measure", "previous", "growth", "share", "running", "cell"]


def identifier(name: str) -> exp.Identifier:
    """A name, quoted where it is not plain lower case or is a word of SQL."""
    return exp.Identifier(this=name, quoted=not _PLAIN.fullmatch(name) or name in _WORDS)


def column(name: str, table: str = "") -> exp.Column:
    """A column, of a table where one is given."""
    return exp.Column(this=identifier(name), table=identifier(table) if table else None)


def named(expression: exp.Expr, name: str) -> exp.Alias:
    """An expression under a name."""
    return exp.Alias(this=expression, alias=identifier(name))


def literal(value: Value, kind: str) -> exp.Expr:
    """A value as a literal that compares with a column of a DuckDB type."""
    if isinstance(value, bool) or kind == "BOOLEAN":
        return exp.Boolean(this=str(value).lower() in ("true", "1", "yes"))
    if _NUMERIC.match(kind) and _is_number(value):
        return exp.Literal.number(str(value))
    if isinstance(value, int | float) and not kind.startswith(("VARCHAR", "ENUM")):
        return exp.Literal.number(repr(value))
    text = exp.Literal.string(str(value))
    return exp.cast(text, kind.split(" ")[0]) if kind.startswith(("DATE", "TIMESTAMP")) else text


def day(value: dt.date) -> exp.Expr:
    """A date."""
    return exp.cast(exp.Literal.string(value.isoformat()), "DATE")


def call(name: str, *arguments: exp.Expr | int | str) -> exp.Expr:
    """A function of DuckDB; texts are literals."""
    nodes = [each if isinstance(each, exp.Expr) else exp.convert(each) for each in arguments]
    return exp.func(name, *nodes, dialect="duckdb")


@cache
def _parsed(text: str) -> exp.Expr:
    return sqlglot.parse_one(text, read="duckdb")


def read_expression(text: str) -> exp.Expr:
    """An expression of a layer; a fresh copy each time. Raises SqlglotError."""
    return _parsed(text).copy()


def _is_number(value: Value) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Column:
    """A column of a result. id: the dimension's id, or the granularity; measure: what a figure is of."""

    name: str
    role: Role
    id: str = ""
    measure: Measure | None = None


@dataclass(frozen=True)
class Query:
    """One way to answer an intent. reason: the metrics, filters and aggregation that it uses, and the form it takes."""

    sql: str
    columns: tuple[Column, ...]
    reason: Message


class Impossible(InvalidInput):
    """Raised where an intent has no query that gives the right figure."""

    default_reason = "query_impossible"
