"""A copy of another host's /proc for one source: fetched by few programs, each of which only reads.

What comes back names files; only those that were asked for are written, below a folder that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

from services.collector.executors.proc import FILES, MOST_PROCESSES, PAGE_SIZE
from services.collector.failures import LookFailed

# A shell takes at most 128 kB in one word, and all of a command is one.
_PROCESSES_AT_ONCE = 1000
_FILE_BYTES = 262_144
_STAT_BYTES = 2048
MOST_BYTES = 8_388_608
_HEAD = re.compile(r"(?:^|\n)==> /proc/(\S+) <==\n")
_LIMIT = re.compile(r"^/proc/(\d+)/limits:(.*)$", re.MULTILINE)

Run = Callable[[tuple[str, ...], int], Awaitable[tuple[str, bool]]]


@contextlib.asynccontextmanager
async def copied(source: str, run: Run) -> AsyncIterator[Path]:
    """The folder that has what a source reads. run: see Machine.written. Raises LookFailed."""
    if source == "processes":
        files = await _of_processes(run)
    elif source in FILES:
        files = await _heads(FILES[source], _FILE_BYTES, run)
    else:
        raise LookFailed("not_over_ssh", f"{source} is read only on the host that the collector runs on")
    with tempfile.TemporaryDirectory(prefix="dbdiag-proc-") as name:
        folder = Path(name)
        await asyncio.to_thread(_write, folder, files)
        yield folder


async def _heads(names: Sequence[str], each: int, run: Run) -> dict[str, str]:
    """The beginnings of files by their names below /proc; what is empty or cannot be read there is left out."""
    argv = ("head", "-v", "-c", str(each), "--", *(f"/proc/{name}" for name in names))
    output, _ = await run(argv, MOST_BYTES)
    parts = _HEAD.split(output)
    asked = set(names)
    return {name: text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name in asked and text}


async def _of_processes(run: Run) -> dict[str, str]:
    listed, _ = await run(("ls", "-1", "/proc"), MOST_BYTES)
    numbers = sorted((name for name in listed.split() if re.fullmatch(r"[1-9]\d{0,9}", name)), key=int)
    files: dict[str, str] = {}
    with contextlib.suppress(LookFailed):
        files[PAGE_SIZE] = (await run(("getconf", "PAGESIZE"), 64))[0]
    for start in range(0, min(len(numbers), MOST_PROCESSES), _PROCESSES_AT_ONCE):
        some = numbers[start : min(start + _PROCESSES_AT_ONCE, MOST_PROCESSES)]
        files |= await _heads([f"{pid}/{part}" for pid in some for part in ("stat", "io")], _STAT_BYTES, run)
        files |= await _limits(some, run)
        files |= await _descriptors(some, run)
    return files


async def _limits(pids: Sequence[str], run: Run) -> dict[str, str]:
    argv = ("grep", "-s", "-H", "Max open files", *(f"/proc/{pid}/limits" for pid in pids))
    output, _ = await run(argv, MOST_BYTES)
    asked = set(pids)
    return {f"{pid}/limits": line for pid, line in _LIMIT.findall(output) if pid in asked}


async def _descriptors(pids: Sequence[str], run: Run) -> dict[str, str]:
    """The number of each process's descriptors, where the login may see them."""
    # With two folders or more each list stands below the name of its folder.
    output, cut = await run(("ls", "-1", "/proc/self/attr", *(f"/proc/{pid}/fd" for pid in pids)), MOST_BYTES)
    counts: dict[str, int] = {}
    pid = ""
    for line in output.splitlines():
        if line.startswith("/"):
            pid = line.removeprefix("/proc/").removesuffix("/fd:")
        elif line:
            counts[pid] = counts.get(pid, 0) + 1
    # The last one of a list that was cut may have more.
    return {f"{name}/fd": str(counts[name]) for name in pids if name in counts and not (cut and name == pid)}


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", errors="replace")
