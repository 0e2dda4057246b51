"""Runs statements in the child process of a dataset, within limits; a child that dies or hangs is replaced."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from services.analyst.execution.limits import Limits
from services.analyst.sources.inventory import Catalog, from_plain
from services.analyst.sources.source import Cell, Source
from services.chassis.errors import DeadlinePassed, InvalidInput, TooBusy
from sql_admission import admit

# What a child may need beyond the time of its statement before it is replaced.
_GRACE_SECONDS = 1.0
_OPEN_SECONDS = 600.0
_LINE = 64 << 20


@dataclass(frozen=True)
class ResultRows:
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
    """One dataset in one warm child. Statements run one after another. Close it with `close`.

    folder: where the copy of the sources is kept for later runners; without one it lasts as long as this one.
    """

    def __init__(self, sources: Sequence[Source], limits: Limits = Limits(), folder: Path | None = None) -> None:
        self._sources, self._limits = tuple(sources), limits
        # DuckDB writes here what does not fit into its memory; the copy of the sources too, if it need not last.
        self._scratch = tempfile.TemporaryDirectory(prefix="dbdiag-data-", ignore_cleanup_errors=True)
        self._folder = folder or Path(self._scratch.name)
        self._child: asyncio.subprocess.Process | None = None
        self._catalog: Catalog | None = None
        self._allowed: frozenset[str] | None = None
        self._turn = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process of the child; None while there is none."""
        return self._child.pid if self._child else None

    async def open(self) -> Catalog:
        """What the sources hold; starts the child. Raises InvalidInput where a source cannot be read."""
        async with self._turn:
            await self._living()
        assert self._catalog is not None
        return self._catalog

    def allow(self, tables: Iterable[str]) -> None:
        """Admits statements on these tables only; without it on all of the sources."""
        self._allowed = frozenset(tables)

    async def run(self, sql: str, limits: Limits | None = None) -> ResultRows:
        """The rows of one statement, whoever wrote it.

        Raises InvalidInput (`sql_not_allowed`) where it is not admitted, SqlFailed where DuckDB refuses it,
        DeadlinePassed and TooBusy where it is over its limits.
        """
        catalog = self._catalog or await self.open()
        admission = admit(sql, "duckdb", self._allowed if self._allowed is not None else catalog.tables)
        if admission.refusal:
            raise InvalidInput("sql_not_allowed", why=admission.refusal)
        return await self.run_own(sql, limits)

    async def run_own(self, sql: str, limits: Limits | None = None) -> ResultRows:
        """The rows of a statement that the analyst itself put together from quoted names; it is not admitted."""
        limits = limits or self._limits
        request = {
            "sql": sql, "max_rows": limits.max_rows, "max_bytes": limits.max_bytes, "seconds": limits.seconds,
        }  # fmt: skip
        async with self._turn:
            child = await self._living()
            answer = await self._exchange(child, request, limits.seconds + _GRACE_SECONDS)
            if answer.get("kind") == "memory":
                # What is left of a failed allocation nobody knows.
                await self._stop()
        return _rows(answer, limits)

    async def close(self) -> None:
        """Ends the child and removes the copy of the sources, unless that has a folder of its own."""
        async with self._turn:
            await self._stop()
            self._scratch.cleanup()

    async def _living(self) -> asyncio.subprocess.Process:
        if self._child and self._child.returncode is None:
            return self._child
        return await self._start()

    async def _start(self) -> asyncio.subprocess.Process:
        self._child = child = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "services.analyst.execution",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=_LINE,
        )  # fmt: skip
        request = {
            "folder": str(self._folder.absolute()),
            "spill": self._scratch.name,
            "sources": [source.to_plain() for source in self._sources],
        }
        answer = await self._exchange(child, request, _OPEN_SECONDS)
        if "ready" not in answer:
            await self._stop()
            raise InvalidInput("data_unreadable", words=str(answer.get("error", "")))
        self._catalog = from_plain(answer["ready"])
        return child

    async def _exchange(
        self, child: asyncio.subprocess.Process, request: dict[str, Any], seconds: float
    ) -> dict[str, Any]:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            child.stdin.write(json.dumps(request, ensure_ascii=False).encode() + b"\n")
            await child.stdin.drain()
            line = await asyncio.wait_for(child.stdout.readline(), seconds)
        except TimeoutError:
            await self._stop()
            return {"error": "", "kind": "slow"}
        except (ConnectionError, ValueError):
            await self._stop()
            return {"error": "", "kind": "memory"}
        except BaseException:
            # A reply that nobody read would be taken for that of the next statement.
            await self._stop()
            raise
        if not line:
            return {"error": "", "kind": "slow" if await self._stop() == -signal.SIGXCPU else "memory"}
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _stop(self) -> int:
        """Ends the child; returns its exit code, negative for a signal."""
        child, self._child = self._child, None
        if child is None:
            return 0
        with contextlib.suppress(ProcessLookupError):
            child.kill()
        return await child.wait()


def _rows(answer: dict[str, Any], limits: Limits) -> ResultRows:
    match answer.get("kind"):
        case "slow":
            raise DeadlinePassed("query_too_slow", seconds=f"{limits.seconds:g}")
        case "memory":
            raise TooBusy("query_too_large")
        case str():
            raise SqlFailed(str(answer["error"]))
    columns = [(str(name), str(kind)) for name, kind in answer["columns"]]
    return ResultRows(
        tuple(name for name, _ in columns),
        tuple(kind for _, kind in columns),
        tuple(tuple(row) for row in answer["rows"]),
        bool(answer["truncated"]),
        float(answer["seconds"]),
    )
