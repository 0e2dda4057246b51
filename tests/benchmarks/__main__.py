"""`make bench`: measures startup and turns, then the engine; docs/benchmarks.md has figures and method.

`make bench BENCH=--full` runs slow contenders on more, `BENCH=--json` prints one JSON object.
"""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.benchmarks import engine, engine_serving, turn_trace
from tests.benchmarks.engines.contest import told
from tests.benchmarks.hearing_calibration import held_out_error
from tests.support.conversations import Conversation, play
from tests.support.running.processes import STARTED_BY_TESTS, Running, embedded

_CASES = sorted((Path(__file__).parent.parent / "e2e" / "conversations").glob("*.json"))
_REPEATS = 15
_ROUNDS = 5


def help_milliseconds() -> float:
    """Median wall time of `dbdiag --help`."""
    command = [str(Path(sys.executable).parent / "dbdiag"), "--help"]
    return statistics.median(_timed(lambda: subprocess.run(command, check=True, capture_output=True)))


def _timed(act: Callable[[], object]) -> list[float]:
    seconds = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        act()
        seconds.append((time.perf_counter() - started) * 1000)
    return seconds


@contextlib.contextmanager
def started(folder: Path) -> Iterator[tuple[float, str, int]]:
    """Starts the program, imports included: seconds to its ready line, its URL, its process id.

    What it keeps is kept in `folder`.
    """
    command = [str(Path(sys.executable).parent / "dbdiag"), "up", "--json", "--port", "0", "--data-dir"]
    environ = {**os.environ, **STARTED_BY_TESTS, "DBDIAG_MATCHER_CACHE_DIR": str(folder / "cache")}
    begun = time.perf_counter()
    with subprocess.Popen([*command, str(folder / "start")], env=environ, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        welcome = process.stdout.readline()
        try:
            yield time.perf_counter() - begun, json.loads(welcome)["url"], process.pid
        finally:
            process.terminate()


def start_seconds(folder: Path) -> float:
    """Seconds from starting the program to its ready line."""
    with started(folder) as (seconds, _, _):
        return seconds


def turn_milliseconds(running: Running) -> list[float]:
    """Wall times of every turn of every conversation, over HTTP."""
    seconds: list[float] = []
    for _ in range(_ROUNDS):
        for path in _CASES:
            case = json.loads(path.read_text(encoding="utf-8"))
            conversation = _Timed(running.url)
            for turn in case["turns"]:
                play(conversation, turn, case["truth"])
            seconds += conversation.milliseconds
    return sorted(seconds)


class _Timed(Conversation):
    """A conversation that records the time of each turn."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.milliseconds: list[float] = []

    def say(self, message: str, **more: object) -> dict[str, object]:
        """Sends a message and records its time."""
        started = time.perf_counter()
        response = super().say(message, **more)
        self.milliseconds.append((time.perf_counter() - started) * 1000)
        return response


def memory_megabytes(process: int, kind: str = "VmHWM") -> int:
    """Memory of a process: its peak, or what it has now (VmRSS)."""
    status = Path(f"/proc/{process}/status").read_text()
    found = next(line for line in status.split("\n") if line.startswith(kind))
    return round(int(found.split()[1]) / 1024)


def early_memory(folder: Path) -> dict[str, int]:
    """Memory of the program when it has just started, and after two turns."""
    with started(folder) as (_, url, process):
        ready = memory_megabytes(process, "VmRSS")
        conversation = Conversation(url)
        for message in ("CPU is at 95% and many sessions wait on a lock. What could it be?", "1 no, 2 yes, 3 no"):
            conversation.say(message)
        return {"ready": ready, "two_turns": memory_megabytes(process, "VmRSS")}


def program() -> dict[str, object]:
    """Figures of the whole program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold = start_seconds(folder)
        warm = start_seconds(folder)
        early = early_memory(folder)
        with embedded(folder) as running:
            turns = turn_milliseconds(running)
            memory = memory_megabytes(running.processes["all"].pid)
    return {
        "help_ms": round(help_milliseconds(), 1),
        "ready_seconds": {"first_start": round(cold, 2), "later": round(warm, 2)},
        "memory_mb": {**early, "peak": memory},
        "turns": len(turns),
        "turn_ms": {"p50": round(turns[len(turns) // 2], 1), "p95": round(turns[int(len(turns) * 0.95)], 1)},
    }


def main() -> None:
    """Measures and prints."""
    told("the program: starts, turns, memory")
    figures = {"program": program()}
    told("the code that one turn passes")
    figures["turn"] = turn_trace.traced().figures()
    told("readings of labelled sentences: how well they know how sure they are")
    figures["hearing"] = {"calibration_error": round(held_out_error(), 3), "most": 0.06}
    if "--json" not in sys.argv[1:]:
        print(json.dumps(figures, indent=1), end="\n\n", flush=True)
    told("the engine's server: Diagnose against an echo")
    served = engine_serving.results()
    engine.main({**figures, "serving": served}, [_served(size, found) for size, found in served.items()])


def _served(size: str, found: dict[str, float]) -> engine.Row:
    goal = {"60x300": 0.6, "1kx5k": 0.4}[size]
    return engine.Row(f"requests a CPU second, Diagnose / echo, {size}", found["ratio"], found["floor"], goal, True)


if __name__ == "__main__":
    main()
