"""The lists against a real PostgreSQL: what is admitted runs as pg_monitor, and what may be called changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from sqlglot import exp

from sql_admission import admit
from sql_admission.columns import fields_of
from sql_admission.rules import rules_of
from tests.support.examples import every
from tests.support.servers.postgres import postgres
from tests.unit.sql_admission.statement_lists import listed

Connection = psycopg.Connection[tuple[object, ...]]
# What a server without standby, log collector or older columns cannot answer.
EXCUSED = ("42703", "42501", "55000", "58P01", "42P01")
# Volatile by declaration, read one by one: each tells the server's state, the clock's or chance's, and changes none.
TELLING = (
    "clock_timestamp current_query pg_available_wal_summaries pg_blocking_pids pg_collation_actual_version "
    "pg_current_logfile pg_database_collation_actual_version "
    "pg_get_wal_replay_pause_state pg_get_wal_resource_managers pg_is_in_recovery "
    "pg_is_wal_replay_paused pg_jit_available pg_last_committed_xact pg_lock_status pg_notification_queue_usage "
    "pg_partition_ancestors pg_partition_tree pg_prepared_xact pg_relpages pg_safe_snapshot_blocking_pids "
    "pg_sequence_last_value pg_stat_statements pg_stat_statements_info pg_wal_summary_contents "
    "pg_xact_commit_timestamp pg_xact_status pgstatginindex pgstathashindex pgstatindex pgstattuple pgstattuple_approx "
    "gen_random_uuid pg_get_aios pg_get_backend_memory_contexts pg_get_loaded_modules pg_get_multixact_members "
    "pg_get_shmem_allocations pg_get_wait_events pg_get_wal_summarizer_state txid_status "
    "random timeofday bt_index_check pg_visibility_map_summary pg_freespace"
)
TELLING_FAMILIES = ("pg_buffercache_", "pg_control_", "pg_current_wal_", "pg_last_", "pg_ls_", "pg_stat_get_")


@pytest.fixture(scope="module")
def admin() -> Iterator[Connection]:
    with postgres() as address, psycopg.connect(address, autocommit=True) as connection:
        for extension in (
            "pg_stat_statements",
            "pgstattuple",
            "pg_buffercache",
            "amcheck",
            "pg_visibility",
            "pg_freespacemap",
        ):
            connection.execute(f"CREATE EXTENSION {extension}")
        connection.execute("CREATE TABLE orders (id int PRIMARY KEY)")
        connection.execute("CREATE ROLE app")
        connection.execute("CREATE ROLE watcher LOGIN IN ROLE pg_monitor")
        yield connection


def test_every_admitted_statement_is_a_statement_of_the_server(admin: Connection) -> None:
    """What is admitted for PostgreSQL runs there as pg_monitor, read-only, in the extended protocol."""
    asked = [one.sql for one in listed("legitimate") if one.engine == "postgres" and "%(" not in one.sql]
    failed = []
    with psycopg.connect(admin.info.dsn.replace("user=postgres", "user=watcher")) as watcher:
        watcher.read_only = True
        for sql in (sql for sql in asked if "$1" not in sql):
            try:
                watcher.execute(sql, prepare=True)
            except psycopg.Error as error:
                failed += [(sql, str(error))] if error.sqlstate not in EXCUSED else []
            watcher.rollback()
    assert failed == []


def test_no_listed_function_changes_the_server(admin: Connection) -> None:
    """Each volatile function on the list is one that was read and only tells."""
    rows = admin.execute("SELECT DISTINCT proname FROM pg_proc WHERE provolatile = 'v'").fetchall()
    volatile = {str(row[0]) for row in rows if rules_of("postgres").calls(str(row[0]))}
    sized = {name for name in volatile if name.endswith("_size")}
    unread = volatile - set(TELLING.split()) - sized
    assert [name for name in sorted(unread) if not name.startswith((*TELLING_FAMILIES, "pg_indexes_size"))] == []


def test_what_holds_secrets_or_rows_is_not_listed(admin: Connection) -> None:
    """Of the server's catalogues, those with passwords, row data or the server's files are refused."""
    rows = admin.execute(
        "SELECT relname FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v')"
    ).fetchall()
    refused = {str(row[0]) for row in rows if not admit(f"SELECT count(*) FROM {row[0]}", "postgres").allow}
    kept = "pg_authid pg_shadow pg_user_mapping pg_user_mappings pg_statistic pg_statistic_ext_data pg_largeobject"
    assert refused >= {*kept.split(), "pg_hba_file_rules", "pg_ident_file_mappings", "pg_file_settings"}


def test_an_attack_that_the_server_would_run_is_refused_before(admin: Connection) -> None:
    """Under least privilege and READ ONLY the server still lets these through: the list is what stops them."""
    let_through = ["SELECT pg_advisory_lock(1)", "SELECT pg_notify('x', 'y')", "SELECT set_config('a.b', '1', false)"]
    with psycopg.connect(admin.info.dsn.replace("user=postgres", "user=watcher")) as watcher:
        watcher.read_only = True
        for sql in let_through:
            watcher.execute(sql, prepare=True)
            assert not admit(sql, "postgres").allow


def unary(admin: Connection) -> list[str]:
    """The name of every function of one argument that the server has, quoted where it must be."""
    rows = admin.execute(
        "SELECT DISTINCT quote_ident(proname) FROM pg_proc WHERE pronargs = 1 OR provariadic <> 0 ORDER BY 1"
    )
    return [str(row[0]) for row in rows]


EXPRESSIONS = [
    "SELECT ('x'::text).{}",
    "SELECT (SELECT x FROM unnest(ARRAY['x'::text]) AS x).{}",
    "SELECT ('pg_class'::regclass).{}",
    "SELECT (c.oid).{} FROM pg_class AS c",
    "SELECT x.{} FROM unnest(ARRAY['x'::text]) AS x",
    "SELECT (pg_control_checkpoint()).{}",
    "EXPLAIN SELECT ('x'::text).{}",
    "EXPLAIN SELECT x.{} FROM lower('x') AS x",
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
@every(9)
def test_no_function_of_one_argument_is_called_behind_a_dot(admin: Connection, expression: str, every: int) -> None:
    """Whatever function of one argument the server has, its name behind the dot of an expression is refused."""
    names = unary(admin)
    assert len(names) > 1_000
    # Each expression starts at another name: in the fast suite nearly every name is tried with one of them.
    assert [
        name
        for name in names[EXPRESSIONS.index(expression) :: every]
        if admit(expression.format(name), "postgres").allow
    ] == []


def test_behind_an_alias_only_columns_are_admitted(admin: Connection) -> None:
    """Of all functions of one argument, behind a relation's alias only those named like its columns are admitted."""
    rows = admin.execute("SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = 'pg_class'::regclass")
    columns = {str(row[0]) for row in rows}
    admitted = {name for name in unary(admin) if admit(f"SELECT c.{name} FROM pg_class AS c", "postgres").allow}
    assert admitted <= columns


def test_every_column_of_a_relation_is_known(admin: Connection) -> None:
    """Each column that the server has of a listed relation is admitted behind the relation's alias."""
    rules = rules_of("postgres")
    rows = admin.execute(
        "SELECT relname, quote_ident(attname) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid "
        "WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v') AND attnum > 0"
    ).fetchall()
    asked = [(str(name), str(column)) for name, column in rows if name in rules.relations - rules.guarded.keys()]
    secret = rules.secret_columns | rules.setting_columns
    refused = [
        (name, column)
        for name, column in asked
        if column not in secret and not admit(f"SELECT r.{column} FROM {name} AS r", "postgres").allow
    ]
    assert refused == []
    assert len(asked) > 1_000


def test_the_known_fields_are_the_server_s(admin: Connection) -> None:
    """Each field of a listed function's composite value is admitted behind a call, with as many nulls as it takes."""
    rows = admin.execute(
        "SELECT DISTINCT proname, pronargs, quote_ident(field) "
        "FROM pg_proc, unnest(proargnames, proargmodes) AS given(field, mode) "
        "WHERE mode IN ('o', 't', 'b') AND pronargs < 3 AND pronamespace = 'pg_catalog'::regnamespace "
        "AND (SELECT count(*) FROM unnest(proargmodes) AS mode WHERE mode <> 'i') > 1 AND proname <> 'unnest'"
    ).fetchall()
    calls = [(str(name), ", ".join(["NULL"] * int(str(count))), str(field)) for name, count, field in rows]
    listed_calls = [call for call in calls if rules_of("postgres").calls(call[0]) and call[2] != "conninfo"]
    refused = [call for call in listed_calls if not admit("SELECT ({}({})).{}".format(*call), "postgres").allow]
    assert refused == []
    assert len(listed_calls) > 100


def test_a_function_with_known_fields_never_gives_a_single_value(admin: Connection) -> None:
    """A name that also stands for a function of one value is not in the list of fields: its value has no field."""
    rows = admin.execute("SELECT DISTINCT proname FROM pg_proc WHERE proargmodes IS NULL").fetchall()
    plain = [str(row[0]) for row in rows]
    assert [name for name in plain if fields_of(exp.Anonymous(this=name))] == []
