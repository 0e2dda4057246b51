"""`python -m tests.benchmarks.host_hits [NAME ...]`: does it find and distinguish faults of a host and its JVM?

Each is injected on this machine beside an idle PostgreSQL and diagnosed by the command. A hit: the true
root cause leads. Classified: the kind of trouble of that cause stands first. Whatever else runs here is seen as well,
so the load of the machine stands beside each; `--json` prints one JSON object.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from faultlab.fault import Fault, begin, end
from faultlab.faults import FAULTS
from faultlab.jvm import SOURCE
from faultlab.lab import Lab
from faultlab.server import Server
from services.knowledge.library.shipped_libraries import FOLDER
from services.knowledge.snapshots.compile import compile_libraries

_TARGET = "host"


@dataclass(frozen=True)
class Seen:
    """What one diagnosis came to. load: of the last minute when it began; categories: those that stand, in order."""

    name: str
    truth: str
    category: str
    verdict: str
    leader: str
    confidence: float
    categories: tuple[str, ...]
    checks: int
    seconds: float
    load: float

    @property
    def right(self) -> bool:
        """True if the true cause leads."""
        return self.leader == self.truth

    @property
    def classified(self) -> bool:
        """True if the category of the cause comes first."""
        return self.categories[:1] == (self.category,)

    def told(self) -> str:
        """One line."""
        marks = f"{'hit ' if self.right else 'MISS'} {'kind' if self.classified else '----'}"
        found = f"{self.verdict:<9} {self.leader} {self.confidence:.2f} {','.join(self.categories)}"
        return (
            f"{marks} {self.name:<22} {self.truth} {found}  {self.checks} checks {self.seconds:.1f} s load {self.load}"
        )


def diagnosed(folder: Path, fault: Fault, category: str) -> Seen:
    """Runs the command."""
    load = round(os.getloadavg()[0], 1)
    command = [sys.executable, "-m", "gateway.cli", "diagnose", "--target", _TARGET, "--json"]
    done = subprocess.run([*command, "--data-dir", str(folder)], capture_output=True, text=True, check=False)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    report: dict[str, Any] = json.loads(done.stdout)
    leader = report["hypotheses"][0]
    standing = tuple(item["category"] for item in report["standings"] if item["score"] > 0)
    found = (report["verdict"], leader["root_cause_id"], leader["confidence"], standing)
    return Seen(fault.name, fault.root_cause, category, *found, report["checks"], report["seconds"], load)


def measured(names: list[str]) -> list[Seen]:
    """Measures every fault in turn and reports each at once."""
    causes = json.loads(compile_libraries([FOLDER / "host"]))["root_causes"]
    categories = {cause["id"]: cause["category"] for cause in causes}
    server = Server.create()
    seen: list[Seen] = []
    try:
        with tempfile.TemporaryDirectory() as name, contextlib.closing(Lab.embedded(server)) as lab:
            folder = Path(name)
            targets = [{"id": _TARGET, "kind": "host", "java": {"main": SOURCE.name}}]
            (folder / "targets.yaml").write_text(yaml.safe_dump({"targets": targets}), encoding="utf-8")
            for fault in (FAULTS[name] for name in names):
                try:
                    begin(lab, fault)
                    time.sleep(fault.visible_after)
                    seen.append(diagnosed(folder, fault, categories[fault.root_cause]))
                    print(seen[-1].told(), file=sys.stderr, flush=True)
                finally:
                    end(lab, fault)
    finally:
        server.remove()
    return seen


def summary(seen: list[Seen]) -> dict[str, float]:
    """The figures of all cases."""
    return {
        "faults": len(seen),
        "hits": sum(case.right for case in seen),
        "found": sum(case.right and case.verdict == "found" for case in seen),
        "classified": sum(case.classified for case in seen),
        "median_seconds": statistics.median(case.seconds for case in seen),
        "median_checks": statistics.median(case.checks for case in seen),
    }


def main() -> None:
    """Measures the named faults, or all of the host and of a JVM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    seen = measured(given.names or [name for name, fault in FAULTS.items() if not fault.database])
    figures = summary(seen)
    if given.json:
        print(json.dumps({"cases": [asdict(case) for case in seen], "summary": figures}, ensure_ascii=False))
    else:
        print("\n".join(f"{name:<16} {value:g}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
