"""Blobs as files in a folder, each replaced atomically: a reader sees the old content or the new."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.knowledge.blobs.port import failed, refused_removing, refused_writing, unreachable


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


def write_atomically(path: Path, content: bytes) -> None:
    """Writes or replaces the file at `path`, creating its folder. A file with this content is left untouched.

    Raises Precondition if the operating system refuses.
    """
    try:
        if path.is_file() and path.read_bytes() == content:
            return
        with _temporary(path, content) as temporary:
            os.replace(temporary, path)
    except OSError as error:
        raise refused_writing(path, error) from error


def create_atomically(path: Path, content: bytes) -> bool:
    """Creates the file at `path` unless it exists; True if this call created it. A hard link decides who was first.

    Raises Precondition if the operating system refuses.
    """
    try:
        with _temporary(path, content) as temporary:
            return _link_unless_there(temporary, path)
    except OSError as error:
        raise refused_writing(path, error) from error


def _link_unless_there(source: str, path: Path) -> bool:
    try:
        os.link(source, path)
    except FileExistsError:
        return False
    return True


@contextmanager
def _temporary(path: Path, content: bytes) -> Iterator[str]:
    """A complete hidden file beside `path`, removed at the end; then the folder is synced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        yield name
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes files that were added to or removed from a folder survive a crash."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
