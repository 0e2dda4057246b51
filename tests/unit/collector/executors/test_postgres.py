from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest

from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import PostgresTarget
from tests.support.servers.postgres import postgres

pytestmark = pytest.mark.sampled

READER = "dbdiag_ro"


@pytest.fixture(scope="module")
def dsn() -> Iterator[str]:
    """A server with a reader that has pg_monitor and nothing else."""
    with postgres() as superuser:
        with psycopg.connect(superuser, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION pg_stat_statements")
            connection.execute("CREATE TABLE kept (a int PRIMARY KEY)")
            connection.execute("INSERT INTO kept SELECT generate_series(1, 1000)")
            connection.execute("CREATE SEQUENCE counted")
            connection.execute("GRANT ALL ON SEQUENCE counted TO PUBLIC")
            connection.execute(f"CREATE ROLE {READER} LOGIN IN ROLE pg_monitor")
        yield superuser


@pytest.fixture
async def look(dsn: str) -> AsyncIterator[PostgresExecutor]:
    async with PostgresExecutor(reader(dsn), time.monotonic) as opened:
        yield opened


def reader(dsn: str) -> PostgresTarget:
    return PostgresTarget("orders", dsn.replace("user=postgres", f"user={READER}"))


def check(sql: str, **fields: Any) -> CatalogueCheck:
    entry = {"id": "pg.test", "name": {"zh": "测", "en": "test"}, "engine": "postgres", "sql": sql}
    return CatalogueCheck.model_validate({**entry, "signals": {}, "findings": {}, **fields})


async def test_reads_come_back_as_plain_values(look: PostgresExecutor) -> None:
    """Numbers, truths and intervals are plain, a read can be repeated, and the seconds between are measured."""
    statement = (
        "SELECT 1 AS n, 1.5::numeric AS d, true AS b, interval '2 s' AS i, ARRAY['a', 'b'] AS l, NULL::text AS u"
    )
    reads = await look.read(check(statement, reads=3, interval_seconds=0.05), {})
    row = {"n": 1.0, "d": 1.5, "b": True, "i": 2.0, "l": "a, b", "u": None}
    assert reads.reads == ((row,),) * 3
    assert reads.elapsed >= 0.1


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("SELECT 1; COMMIT; CREATE TABLE made (a int)", "look_failed"),
        ("CREATE TABLE public.made (a int)", "look_failed"),
        ("INSERT INTO public.kept VALUES (5000)", "look_failed"),
        ("SELECT nextval('public.counted')", "write_refused"),
        ("WITH gone AS (DELETE FROM public.kept RETURNING a) SELECT * FROM gone", "not_supported"),
        ("SET TRANSACTION READ WRITE", "look_failed"),
        ("SELECT set_config('transaction_read_only', 'off', true)", "look_failed"),
        ("SELECT * FROM public.kept", "missing_privilege"),
        ("SELECT nothing FROM pg_class", "column_not_there"),
        ("SELECT * FROM no_such_view", "relation_not_there"),
        ("SELECT no_such_function()", "function_not_there"),
        ("SELECT pg_sleep(9)", "timed_out"),
    ],
)
async def test_what_cannot_be_read_has_a_reason_and_the_next_look_goes_on(
    look: PostgresExecutor, dsn: str, statement: str, reason: str
) -> None:
    """Each failure is told by a stable reason, writes nothing, and leaves the connection good."""
    with pytest.raises(CheckFailed) as failed:
        await look.read(check(statement, timeout_seconds=0.3), {})
    assert failed.value.reason == reason
    assert (await look.read(check("SELECT 7 AS n"), {})).last == ({"n": 7.0},)
    with psycopg.connect(dsn) as connection:
        tables = connection.execute("SELECT count(*), (SELECT count(*) FROM kept) FROM pg_class WHERE relname = 'made'")
        assert tables.fetchone() == (0, 1000)


async def test_even_as_superuser_nothing_is_written(dsn: str) -> None:
    """With a role that may write everything, the transaction alone still lets no write through."""
    async with PostgresExecutor(PostgresTarget("orders", dsn), time.monotonic) as look:
        for statement in (
            "INSERT INTO public.kept VALUES (5000)",
            "DROP TABLE public.kept",
            "SELECT nextval('public.made')",
        ):
            with pytest.raises(CheckFailed):
                await look.read(check(statement), {})
    with psycopg.connect(dsn) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (1000,)


async def test_locks_of_the_session_end_with_the_look(look: PostgresExecutor, dsn: str) -> None:
    """An advisory lock that a statement takes is free again after it, also when the statement then fails."""
    for taken in ("SELECT pg_advisory_lock(7) AS n", "SELECT pg_advisory_lock(7), 1 / (random() * 0)::int AS n"):
        with contextlib.suppress(CheckFailed):
            await look.read(check(taken), {})
        with psycopg.connect(dsn) as connection:
            held = connection.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()
        assert held == (0,)


async def test_a_statement_that_leaves_the_protocol_elsewhere_costs_one_look_only(look: PostgresExecutor) -> None:
    """After a COPY the next look is good again."""
    with pytest.raises(CheckFailed):
        await look.read(check("COPY pg_class TO STDOUT"), {})
    assert (await look.read(check("SELECT 7 AS n"), {})).last == ({"n": 7.0},)


async def test_a_blocked_look_gives_way_at_the_lock_timeout(look: PostgresExecutor, dsn: str) -> None:
    """Behind an exclusive lock a look ends after 200 ms with the reason locked, and waits no longer."""
    with psycopg.connect(dsn) as holder:
        holder.execute("LOCK TABLE kept IN ACCESS EXCLUSIVE MODE")
        started = time.monotonic()
        with pytest.raises(CheckFailed) as failed:
            await look.read(check("SELECT pg_relation_size('public.kept')"), {})
        assert failed.value.reason == "locked"
        assert time.monotonic() - started < 1


async def test_output_is_cut_at_its_caps(look: PostgresExecutor) -> None:
    """A statement that would never end is left after max_rows or max_bytes, and says that it was cut."""
    endless = "SELECT repeat('x', 100) AS t, generate_series(1, 1000000000) AS n"
    rows = await look.read(check(endless, max_rows=50), {})
    assert (len(rows.last), rows.truncated) == (50, True)
    some = await look.read(check(endless, max_bytes=1000), {})
    assert (len(some.last), some.truncated) == (9, True)


async def test_the_server_plans_a_statement_once(look: PostgresExecutor) -> None:
    """All reads of a check, also with others in between, find the plan that its first read made."""
    plans = check("SELECT generic_plans AS n FROM pg_prepared_statements WHERE statement LIKE '%looked%' ORDER BY 1")
    seen = []
    for _ in range(2):
        await look.read(check("SELECT 1 AS looked", reads=3, interval_seconds=0.01), {})
        seen.append([row["n"] for row in (await look.read(plans, {})).last])
    assert seen == [[1.0, 3.0], [2.0, 6.0]]


@pytest.mark.parametrize("again", [False, True])
async def test_a_server_process_that_others_use_as_well_costs_nothing(look: PostgresExecutor, again: bool) -> None:
    """Where a pooler's other clients forgot what was prepared, or had prepared the same, it is read all the same."""
    looked = check("SELECT 7 AS n")
    await look.read(looked, {})
    assert look._connection is not None
    found = await look._connection.execute(
        "SELECT statement FROM pg_prepared_statements WHERE statement LIKE '%7 AS n%'"
    )
    [(statement,)] = await found.fetchall()
    await look._connection.execute("DEALLOCATE ALL")
    if again:
        look._prepared.clear()
        await look._connection.execute(statement)
    assert (await look.read(looked, {})).last == ({"n": 7.0},)


async def test_it_is_known_by_its_name_and_leaves_itself_out(look: PostgresExecutor) -> None:
    """Its session is called dbdiag, and each of its statements carries the mark by which checks pass it over."""
    own = "SELECT application_name, query FROM pg_stat_activity WHERE pid = pg_backend_pid()"
    [row] = (await look.read(check(own), {})).last
    assert row["application_name"] == "dbdiag"
    assert "/* dbdiag */" in str(row["query"])
    counted = "SELECT count(*) AS n FROM public.pg_stat_statements WHERE query LIKE '%pg_backend_pid%'"
    mine = await look.read(check(counted), {})
    marked = await look.read(check(f"{counted} AND query LIKE '%dbdiag%'"), {})
    assert marked.last[0]["n"] >= mine.last[0]["n"]  # type: ignore[operator]


async def test_what_users_made_is_not_called_in_a_checks_stead(dsn: str) -> None:
    """A function that fits a call better than the catalogue's own, on the role's path, is not found."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE ROLE led LOGIN IN ROLE pg_monitor")
        admin.execute("ALTER ROLE led SET search_path = public, pg_catalog")
        admin.execute("CREATE FUNCTION public.abs(int) RETURNS int LANGUAGE sql AS 'SELECT 666'")
    target = PostgresTarget("orders", dsn.replace("user=postgres", "user=led"))
    async with PostgresExecutor(target, time.monotonic) as look:
        assert (await look.read(check("SELECT abs(-7) AS n"), {})).last == ({"n": 7.0},)
        counted = check("SELECT count(*) > 0 AS some FROM pg_stat_statements", extension="pg_stat_statements")
        assert (await look.read(counted, {})).last == ({"some": True},)
        with pytest.raises(CheckFailed, match="relation_not_there"):
            await look.read(check("SELECT count(*) FROM pg_stat_statements"), {})


async def test_a_statement_for_other_versions_or_roles_is_not_run(look: PostgresExecutor) -> None:
    """What has no statement for this version, or is for a standby, is unknown with that reason."""
    with pytest.raises(CheckFailed, match="version_not_supported"):
        await look.read(check("SELECT 1 AS a").model_copy(update={"statements": ()}), {})
    with pytest.raises(CheckFailed, match="role_not_supported"):
        await look.read(check("SELECT 1 AS a", role="standby"), {})


async def test_an_unreachable_target_is_told_without_its_secret() -> None:
    """No server, a wrong host: one clear reason, and the password stands nowhere in it."""
    target = PostgresTarget("orders", "host=127.0.0.1 port=1 user=x password=hunter2 dbname=y")
    with pytest.raises(TargetUnreachable, match="connecting to orders") as failed:
        await PostgresExecutor(target, time.monotonic).__aenter__()
    assert "hunter2" not in str(failed.value) + repr(target)


@pytest.mark.slow
async def test_a_server_that_never_answers_is_given_up() -> None:
    """A port that accepts and then says nothing is given up within the time to connect."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        target = PostgresTarget("orders", f"host=127.0.0.1 port={silent.getsockname()[1]} user=x connect_timeout=2")
        started = time.monotonic()
        with pytest.raises(TargetUnreachable):
            await PostgresExecutor(target, time.monotonic, connect_seconds=1).__aenter__()
        assert time.monotonic() - started < 4


async def test_full_connections_are_told_by_the_refusal(dsn: str) -> None:
    """When no slot is free, that itself is what was seen."""
    with psycopg.connect(dsn, autocommit=True) as admin:
        admin.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
        target = PostgresTarget("orders", dsn.replace("user=postgres", "user=crowded"))
        with pytest.raises(TargetUnreachable) as failed:
            await PostgresExecutor(target, time.monotonic).__aenter__()
        admin.execute("DROP ROLE crowded")
    assert failed.value.refused_slots
