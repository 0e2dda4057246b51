"""Every query of the shipped library runs on a real PostgreSQL as the role it says it needs, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import psycopg
import pytest

from tests.support.servers.postgres import postgres
from tests.support.shipped_libraries import shipped_library

EXTENSIONS = ("pg_stat_statements", "pgstattuple", "pg_buffercache", "pg_visibility", "amcheck")


@cache
def queries() -> dict[str, str]:
    """The queries of the library by phenomenon and field."""
    return {
        f"{entry.id}-{field}-{entry.name.en}": how
        for entry in shipped_library("postgresql").phenomena.values()
        if entry.observe.kind == "sql"
        for field, how in entry.observe.texts.items()
    }


@pytest.fixture(scope="session")
def watcher() -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A connection of a role that has pg_monitor and nothing else, each transaction read only."""
    with postgres() as address:
        with psycopg.connect(address, autocommit=True) as admin:
            for extension in EXTENSIONS:
                admin.execute(f"CREATE EXTENSION IF NOT EXISTS {extension}")
            admin.execute("CREATE TABLE parent (id int PRIMARY KEY)")
            admin.execute("CREATE TABLE child (id serial PRIMARY KEY, parent_id int REFERENCES parent)")
            admin.execute("CREATE ROLE watcher LOGIN IN ROLE pg_monitor")
            admin.execute("ALTER ROLE watcher SET statement_timeout = '5s'")
        with psycopg.connect(address.replace("user=postgres", "user=watcher")) as connection:
            connection.read_only = True
            yield connection


def problem_of(watcher: psycopg.Connection[tuple[object, ...]], how: str) -> str | None:
    """The server's error, or that a query gave no rows at all; None if it ran."""
    try:
        return None if watcher.execute(how).description is not None else "no query"
    except psycopg.Error as error:
        return str(error)
    finally:
        watcher.rollback()


def test_every_query_runs_as_pg_monitor_in_a_read_only_transaction(
    watcher: psycopg.Connection[tuple[object, ...]],
) -> None:
    """It runs as it stands and gives rows or none, not an error."""
    problems = {name: problem_of(watcher, how) for name, how in queries().items()}
    assert {name: problem for name, problem in problems.items() if problem} == {}


def test_there_are_queries_to_run() -> None:
    """The library still has its queries, so that the test above cannot pass by being empty."""
    assert len(queries()) > 50
