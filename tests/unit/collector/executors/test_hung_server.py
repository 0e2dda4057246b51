"""A server process that stops in the middle of a call: what it was asked is unknown, and others are asked."""

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
from services.chassis.errors import DependencyDown
from services.collector.catalogue.reader import shipped
from services.collector.collector import Collector
from services.collector.gate import Gate, Limits
from services.collector.model import CheckCall, CheckOutcome, CollectRequest, CollectResponse
from services.collector.targets.registry import Targets
from services.collector.targets.schema import parse_entry
from tests.support.recording import MemoryRecorder
from tests.support.servers.postgres import postgres

# One that waits for us holds no lock of the server's own, for which every other process would wait as well.
_OURS = "SELECT pid FROM pg_stat_activity WHERE application_name = 'dbdiag' AND wait_event = 'ClientRead'"


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
                if row in await (await connection.execute(_OURS)).fetchall():
                    return int(row[0])
                os.kill(row[0], signal.SIGCONT)
            await asyncio.sleep(0.002)


async def _collected(collector: Collector, session: str) -> list[CollectResponse]:
    """What comes of four checks; where nothing could be looked at, that they say so."""
    calls = tuple(map(CheckCall, ("pg.sessions", "pg.locks", "pg.rates", "pg.settings")))
    results = []
    with contextlib.suppress(DependencyDown):
        async for item in collector.collect(CollectRequest(session, "t", checks=calls)):
            results.append(item)
    return results


async def _before_and_after(dsn: str) -> tuple[list[CollectResponse], list[CollectResponse]]:
    """What a call brings whose server process is stopped in the middle, and the call after it."""
    entry = parse_entry({"id": "t", "kind": "postgres", "conninfo": dsn})
    catalogue = shipped()
    gate = Gate(catalogue, Limits(), time.monotonic)
    recorder = MemoryRecorder(redact, time.time)
    collector = Collector(catalogue, Targets((entry,), {}), gate, recorder, redact, time.monotonic)
    stopping = asyncio.ensure_future(_stopped(dsn))
    try:
        first = await _collected(collector, "first")
        stopped = await stopping
        try:
            return first, await _collected(collector, "second")
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(stopped, signal.SIGCONT)
    finally:
        stopping.cancel()
        await collector.close()


def test_a_server_process_that_stops_is_left_behind(server: str) -> None:
    """What it was to answer is given up by this side's clock, each check with its reason; the next call goes over
    another connection and is answered in full."""
    first, second = asyncio.run(_before_and_after(server))
    hung = [item for item in first if item.outcome is CheckOutcome.FAILED]
    assert len(first) == 4
    assert hung
    assert {item.reason.split(":")[0] for item in hung} <= {"timed_out", "target_unreachable"}
    assert {item.outcome for item in second} == {CheckOutcome.DONE}
