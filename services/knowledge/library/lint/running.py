"""Runs the library's queries on a real server, each in a transaction that only reads and is rolled back.

Three guards, each enough by itself: only a text that the admission lets through is sent; it goes by the extended
protocol, which takes a single statement, so that none can end the transaction and go on; the transaction is READ ONLY,
and since a query has run in it already, it can no longer be made writable.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from services.chassis.errors import DependencyDown, InvalidInput
from services.knowledge.library.lint.findings import Report, Severity
from services.knowledge.sql_texts import explain_refusal
from sql_admission.rules import versions_of

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[tuple[object, ...]]

# Whatever the role of the address may do, this session only reads.
_ONLY_READ = "SET default_transaction_read_only = on"
# PostgreSQL's own names come first, then those of extensions; no other schema is searched.
_LIMIT = """
SELECT pg_catalog.set_config('statement_timeout', '10s', true), pg_catalog.set_config('lock_timeout', '1s', true),
    pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'pg_catalog', (
        SELECT pg_catalog.string_agg(DISTINCT pg_catalog.quote_ident(n.nspname), ', ')
        FROM pg_catalog.pg_extension AS e JOIN pg_catalog.pg_namespace AS n ON n.oid = e.extnamespace
        WHERE n.nspname <> 'pg_catalog'
    ), 'pg_temp'), true)
"""


def _queries(report: Report, version: int) -> list[tuple[tuple[str, str], str]]:
    """The place and text of each admitted query that claims to run on `version`, in every language it is written in."""
    return [
        ((entry.id, f"observe.{field}"), text)
        for entry in report.library.phenomena.values()
        if entry.observe.kind == "sql" and entry.observe.engine == "postgresql"
        if version in versions_of(entry.observe.versions)
        for field, text in entry.observe.texts.items()
        if not explain_refusal(entry.observe, text)
    ]


def run_queries(report: Report, dsn: str, progress: Callable[[str], None]) -> None:
    """Adds a finding for each query that fails on the server at `dsn` though its `versions` name the server's.

    A text that the admission refuses is not run; the rule `query-refused` reports it.
    """
    try:
        import psycopg
    except ImportError as error:
        raise InvalidInput("missing_extra.lint", reason="invalid_request") from error
    try:
        connection = psycopg.connect(dsn, autocommit=True, connect_timeout=10, application_name="dbdiag lint")
    except psycopg.OperationalError as error:
        # The message of a refused connection may repeat the address with its password.
        raise DependencyDown("dependency_down.lint") from error
    with connection:
        connection.execute(_ONLY_READ)
        version = connection.info.server_version // 10_000
        queries = _queries(report, version)
        progress(f"{len(queries)} queries on PostgreSQL {version}")
        for place, text in queries:
            try:
                _try(connection, text)
            except psycopg.Error as error:
                first = str(error).splitlines()[0][:160]
                report.add(Severity.ERROR, "query-fails", place, version=version, error=first)


def _try(connection: Connection, text: str) -> None:
    """Runs one query and takes back whatever it did."""
    connection.execute("BEGIN READ ONLY")
    try:
        connection.execute(_LIMIT)
        connection.execute(text, prepare=True)
    finally:
        connection.execute("ROLLBACK")
