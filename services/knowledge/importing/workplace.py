"""A library while an import is at work in it: one import at a time, and what a killed one left is taken away."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from services.chassis.errors import Precondition
from services.knowledge.library import PHENOMENA, ROOT_CAUSES, TICKETS

# Files that were being written when the process ended; see files.write_atomically.
_LEFT = re.compile(r"^\.(?:.+\.yaml|.+\.jsonl)\.[a-z0-9_]{8}$")


@contextlib.contextmanager
def at_work(library: Path) -> Iterator[None]:
    """Holds the library, and makes its folder. Raises Precondition while another import does, or when it cannot be."""
    made = not library.exists()
    try:
        library.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"writing {library}: {error.strerror or error}; free the place or choose another folder"
        raise Precondition(message, reason="not_writable") from error
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
            message = f"importing into {library}: another import is at work there; wait until it is done"
            raise Precondition(message, reason="import_running") from error
        # The lock goes when the handle is closed, also by a kill.
        yield
    finally:
        os.close(handle)
