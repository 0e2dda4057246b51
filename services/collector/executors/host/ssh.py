"""Runs checks on a host over SSH: one connection, files of /proc fetched, programs by argv, each word quoted.

The server's key must be in the known hosts file: there is no trust on first use. No user configuration is read and no
agent is forwarded. Remote output is read up to a cap; `timeout` on the remote side ends abandoned programs.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lang.expressions import Reads
from services.chassis.messages import Detail, Message
from services.chassis.problems import Misfit, system_problem, verbatim
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.executors.host.executor import HostExecutor
from services.collector.executors.host.machine import PATH, cut_to_cap
from services.collector.executors.host.proc_copy import copy_proc
from services.collector.failures import CheckFailed, TargetUnreachable
from services.collector.targets.connections import Jvm, SshTarget

if TYPE_CHECKING:
    import asyncssh

CONNECT_SECONDS = 5
# On a busy host it takes long to start a program remotely.
WAY_SECONDS = 4.0
# `timeout` ends remote programs whose caller is gone.
MOST_SECONDS = 30
_KEEPALIVE_SECONDS = 3
# Sources that count started processes or the load of the host.
_COUNTED = ("cpu", "cores")
# OpenSSH admits ten sessions a connection by default.
_CHANNELS = 8
_NOT_FOUND = (126, 127)
_TIMED_OUT = 124


class SshExecutor:
    """One open connection to a host. Use as `async with SshExecutor(target, clock) as executor`.

    Concurrent checks share the connection, each program in a channel of its own. A check that counts processes runs
    alone, because the programs of other checks would be counted as well.
    """

    def __init__(
        self,
        target: SshTarget,
        clock: Callable[[], float],
        connect_seconds: float = CONNECT_SECONDS,
        jvm: Jvm | None = None,
        way_seconds: float = WAY_SECONDS,
    ) -> None:
        self._machine = _Remote(target, connect_seconds, way_seconds)
        self._host = HostExecutor(clock, self._machine, jvm)
        self._alone = asyncio.Lock()
        self._reading: set[asyncio.Task[Reads]] = set()

    async def __aenter__(self) -> SshExecutor:
        await self._machine.connect()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._machine.let_go()

    def statement(self, check: CatalogueCheck) -> str:
        """The source or the program of a check."""
        return self._host.statement(check)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed; a lost connection is made anew by the next."""
        try:
            if check.source not in _COUNTED:
                async with self._alone:
                    work = asyncio.ensure_future(self._host.read(check, parameters))
                    self._reading.add(work)
                    work.add_done_callback(self._reading.discard)
                return await work
            async with self._alone:
                await asyncio.gather(*self._reading, return_exceptions=True)
                return await self._host.read(check, parameters)
        except asyncio.CancelledError:
            # Ends the remote programs as well.
            self._machine.abort()
            raise


class _Remote:
    """The machine at the other end; see Machine."""

    def __init__(self, target: SshTarget, connect_seconds: float, way_seconds: float) -> None:
        self.way_seconds = way_seconds
        self._target = target
        self._connect_seconds = connect_seconds
        self._connection: asyncssh.SSHClientConnection | None = None
        self._connecting = asyncio.Lock()
        self._channels = asyncio.Semaphore(_CHANNELS)

    async def connect(self) -> asyncssh.SSHClientConnection:
        """The connection, made where there is none. Raises TargetUnreachable."""
        async with self._connecting:
            if self._connection is None or self._connection.is_closed():
                self._connection = await self._open_connection()
            return self._connection

    async def _open_connection(self) -> asyncssh.SSHClientConnection:
        try:
            import asyncssh
        except ModuleNotFoundError:
            target = self._target.target_id
            raise TargetUnreachable("extra_missing.target", target=target, package="asyncssh", extra="ssh") from None
        try:
            async with asyncio.timeout(self._connect_seconds):
                return await asyncssh.connect(**_options(self._target))
        except (asyncssh.Error, OSError, TimeoutError, ValueError) as error:
            raise _unreachable(self._target, error) from None

    def abort(self) -> asyncssh.SSHClientConnection | None:
        """Ends the connection at once, and with it what runs in it; the value is what was ended."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.abort()
        return connection

    async def let_go(self) -> None:
        """Ends the connection, and waits for that a second at most."""
        if (connection := self.abort()) is not None:
            with contextlib.suppress(OSError, TimeoutError):
                await asyncio.wait_for(connection.wait_closed(), 1)

    @contextlib.asynccontextmanager
    async def files(self, source: str) -> AsyncIterator[Path]:
        """See Machine."""
        async with copy_proc(source, self.run_program) as folder:
            yield folder

    async def run_program(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """See Machine."""
        import asyncssh

        words = ("env", "LC_ALL=C", f"PATH={PATH}", "timeout", str(MOST_SECONDS), *argv)
        connection = await self.connect()
        try:
            async with self._channels:
                null = asyncssh.DEVNULL
                process = await connection.create_process(shlex.join(words), encoding=None, stdin=null, stderr=null)
                return await _output(process, argv[0], max_bytes)
        except (asyncssh.Error, OSError, _Cut) as error:
            if self._connection is connection:
                self.abort()
            raise CheckFailed("connection_lost", program=argv[0], why=_problem_of(error)) from None


class _Cut(Exception):
    """The connection ended before the program did."""


async def _output(process: asyncssh.SSHClientProcess[bytes], program: str, max_bytes: int) -> tuple[str, bool]:
    output = b""
    try:
        while len(output) <= max_bytes and (chunk := await process.stdout.read(65_536)):
            output += chunk
        if len(output) <= max_bytes:
            _check_ending(await process.wait(check=False), program)
        return cut_to_cap(output, max_bytes)
    finally:
        # Closes the channel even if the program still writes.
        process.close()


def _check_ending(ended: asyncssh.SSHCompletedProcess, program: str) -> None:
    if ended.exit_status is None:
        raise _Cut
    if ended.exit_status in _NOT_FOUND:
        raise CheckFailed("not_available_here.remote_program", program=program)
    if ended.exit_status == _TIMED_OUT:
        raise CheckFailed("timed_out.remote_program", program=program, seconds=MOST_SECONDS)


def _options(target: SshTarget) -> dict[str, Any]:
    """Everything is said: what is left out, asyncssh would take from the user's own files."""
    if not target.known_hosts.is_file():
        raise Misfit("target_unreachable.no_known_hosts", path=str(target.known_hosts))
    key = str(target.key_file) if target.key_file else ""
    return {
        "host": target.address,
        "port": target.port,
        "username": target.user,
        "config": None,
        "known_hosts": str(target.known_hosts),
        "client_keys": [key] if key else () if target.agent_socket else None,
        "agent_path": target.agent_socket or None,
        "agent_forwarding": False,
        "passphrase": (target.password or None) if key else None,
        "password": None if key else target.password or None,
        "gss_host": None,
        "keepalive_interval": _KEEPALIVE_SECONDS,
        "login_timeout": CONNECT_SECONDS,
    }


def _unreachable(target: SshTarget, error: Exception) -> TargetUnreachable:
    import asyncssh

    address = f"{target.user}@{target.address}:{target.port}"

    def unreachable(key: str, **details: Detail) -> TargetUnreachable:
        why = Message(key, details)
        return TargetUnreachable(
            "target_unreachable.ssh", target=target.target_id, address=address, why=why, reason=why.reason
        )

    words = _problem_of(error)
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        return unreachable("host_key_not_verified", path=str(target.known_hosts), why=words)
    if isinstance(error, asyncssh.KeyImportError | asyncssh.KeyEncryptionError):
        return unreachable("key_not_readable", path=str(target.key_file), why=words)
    if isinstance(error, asyncssh.PermissionDenied):
        return unreachable("login_refused", why=words)
    if isinstance(error, TimeoutError):
        return unreachable("target_unreachable.no_answer", seconds=CONNECT_SECONDS)
    return TargetUnreachable("target_unreachable.ssh", target=target.target_id, address=address, why=words)


def _problem_of(error: Exception) -> Message:
    if isinstance(error, Misfit):
        return error.message
    if isinstance(error, _Cut):
        return Message("connection_lost.early")
    if isinstance(error, OSError) and error.errno is not None:
        return system_problem(error)
    return verbatim(str(error) or type(error).__name__)
