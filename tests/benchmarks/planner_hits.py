"""`python -m tests.benchmarks.planner_hits [FAULT ...]`: the engine and a language model as planners of the rounds.

Each fault is made once and diagnosed twice under it, the engine's plan first, so that both see the same. The model is
the one on this machine (the extra `llm`), or whatever serves at `--url`; a diagnosis gets `--seconds`, for a
small model thinks long. Told are, for each planner, how often the true cause leads, the checks and rounds, and how many
rounds of the model were left to the engine, with the reasons. Faults that the sweep settles have no round to plan.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from faultlab.fault import begin, end
from faultlab.faults import FAULTS
from faultlab.place import target_entry
from tests.benchmarks.fault_hits import Bench, bench

# Those that are not always settled when the sweep ends, and some that are.
_FAULTS = (
    "error_retries small_shared_buffers useless_indexes unsafe_settings table_bloat n_plus_one held_xmin long_query "
    "dead_standby failing_archiver lock_chain missing_index"
)
PLANNERS = ("engine", "model")


class Planned(NamedTuple):
    """One diagnosis. fallbacks: reasons for which the engine planned a round of the model, with counts."""

    fault: str
    planner: str
    right: bool
    verdict: str
    leader: str
    confidence: float
    checks: int
    rounds: int
    proposed: int
    fallbacks: Mapping[str, int]
    seconds: float

    def told(self) -> str:
        """One line."""
        left = ", ".join(f"{reason} {count}" for reason, count in self.fallbacks.items()) or "-"
        found = f"{'hit ' if self.right else 'MISS'} {self.verdict:<9} {self.leader} {self.confidence:.2f}"
        spent = f"{self.checks:>2} checks {self.rounds} rounds {self.seconds:6.1f} s"
        return (
            f"{self.fault:<22} {self.planner:<6} {found} {spent} proposed {self.proposed}, left to the engine: {left}"
        )


@contextlib.contextmanager
def model_at(url: str) -> Iterator[str]:
    """Where a model is served: there, or by a process on this machine while the block runs."""
    if url:
        yield url
        return
    from tests.llm.serving import served
    from tests.llm.weights import joined

    with served(joined(Path(sys.prefix) / "llm"), os.cpu_count() or 1) as own:
        yield own


def diagnosed(made: Bench, fault: str, planner: str, url: str, seconds: int) -> Planned:
    """Runs the command once."""
    command = [sys.executable, "-m", "gateway.cli", "diagnose", "--target", "lab", "--json", "--planner", planner]
    limits = ["--time-budget-sec", str(seconds), "--data-dir", str(made.folder)]
    told = {"DBDIAG_LLM_BASE_URL": url, "DBDIAG_AGENT_MODEL": "local", "DBDIAG_RESPONSE_MODEL": "local"}
    times = {"DBDIAG_LLM_TIMEOUT_SECONDS": str(seconds), "DBDIAG_COLLECTOR_TIME_BUDGET_SECONDS": str(seconds)}
    environ = os.environ | told | times
    done = subprocess.run([*command, *limits], capture_output=True, text=True, check=False, env=environ)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    trace = made.folder / "report" / report["session_id"] / "index" / "diagnosis_trace.json"
    events = json.loads(trace.read_text(encoding="utf-8"))["events"]
    proposals = [event["proposal"] for event in events if event.get("event") == "proposed"]
    leader = report["hypotheses"][0]
    return Planned(
        fault,
        planner,
        leader["root_cause_id"] == FAULTS[fault].root_cause,
        report["verdict"],
        leader["root_cause_id"],
        leader["confidence"],
        report["checks"],
        report["rounds"],
        len(proposals),
        Counter(proposal["fallback"] for proposal in proposals if proposal["fallback"]),
        report["seconds"],
    )


def measured(names: list[str], url: str, seconds: int) -> list[Planned]:
    """Runs both planners on each fault and reports each result at once."""
    seen: list[Planned] = []
    with model_at(url) as served_at, bench(None) as made:
        entry = target_entry("lab", made.server, standby=False)
        (made.folder / "targets.yaml").write_text(yaml.safe_dump({"targets": [entry]}), encoding="utf-8")
        for name in names:
            try:
                begin(made.lab, FAULTS[name])
                time.sleep(FAULTS[name].visible_after)
                for planner in PLANNERS:
                    seen.append(diagnosed(made, name, planner, served_at, seconds))
                    print(seen[-1].told(), file=sys.stderr, flush=True)
            finally:
                FAULTS[name].release(made.lab)
                end(made.lab, FAULTS[name])
    return seen


def summary(seen: list[Planned], planner: str) -> dict[str, float]:
    """The figures of one planner."""
    own = [case for case in seen if case.planner == planner]
    return {
        "faults": len(own),
        "hits": sum(case.right for case in own),
        "found": sum(case.right and case.verdict == "found" for case in own),
        "median_checks": statistics.median(case.checks for case in own),
        "median_seconds": statistics.median(case.seconds for case in own),
        "rounds": sum(case.rounds for case in own),
        "left_to_the_engine": sum(sum(case.fallbacks.values()) for case in own),
    }


def main() -> None:
    """Measures the named faults, or some that leave rounds to plan."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="FAULT", choices=[*FAULTS, []])
    parser.add_argument("--url", default="", help="an endpoint that serves already, in place of the local model")
    parser.add_argument("--seconds", type=int, default=120, help="the time budget of one diagnosis")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seen = measured(given.names or _FAULTS.split(), given.url, given.seconds)
    figures = {planner: summary(seen, planner) for planner in PLANNERS}
    if given.json:
        print(json.dumps({"cases": [case._asdict() for case in seen], "summary": figures}, ensure_ascii=False))
        return
    for name in figures["engine"]:
        print(f"{name:<20} {figures['engine'][name]:>8g} {figures['model'][name]:>8g}")


if __name__ == "__main__":
    main()
