"""Looks at a host: files of /proc, and programs by argv, never through a shell. Here, or where a machine is given."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads, Row, plain
from services.collector.executors.java import JavaLook, Jvm
from services.collector.executors.proc import SOURCES
from services.collector.failures import LookFailed

PROGRAMS = ("df",)
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
# A program that was ended is waited for so long.
_ENDING_SECONDS = 2.0
_ENVIRONMENT = {"PATH": PATH, "LC_ALL": "C"}


class Machine(Protocol):
    """A host that can be looked at. Both methods raise LookFailed. way_seconds: what the way there adds to a look."""

    way_seconds: float

    def files(self, source: str) -> AbstractAsyncContextManager[Path]:
        """The folder that has what a source reads of /proc, there while the block lasts."""

    async def written(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """What a program writes, to the cap, and whether there was more."""


class Here:
    """This machine. proc: where its /proc stands."""

    way_seconds = 0.0

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc

    @contextlib.asynccontextmanager
    async def files(self, source: str) -> AsyncIterator[Path]:
        """See Machine."""
        yield self._proc

    async def written(self, argv: tuple[str, ...], max_bytes: int) -> tuple[str, bool]:
        """See Machine. The program is ended when it is done, writes more, or is no longer waited for."""
        try:
            child = await asyncio.create_subprocess_exec(
                *argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_ENVIRONMENT,
            )
        except OSError as error:
            raise LookFailed("not_available_here", f"{argv[0]}: {error.strerror}") from None
        assert child.stdout is not None
        try:
            output = b""
            while len(output) <= max_bytes and (chunk := await child.stdout.read(65_536)):
                output += chunk
            return to_the_cap(output, max_bytes)
        finally:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            # What it had written is read to its end: as long as some of it lies there nobody is told that it ended.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_ENDING_SECONDS):
                    while await child.stdout.read(65_536):
                        pass
                    await child.wait()


class HostLook:
    """Reads one host, whichever machine that is. jvm: the one on it that is looked at as well."""

    def __init__(self, clock: Callable[[], float], machine: Machine | None = None, jvm: Jvm | None = None) -> None:
        self._clock = clock
        self._machine = machine or Here()
        self._java = JavaLook(jvm, self._machine, clock) if jvm else None

    def statement(self, check: CatalogueCheck) -> str:
        """What a check reads or runs."""
        if self._java is not None and check.engine == "java":
            return self._java.statement(check)
        return check.source or " ".join(check.argv)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed."""
        if self._java is not None and check.engine == "java":
            return await self._java.read(check, parameters)
        started, reads, truncated = self._clock(), [], False
        for number in range(check.reads):
            if number:
                await asyncio.sleep(check.interval_seconds)
            rows, cut = await self._one_read(check)
            truncated = truncated or cut or len(rows) > check.max_rows
            reads.append(rows[: check.max_rows])
            if number == 0:
                started = self._clock()
        return Reads(tuple(reads), self._clock() - started, check.key, truncated)

    async def _one_read(self, check: CatalogueCheck) -> tuple[tuple[Row, ...], bool]:
        look = self._program(check) if check.argv else self._source(check)
        try:
            async with asyncio.timeout(check.timeout_seconds + self._machine.way_seconds):
                return await look
        except TimeoutError:
            what = check.source or check.argv[0]
            raise LookFailed("timed_out", f"{what} was not read in {check.timeout_seconds:g} s") from None

    async def _source(self, check: CatalogueCheck) -> tuple[tuple[Row, ...], bool]:
        async with self._machine.files(check.source) as proc:
            return await asyncio.to_thread(_rows, check.source, proc), False

    async def _program(self, check: CatalogueCheck) -> tuple[tuple[Row, ...], bool]:
        if check.argv[0] not in PROGRAMS:
            raise LookFailed("program_not_allowed", f"{check.argv[0]} is not among {', '.join(PROGRAMS)}")
        output, cut = await self._machine.written(check.argv, check.max_bytes)
        return _table(output, check), cut


def _rows(source: str, proc: Path) -> tuple[Row, ...]:
    try:
        return tuple(SOURCES[source](proc))
    except (OSError, ValueError, LookupError, StopIteration) as error:
        said = str(error).replace(str(proc), "/proc") or "not as it is written on Linux"
        raise LookFailed("not_available_here", f"{source}: {said}") from None


def to_the_cap(output: bytes, max_bytes: int) -> tuple[str, bool]:
    """Whole lines of at most that many bytes, and whether anything was left out."""
    if len(output) <= max_bytes:
        return output.decode(errors="replace"), False
    return output[: output.rfind(b"\n", 0, max_bytes) + 1].decode(errors="replace"), True


def _table(output: str, check: CatalogueCheck) -> tuple[Row, ...]:
    """Lines of columns below a heading; the last column takes what is left of its line."""
    lines = [line for line in output.splitlines() if line.strip()]
    if not lines:
        raise LookFailed("not_available_here", f"{check.argv[0]} wrote nothing")
    names = [name.strip("%").lower() for name in lines[0].replace("Mounted on", "mounted").split()]
    return tuple(
        {name: _cell(cell) for name, cell in zip(names, line.split(None, len(names) - 1), strict=False)}
        for line in lines[1:]
    )


def _cell(text: str) -> float | str:
    number = text.strip().rstrip("%")
    value = plain(float(number)) if number.replace(".", "", 1).isdigit() else text.strip()
    return value if isinstance(value, float) else str(value)
