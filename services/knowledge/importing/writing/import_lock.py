"""Locks a library during an import and removes the leftovers of a killed one."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from services.chassis.errors import Precondition
from services.knowledge.blobs.port import refused_writing
from services.knowledge.library.load import PHENOMENA, ROOT_CAUSES, TICKETS

# Temporary files of write_atomically.
_LEFT = re.compile(r"^\.(?:.+\.yaml|.+\.jsonl)\.[a-z0-9_]{8}$")


@contextlib.contextmanager
def lock_library(library: Path) -> Iterator[None]:
    """Creates and locks the library's folder. Raises Precondition if another import holds it or it is not writable."""
    made = not library.exists()
    try:
        library.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise refused_writing(library, error) from error
    try:
        with _locked(library):
            clear_leftovers(library)
            yield
    finally:
        if made and not any(library.iterdir()):
            library.rmdir()


def clear_leftovers(library: Path) -> None:
    """Removes half-written files."""
    for folder in (library, *(library / name for name in (PHENOMENA, ROOT_CAUSES, TICKETS))):
        for path in folder.iterdir() if folder.is_dir() else ():
            if _LEFT.match(path.name) and path.is_file():
                path.unlink(missing_ok=True)


@contextlib.contextmanager
def _locked(library: Path) -> Iterator[None]:
    if os.name != "posix":
        yield
        return
    import fcntl

    handle = os.open(library, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Precondition("import_running", library=str(library)) from error
        # Closing the handle releases the lock, even if the process is killed.
        yield
    finally:
        os.close(handle)
