"""Runs checks on a host: files of /proc, and programs by argv, never through a shell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from lang.expressions import Reads, Row, Rows
from services.chassis.messages import Message
from services.chassis.problems import Misfit, system_problem, verbatim
from services.collector.catalogue.schema import HOST_PROGRAMS, CatalogueCheck
from services.collector.catalogue.verdicts import plain
from services.collector.executors.host.jvm import JvmExecutor
from services.collector.executors.host.machine import LocalMachine, Machine
from services.collector.executors.host.proc import SOURCES
from services.collector.executors.repeated_reads import read_repeatedly
from services.collector.failures import CheckFailed
from services.collector.targets.connections import Jvm


class HostExecutor:
    """Runs checks on one machine, by default this one. jvm: the JVM on it that checks inspect as well."""

    def __init__(self, clock: Callable[[], float], machine: Machine | None = None, jvm: Jvm | None = None) -> None:
        self._clock = clock
        self._machine = machine or LocalMachine()
        self._java = JvmExecutor(jvm, self._machine, clock) if jvm else None

    def statement(self, check: CatalogueCheck) -> str:
        """The source or the program of a check."""
        if self._java is not None and check.engine == "java":
            return self._java.statement(check)
        return check.source or " ".join(check.argv)

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed."""
        if self._java is not None and check.engine == "java":
            return await self._java.read(check, parameters)
        return await read_repeatedly(check, self._clock, lambda: self._read_once(check))

    async def _read_once(self, check: CatalogueCheck) -> Rows:
        reading = self._run_program(check) if check.argv else self._read_source(check)
        try:
            async with asyncio.timeout(check.timeout_seconds + self._machine.way_seconds):
                return await reading
        except TimeoutError:
            what = check.source or check.argv[0]
            raise CheckFailed("timed_out.source", source=what, seconds=f"{check.timeout_seconds:g}") from None

    async def _read_source(self, check: CatalogueCheck) -> Rows:
        async with self._machine.files(check.source) as proc:
            return await asyncio.to_thread(_rows, check.source, proc), False

    async def _run_program(self, check: CatalogueCheck) -> Rows:
        if check.argv[0] not in HOST_PROGRAMS:
            raise CheckFailed("program_not_allowed", program=check.argv[0], known=HOST_PROGRAMS)
        output, cut = await self._machine.run_program(check.argv, check.max_bytes)
        return _table(output, check), cut


def _rows(source: str, proc: Path) -> tuple[Row, ...]:
    try:
        return tuple(SOURCES[source](proc))
    except (OSError, ValueError, LookupError, StopIteration) as error:
        raise CheckFailed("not_available_here.source", source=source, why=_problem_of(error, str(proc))) from None


def _problem_of(error: Exception, proc: str) -> Message:
    if isinstance(error, Misfit):
        return error.message
    if isinstance(error, OSError) and error.filename:
        path = str(error.filename).replace(proc, "/proc")
        return Message("not_available_here.file", {"path": path, "why": system_problem(error)})
    words = str(error).replace(proc, "/proc")
    return verbatim(words) if words else Message("not_available_here.not_as_on_linux")


def _table(output: str, check: CatalogueCheck) -> tuple[Row, ...]:
    """Lines of columns below a heading; the last column takes what is left of its line."""
    lines = [line for line in output.splitlines() if line.strip()]
    if not lines:
        raise CheckFailed("not_available_here.no_output", program=check.argv[0])
    names = [name.strip("%").lower() for name in lines[0].replace("Mounted on", "mounted").split()]
    return tuple(
        {name: _cell(cell) for name, cell in zip(names, line.split(None, len(names) - 1), strict=False)}
        for line in lines[1:]
    )


def _cell(text: str) -> float | str:
    number = text.strip().rstrip("%")
    value = plain(float(number)) if number.replace(".", "", 1).isdigit() else text.strip()
    return value if isinstance(value, float) else str(value)
