"""How the engine grows: 30 thousand, 500 thousand and 5 million links, alternating; memory in a process of its own."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from services.engine.inference.reasoner import ReasoningModel, open_model
from services.engine.kernel.binding import ACCELERATE
from services.engine.tables.numerics import Floats
from tests.benchmarks.engines.contenders import Engine
from tests.benchmarks.engines.contest import ROUNDS, repeated, told
from tests.benchmarks.engines.graphs import (
    HUGE,
    LARGE,
    MIDDLE,
    SMALL,
    Case,
    Size,
    cases,
    draw,
    phenomenon_id,
    snapshot_of,
)

# The tables that the full ranking reads once for each link.
RANKING_TABLES = ("edge_cause", "surplus", "starts")


@dataclass(frozen=True)
class Scale:
    """Medians of one size, in milliseconds and megabytes.

    `gains`: gain and probability of a yes of every phenomenon. `streaming`: a plain sum over the same edge tables.
    `tables_mb`: what the library's arrays hold. `rss_mb`: the whole process. `opening_seconds`: from arrays.
    """

    name: str
    links: int
    diagnose_ms: float
    gains_ms: float
    streaming_ms: float
    ranking_mb: float
    gains_over_streaming: float
    tables_mb: float
    rss_mb: float
    opening_seconds: float


def measure(size: Size) -> Scale:
    """Opens a library of this size and measures it; alternates ranking and streaming."""
    graph = draw(size)
    chosen = cases(graph, ROUNDS)
    snapshot = snapshot_of(graph)
    del graph
    started = time.perf_counter()
    library = open_model(snapshot, accelerate=ACCELERATE)
    opening = time.perf_counter() - started
    engine, tables = Engine(library), ranking_tables(library)
    check(engine, chosen)
    times: dict[str, list[float]] = {"diagnose": [], "gains": [], "streaming": []}
    for case in chosen:
        engine.believe(case)
        times["gains"].append(repeated(engine.rank_all))
        times["streaming"].append(repeated(lambda: streamed(tables)))
        times["diagnose"].append(repeated(lambda case=case: engine.whole(case)))  # type: ignore[misc]
    median = {name: statistics.median(seconds) * 1e3 for name, seconds in times.items()}
    ratios = [gains / read for gains, read in zip(times["gains"], times["streaming"], strict=True)]
    return Scale(
        name=size.name,
        links=size.links,
        diagnose_ms=median["diagnose"],
        gains_ms=median["gains"],
        streaming_ms=median["streaming"],
        ranking_mb=sum(table.nbytes for table in tables) / 1e6,
        gains_over_streaming=statistics.median(ratios),
        tables_mb=held(library) / 1e6,
        rss_mb=resident(),
        opening_seconds=opening,
    )


def check(engine: Engine, chosen: Sequence[Case]) -> None:
    """Fails unless Diagnose asks the same questions as an exhaustive search."""
    for case in chosen:
        asked = [item.phenomenon_id for item in engine.whole(case).recommendations]
        best = [phenomenon_id(at) for at in engine.best(case, len(asked))]
        if asked != best:
            raise SystemExit(f"Diagnose asks {asked}, the best of all are {best}")


def ranking_tables(library: ReasoningModel) -> list[Floats]:
    """The arrays named in RANKING_TABLES, wherever the library keeps them."""
    found = [getattr(part, name, None) for name in RANKING_TABLES for part in (library.snapshot, library.likelihoods)]
    return [table for table in found if isinstance(table, np.ndarray)]


def streamed(tables: list[Floats]) -> int:
    """Every byte of the tables read once, in order, eight at a time."""
    return sum(int(np.add.reduce(table.view(np.uint8)[: table.nbytes // 8 * 8].view(np.int64))) for table in tables)


def held(part: Any, seen: set[int] | None = None) -> int:
    """Bytes of the arrays that an object holds, each buffer once."""
    seen = set() if seen is None else seen
    if isinstance(part, np.ndarray):
        while isinstance(part.base, np.ndarray):
            part = part.base
        fresh = id(part) not in seen
        seen.add(id(part))
        return int(part.nbytes) if fresh else 0
    if id(part) in seen:
        return 0
    seen.add(id(part))
    inside = list(getattr(part, "__dict__", {}).values())
    if is_dataclass(part):
        inside += [getattr(part, item.name) for item in fields(part)]
    if isinstance(part, tuple | list) and len(part) < 100:
        inside += part
    inside += [cell.cell_contents for cell in getattr(part, "__closure__", None) or ()]
    return sum(held(one, seen) for one in inside)


def resident() -> float:
    """Resident memory of this process in megabytes."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.split("\n") if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024 / 1e6


def apart(size: Size) -> Scale:
    """The same in a fresh process, so that its memory is the library's alone."""
    told(f"scale: {size.name}")
    command = [sys.executable, "-m", "tests.benchmarks.engines.scale", str(size.links)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Scale(**json.loads(done.stdout))


def growth() -> Mapping[str, float]:
    """Time at 500 thousand links over time at 30 thousand: gains of all phenomena, and whole Diagnose; in turn."""
    told("scale: 500 thousand links against 30 thousand")
    pairs = []
    for size in (MIDDLE, LARGE):
        graph = draw(size)
        pairs.append((Engine(open_model(snapshot_of(graph), accelerate=ACCELERATE)), cases(graph, ROUNDS)))
    ratios: dict[str, list[float]] = {"gains": [], "diagnose": []}
    for number in range(ROUNDS):
        seconds = []
        for engine, chosen in pairs:
            engine.believe(chosen[number])
            whole = lambda engine=engine, case=chosen[number]: engine.whole(case)  # noqa: E731
            seconds.append((repeated(engine.rank_all), repeated(whole)))
        for at, name in enumerate(ratios):
            ratios[name].append(seconds[1][at] / seconds[0][at])
    return {name: statistics.median(values) for name, values in ratios.items()}


if __name__ == "__main__":
    wanted = next(size for size in (SMALL, MIDDLE, LARGE, HUGE) if str(size.links) in sys.argv[1:])
    print(json.dumps(asdict(measure(wanted))))
