"""The loop of a check that reads several times."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from lang.expressions import Reads, Row, Rows
from services.collector.catalogue.schema import CatalogueCheck


async def read_repeatedly(
    check: CatalogueCheck, clock: Callable[[], float], read_once: Callable[[], Awaitable[Rows]]
) -> Reads:
    """As many reads as the check asks for, at its interval; timed from the end of the first to the end of the last."""
    reads: list[tuple[Row, ...]] = []
    started, truncated = clock(), False
    for number in range(check.reads):
        if number:
            await asyncio.sleep(check.interval_seconds)
        rows, cut = await read_once()
        truncated = truncated or cut or len(rows) > check.max_rows
        reads.append(rows[: check.max_rows])
        if number == 0:
            started = clock()
    return Reads(tuple(reads), clock() - started, check.key, truncated)
