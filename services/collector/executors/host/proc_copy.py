"""A copy of another host's /proc for one source: fetched by few programs, each of which only reads.

What comes back names files; only those that were asked for are written, below a folder that is gone afterwards.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

from services.chassis.problems import system_problem
from services.collector.executors.host.proc import FILES, MOST_PROCESSES, PAGE_SIZE
from services.collector.failures import CheckFailed

# A shell takes at most 128 kB in one word, and all of a command is one.
_PROCESSES_AT_ONCE = 1000
_MEMORY = "/dev/shm"
_FILE_BYTES = 4_194_304
_STAT_BYTES = 2048
MOST_BYTES = 8_388_608
_HEAD = re.compile(r"(?:^|\n)==> /proc/(\S+) <==\n")
_GROUP_FILES = (
    *("memory.max", "memory.current", "memory.events", "memory.stat", "cpu.max", "cpu.stat", "cpu.cfs_quota_us"),
    *("memory.limit_in_bytes", "memory.usage_in_bytes", "memory.failcnt", "memory.oom_control"),
)
_GROUP_LINE = re.compile(rf"^/sys/fs/cgroup((?:/.*)?/(?:{'|'.join(map(re.escape, _GROUP_FILES))})):(.*)$", re.MULTILINE)
_LIMIT = re.compile(r"^/proc/(\d+)/limits:(.*)$", re.MULTILINE)

Run = Callable[[tuple[str, ...], int], Awaitable[tuple[str, bool]]]


@contextlib.asynccontextmanager
async def copy_proc(source: str, run: Run) -> AsyncIterator[Path]:
    """The folder that has what a source reads. run: see Machine.run_program. Raises CheckFailed."""
    if source == "processes":
        files = await _of_processes(run)
    elif source == "groups":
        files = await _of_groups(run)
    elif source in FILES:
        files = await _heads(FILES[source], _FILE_BYTES, run)
    else:
        raise CheckFailed("not_over_ssh", source=source)
    with tempfile.TemporaryDirectory(prefix="dbdiag-proc-", dir=_in_memory()) as name:
        # A folder below, for what a source reads beside /proc.
        writing = asyncio.ensure_future(asyncio.to_thread(_write, Path(name), files))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            # A thread cannot be ended, and the folder goes only when nothing is written there any more.
            await writing
            raise
        yield Path(name) / "proc"


def _in_memory() -> str | None:
    """Thousands of small files are slow to write on a busy disk; None: where temporary files go otherwise."""
    return _MEMORY if os.access(_MEMORY, os.W_OK) else None


async def _heads(names: Sequence[str], each: int, run: Run) -> dict[str, str]:
    """Files by their names below /proc; what is empty, cannot be read there or is longer than `each` is left out."""
    argv = ("head", "-v", "-c", str(each), "--", *(f"/proc/{name}" for name in names))
    output, _ = await run(argv, MOST_BYTES)
    parts = _HEAD.split(output)
    asked = set(names)
    whole = {name: text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name in asked and text}
    return {name: text for name, text in whole.items() if len(text.encode()) < each}


async def _of_processes(run: Run) -> dict[str, str]:
    (listed, _), page, up = await asyncio.gather(
        run(("ls", "-1", "/proc"), MOST_BYTES), _page_size(run), _heads(("uptime",), _STAT_BYTES, run)
    )
    numbers = sorted((name for name in listed.split() if re.fullmatch(r"[1-9]\d{0,9}", name)), key=int)
    some = [
        numbers[start : min(start + _PROCESSES_AT_ONCE, MOST_PROCESSES)]
        for start in range(0, min(len(numbers), MOST_PROCESSES), _PROCESSES_AT_ONCE)
    ]
    files = page | up
    for pids in some:
        parts = (_stats(pids, run), _limits(pids, run), _descriptors(pids, run))
        for found in await asyncio.gather(*parts):
            files |= found
    return files


async def _page_size(run: Run) -> dict[str, str]:
    with contextlib.suppress(CheckFailed):
        return {PAGE_SIZE: (await run(("getconf", "PAGESIZE"), 64))[0]}
    return {}


async def _stats(pids: Sequence[str], run: Run) -> dict[str, str]:
    return await _heads([f"{pid}/{part}" for pid in pids for part in ("stat", "io", "statm")], _STAT_BYTES, run)


async def _of_groups(run: Run) -> dict[str, str]:
    """The files of control groups that tell of their limits, of either version."""
    chosen = (f"--include={name}" for name in _GROUP_FILES)
    output, cut = await run(("grep", "-r", "-s", "-H", *chosen, "", "/sys/fs/cgroup"), MOST_BYTES)
    if cut or not output:
        raise CheckFailed("not_available_here.groups")
    files: dict[str, list[str]] = {}
    for path, line in _GROUP_LINE.findall(output):
        if ".." not in path.split("/"):
            files.setdefault(f"../sys/fs/cgroup{path}", []).append(line)
    return {name: "\n".join(lines) for name, lines in files.items()}


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
    (folder / "proc").mkdir()
    for name, text in files.items():
        path = folder / "proc" / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", errors="replace")
        except OSError as error:
            raise CheckFailed("not_available_here.copy", name=name, why=system_problem(error)) from None
