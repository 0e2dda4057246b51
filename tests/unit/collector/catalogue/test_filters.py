"""What statements ask tables for, read from a real server that has no extension at all."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Iterator, Sequence

import psycopg
import pytest

from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.model import Verdict
from services.collector.targets.connections import PostgresTarget
from tests.support.servers.postgres import postgres

pytestmark = pytest.mark.slow

# More looks at what one look may miss.
_LOOKS = 5
# Two tables of which the second is read by the trigger on the first alone.
TABLES = [
    "CREATE TABLE parcel (id int PRIMARY KEY, track text, state int)",
    "INSERT INTO parcel SELECT i, md5(i::text), i % 5 FROM generate_series(1, 120000) i",
    'CREATE TABLE "History" (parcel int, at timestamptz)',
    'INSERT INTO "History" SELECT i, now() FROM generate_series(1, 120000) i',
    """CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN PERFORM 1 FROM "History" WHERE parcel = -1; RETURN new; END $$""",
    "CREATE VIEW sent AS SELECT track, state FROM parcel",
    "CREATE TABLE stop (id int PRIMARY KEY, n int)",
    "INSERT INTO stop VALUES (1, 0)",
    "CREATE TRIGGER noted BEFORE UPDATE ON stop FOR EACH ROW EXECUTE FUNCTION note()",
    "SELECT pg_stat_force_next_flush()",
    "VACUUM ANALYZE",
]


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    """The server, and its reader."""
    with postgres() as superuser:
        with psycopg.connect(superuser, autocommit=True) as admin:
            for statement in TABLES:
                admin.execute(statement.encode())
            admin.execute("CREATE ROLE dbdiag_ro LOGIN IN ROLE pg_monitor")
        yield superuser


def seen(dsn: str, *statements: str, values: Sequence[int] = (), until: str = "") -> dict[str, Verdict | None]:
    """What the check says while each of these statements runs again and again in a session of its own.

    values: of its parameters. until: a phenomenon that takes luck to meet, so that a busy machine looks a few times.
    """
    stop = threading.Event()

    def again(statement: str) -> None:
        with contextlib.suppress(psycopg.errors.QueryCanceled), psycopg.connect(dsn, autocommit=True) as connection:
            while not stop.is_set():
                connection.execute(statement.encode(), values)

    running = [threading.Thread(target=again, args=(statement,)) for statement in statements]
    for thread in running:
        thread.start()
    time.sleep(1)
    try:
        found = asyncio.run(_looked(dsn))
        for _ in range(_LOOKS if until else 0):
            if found[until] is Verdict.CONFIRMED:
                break
            found = asyncio.run(_looked(dsn))
        return found
    finally:
        stop.set()
        for thread in running:
            thread.join()


async def _looked(dsn: str) -> dict[str, Verdict | None]:
    check = shipped().checks["pg.filters"]
    target = PostgresTarget("t", dsn.replace("user=postgres", "user=dbdiag_ro"))
    async with PostgresExecutor(target, time.monotonic) as look:
        return {finding.phenomenon_id: finding.verdict for finding in judge(check, await look.read(check, {}))[1]}


def test_nothing_is_said_of_a_server_at_rest(dsn: str) -> None:
    """Without statements no filter lacks an index, no trigger works, nobody skips rows or looks them up one by one."""
    found = seen(dsn)
    assert Verdict.CONFIRMED not in found.values()
    assert found["P-0058"] is Verdict.DENIED


def test_a_deep_offset_behind_a_parameter_is_seen(dsn: str) -> None:
    """The text of a prepared statement has no number in it: the rows that the index fetches tell."""
    found = seen(dsn, "SELECT state FROM parcel ORDER BY id LIMIT 20 OFFSET %s", values=[100_000])
    assert found["P-0092"] is Verdict.CONFIRMED
    assert found["P-0078"] is Verdict.UNKNOWN


@pytest.mark.parametrize("relation", ["parcel", "sent"])
def test_a_filter_without_an_index_is_seen(dsn: str, relation: str) -> None:
    """The column that a statement filters by leads no index, through a view as well; its values do not count."""
    found = seen(dsn, f"SELECT state FROM {relation} WHERE track = 'no id of one' ORDER BY state LIMIT 1")
    assert found["P-0078"] is Verdict.CONFIRMED
    assert found["P-0108"] is Verdict.UNKNOWN


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT state, count(*) FROM parcel GROUP BY state",
        "SELECT state FROM parcel WHERE id + 0 = 7",
    ],
)
def test_a_scan_for_another_reason_lacks_no_index(dsn: str, statement: str) -> None:
    """A report over the whole table, and a filter that hides its index, are not what no index is there for."""
    assert seen(dsn, statement)["P-0078"] is Verdict.UNKNOWN


def test_a_scan_inside_a_trigger_is_seen(dsn: str) -> None:
    """The table that is read stands in no statement, and who computes fires a trigger."""
    found = seen(dsn, "UPDATE stop SET n = n + 1 WHERE id = 1", until="P-0108")
    assert found["P-0108"] is Verdict.CONFIRMED
    assert found["P-0078"] is Verdict.UNKNOWN
