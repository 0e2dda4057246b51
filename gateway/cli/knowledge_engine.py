"""The engine for a verb that asks it about stored snapshots: in this process, for as long as the verb needs it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.clients import EngineClient
    from services.knowledge.store import SnapshotStore


@contextlib.asynccontextmanager
async def engine_over(store: SnapshotStore, current_id: str) -> AsyncIterator[EngineClient]:
    """A client of an engine that reads its snapshots from `store`."""
    from gateway.clients import EngineClient
    from gateway.embedded import engine
    from services.chassis import channel, logs

    # What the engine logs when all is well is no part of what the verb prints.
    logs.configure("warning")
    async with engine(store, current_id, os.environ) as address, channel.connect(address) as opened:
        yield EngineClient(opened)
