"""The engine against contenders and against itself: `python -m tests.benchmarks.engine [--full] [--json]`.

The quick run takes about a minute and runs slow contenders on part of the phenomena, as the table says. The full one
runs the baseline's loops and scikit-learn's dense rows on all, and adds pyAgrum at the middle size.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.benchmarks.engines.contest import Contest, contest, told
from tests.benchmarks.engines.graphs import HUGE, LARGE, MIDDLE, SMALL, Size
from tests.benchmarks.engines.scale import Scale, apart, growth

# At the middle size: how many phenomena a slow contender is asked about, 0 for not at all. pyAgrum needs 10 s to build
# the network there.
_QUICK: Mapping[str, int] = {"Loops": 250, "ScikitLearnDense": 0, "PyAgrum": 0, "Pgmpy": 25}
_FULL: Mapping[str, int] = {"PyAgrum": 25, "Pgmpy": 25}


@dataclass(frozen=True)
class Row:
    """One measure with its floor and its goal; `at_least` gives the direction."""

    measure: str
    value: float
    floor: float
    goal: float
    at_least: bool

    @property
    def verdict(self) -> str:
        """Goal, floor or missed."""
        sign = 1 if self.at_least else -1
        return "goal" if sign * self.value >= sign * self.goal else self._floor(sign)

    def _floor(self, sign: int) -> str:
        return "floor" if sign * self.value >= sign * self.floor else "missed"


def machine() -> dict[str, object]:
    """The machine and versions behind the figures."""
    return {
        "cpu": _processor(),
        "cores": os.cpu_count() or 0,
        "load": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        **{name: _version(name) for name in ("numpy", "scikit-learn", "pyAgrum", "pgmpy")},
    }


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").split("\n") if facts.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{named[0] if named else platform.processor()} ({platform.machine()})"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def rows(small: Contest, middle: Contest, scales: Mapping[Size, Scale], ratios: Mapping[str, float]) -> Iterator[Row]:
    """The measures that have a floor."""
    error = max(small.gain_error, middle.gain_error)
    yield Row("gain against brute force, greatest error in bits", error, 1e-12, 1e-13, False)
    for one, loops, peer in ((small, (100, 600), (8, 60)), (middle, (8_000, 50_000), (1_500, 8_000))):
        yield Row(f"baseline's loops / Diagnose, {one.size.name}", _over(one, "loops"), *loops, True)
        if any(other.kind == "peer" for other in one.others):
            yield Row(f"fastest peer / Diagnose, {one.size.name}", _over(one, "peer"), *peer, True)
    huge = scales[HUGE]
    yield Row("gains of all, 5M links / streaming read of the tables", huge.gains_over_streaming, 5, 3, False)
    yield Row("gains of all, 500k links / 30k links", ratios["gains"], 20, 12, False)
    yield Row("Diagnose, 500k links / 30k links", ratios["diagnose"], 20, 12, False)
    yield Row("tables of 5M links, MB", huge.tables_mb, 400, 150, False)


def _over(one: Contest, kind: str) -> float:
    return min(other.over(one.engine) for other in one.others if other.kind == kind)


def measured(full: bool, more: Sequence[Row] = ()) -> dict[str, object]:
    """All figures as one JSON object, including rows measured elsewhere."""
    facts, chosen = machine(), _FULL if full else _QUICK
    small, middle = contest(SMALL, {}), contest(MIDDLE, chosen)
    scales = {size: apart(size) for size in (SMALL, MIDDLE, LARGE, HUGE)}
    table = [*rows(small, middle, scales, growth()), *more]
    return {
        "machine": facts,
        "rows": [{**asdict(row), "verdict": row.verdict} for row in table],
        "contests": [_told_apart(one) for one in (small, middle)],
        "sizes": [asdict(scale) for scale in scales.values()],
    }


def _told_apart(one: Contest) -> dict[str, object]:
    return {
        "size": one.size.name,
        "belief_error": one.belief_error,
        "gain_error": one.gain_error,
        "not_run": list(one.missing),
        "contenders": [
            {
                "name": timed.name,
                "ms": timed.median * 1e3,
                "times_the_engine": timed.over(one.engine),
                "asked": timed.asked,
                "open": timed.open,
                "disagreement": one.disagreement.get(timed.name, 0.0),
            }
            for timed in (one.engine, *one.others)
        ],
    }


def markdown(found: Mapping[str, object]) -> str:
    """The figures as tables."""
    facts = ", ".join(f"{name} {value}" for name, value in _mapping(found["machine"]).items())
    return "\n\n".join(
        [
            facts,
            _table(("measure", "value", "floor", "goal", "reached"), map(_row, _list(found["rows"]))),
            *(_contest(one) for one in _list(found["contests"])),
            _table(_SIZES, map(_size, _list(found["sizes"]))),
        ]
    )


_SIZES = (
    "causes x phenomena x links",
    "Diagnose, ms",
    "gains of all, ms",
    "streaming read, ms",
    "gains / read",
    "tables read, MB",
    "tables held, MB",
    "process, MB",
    "opening, s",
)


def _row(row: Mapping[str, object]) -> tuple[str, ...]:
    ending = "" if row["at_least"] else " or less"
    numbers = (_number(row[name]) for name in ("value", "floor", "goal"))
    value, floor, goal = numbers
    return str(row["measure"]), value, floor + ending, goal + ending, str(row["verdict"])


def _contest(one: Mapping[str, object]) -> str:
    lines = []
    for timed in _list(one["contenders"]):
        part = "all" if timed["asked"] == timed["open"] else f"{timed['asked']} of {timed['open']}, scaled"
        numbers = (_number(timed[name]) for name in ("times_the_engine", "ms", "disagreement"))
        lines.append((str(timed["name"]), *numbers, part))
    head = (str(one["size"]), "times the engine", "ms", "greatest difference", "phenomena asked about")
    missing = _strings(one["not_run"])
    return _table(head, lines) + ("\n\nNot run: " + "; ".join(missing) + "." if missing else "")


def _size(scale: Mapping[str, object]) -> tuple[str, ...]:
    names = ("diagnose_ms", "gains_ms", "streaming_ms", "gains_over_streaming")
    more = ("ranking_mb", "tables_mb", "rss_mb", "opening_seconds")
    return (str(scale["name"]), *(_number(scale[name]) for name in (*names, *more)))


def _table(head: Sequence[str], lines: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]) -> str:
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ("---",) * len(head), *lines))


def _number(value: object) -> str:
    assert isinstance(value, int | float)
    if value and abs(value) < 1e-6:
        return f"{value:.0e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _mapping(value: object) -> Mapping[str, object]:
    assert isinstance(value, dict)
    return value


def _list(value: object) -> list[Mapping[str, object]]:
    assert isinstance(value, list)
    return value


def _strings(value: object) -> list[str]:
    assert isinstance(value, list)
    return value


def main(others: Mapping[str, object] | None = None, more: Sequence[Row] = ()) -> None:
    """Measures and prints JSON or tables, including rows measured elsewhere."""
    warnings.simplefilter("ignore")
    told("the engine against contenders")
    found = measured("--full" in sys.argv[1:], more)
    print(json.dumps({**(others or {}), **found}, indent=1) if "--json" in sys.argv[1:] else markdown(found))


if __name__ == "__main__":
    main()
