"""Where snapshots come from: anything that knows which one is current and can hand out the bytes of any."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from services.chassis.errors import DependencyDown, NotFound
from services.engine.snapshot import hex_of


class SnapshotSource(Protocol):
    """Hands out canonical snapshot bytes."""

    async def current_id(self) -> str:
        """The id of the current snapshot. Raises NotFound while there is none, DependencyDown when it cannot say."""

    async def load(self, snapshot_id: str) -> bytes:
        """The bytes of a snapshot. Raises NotFound or DependencyDown."""


class DirectorySource:
    """A folder with `<hex>.json` files and a file `current` that holds an id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def current_id(self) -> str:
        """See SnapshotSource."""
        content = await self._read("current", "the current snapshot")
        return content.decode("utf-8", errors="replace").strip()

    async def load(self, snapshot_id: str) -> bytes:
        """See SnapshotSource."""
        return await self._read(f"{hex_of(snapshot_id)}.json", f"snapshot {snapshot_id}")

    async def _read(self, name: str, what: str) -> bytes:
        path = self._folder / name
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError as error:
            raise NotFound(
                f"looking for {what}: {path} does not exist; publish a snapshot there", reason="snapshot_not_found"
            ) from error
        except OSError as error:
            raise DependencyDown(f"reading {what} from {path}: {error.strerror}", reason="knowledge_unreachable") from (
                error
            )
