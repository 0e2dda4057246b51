"""The statements that show people the things of a system run as they stand."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator

import psycopg
import pytest

from services.planner.ways.looks import looks
from tests.support.cases import for_each
from tests.support.servers.postgres import postgres

# What a person fills in, and a value of the same kind that any server knows.
_FILLED = {
    "first": "0/1",
    "second": "0/2",
    "from": "0/1",
    "to": "0/2",
    "table": "pg_class",
    "index": "pg_class_oid_index",
    "pid": "1",
    "temp_pid": "1",
    "client_addr": "127.0.0.1",
    "client_port": "1",
}
_BLANK = re.compile(r"<(\w+)>")
_REMARK = re.compile(r"--.*")
_PERSONS = re.compile(r"<[^<>]* [^<>]*>")
# These need an extension that is not set up in every database.
_EXTENSIONS = ("bt_index_check", "pg_stat_statements", "pgstattuple", "pgstatindex", "pg_buffercache", "pg_visibility")


def statements() -> Iterator[tuple[str, str]]:
    """The key of each thing that PostgreSQL shows by a statement, with the statement of the newest version."""
    for key, look in looks().items():
        way = look.ways.get("postgresql")
        if way is not None and way.run and way.kind == "sql" and not any(each in way.run for each in _EXTENSIONS):
            yield key, _BLANK.sub(lambda blank: _FILLED.get(blank[1], "pg_class"), way.run)


@pytest.fixture(scope="module")
def server() -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection to a server, in transactions that may only read."""
    with postgres() as address, psycopg.connect(address, autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = on")
        yield connection


@for_each(("key", "run"), list(statements()))
def test_each_statement_runs_on_a_server(server: psycopg.Connection[tuple[object, ...]], key: str, run: str) -> None:
    """What is shown for a thing is a statement that a PostgreSQL server answers without writing."""
    for statement in filter(str.strip, _REMARK.sub("", run).split(";")):
        # What is explained is the person's own statement; a standby's state, only a standby has.
        if not (statement.strip().lower().startswith("explain") or _PERSONS.search(statement)):
            with contextlib.suppress(psycopg.errors.ObjectNotInPrerequisiteState):
                assert server.execute(statement.encode()).description, f"{key} shows no rows"
