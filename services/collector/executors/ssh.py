"""Looks at a host over SSH: one connection, files of /proc fetched, programs by argv, each word quoted for the shell.

The server's key must stand in the known hosts file: there is no trust on first use. No configuration of a user is
read, no agent is forwarded. What the remote end writes is read to a cap; `timeout` there ends what nobody waits for.
"""

from __future__ import annotations

import asyncio
import contextlib
import shlex
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads
from services.collector.executors.host import PATH, HostLook, to_the_cap
from services.collector.executors.java import Jvm
from services.collector.executors.proc_copy import copied
from services.collector.failures import LookFailed, TargetUnreachable

if TYPE_CHECKING:
    import asyncssh

CONNECT_SECONDS = 5
# To start a program over there takes long on a host that is busy, and such are looked at.
WAY_SECONDS = 4.0
# The remote end of a program whose caller has gone.
MOST_SECONDS = 30
_KEEPALIVE_SECONDS = 3
# Sources that count processes as they are started, or how busy the host is.
_COUNTED = ("cpu", "cores")
# A server admits ten unless it is told otherwise.
_CHANNELS = 8
_NOT_FOUND = (126, 127)
_TIMED_OUT = 124


@dataclass(frozen=True)
class SshTarget:
    """How to log in. password: of the key where there is a key_file, else of the user; it is never shown."""

    target_id: str
    address: str
    port: int
    user: str
    known_hosts: Path
    key_file: Path | None = None
    agent_socket: str = ""
    password: str = field(default="", repr=False)


class SshLook:
    """One open connection to a host. Use as `async with SshLook(target, clock) as look`.

    Checks may be read at the same time: they share the connection, each program with a channel of its own. One that
    counts what the host starts is read alone, for every program that is run there is counted as well.
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
        self._host = HostLook(clock, self._machine, jvm)
        self._alone = asyncio.Lock()
        self._reading: set[asyncio.Task[Reads]] = set()

    async def __aenter__(self) -> SshLook:
        await self._machine.connect()
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._machine.let_go()

    def statement(self, check: CatalogueCheck) -> str:
        """What a check reads or runs."""
        return self._host.statement(check)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed; a lost connection is made anew by the next."""
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
            # So that nothing goes on over there that nobody waits for.
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
                self._connection = await self._connected()
            return self._connection

    async def _connected(self) -> asyncssh.SSHClientConnection:
        try:
            import asyncssh
        except ModuleNotFoundError:
            message = f"looking at {self._target.target_id}: asyncssh is not installed; the extra `ssh` brings it"
            raise TargetUnreachable(message, "extra_missing") from None
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
        async with copied(source, self.written) as folder:
            yield folder

    async def written(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
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
            raise LookFailed("connection_lost", f"running {argv[0]} there: {_said(error)}") from None


class _Cut(Exception):
    """The connection ended before the program did."""


async def _output(process: asyncssh.SSHClientProcess[bytes], program: str, max_bytes: int) -> tuple[str, bool]:
    output = b""
    try:
        while len(output) <= max_bytes and (chunk := await process.stdout.read(65_536)):
            output += chunk
        if len(output) <= max_bytes:
            _check_ending(await process.wait(check=False), program)
        return to_the_cap(output, max_bytes)
    finally:
        # Whatever it still does: nobody reads it any more.
        process.close()


def _check_ending(ended: asyncssh.SSHCompletedProcess, program: str) -> None:
    if ended.exit_status is None:
        raise _Cut("the connection ended before it did")
    if ended.exit_status in _NOT_FOUND:
        raise LookFailed("not_available_here", f"{program} or what it is run by (env, timeout) is not there")
    if ended.exit_status == _TIMED_OUT:
        raise LookFailed("timed_out", f"{program} did not end there in {MOST_SECONDS} s")


def _options(target: SshTarget) -> dict[str, Any]:
    """Everything is said: what is left out, asyncssh would take from the user's own files."""
    if not target.known_hosts.is_file():
        raise ValueError(f"the known hosts file {target.known_hosts} is not there")
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

    where = f"connecting to {target.target_id} ({target.user}@{target.address}:{target.port})"
    if isinstance(error, asyncssh.HostKeyNotVerifiable):
        said = f"its host key is not the one in {target.known_hosts}; nothing was sent to it: {_said(error)}"
        return TargetUnreachable(f"{where}: {said}", "host_key_not_verified")
    if isinstance(error, asyncssh.KeyImportError | asyncssh.KeyEncryptionError):
        return TargetUnreachable(f"{where}: its key {target.key_file}: {_said(error)}", "key_not_readable")
    if isinstance(error, asyncssh.PermissionDenied):
        return TargetUnreachable(f"{where}: the login was refused: {_said(error)}", "login_refused")
    if isinstance(error, TimeoutError):
        return TargetUnreachable(f"{where}: no answer within {CONNECT_SECONDS} s")
    return TargetUnreachable(f"{where}: {_said(error)}")


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
