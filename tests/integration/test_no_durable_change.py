"""What a look leaves behind when its text is hostile and nothing has checked it: the executor alone, real servers."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from psycopg.types.json import Jsonb

from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.postgres.executor import PostgresExecutor
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import PostgresTarget
from tests.support.servers.postgres import installed, postgres

pytestmark = pytest.mark.slow

READER = "dbdiag_ro"
HOSTILE = [
    line
    for line in (Path(__file__).parent / "hostile_statements.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]
# The reader as docs/evidence.md makes it, in a database with things that are open to everybody.
_SETUP = (
    "ALTER SYSTEM SET autovacuum = off",
    "SELECT pg_reload_conf()",
    "CREATE DATABASE orders",
    "CREATE ROLE app",
    "CREATE TABLE public.kept (id serial PRIMARY KEY)",
    "INSERT INTO public.kept SELECT FROM generate_series(1, 200)",
    "CREATE TABLE public.open_to_all (a int)",
    "INSERT INTO public.open_to_all VALUES (1)",
    "CREATE SEQUENCE public.open_seq",
    "GRANT ALL ON public.open_to_all, public.open_seq TO PUBLIC",
    "CREATE MATERIALIZED VIEW public.counted AS SELECT count(*) FROM public.kept",
    "CREATE FUNCTION public.writes(n int) RETURNS void LANGUAGE sql AS 'INSERT INTO public.open_to_all VALUES (n)'",
    "CREATE FUNCTION public.writes_as_owner(n int) RETURNS void LANGUAGE sql SECURITY DEFINER "
    "AS 'INSERT INTO public.open_to_all VALUES (n)'",
    "CREATE PROCEDURE public.commits() LANGUAGE plpgsql AS 'BEGIN COMMIT; END'",
    "CREATE PROCEDURE public.writes_and_commits(n int) LANGUAGE plpgsql "
    "AS 'BEGIN COMMIT; INSERT INTO public.open_to_all VALUES (n); COMMIT; END'",
    "CREATE PUBLICATION told FOR TABLE public.kept",
    "SELECT lo_from_bytea(4242, 'kept'::bytea)",
    "GRANT ALL ON LARGE OBJECT 4242 TO PUBLIC",
    "SELECT pg_create_physical_replication_slot('reserved', true)",
    "SELECT pg_create_logical_replication_slot('told', 'test_decoding')",
    f"CREATE ROLE {READER} LOGIN IN ROLE pg_monitor",
    f"GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO {READER}",
    "DO $$ DECLARE f regprocedure; BEGIN FOR f IN SELECT oid FROM pg_proc WHERE proname = 'pg_logical_emit_message' "
    "LOOP EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f); END LOOP; END $$",
    "REVOKE TEMP ON DATABASE postgres FROM PUBLIC",
)
# Changes by itself: what the server counts and cleans, and the reader's own sessions.
_RESTLESS = ("pg_wal/", "pg_stat", "pg_logical/", "pg_subtrans/", "pg_xact/", "base/pgsql_tmp", "postmaster.pid")
_STATE = {
    "settings": "SELECT name, setting, reset_val, source, sourcefile FROM pg_settings WHERE name !~ '^transaction_'",
    "configuration": "SELECT * FROM pg_file_settings",
    "sequences": "SELECT sequencename, last_value FROM pg_sequences",
    "slots": "SELECT slot_name, plugin, restart_lsn, confirmed_flush_lsn FROM pg_replication_slots",
    "prepared": "SELECT gid, owner FROM pg_prepared_xacts",
    "advisory": "SELECT classid, objid, objsubid FROM pg_locks WHERE locktype = 'advisory'",
    "decoded": "SELECT data FROM pg_logical_slot_peek_changes('told', NULL, NULL)",
    "databases": "SELECT datname, stats_reset FROM pg_stat_database",
    "resets": "SELECT (SELECT stats_reset FROM pg_stat_bgwriter), (SELECT stats_reset FROM pg_stat_archiver), "
    "(SELECT stats_reset FROM pg_stat_wal), (SELECT max(stats_reset) FROM pg_stat_slru)",
    "signs": "SELECT (SELECT count(*) FROM pg_replication_origin), pg_notification_queue_usage(), pg_conf_load_time()",
    "temporary": "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'pg_temp%'",
}


# A value of each type that functions take, and a call of each volatile one with such values.
_SAMPLES = {
    "oid": "'public.open_to_all'::regclass",
    "regclass": "'public.open_seq'",
    "text": "'made'",
    "name": "'made'",
    "cstring": "'1'",
    "bytea": "'x'::bytea",
    "int4": "1",
    "int8": "1",
    "int2": "1",
    "bool": "true",
    "float8": "0.001",
    "pg_lsn": "'0/1000000'",
    "interval": "interval '1 ms'",
    "timestamptz": "now()",
    "xid": "'3'::xid",
    "xid8": "'3'::xid8",
    "_text": "ARRAY['made']",
    "regconfig": "'simple'",
}
_CALLS = """
    SELECT format('SELECT %%s FROM (SELECT 1) one', string) FROM (
        SELECT format('pg_catalog.%%I(%%s)', proname, coalesce(
            (SELECT string_agg(coalesce(%(samples)s::jsonb ->> t.typname::text, 'NULL'), ', ' ORDER BY place)
             FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS given(kind, place) JOIN pg_type t ON t.oid = kind), ''
        )) AS string
        FROM pg_proc p
        WHERE provolatile = 'v' AND prokind = 'f' AND pronamespace = 'pg_catalog'::regnamespace
            AND has_function_privilege(%(reader)s, p.oid, 'EXECUTE')
            AND prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'internal'::regtype)
            AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
    ) AS called ORDER BY 1"""


class Server(NamedTuple):
    """dsn: its superuser. folder: its data. witness: a session that listens and that nobody may end."""

    dsn: str
    folder: Path
    witness: psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module", params=["embedded", pytest.param("15", marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    programs = None if request.param == "embedded" else installed(int(request.param))
    with postgres(programs) as dsn, psycopg.connect(dsn, autocommit=True) as witness:
        for statement in _SETUP:
            witness.execute(statement)
        with psycopg.connect(dsn) as other:
            other.execute("INSERT INTO public.open_to_all VALUES (2)")
            other.execute("PREPARE TRANSACTION 'pending'")
        witness.execute("LISTEN heard")
        yield Server(dsn, Path(str(_one(witness, "SHOW data_directory"))), witness)


def _one(session: psycopg.Connection[tuple[Any, ...]], sql: str) -> object:
    row = session.execute(sql).fetchone()
    return row[0] if row else None


def _state(server: Server) -> dict[str, object]:
    """Everything that stays: rows of tables and catalogues, what the server tells, names and settings on the disk."""
    with psycopg.connect(server.dsn, autocommit=True) as session:
        found: dict[str, object] = {name: sorted(map(str, session.execute(sql))) for name, sql in _STATE.items()}
        tables = (
            "SELECT nspname, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relkind = 'r'"
        )
        for schema, name in session.execute(tables).fetchall():
            rows = SQL("SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {} t")
            found[f"{schema}.{name}"] = session.execute(rows.format(Identifier(schema, name))).fetchone()
    files = [path for path in server.folder.rglob("*") if path.is_file()]
    named = {str(path.relative_to(server.folder)) for path in files}
    found["files"] = sorted(name for name in named if not name.startswith(_RESTLESS) and "pg_internal" not in name)
    found["configured"] = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files if path.suffix == ".conf"]
    return found


def _changed(before: dict[str, object], after: dict[str, object]) -> dict[str, tuple[object, object]]:
    return {
        name: (before.get(name), after.get(name))
        for name in before.keys() | after.keys()
        if before.get(name) != after.get(name)
    }


def _check(sql: str) -> CatalogueCheck:
    entry = {"id": "pg.test", "name": {"zh": "测", "en": "test"}, "engine": "postgres", "sql": f"{sql} -- tried"}
    return CatalogueCheck.model_validate({**entry, "signals": {}, "findings": {}, "timeout_seconds": 0.25})


async def _tried(look: PostgresExecutor, sql: str) -> bool:
    """Whether the server ran it."""
    try:
        await look.read(_check(sql), {})
    except (CheckFailed, TargetUnreachable):
        return False
    return True


def _left_at_once(server: Server) -> list[str]:
    """What sessions still hold although the look is over; no transaction may be open either."""
    held = "SELECT locktype, mode FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE usename = %s"
    gone = "SELECT gid, '' FROM pg_prepared_xacts WHERE gid <> 'pending'"
    rows = server.witness.execute(held, (READER,)).fetchall() + server.witness.execute(gone).fetchall()
    return [" ".join(row) for row in rows]


async def _after_all(server: Server, statements: list[str]) -> dict[str, list[str]]:
    """Tries each on one connection; what of each is held still when its look is over."""
    target = PostgresTarget("t", server.dsn.replace("user=postgres", f"user={READER}"))
    left: dict[str, list[str]] = {}
    async with PostgresExecutor(target, time.monotonic) as look:
        for statement in statements:
            await _tried(look, statement)
            if held := _left_at_once(server):
                left[statement] = held
            assert await _tried(look, "SELECT 1 AS n"), f"after {statement} nothing can be looked at"
    return left


async def test_no_hostile_statement_leaves_anything(server: Server) -> None:
    """With nothing checked before, no statement of the list changes anything that stays, holds a lock or is heard."""
    before, alive = _state(server), _one(server.witness, "SELECT pg_backend_pid()")
    assert await _after_all(server, HOSTILE) == {}
    assert _changed(before, _state(server)) == {}
    assert list(server.witness.notifies(timeout=0)) == []
    assert _one(server.witness, "SELECT pg_backend_pid()") == alive
    assert len(HOSTILE) >= 200


@pytest.mark.slow
async def test_no_function_that_the_reader_may_call_leaves_anything(server: Server) -> None:
    """Every function of the server that is not free of effects, called as the reader, changes nothing that stays."""
    given = {"reader": READER, "samples": Jsonb(_SAMPLES)}
    calls = [call for (call,) in server.witness.execute(_CALLS, given).fetchall()]
    before = _state(server)
    assert await _after_all(server, calls) == {}
    assert _changed(before, _state(server)) == {}
    assert len(calls) > 150
