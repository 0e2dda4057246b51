"""Writing files so that a reader sees the old content or the new, and a crash leaves one of the two."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from services.chassis.errors import Precondition


def write_atomically(path: Path, content: bytes) -> None:
    """Replaces the file at `path`; its folder is made when it is missing. Unchanged content is left untouched.

    Raises Precondition when the system does not let it.
    """
    try:
        if not (path.is_file() and path.read_bytes() == content):
            _replace(path, content)
    except OSError as error:
        raise refused_writing(path, error) from error


def refused_writing(path: Path, error: OSError) -> Precondition:
    """The system does not let a file be written."""
    message = f"writing {path}: {error.strerror or error}; free the place or choose another folder"
    return Precondition(message, reason="not_writable")


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Makes sure that what was put into or taken out of a folder is so after a crash as well."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
