"""Looks at one JVM of a host: the JDK's own tools by argv, on the process that the target names."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from services.collector.catalogue.entries import CatalogueCheck
from services.collector.catalogue.reads import Reads, Row, Value
from services.collector.executors import java_threads
from services.collector.failures import LookFailed

if TYPE_CHECKING:
    from services.collector.executors.host import Machine

PROGRAMS = ("jstat", "jstack")
# In the argv of a check: the process that is looked at.
PID = "{pid}"
_LIST = ("jps", "-lm")
_LIST_SECONDS = 10.0
_LIST_BYTES = 262_144
_NUMBER = re.compile(r"-?\d+([.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Jvm:
    """Which JVM: its process, or what it was started with. home: of the JDK; empty for the system's.

    main: its main class, or the file name of its jar or source file.
    """

    pid: int = 0
    main: str = ""
    home: str = ""


class JavaLook:
    """Looks at one JVM on a machine."""

    def __init__(self, jvm: Jvm, machine: Machine, clock: Callable[[], float]) -> None:
        self._jvm = jvm
        self._machine = machine
        self._clock = clock
        self._pid = jvm.pid

    def statement(self, check: CatalogueCheck) -> str:
        """What a check runs."""
        return " ".join(check.argv).replace(PID, str(self._pid or PID))

    async def read(self, check: CatalogueCheck, parameters: Mapping[str, str]) -> Reads:
        """All reads of a check. Raises LookFailed."""
        if check.argv[0] not in PROGRAMS:
            raise LookFailed("program_not_allowed", f"{check.argv[0]} is not among {', '.join(PROGRAMS)}")
        self._pid = self._pid or await self._found()
        argv = tuple(part.replace(PID, str(self._pid)) for part in check.argv)
        try:
            if argv[0] == "jstat":
                output, cut = await self._written(argv, check.timeout_seconds, check.max_bytes)
                return _samples(output, cut)
            return await self._dumps(check, argv)
        except ValueError as error:
            message = f"{argv[0]} of process {self._pid}: {error}; is it a JVM, and is this its user or root?"
            raise LookFailed("not_available_here", message) from None

    async def _dumps(self, check: CatalogueCheck, argv: tuple[str, ...]) -> Reads:
        started, reads, truncated = self._clock(), [], False
        for number in range(check.reads):
            if number:
                await asyncio.sleep(check.interval_seconds)
            output, cut = await self._written(argv, check.timeout_seconds, check.max_bytes)
            if number == 0:
                started = self._clock()
            found = java_threads.rows(output, cut)
            truncated = truncated or cut or len(found) > check.max_rows
            reads.append(found[: check.max_rows])
        return Reads(tuple(reads), self._clock() - started, check.key, truncated)

    async def _found(self) -> int:
        """The process that the target means. Raises LookFailed where none or more than one fits."""
        output, _ = await self._written(_LIST, _LIST_SECONDS, _LIST_BYTES)
        fitting = [pid for pid, names in _listed(output) if self._jvm.main in names]
        if len(fitting) == 1:
            return fitting[0]
        said = f"{len(fitting)} JVMs run {self._jvm.main} ({', '.join(map(str, fitting))}); name one by its pid"
        if not fitting:
            said = f"no JVM that this user may see runs {self._jvm.main}"
        raise LookFailed("not_available_here", said)

    async def _written(self, argv: tuple[str, ...], seconds: float, max_bytes: int) -> tuple[str, bool]:
        program = f"{self._jvm.home}/bin/{argv[0]}" if self._jvm.home else argv[0]
        try:
            async with asyncio.timeout(seconds + self._machine.way_seconds):
                return await self._machine.written((program, *argv[1:]), max_bytes)
        except TimeoutError:
            raise LookFailed("timed_out", f"{argv[0]} did not end in {seconds:g} s") from None


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
        raise ValueError("it wrote no samples")
    names = [name.lower() for name in lines[0]]
    rows: list[Row] = [dict(zip(names, map(_cell, line), strict=True)) for line in lines[1:] if len(line) == len(names)]
    first, last = rows[0]["timestamp"], rows[-1]["timestamp"]
    seconds = last - first if isinstance(first, float) and isinstance(last, float) else 0.0
    return Reads(tuple((row,) for row in rows), seconds, (), cut)


def _cell(text: str) -> Value:
    """A number, with either decimal sign; None for the dash of what this collector does not have."""
    return float(text.replace(",", ".")) if _NUMBER.fullmatch(text) else None
