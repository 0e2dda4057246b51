"""The gateway's session store, opened without a gateway."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gateway.session.store import SessionStore


@contextlib.asynccontextmanager
async def open_sessions(data_dir: Path | None) -> AsyncIterator[SessionStore | None]:
    """The session store of the settings; None where there is none yet. Raises DependencyDown when it cannot be read."""
    from gateway.session.store import SessionStore
    from gateway.settings import GatewaySettings
    from services.chassis.settings import load

    settings = load(GatewaySettings, os.environ, data_dir=data_dir)
    file = settings.data_dir / "sessions.db"
    if not settings.sessions_url and not file.exists():
        yield None
        return
    store = SessionStore(settings.sessions_url or f"sqlite:///{file}")
    try:
        await store.start()
        yield store
    finally:
        await store.close()
