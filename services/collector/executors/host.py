"""Looks at the host this runs on: files of /proc, and programs by argv, never through a shell."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads, Row, plain
from services.collector.executors.proc import SOURCES
from services.collector.failures import LookFailed

PROGRAMS = ("df",)
_ENVIRONMENT = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C"}


class HostLook:
    """Reads one host. proc: where its /proc stands."""

    def __init__(self, clock: Callable[[], float], proc: Path = Path("/proc")) -> None:
        self._clock = clock
        self._proc = proc

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed."""
        started, reads, truncated = self._clock(), [], False
        for number in range(check.reads):
            if number:
                await asyncio.sleep(check.interval_seconds)
            rows = await (self._program(check) if check.argv else self._source(check))
            truncated = truncated or len(rows) > check.max_rows
            reads.append(rows[: check.max_rows])
            if number == 0:
                started = self._clock()
        return Reads(tuple(reads), self._clock() - started, check.key, truncated)

    async def _source(self, check: CatalogueCheck) -> tuple[Row, ...]:
        try:
            async with asyncio.timeout(check.timeout_seconds):
                return await asyncio.to_thread(lambda: tuple(SOURCES[check.source](self._proc)))
        except TimeoutError:
            raise LookFailed("timed_out", f"{check.source} was not read in {check.timeout_seconds:g} s") from None
        except (OSError, ValueError) as error:
            raise LookFailed("not_available_here", f"{check.source}: {error}") from None

    async def _program(self, check: CatalogueCheck) -> tuple[Row, ...]:
        if check.argv[0] not in PROGRAMS:
            raise LookFailed("program_not_allowed", f"{check.argv[0]} is not among {', '.join(PROGRAMS)}")
        try:
            child = await asyncio.create_subprocess_exec(
                *check.argv,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=_ENVIRONMENT,
            )
        except OSError as error:
            raise LookFailed("not_available_here", f"{check.argv[0]}: {error.strerror}") from None
        return _table(await _output(child, check), check)


async def _output(child: asyncio.subprocess.Process, check: CatalogueCheck) -> str:
    """What it writes, to the cap; it is ended when it is done, writes more, or takes too long."""
    assert child.stdout is not None
    try:
        async with asyncio.timeout(check.timeout_seconds):
            output = b""
            while len(output) <= check.max_bytes and (chunk := await child.stdout.read(65_536)):
                output += chunk
            return output[: check.max_bytes].decode(errors="replace")
    except TimeoutError:
        raise LookFailed("timed_out", f"{check.argv[0]} did not end in {check.timeout_seconds:g} s") from None
    finally:
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


def _table(output: str, check: CatalogueCheck) -> tuple[Row, ...]:
    """Lines of columns below a heading; the last column takes what is left of its line."""
    lines = [line for line in output.splitlines() if line.strip()]
    if not lines:
        raise LookFailed("not_available_here", f"{check.argv[0]} wrote nothing")
    names = [name.strip("%").lower() for name in lines[0].replace("Mounted on", "mount").split()]
    return tuple(
        {name: _cell(cell) for name, cell in zip(names, line.split(None, len(names) - 1), strict=False)}
        for line in lines[1:]
    )


def _cell(text: str) -> float | str:
    number = text.strip().rstrip("%")
    value = plain(float(number)) if number.replace(".", "", 1).isdigit() else text.strip()
    return value if isinstance(value, float) else str(value)
