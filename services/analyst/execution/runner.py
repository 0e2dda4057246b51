"""Runs statements in the child process of a dataset, within limits; a child that dies or hangs is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from services.chassis.errors import DeadlinePassed, InvalidInput, TooBusy

Cell: TypeAlias = "str | int | float | bool | None"
# What a child may need beyond the time of its statement before it is replaced.
_GRACE_SECONDS = 2.0
_OPEN_SECONDS = 300.0
_LINE = 64 << 20


@dataclass(frozen=True)
class Limits:
    """Of one statement: rows and bytes of its result, and seconds."""

    max_rows: int = 10_000
    max_bytes: int = 4 << 20
    seconds: float = 10.0


@dataclass(frozen=True)
class Rows:
    """A result: names and DuckDB types of its columns, and its rows. Times are ISO 8601, intervals seconds."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    truncated: bool = False
    seconds: float = 0.0


class SqlFailed(InvalidInput):
    """DuckDB refused or failed a statement; `words` are its own."""

    default_reason = "sql_invalid"

    def __init__(self, words: str) -> None:
        super().__init__("sql_invalid.duckdb", words=words)
        self.words = words


class Runner:
    """One dataset in one warm child. Statements run one after another."""

    def __init__(self, sources: Sequence[Path], limits: Limits = Limits()) -> None:
        self._sources, self._limits = tuple(sources), limits
        self._child: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def run(self, sql: str, limits: Limits | None = None) -> Rows:
        """The rows of one statement.

        Raises SqlFailed where DuckDB refuses it, DeadlinePassed and TooBusy where it is over its limits.
        """
        limits = limits or self._limits
        async with self._turn:
            child = self._child if self._child and self._child.returncode is None else await self._start()
            request = {
                "sql": sql, "max_rows": limits.max_rows, "max_bytes": limits.max_bytes, "seconds": limits.seconds,
            }  # fmt: skip
            answer = await self._exchange(child, request, limits.seconds + _GRACE_SECONDS)
        return _rows(answer, limits)

    async def close(self) -> None:
        """Ends the child."""
        async with self._turn:
            await self._stop()

    async def _start(self) -> asyncio.subprocess.Process:
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.analyst.execution.worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LINE,
        )  # fmt: skip
        sources = {"sources": [str(path.absolute()) for path in self._sources]}
        answer = await self._exchange(child, sources, _OPEN_SECONDS)
        if "ready" not in answer:
            await self._stop()
            raise InvalidInput("data_unreadable", words=str(answer.get("error", "")))
        return child

    async def _exchange(
        self, child: asyncio.subprocess.Process, request: dict[str, Any], seconds: float
    ) -> dict[str, Any]:
        assert child.stdin is not None and child.stdout is not None
        try:
            child.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
            await child.stdin.drain()
            line = await asyncio.wait_for(child.stdout.readline(), seconds)
        except TimeoutError:
            await self._stop()
            return {"error": "", "kind": "slow"}
        except BaseException:
            # A reply that nobody read would be taken for that of the next statement.
            await self._stop()
            raise
        if not line:
            await self._stop()
            return {"error": "", "kind": "memory"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _stop(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        await child.wait()


def _rows(answer: dict[str, Any], limits: Limits) -> Rows:
    match answer.get("kind"):
        case "slow":
            raise DeadlinePassed("query_too_slow", seconds=f"{limits.seconds:g}")
        case "memory":
            raise TooBusy("query_too_large")
        case str():
            raise SqlFailed(str(answer["error"]))
    columns = [(str(name), str(kind)) for name, kind in answer["columns"]]
    return Rows(
        tuple(name for name, _ in columns),
        tuple(kind for _, kind in columns),
        tuple(tuple(row) for row in answer["rows"]),
        bool(answer["truncated"]),
        float(answer["seconds"]),
    )
