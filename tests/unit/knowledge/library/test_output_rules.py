"""The rules for the outputs of the shipped checks: they speak of what the checks print on a real server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

import psycopg
import pytest
import sqlglot
from sqlglot import exp

from lang.pastes import Check, CheckIndex, judge_paste
from lang.pastes.check_index import KnownCheck
from lang.pastes.select_list import name_columns, split_statements
from lang.pastes.told.named_device import CORES
from services.knowledge.library.schema import PhenomenonEntry
from services.knowledge.library.shipped_libraries import locate
from tests.support.cases import for_each
from tests.support.servers.postgres import postgres
from tests.support.shipped_libraries import shipped_library
from tests.support.texts.printed_tables import PRINTERS


def entries(library: str) -> Mapping[str, PhenomenonEntry]:
    return shipped_library(library).phenomena


@cache
def index(library: str) -> CheckIndex:
    return CheckIndex.of(
        Check(phenomenon_id=entry.id, how=tuple(entry.observe.texts.values()), rows=entry.observe.rows)
        for entry in entries(library).values()
    )


def in_sql(library: str) -> list[str]:
    """The phenomena with a query; found in the files as text, for workers collect tests that they do not run."""
    texts = [path.read_text("utf-8") for path in (locate(library) / "phenomena").glob("*.yaml")]
    return sorted(text.split("\n", 1)[0].removeprefix("id: ") for text in texts if "\n  kind: sql\n" in text)


def known(identity: str) -> KnownCheck:
    return index("postgresql").checks[identity]


@pytest.fixture(scope="module")
def server() -> Iterator[psycopg.Connection]:
    with postgres() as dsn, psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION pg_stat_statements")
        yield connection


@for_each("identity", in_sql("postgresql"))
def test_a_server_prints_the_columns_that_are_read_from_the_query(server: psycopg.Connection, identity: str) -> None:
    """The names taken from a query's text are those of its result, and a rule uses no others but what is told."""
    for text in entries("postgresql")[identity].observe.texts.values():
        printed = tuple(column.name for column in server.execute(text).description or ())
        assert name_columns(split_statements(text)[0]) == printed
    rule = known(identity).check.rows
    named = {name for expression in rule.expressions for name in expression.names} | set(rule.key) if rule else set()
    assert named <= {*printed, CORES}


@for_each("identity", in_sql("postgresql"), every=3)
def test_what_a_server_prints_is_judged_alike_in_every_format(server: psycopg.Connection, identity: str) -> None:
    """A check's real output, asked for, says one thing in whatever form; its words are no statement."""
    result = server.execute(entries("postgresql")[identity].observe.method)
    names = [column.name for column in result.description or ()]
    rows = [[shown(cell) for cell in row] for row in result.fetchall()]
    said = set()
    for form, printer in PRINTERS.items():
        if rows or form not in ("csv", "json", "markdown"):
            reading = judge_paste(printer(names, rows), index("postgresql"), [identity])
            assert reading.prose == (), form
            said.add(tuple((one.phenomenon_id, one.verdict, one.standing) for one in reading.findings))
    assert len(said) == 1
    assert {found for findings in said for found, _, _ in findings} <= {identity}


def shown(cell: object) -> str:
    if cell is None or isinstance(cell, bool):
        return "" if cell is None else str(cell)[0].lower()
    return " ".join(str(cell).replace("|", " ").replace(",", " ").split())


def test_the_columns_are_those_that_a_parser_finds() -> None:
    """The light reader of select lists and a full parser agree on every query of the shipped libraries."""
    for library, dialect in (("postgresql", "postgres"), ("mysql", "mysql")):
        for identity in in_sql(library):
            text = entries(library)[identity].observe.method
            (statement,) = split_statements(text)
            if names := name_columns(statement):
                parsed = sqlglot.parse_one(text, read=dialect)
                assert isinstance(parsed, exp.Query)
                # The parser has no name for a variable of MySQL.
                found = [name.lower() or given for name, given in zip(parsed.named_selects, names, strict=True)]
                assert found == [*names], identity


@pytest.mark.parametrize("library", ["postgresql", "mysql"])
def test_no_query_is_left_out(library: str) -> None:
    """The queries that are tried here are those of the library."""
    asked = [entry.id for entry in entries(library).values() if entry.observe.kind == "sql"]
    assert in_sql(library) == sorted(asked)


def test_most_checks_can_be_judged() -> None:
    """Rules cover the checks whose output decides; the others ask."""
    ruled = [identity for identity in in_sql("postgresql") if known(identity).check.rows]
    deciding = [identity for identity in ruled if known(identity).check.rows.confirmed]  # type: ignore[union-attr]
    assert len(ruled) >= 160
    assert len(deciding) >= 120


@for_each("library", ["postgresql", "mysql", "host"])
def test_every_rule_has_a_form(library: str) -> None:
    """Columns, a tool or the lines of a log: each rule can be reached by some paste."""
    assert [
        one.phenomenon_id
        for one in index(library).checks.values()
        if one.check.rows and not (one.columns or one.forms or one.shown)
    ] == []
