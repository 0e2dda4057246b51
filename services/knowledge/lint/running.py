"""Runs the library's queries on a real server, each in a transaction that only reads and is rolled back."""

from __future__ import annotations

from collections.abc import Callable

from services.chassis.errors import DependencyDown, InvalidInput
from services.knowledge.lint.catalogue import versions_of
from services.knowledge.lint.finding import Severity
from services.knowledge.lint.report import Report

_TIMEOUT = "10s"
# The least that a role needs; what a monitoring role has.
_PREPARE = (
    "SET default_transaction_read_only = on",
    f"SET statement_timeout = '{_TIMEOUT}'",
    "SET lock_timeout = '1s'",
)


def _queries(report: Report, version: int) -> list[tuple[tuple[str, str], str]]:
    """The place and text of each query that claims to run on `version`, in every language it is written in."""
    return [
        ((entry.id, f"observe.{field}"), text)
        for entry in report.library.phenomena.values()
        if entry.observe.kind == "sql" and entry.observe.engine == "postgresql"
        if version in versions_of(entry.observe.versions)
        for field, text in entry.observe.texts.items()
    ]


def run(report: Report, dsn: str, progress: Callable[[str], None]) -> None:
    """Adds a finding for each query that fails on the server at `dsn` though its `versions` name the server's."""
    try:
        import psycopg
    except ImportError as error:
        raise InvalidInput(
            "running queries on a server: psycopg is not installed; pip install 'psycopg[binary]'"
        ) from error
    try:
        connection = psycopg.connect(dsn, autocommit=True, connect_timeout=10, application_name="dbdiag lint")
    except psycopg.OperationalError as error:
        # The message of a refused connection may repeat the address with its password.
        raise DependencyDown(
            "running queries on the server of --dsn: it does not answer; check the address and the role"
        ) from error
    with connection:
        for statement in _PREPARE:
            connection.execute(statement)
        version = connection.info.server_version // 10_000
        queries = _queries(report, version)
        progress(f"{len(queries)} queries on PostgreSQL {version}")
        for place, text in queries:
            try:
                with connection.transaction(force_rollback=True):
                    connection.execute(text)
            except psycopg.Error as error:
                first = str(error).splitlines()[0][:160]
                report.add(Severity.ERROR, "query-fails", place, version=version, error=first)
