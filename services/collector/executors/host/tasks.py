"""Single threads, cores and clocks from /proc, as rows of named numbers."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable
from pathlib import Path

from lang.expressions import Row
from services.chassis.problems import Misfit

MOST_THREADS = 1500
# How long `busiest` watches all processes, and of how many it lists the threads.
_WATCH_SECONDS = 0.3
_WATCHED = 3
_CORE = re.compile(r"cpu(\d+) (.+)")
_NOMINAL = re.compile(r"@ *([\d.]+) *GHz")


def cores(proc: Path) -> Iterable[Row]:
    """Ticks of each core since the start, and those in soft interrupts; its frequency now and the most, in MHz."""
    shown = _shown_frequencies(proc)
    for line in (proc / "stat").read_text().splitlines():
        if found := _CORE.match(line):
            number, ticks = found[1], [float(part) for part in found[2].split()[:8]]
            now, most = _frequency(proc, number) or shown.get(number) or (None, None)
            yield {"core": number, "all_ticks": sum(ticks), "softirq": ticks[6], "mhz": now, "most_mhz": most}


def _frequency(proc: Path, core: str) -> tuple[float, float] | None:
    folder = proc.parent / f"sys/devices/system/cpu/cpu{core}/cpufreq"
    with contextlib.suppress(OSError, ValueError):
        now, most = (float((folder / name).read_text()) for name in ("scaling_cur_freq", "cpuinfo_max_freq"))
        return now / 1000, most / 1000
    return None


def _shown_frequencies(proc: Path) -> dict[str, tuple[float, float]]:
    """For cores without frequency scaling: the frequency that /proc/cpuinfo shows, and the nominal one.

    That stands in the model's name, else in the bogomips, which are two for each tick of the nominal clock.
    """
    shown: dict[str, tuple[float, float]] = {}
    with contextlib.suppress(OSError, KeyError, ValueError):
        for block in (proc / "cpuinfo").read_text().strip().split("\n\n"):
            fields = {
                name.strip(): value.strip() for name, _, value in (row.partition(":") for row in block.split("\n"))
            }
            named = _NOMINAL.search(fields["model name"])
            nominal = float(named[1]) * 1000 if named else float(fields["bogomips"]) / 2
            shown[fields["processor"]] = (float(fields["cpu MHz"]), nominal)
    return shown


def busiest(proc: Path) -> Iterable[Row]:
    """The threads of the processes that used most CPU in a moment of watching: ticks and state of each.

    Raises Misfit if no process used the CPU.
    """
    before = _ticks(proc)
    time.sleep(_WATCH_SECONDS)
    risen = {name: ticks - before.get(name, ticks) for name, ticks in _ticks(proc).items()}
    found = sorted((name for name in risen if risen[name] > 0), key=lambda name: -risen[name])[:_WATCHED]
    if not found:
        raise Misfit("not_available_here.idle")
    programs = {name: _program(proc / name) for name in found}
    return [
        {**row, "program": programs[name]}
        for name in found
        for folder in _tasks(proc / name)[:MOST_THREADS]
        for row in _task(folder, name)
    ]


def _program(process: Path) -> str:
    """The program of a process as the kernel names it; its threads may have other names."""
    with contextlib.suppress(OSError):
        return (process / "comm").read_text(encoding="utf-8", errors="replace").rstrip("\n")
    return ""


def _tasks(process: Path) -> list[Path]:
    with contextlib.suppress(OSError):
        return sorted((process / "task").iterdir(), key=lambda path: int(path.name))
    return []


def _task(folder: Path, process: str) -> Iterable[Row]:
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        fields = text[text.rindex(")") + 2 :].split()
        name = text[text.index("(") + 1 : text.rindex(")")]
        yield {
            "process": process,
            "thread": folder.name,
            "name": name,
            "state": fields[0],
            "ticks": float(fields[11]) + float(fields[12]),
        }


def _ticks(proc: Path) -> dict[str, float]:
    """CPU ticks of every process but this one."""
    own, found = os.getpid(), {}
    for folder in proc.glob("[0-9]*"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if int(folder.name) != own:
                found[folder.name] = float(fields[11]) + float(fields[12])
    return found
