"""`python -m tests.benchmarks.fault_hits [NAME ...]`: does `dbdiag diagnose` find the faults of the lab by itself?

Each fault of the database is made in one embedded server under its light load and diagnosed by the command as a person
would, with the reader's rights; before and after, and just restarted, the healthy server is diagnosed as well. A hit:
the true root cause leads. `--json` prints one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from faultlab.fault import Fault, begin, end
from faultlab.faults import FAULTS
from faultlab.lab import Lab
from faultlab.server import Server
from faultlab.shop import READER

_SETTLE_SECONDS = 5.0


@dataclass(frozen=True)
class Seen:
    """What one diagnosis came to. truth: empty for a healthy server; leader: the first root cause."""

    name: str
    truth: str
    exact: bool
    verdict: str
    leader: str
    confidence: float
    checks: int
    seconds: float

    @property
    def right(self) -> bool:
        """Whether the true cause leads, and nothing is said of a healthy server."""
        return self.leader == self.truth if self.truth else self.verdict == "healthy"

    def told(self) -> str:
        """One line."""
        mark = "hit " if self.right else "MISS"
        truth = self.truth or "healthy"
        found = f"{self.verdict:<10} {self.leader} {self.confidence:.2f}"
        return f"{mark} {self.name:<26} {truth:<8} {found}  {self.checks:>2} checks {self.seconds:5.1f} s"


def diagnosed(server: Server, folder: Path, name: str, fault: Fault | None) -> Seen:
    """Runs the command."""
    command = [sys.executable, "-m", "gateway.cli", "diagnose", "--dsn", server.dsn(READER), "--json"]
    done = subprocess.run([*command, "--data-dir", str(folder)], capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    leader = report["hypotheses"][0]
    truth = (fault.root_cause, fault.exact) if fault else ("", True)
    found = (report["verdict"], leader["root_cause_id"], leader["confidence"])
    return Seen(name, *truth, *found, report["checks"], report["seconds"])


def measured(names: list[str]) -> list[Seen]:
    """Every case in turn; each is told as soon as it is known."""
    server = Server.create()
    seen: list[Seen] = []
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.closing(Lab.embedded(server)) as lab:

            def look(name: str, fault: Fault | None = None) -> None:
                seen.append(diagnosed(server, Path(folder), name, fault))
                print(seen[-1].told(), file=sys.stderr, flush=True)

            lab.workload.start()
            time.sleep(_SETTLE_SECONDS)
            look("healthy")
            for name in names:
                fault = FAULTS[name]
                try:
                    begin(lab, fault)
                    time.sleep(fault.visible_after)
                    look(name, fault)
                finally:
                    end(lab, fault)
            time.sleep(_SETTLE_SECONDS)
            look("healthy afterwards")
            lab.restart()
            time.sleep(1)
            look("healthy, just restarted")
    finally:
        server.remove()
    return seen


def summary(seen: list[Seen]) -> dict[str, float]:
    """The figures of all cases."""
    faulty = [case for case in seen if case.truth]
    return {
        "faults": len(faulty),
        "hits": sum(case.right for case in faulty),
        "healthy": len(seen) - len(faulty),
        "healthy_said_so": sum(case.right for case in seen if not case.truth),
        "median_seconds": statistics.median(case.seconds for case in seen),
        "median_checks": statistics.median(case.checks for case in seen),
    }


def main() -> None:
    """Measures the named faults, or all that befall the database."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seen = measured(given.names or [name for name, fault in FAULTS.items() if fault.database])
    figures = summary(seen)
    if given.json:
        print(json.dumps({"cases": [asdict(case) for case in seen], "summary": figures}, ensure_ascii=False))
    else:
        print("\n".join(f"{name:<16} {value:g}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
