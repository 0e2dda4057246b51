"""Blobs as files in a folder, each replaced atomically."""

from __future__ import annotations

import os
from pathlib import Path

from services.knowledge.blobs.atomic_files import create_atomically, write_atomically
from services.knowledge.blobs.port import failed, refused_removing, unreachable


class DirectoryBlobs:
    """See BlobStore."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = str(folder)

    def read(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise unreachable(self.place, failed("blob_failure.reading", str(error.strerror), name)) from error

    def write(self, name: str, content: bytes) -> None:
        write_atomically(self._folder / name, content)

    def create(self, name: str, content: bytes) -> bool:
        return create_atomically(self._folder / name, content)

    def remove(self, name: str) -> None:
        path = self._folder / name
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise refused_removing(path, error) from error

    def names(self, prefix: str = "") -> list[str]:
        folder, _, begins = prefix.rpartition("/")
        inside = f"{folder}/" if folder else ""
        try:
            entries = [entry.name for entry in os.scandir(self._folder / folder) if entry.is_file()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(inside + name for name in entries if name.startswith(begins) and not name.startswith("."))

    def close(self) -> None:
        """Nothing is held open."""
