"""The program and the memory of one process from /proc."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from lang.expressions import Value

# Where no program is installed, but where what breaks in is put.
_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/", "/memfd:")


def program(folder: Path) -> dict[str, Value]:
    """temporary: whether its file lies where no program belongs; owned_by_root: whether root put it there.

    None where it cannot be seen: a kernel's thread has none, another user's process shows none.
    """
    found: dict[str, Value] = {"temporary": None, "owned_by_root": None}
    with contextlib.suppress(OSError):
        path = os.readlink(folder / "exe")
        found["temporary"] = path.startswith(_TEMPORARY)
        if not path.endswith(" (deleted)"):
            found["owned_by_root"] = (folder / "exe").stat().st_uid == 0
    return found


def own_memory(folder: Path, page_bytes: int) -> dict[str, Value]:
    """own_bytes: of the memory that it holds, what it shares with no file and no other process."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        fields = (folder / "statm").read_text().split()
        return {"own_bytes": float((int(fields[1]) - int(fields[2])) * page_bytes)}
    return {"own_bytes": None}
