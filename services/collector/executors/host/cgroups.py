"""Control groups with a limit, of either version, as rows of named numbers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from lang.expressions import Row

MOST_GROUPS = 2000
_DEEPEST = 6
# A limit of version 1 that is none is about as large as a number can be.
_NO_LIMIT = float(1 << 60)


def groups(proc: Path) -> Iterable[Row]:
    """Each control group that has a limit on memory or CPU. used, own and limit: bytes, own without what the kernel
    can drop at once, as cached files; at_limit, killed, periods and throttled: counters. Raises OSError where the host
    shows no control groups."""
    root = proc.parent / "sys/fs/cgroup"
    os.listdir(root)
    found = (row for folder in islice(_folders(root), MOST_GROUPS) if (row := _group(folder, root)) is not None)
    return list(found)


def _folders(root: Path) -> Iterator[Path]:
    for name, below, _ in os.walk(root):
        folder = Path(name)
        if len(folder.relative_to(root).parts) >= _DEEPEST:
            below.clear()
        below.sort()
        yield folder


def _group(folder: Path, root: Path) -> Row | None:
    memory, cpu = _memory(folder), _cpu(folder)
    if not memory and not cpu:
        return None
    nothing = dict.fromkeys(("used", "own", "limit", "at_limit", "killed", "periods", "throttled"))
    return {"group": str(folder.relative_to(root)), **nothing, **memory, **cpu}


def _memory(folder: Path) -> dict[str, float]:
    """Empty where the group has no limit."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        limit = (folder / "memory.max").read_text().strip()
        if limit == "max":
            return {}
        events = _counters(folder / "memory.events")
        return {
            "used": float((folder / "memory.current").read_text()),
            "own": _counters(folder / "memory.stat")["anon"],
            "limit": float(limit),
            "at_limit": events["max"],
            "killed": events["oom_kill"],
        }
    with contextlib.suppress(OSError, ValueError, KeyError):
        limit_v1 = float((folder / "memory.limit_in_bytes").read_text())
        if limit_v1 >= _NO_LIMIT:
            return {}
        return {
            "used": float((folder / "memory.usage_in_bytes").read_text()),
            "own": _counters(folder / "memory.stat")["total_rss"],
            "limit": limit_v1,
            "at_limit": float((folder / "memory.failcnt").read_text()),
            "killed": _counters(folder / "memory.oom_control").get("oom_kill", 0.0),
        }
    return {}


def _cpu(folder: Path) -> dict[str, float]:
    """Empty where the group has no quota."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        if not _has_quota(folder):
            return {}
        counters = _counters(folder / "cpu.stat")
        return {"periods": counters["nr_periods"], "throttled": counters["nr_throttled"]}
    return {}


def _has_quota(folder: Path) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return not (folder / "cpu.max").read_text().startswith("max")
    return float((folder / "cpu.cfs_quota_us").read_text()) > 0


def _counters(file: Path) -> dict[str, float]:
    pairs = (line.split() for line in file.read_text().splitlines())
    return {pair[0]: float(pair[1]) for pair in pairs if len(pair) == 2}
