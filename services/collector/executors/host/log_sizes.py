"""The sizes of the host's logs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from lang.expressions import Row

MOST_LOGS = 1000


def logs(proc: Path) -> Iterable[Row]:
    """Each file in the host's log folder and in the folders there, with its size in bytes.

    Raises OSError where there is no such folder.
    """
    root = proc.parent / "var/log"
    # Raises for a folder that cannot be listed, which is not the same as an empty one.
    next(root.iterdir(), None)
    return [row for path in islice(_files(root), MOST_LOGS) if (row := _file(path, root)) is not None]


def _files(root: Path) -> Iterator[Path]:
    yield from root.glob("*")
    yield from root.glob("*/*")


def _file(path: Path, root: Path) -> Row | None:
    with contextlib.suppress(OSError):
        if path.is_file() and not path.is_symlink():
            return {"log": str(path.relative_to(root)), "bytes": float(path.stat().st_size)}
    return None
