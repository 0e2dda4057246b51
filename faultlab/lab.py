"""A disposable database: its administrator, its healthy load, and the sessions of the current fault."""

from __future__ import annotations

import contextlib
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Sequence
from typing import Any, LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from faultlab.server import Server
from faultlab.sessions import Connection, Sessions
from faultlab.shop import APPLICATION_USER, READER, READER_RIGHTS, RESERVED_RIGHTS, RESERVED_SINCE, TABLES, Workload
from services.chassis.errors import DependencyDown, Precondition
from services.chassis.messages import Message, from_plain
from services.chassis.problems import verbatim

MARK = "CREATE SCHEMA faultlab; CREATE TABLE faultlab.disposable ();"
_STATE = """
CREATE TABLE IF NOT EXISTS faultlab.account (password text NOT NULL);
CREATE TABLE IF NOT EXISTS faultlab.injected (name text NOT NULL, backend int NOT NULL, ending boolean NOT NULL);
"""
_RELIEF_SECONDS = 5
_EXTENSIONS = ("pg_stat_statements", "pgstattuple")


class Lab:
    """One database for faults. server: one that can be restarted and given a standby, or None."""

    def __init__(self, dsn: str, server: Server | None = None) -> None:
        self.dsn = dsn
        self.server = server
        self._burdens: list[subprocess.Popen[bytes]] = []
        self._admin = _connect(dsn)
        try:
            self._check_disposable()
            self._prepare()
            account = make_conninfo(dsn, user=APPLICATION_USER, password=self._password())
        except psycopg.Error as error:
            self._admin.close()
            raise Precondition("lab_not_made", why=verbatim(error)) from error
        except BaseException:
            self._admin.close()
            raise
        self.sessions = Sessions(account, self._terminate)
        self.workload = Workload(Sessions(account, self._terminate))

    @classmethod
    def embedded(cls, server: Server) -> Lab:
        """The lab of an embedded server, which is always disposable."""
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            if connection.execute("SELECT to_regclass('faultlab.disposable')").fetchone() == (None,):
                connection.execute(MARK)
        return cls(server.dsn(), server)

    def run(self, statement: LiteralString | sql.Composed, parameters: Sequence[object] = ()) -> list[Any]:
        """Runs one statement as the administrator; the rows, if it gives any."""
        if self._admin.closed or self._admin.broken:
            self._reconnect()
        query = sql.SQL(statement) if isinstance(statement, str) else statement
        try:
            cursor = self._admin.execute(query, parameters or None)
        except psycopg.OperationalError as error:
            if not self._admin.broken:
                raise
            raise DependencyDown("target_unreachable.lab_query", why=verbatim(error)) from error
        return cursor.fetchall() if cursor.description else []

    def as_application(self, *statements: LiteralString) -> None:
        """Runs statements as the application's user, so that what they make is its own."""
        with self.sessions.connect("migration") as connection:
            for statement in statements:
                connection.execute(statement)
        self.flush()

    def set(self, **settings: str) -> None:
        """Changes settings of the whole server that take effect with a reload."""
        for name, value in settings.items():
            self.run(sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value)))
        self.run("SELECT pg_reload_conf()")

    def reset(self, *names: str) -> None:
        """Resets settings to their values from the configuration file."""
        for name in names:
            self.run(sql.SQL("ALTER SYSTEM RESET {}").format(sql.Identifier(name)))
        self.run("SELECT pg_reload_conf()")

    def restart(self) -> None:
        """Restarts the server; the sessions of a workload come back by themselves."""
        self.own_server().restart()
        self._reconnect()

    def own_server(self) -> Server:
        """The server that this lab controls. Raises Precondition if the lab is on a foreign server."""
        if self.server is None:
            raise Precondition("needs_embedded_server")
        return self.server

    def burden_host(self, kind: str) -> None:
        """Starts a process that loads the host, see host_load.KINDS; returns once the load is there."""
        self.burden([sys.executable, "-m", "faultlab.host_load", kind])

    def burden(self, command: Sequence[str]) -> None:
        """Starts a program that loads the host until its input ends. Raises Precondition unless it prints `ready`."""
        pipe = subprocess.PIPE
        burden = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, start_new_session=True)
        self._burdens.append(burden)
        assert burden.stdout is not None
        said = burden.stdout.readline().decode(errors="replace").strip()
        if said != "ready":
            self.relieve_host()
            raise Precondition("fault_not_made.burden", why=_reported_problem(said))

    def relieve_host(self) -> None:
        """Ends the processes that load the host."""
        for burden in self._burdens:
            # Its input ends, and it cleans up.
            with contextlib.suppress(BrokenPipeError, subprocess.TimeoutExpired):
                burden.communicate(timeout=_RELIEF_SECONDS)
            burden.kill()
            burden.communicate()
        self._burdens.clear()

    def flush(self) -> None:
        """Makes the administrator's own counters visible; other sessions flush theirs at their next statement."""
        self.run("SELECT pg_stat_force_next_flush()")

    def evict_orphans(self) -> None:
        """Ends every session of the application's user, whichever process opened it."""
        self.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [APPLICATION_USER])

    def close(self) -> None:
        """Ends the load, the fault's sessions and the administrator's connection."""
        try:
            self.sessions.end()
            self.workload.stop()
            self.relieve_host()
        finally:
            self._admin.close()

    def _terminate(self, pids: list[int]) -> None:
        self.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY(%s) AND usename = %s",
            [pids, APPLICATION_USER],
        )

    def _reconnect(self) -> None:
        self._admin.close()
        self._admin = _connect(self.dsn)

    def _check_disposable(self) -> None:
        superuser = self.run("SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == [(True,)]
        if not superuser or self.run("SELECT to_regclass('faultlab.disposable')") == [(None,)]:
            raise Precondition("not_disposable", sql=MARK)

    def _prepare(self) -> None:
        """Creates what is missing: state, accounts, tables."""
        self.run(_STATE)
        for name in _EXTENSIONS:
            self.run(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(name)))
        if not self.run("SELECT 1 FROM faultlab.account"):
            self._seed()

    def _seed(self) -> None:
        password = secrets.token_hex(16)
        user = sql.Identifier(APPLICATION_USER)
        for role in (APPLICATION_USER, READER):
            if not self.run("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]):
                self.run(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        self.run(sql.SQL("ALTER ROLE {} PASSWORD {}").format(user, sql.Literal(password)))
        self.run(sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(user))
        with psycopg.connect(make_conninfo(self.dsn, user=APPLICATION_USER, password=password)) as connection:
            connection.execute(TABLES)
        database = sql.Identifier(self._admin.info.dbname)
        self.run(sql.SQL(READER_RIGHTS).format(database=database))
        if self._admin.info.server_version >= RESERVED_SINCE:
            self.run(RESERVED_RIGHTS)
        self.run("VACUUM (ANALYZE)")
        # Last: with it the lab is ready.
        self.run("INSERT INTO faultlab.account VALUES (%s)", [password])
        self.flush()

    def _password(self) -> str:
        password: str = self.run("SELECT password FROM faultlab.account")[0][0]
        return password


def _reported_problem(line: str) -> Message:
    """The problem that a load process printed in place of `ready`."""
    if not line:
        return Message("fault_not_made.ended")
    try:
        return from_plain(json.loads(line))
    except (ValueError, KeyError, TypeError):
        return verbatim(line)


def _connect(dsn: str) -> Connection:
    deadline = time.monotonic() + 10
    while True:
        try:
            return psycopg.connect(dsn, autocommit=True, application_name="faultlab")
        except psycopg.OperationalError as error:
            if time.monotonic() > deadline or "starting up" not in str(error):
                raise DependencyDown("target_unreachable.lab", why=verbatim(error)) from error
            time.sleep(0.1)
