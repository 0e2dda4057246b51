"""A host on which checks run, and the machine that the collector itself runs on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from services.chassis.problems import system_problem
from services.collector.failures import CheckFailed

PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
_ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C"}
_KILL_WAIT_SECONDS = 2.0


class Machine(Protocol):
    """A host. Both methods raise CheckFailed. way_seconds: extra time for a check because of the connection."""

    way_seconds: float

    def files(self, source: str) -> AbstractAsyncContextManager[Path]:
        """The folder with the files of /proc that a source needs; it exists while the block lasts."""

    async def run_program(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """The output of a program up to the cap, and whether there was more."""


class LocalMachine:
    """This machine. proc: where its /proc is mounted."""

    way_seconds = 0.0

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc

    @contextlib.asynccontextmanager
    async def files(self, source: str) -> AsyncIterator[Path]:
        """See Machine."""
        yield self._proc

    async def run_program(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """See Machine. The program is killed once it is done, exceeds the cap, or its caller is cancelled."""
        try:
            child = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_ENVIRONMENT,
            )
        except OSError as error:
            raise CheckFailed("not_available_here.program", program=argv[0], why=system_problem(error)) from None
        assert child.stdout is not None
        try:
            output = b""
            while len(output) <= max_bytes and (chunk := await child.stdout.read(65_536)):
                output += chunk
            return cut_to_cap(output, max_bytes)
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            # asyncio reports the end of a process only once its output has been read completely.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_KILL_WAIT_SECONDS):
                    while await child.stdout.read(65_536):
                        pass
                    await child.wait()


def cut_to_cap(output: bytes, max_bytes: int) -> tuple[str, bool]:
    """Whole lines of at most `max_bytes` bytes, and whether anything was left out."""
    if len(output) <= max_bytes:
        return output.decode(errors="replace"), False
    return output[: output.rfind(b"\n", 0, max_bytes) + 1].decode(errors="replace"), True
