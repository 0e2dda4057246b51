"""The interface of a snapshot source, and the implementation on a folder."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Protocol

from services.chassis.errors import DependencyDown, NotFound
from services.engine.tables.snapshot import digest_in


class SnapshotSource(Protocol):
    """Supplies canonical snapshot bytes."""

    async def current_id(self) -> str:
        """The id of the current snapshot. Raises NotFound if there is none, DependencyDown if the source fails."""

    async def load(self, snapshot_id: str) -> bytes:
        """The bytes of a snapshot. Raises NotFound or DependencyDown."""


class DirectorySource:
    """A folder with `<hex>.json` files and a file `current` that contains an id."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def current_id(self) -> str:
        """See SnapshotSource."""
        content = await self._read("current", "the current snapshot")
        return content.decode("utf-8", errors="replace").strip()

    async def load(self, snapshot_id: str) -> bytes:
        """See SnapshotSource."""
        return await self._read(f"{digest_in(snapshot_id)}.json", f"snapshot {snapshot_id}")

    async def _read(self, name: str, wanted: str) -> bytes:
        path = self._folder / name
        try:
            return await asyncio.to_thread(path.read_bytes)
        except FileNotFoundError as error:
            raise NotFound("snapshot_not_found.no_file", wanted=wanted, path=str(path)) from error
        except OSError as error:
            problem = error.strerror or str(error)
            raise DependencyDown(
                "knowledge_unreachable.unreadable_file", wanted=wanted, path=str(path), problem=problem
            ) from error
