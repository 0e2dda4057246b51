"""A server process that stops in the middle of a check: that check is unknown, the others are made."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator

import psycopg
import pytest

from redaction import redact
from services.collector.catalogue.reader import shipped
from services.collector.collecting import Collector
from services.collector.entries import entry_of
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CheckResult, CollectRequest
from services.collector.recording import MemoryRecorder
from services.collector.targets import Targets
from tests.support.postgres import postgres

_OURS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'dbdiag'"
# What the checks below may take together, and what giving one up takes.
_SECONDS = 30.0


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres(fsync="on") as dsn:
        yield dsn


async def _stopped(dsn: str) -> int:
    """Stops the first process of the server that looks for us; its number."""
    async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
        while True:
            if row := await (await connection.execute(_OURS)).fetchone():
                os.kill(row[0], signal.SIGSTOP)
                return int(row[0])
            await asyncio.sleep(0.002)


async def _collected(dsn: str) -> tuple[list[CheckResult], int]:
    entry = entry_of({"id": "t", "kind": "postgres", "conninfo": dsn})
    catalogue = shipped()
    gate = Gate(catalogue, Limits(), time.monotonic)
    recorder = MemoryRecorder(redact, time.time)
    collector = Collector(catalogue, Targets((entry,), {}), gate, recorder, redact, time.monotonic)
    calls = tuple(map(CheckCall, ("pg.sessions", "pg.locks", "pg.rates", "pg.settings")))
    stopping = asyncio.ensure_future(_stopped(dsn))
    try:
        results = [item async for item in collector.collect(CollectRequest("s", "t", checks=calls))]
        return results, await stopping
    finally:
        await collector.close()


def test_a_check_that_hangs_takes_no_other_with_it(server: str) -> None:
    """One is given up by this side's clock with its reason, and the rest answer over another connection."""
    began = time.monotonic()
    results, stopped = asyncio.run(_collected(server))
    try:
        hung = [item for item in results if item.outcome is CheckOutcome.FAILED]
        assert {item.reason.split(":")[0] for item in hung} <= {"timed_out", "target_unreachable"}
        assert hung
        assert [item for item in results if item.outcome is CheckOutcome.DONE]
        assert time.monotonic() - began < _SECONDS
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(stopped, signal.SIGCONT)
