"""Contenders at one size: first they must agree, then they are timed in turn, round by round, on the same cases."""

from __future__ import annotations

import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from services.engine.inference.reasoner import open_model
from services.engine.kernel.binding import ACCELERATE
from services.engine.model import ScoringRule
from services.engine.tables.numerics import Indices
from tests.benchmarks.engines.contenders import (
    BeliefsAndGains,
    Contender,
    Dense,
    Engine,
    Loops,
    Pgmpy,
    PyAgrum,
    ScikitLearn,
)
from tests.benchmarks.engines.graphs import Case, Graph, Size, cases, draw, snapshot_of
from tests.benchmarks.engines.model import Model, exact_belief, exact_gains, model_of

ROUNDS = 7
# What contenders of one model may differ by, in probability and in bits.
TOLERANCE = 1e-9
# Short calls are repeated for this long in each round.
_REPEATED_SECONDS = 0.02


@dataclass(frozen=True)
class Timed:
    """A contender's seconds, round by round; those of the gains are scaled to all open phenomena where only some were
    asked about."""

    name: str
    kind: str
    seconds: Sequence[float]
    asked: int
    open: int

    @property
    def median(self) -> float:
        """Of the rounds."""
        return statistics.median(self.seconds)

    def over(self, engine: Timed) -> float:
        """The time relative to the engine's, as the median of the rounds' ratios."""
        pairs = zip(self.seconds, engine.seconds, strict=True)
        return statistics.median(own / engines for own, engines in pairs)


@dataclass(frozen=True)
class Contest:
    """The results of one size; errors are relative to extended precision."""

    size: Size
    engine: Timed
    others: Sequence[Timed]
    missing: Sequence[str]
    disagreement: Mapping[str, float]
    belief_error: float
    gain_error: float


def contest(size: Size, parts: Mapping[str, int]) -> Contest:
    """Runs a contest; `parts` limits the phenomena of slow contenders."""
    graph = draw(size)
    model, library, chosen = (
        model_of(graph),
        open_model(snapshot_of(graph), accelerate=ACCELERATE),
        cases(graph, ROUNDS),
    )
    engine, seed = Engine(library), Engine(library, ScoringRule.SEED)
    belief_error, gain_error = errors(engine, model, chosen[: 2 if size.causes >= 1_000 else ROUNDS])
    told(f"{size.name}: gains are within {gain_error:.1e} bits of brute force")
    missing: list[str] = []
    others = [BeliefsAndGains(library), *contenders(graph, model, parts, missing)]
    limits = {one.name: parts.get(type(one).__name__) for one in others}
    # Besides a whole case the commonest phenomenon alone, which leaves most causes possible.
    said = [chosen[0], Case((int(np.argmax(graph.hit_counts())),), ())]
    apart = {one.name: disagreement(one, seed if one.kind == "loops" else engine, said, model) for one in others}
    worst = max(apart.values())
    if not worst <= TOLERANCE:
        raise SystemExit(f"{size.name}: contenders disagree, nothing was timed: {apart}")
    told(f"{size.name}: {len(others)} contenders agree within {worst:.1e}")
    timed = rounds(engine, others, limits, chosen, model)
    return Contest(size, timed[0], timed[1:], missing, apart, belief_error, gain_error)


def contenders(graph: Graph, model: Model, parts: Mapping[str, int], missing: list[str]) -> Iterator[Contender]:
    """The available contenders; names of the others go to `missing`. A part of 0 skips a contender."""
    yield Loops(graph)
    yield Dense(model)
    makers: tuple[tuple[str, str, Callable[[], Contender]], ...] = (
        ("sklearn", "ScikitLearn", lambda: ScikitLearn(model, dense=False)),
        ("sklearn", "ScikitLearnDense", lambda: ScikitLearn(model, dense=True)),
        ("pyagrum", "PyAgrum", lambda: PyAgrum(model)),
        ("pgmpy", "Pgmpy", lambda: Pgmpy(model)),
    )
    for module, name, make in makers:
        if parts.get(name) == 0:
            missing.append(f"{name}: left out at this size")
        elif importlib.util.find_spec(module) is None:
            missing.append(f"{name}: {module} is not installed (extra `bench`)")
        else:
            told(f"building {name}")
            yield make()


def errors(engine: Engine, model: Model, chosen: Sequence[Case]) -> tuple[float, float]:
    """The engine's greatest error of a belief and of a gain (the one it chooses by and the one it reports), against
    trying both answers in extended precision."""
    belief, gain = 0.0, 0.0
    for case in chosen:
        open_ = model.open(case)
        belief = max(belief, float(np.max(np.abs(engine.believe(case) - exact_belief(model, case)))))
        exact = exact_gains(model, case, open_)
        for found in (engine.expect(case, open_), engine.reported(open_)):
            gain = max(gain, float(np.max(np.abs(found - exact))))
    return belief, gain


def disagreement(one: Contender, engine: Engine, said: Sequence[Case], model: Model) -> float:
    """The greatest difference from the engine in beliefs, and in the gains of up to 40 phenomena."""
    most = 0.0
    for case in said:
        open_ = model.open(case)
        some = open_[:: max(1, len(open_) // 40)]
        belief = float(np.max(np.abs(one.believe(case) - engine.believe(case))))
        most = max(most, belief, float(np.max(np.abs(one.expect(case, some) - engine.expect(case, some)))))
    return most


def rounds(
    engine: Engine,
    others: Sequence[Contender],
    limits: Mapping[str, int | None],
    chosen: Sequence[Case],
    model: Model,
) -> list[Timed]:
    """Runs the engine and the others in turn in every round."""
    seconds: dict[str, list[float]] = {one.name: [] for one in (engine, *others)}
    engine.whole(chosen[0])
    for number, case in enumerate(chosen, 1):
        open_ = model.open(case)
        seconds[engine.name].append(repeated(lambda case=case: engine.whole(case)))  # type: ignore[misc]
        for one in others:
            seconds[one.name].append(_whole(one, case, open_, limits[one.name]))
        told(f"round {number} of {len(chosen)}: engine {seconds[engine.name][-1] * 1e3:.2f} ms")
    count = len(model.open(chosen[0]))
    return [
        Timed(one.name, one.kind, seconds[one.name], min(count, limits.get(one.name) or count), count)
        for one in (engine, *others)
    ]


def _whole(one: Contender, case: Case, open_: Indices, limit: int | None) -> float:
    if limit is None or limit >= len(open_):
        return repeated(lambda: (one.believe(case), one.expect(case, open_)))
    some = open_[:: len(open_) // limit][:limit]
    belief = repeated(lambda: one.believe(case))
    return belief + repeated(lambda: one.expect(case, some)) * len(open_) / len(some)


def repeated(act: Callable[[], object], seconds: float = _REPEATED_SECONDS) -> float:
    """Seconds of one call, the median of as many as fit into `seconds`, at least one.

    A call counts by the clock or by the processor time of all threads, whichever is less: others' work on the machine
    lengthens the former, most of all for long calls, and threads of its own the latter.
    """
    passed: list[float] = []
    until = time.perf_counter() + seconds
    while not passed or time.perf_counter() < until:
        started, worked = time.perf_counter(), time.process_time()
        act()
        worked, ended = time.process_time() - worked, time.perf_counter() - started
        passed.append(min(ended, worked))
    return statistics.median(passed)


def told(line: str) -> None:
    """Prints progress to stderr."""
    print(f"  {line}", file=sys.stderr, flush=True)
