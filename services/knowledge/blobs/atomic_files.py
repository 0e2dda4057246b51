"""Writes files atomically: a reader sees the old content or the new, and a crash leaves one of the two."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from services.knowledge.blobs.port import refused_writing


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
