"""Client sessions of a fault or a workload: idle ones and looping threads, closed together."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, LiteralString

import psycopg

Connection = psycopg.Connection[tuple[Any, ...]]
Step = Callable[[Connection], object]
# Terminates the sessions with these process ids.
Terminate = Callable[[list[int]], None]

_PAUSE_SECONDS = 0.2


class Sessions:
    """Opens sessions as the application's user and ends them all, blocked or not."""

    def __init__(self, dsn: str, terminate: Terminate) -> None:
        self._dsn = dsn
        self._terminate = terminate
        self._stopping = threading.Event()
        self._held: list[Connection] = []
        self._threads: list[threading.Thread] = []
        self._pids: dict[int, int] = {}

    def connect(self, application: str) -> Connection:
        """A new connection that the caller closes."""
        return psycopg.connect(self._dsn, autocommit=True, application_name=application)

    def hold(self, application: str, *statements: LiteralString) -> Connection:
        """A session that runs these statements and then stays idle."""
        connection = self.connect(application)
        self._held.append(connection)
        for statement in statements:
            connection.execute(statement)
        return connection

    def background(self, application: str, *statements: LiteralString, count: int = 1) -> None:
        """Sessions that run these statements, which may block, and then stay idle."""

        def once(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)
            self._stopping.wait()

        self.loop(application, once, count)

    def loop(self, application: str, step: Step, count: int = 1) -> None:
        """Sessions that repeat `step` until the end and reconnect if they are terminated."""
        self.repeat(lambda: self._served(application, step), count)

    def repeat(self, action: Callable[[], None], count: int = 1) -> None:
        """Threads that repeat `action` until the end and ignore database errors."""
        for _ in range(count):
            thread = threading.Thread(target=self._until_stopped, args=(action,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def rest(self, seconds: float) -> bool:
        """Waits, or returns early at the end; true to continue."""
        return not self._stopping.wait(seconds)

    def end(self) -> None:
        """Stops every session and thread; the object can be reused. Raises RuntimeError if a thread does not stop."""
        self._stopping.set()
        deadline = time.monotonic() + 30
        while alive := [thread for thread in self._threads if thread.is_alive()]:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{len(alive)} sessions of the lab did not end within 30 s")
            self._terminate([*self._pids.values(), *(held.info.backend_pid for held in self._held if not held.closed)])
            alive[0].join(_PAUSE_SECONDS)
        for connection in self._held:
            connection.close()
        self._held.clear()
        self._threads.clear()
        self._stopping.clear()

    def _until_stopped(self, action: Callable[[], None]) -> None:
        while not self._stopping.is_set():
            try:
                action()
            except psycopg.Error:
                self._stopping.wait(_PAUSE_SECONDS)

    def _served(self, application: str, step: Step) -> None:
        me = threading.get_ident()
        with contextlib.closing(self.connect(application)) as connection:
            self._pids[me] = connection.info.backend_pid
            try:
                while not self._stopping.is_set():
                    _stepped(connection, step)
            finally:
                self._pids.pop(me, None)


def _stepped(connection: Connection, step: Step) -> None:
    """Runs one step; a failed statement rolls its transaction back and the session continues."""
    try:
        step(connection)
    except psycopg.Error:
        if connection.broken or connection.closed:
            raise
        connection.rollback()
