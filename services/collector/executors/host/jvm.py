"""Runs checks on one JVM of a host: the JDK's own tools by argv, on the process that the target names."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping

from lang.expressions import Reads, Row, Rows, Value
from services.chassis.problems import Misfit
from services.collector.catalogue.schema import JVM_PROGRAMS, CatalogueCheck
from services.collector.executors.host import jvm_threads
from services.collector.executors.host.machine import Machine
from services.collector.executors.repeated_reads import read_repeatedly
from services.collector.failures import CheckFailed
from services.collector.targets.connections import Jvm

# In the argv of a check: the id of the JVM's process.
PID = "{pid}"
_LIST = ("jps", "-lm")
_LIST_SECONDS = 10.0
_LIST_BYTES = 262_144
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")


class JvmExecutor:
    """Runs checks on one JVM of a machine."""

    def __init__(self, jvm: Jvm, machine: Machine, clock: Callable[[], float]) -> None:
        self._jvm = jvm
        self._machine = machine
        self._clock = clock
        self._pid = jvm.pid

    def statement(self, check: CatalogueCheck) -> str:
        """The program of a check."""
        return " ".join(check.argv).replace(PID, str(self._pid or PID))

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises CheckFailed."""
        if check.argv[0] not in JVM_PROGRAMS:
            raise CheckFailed("program_not_allowed", program=check.argv[0], known=JVM_PROGRAMS)
        self._pid = self._pid or await self._find_process()
        argv = tuple(part.replace(PID, str(self._pid)) for part in check.argv)
        try:
            if argv[0] == "jstat":
                output, cut = await self._run_tool(argv, check.timeout_seconds, check.max_bytes)
                return _samples(output, cut)
            return await read_repeatedly(check, self._clock, lambda: self._read_dump(check, argv))
        except Misfit as misfit:
            why = misfit.message
            raise CheckFailed("not_available_here.jvm_tool", program=argv[0], pid=self._pid, why=why) from None

    async def _read_dump(self, check: CatalogueCheck, argv: tuple[str, ...]) -> Rows:
        output, cut = await self._run_tool(argv, check.timeout_seconds, check.max_bytes)
        return jvm_threads.rows(output, cut), cut

    async def _find_process(self) -> int:
        """The process that the target means. Raises CheckFailed where none or more than one fits."""
        output, _ = await self._run_tool(_LIST, _LIST_SECONDS, _LIST_BYTES)
        fitting = [pid for pid, names in _listed(output) if self._jvm.main in names]
        if len(fitting) == 1:
            return fitting[0]
        if not fitting:
            raise CheckFailed("not_available_here.no_such_jvm", name=self._jvm.main)
        pids = tuple(map(str, fitting))
        raise CheckFailed("not_available_here.several_jvms", count=len(fitting), name=self._jvm.main, pids=pids)

    async def _run_tool(self, argv: tuple[str, ...], seconds: float, max_bytes: int) -> tuple[str, bool]:
        program = f"{self._jvm.home}/bin/{argv[0]}" if self._jvm.home else argv[0]
        try:
            async with asyncio.timeout(seconds + self._machine.way_seconds):
                return await self._machine.run_program((program, *argv[1:]), max_bytes)
        except TimeoutError:
            raise CheckFailed("timed_out.program", program=argv[0], seconds=f"{seconds:g}") from None


def _listed(output: str) -> list[tuple[int, frozenset[str]]]:
    """Each JVM's process and the names it goes by. Of what it was started with nothing else is kept."""
    found = []
    for line in output.splitlines():
        pid, _, rest = line.partition(" ")
        words = rest.split()
        if pid.isdigit() and words:
            # A single source file is run by the compiler's main class, and stands after it.
            source = words[1:2] if words[0].endswith("javac.launcher.Main") else []
            names = {words[0], *(part.rpartition("/")[2] for part in (words[0], *source))}
            found.append((int(pid), frozenset(names)))
    return found


def _samples(output: str, cut: bool) -> Reads:
    """The lines of `jstat -t` below their heading, each a read of its own; the first column is the JVM's clock."""
    lines = [line.split() for line in output.splitlines() if line.strip()]
    if len(lines) < 2 or lines[0][0] != "Timestamp":
        raise Misfit("not_available_here.no_samples")
    names = [name.lower() for name in lines[0]]
    rows: list[Row] = [dict(zip(names, map(_cell, line), strict=True)) for line in lines[1:] if len(line) == len(names)]
    first, last = rows[0]["timestamp"], rows[-1]["timestamp"]
    seconds = last - first if isinstance(first, float) and isinstance(last, float) else 0.0
    return Reads(tuple((row,) for row in rows), seconds, (), cut)


def _cell(text: str) -> Value:
    """A number, with either decimal sign; None for the dash of what this collector does not have."""
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
