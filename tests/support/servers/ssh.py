"""A real SSH server on loopback: asyncssh's own, which runs what it is told by a real shell; and OpenSSH's, if here."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncssh
import pytest

from services.collector.targets.connections import SshTarget

USER = "dbdiag"
PASSWORD = "hunter2-ssh"
Process = asyncssh.SSHServerProcess[bytes]
Answer = Callable[[Process], Awaitable[None]]


@dataclass
class SshServer:
    """A running server. answer: what it does with a command; attempts: the logins tried; commands: what it was told.

    most_at_once: how many commands ran at the same time.
    """

    folder: Path
    port: int = 0
    attempts: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    running: int = 0
    most_at_once: int = 0
    answer: Answer | None = None
    connections: list[asyncssh.SSHServerConnection] = field(default_factory=list)

    @property
    def target(self) -> SshTarget:
        """How one logs in by the key that it knows."""
        folder = self.folder
        return SshTarget("db1", "127.0.0.1", self.port, USER, folder / "known_hosts", folder / "user_key")

    @property
    def by_password(self) -> SshTarget:
        """How one logs in by the password."""
        return replace(self.target, key_file=None, password=PASSWORD)


class _Session(asyncssh.SSHServer):
    def __init__(self, server: SshServer) -> None:
        self._server = server

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._server.connections.append(conn)

    def begin_auth(self, username: str) -> bool:
        self._server.attempts.append(username)
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return (username, password) == (USER, PASSWORD)


@contextlib.asynccontextmanager
async def ssh_server(folder: Path) -> AsyncIterator[SshServer]:
    """Runs until the block ends. `folder` has its keys, and the known hosts file that names it."""
    server = SshServer(folder)
    host_key = write_keys(folder)

    async def handled(process: Process) -> None:
        server.commands.append(process.command or "")
        server.running += 1
        server.most_at_once = max(server.most_at_once, server.running)
        try:
            await (server.answer or by_shell)(process)
        finally:
            server.running -= 1

    listener = await asyncssh.listen(
        "127.0.0.1",
        0,
        server_factory=lambda: _Session(server),
        server_host_keys=[host_key],
        authorized_client_keys=str(folder / "authorized_keys"),
        process_factory=handled,
        encoding=None,
    )
    async with listener:
        server.port = listener.get_port()
        know(server.folder, server.port, host_key)
        yield server


def write_keys(folder: Path) -> asyncssh.SSHKey:
    """Writes the user's key, and who may log in; the value is a host key."""
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(str(folder / "user_key"))
    key.write_public_key(str(folder / "authorized_keys"))
    return asyncssh.generate_private_key("ssh-ed25519")


def know(folder: Path, port: int, key: asyncssh.SSHKey) -> None:
    """Writes the known hosts file: this port of the loopback has this key."""
    (folder / "known_hosts").write_text(f"[127.0.0.1]:{port} {key.export_public_key().decode()}")


async def by_shell(process: Process) -> None:
    """Runs the command as sshd would: as one text, by the user's shell."""
    child = await asyncio.create_subprocess_shell(
        process.command or "", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    output, _ = await child.communicate()
    process.stdout.write(output)
    process.exit(child.returncode or 0)


@contextlib.contextmanager
def openssh(folder: Path) -> Iterator[SshTarget]:
    """OpenSSH's own server for the user who runs this, by key. Skips where it is not installed."""
    program = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if program is None:
        pytest.skip("OpenSSH's sshd is not installed")
    host_key = write_keys(folder)
    host_key.write_private_key(str(folder / "host_key"))
    (folder / "host_key").chmod(0o600)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    know(folder, port, host_key)
    (folder / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host_key\nAuthorizedKeysFile {folder}/authorized_keys\n"
        "StrictModes no\nPasswordAuthentication no\nUsePAM no\nPidFile none\n"
    )
    with contextlib.suppress(PermissionError):
        Path("/run/sshd").mkdir(exist_ok=True)
    command = [program, "-D", "-e", "-f", str(folder / "sshd_config")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        try:
            _answers(port)
            target = SshTarget("db1", "127.0.0.1", port, getpass.getuser(), folder / "known_hosts", folder / "user_key")
            yield target
        finally:
            running.terminate()


def _answers(port: int) -> None:
    ends = time.monotonic() + 10
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)
        else:
            return
