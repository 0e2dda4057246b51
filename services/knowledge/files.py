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
        message = f"writing {path}: {error.strerror or error}; free the place or choose another folder"
        raise Precondition(message, reason="not_writable") from error


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
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
