"""`python -m tests.benchmarks.fault_hits [NAME ...]`: does `dbdiag diagnose` find the faults of the lab by itself?

Each fault of the database is made in one embedded server under its light load and diagnosed by the command as a person
would, with the reader's rights; before and after, and just restarted, the healthy server is diagnosed as well. A hit:
the true root cause leads. `--scenes` makes scenes of two faults, of harmless oddities, and of both instead.
`--json` prints one JSON object; `--keep FOLDER` keeps the evidence there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from faultlab.fault import Fault, begin, end
from faultlab.faults import FAULTS
from faultlab.lab import Lab
from faultlab.place import target_entry
from faultlab.server import Server
from tests.benchmarks.faults.load import Load
from tests.benchmarks.faults.scenes import SCENES, Scene
from tests.benchmarks.faults.table import table

_SETTLE_SECONDS = 5.0
_FIRST = 3


@dataclass(frozen=True)
class Seen:
    """What one diagnosis came to. truths: none for a healthy server; causes: the leader, those of what it does not
    explain, the rest; wall: seconds of the whole command; load: the reader's backends' seconds of processor time,
    `server` those of all processes."""

    name: str
    truths: tuple[str, ...]
    exact: bool
    verdict: str
    causes: tuple[str, ...]
    confidence: float
    checks: int
    seconds: float
    wall: float
    load: float
    server: float

    @property
    def right(self) -> bool:
        """True if a true cause leads, no other is missed, and a healthy server has no finding."""
        if not self.truths:
            return self.verdict == "healthy"
        return self.causes[0] in self.truths and set(self.truths) <= set(self.causes[:_FIRST])

    @property
    def share(self) -> float:
        """The share of the machine's processor time that the diagnosis cost the server, while it ran."""
        return self.load / (self.seconds * (os.cpu_count() or 1))

    def told(self) -> str:
        """One line."""
        mark = "hit " if self.right else "MISS"
        truth = "+".join(self.truths) or "healthy"
        found = f"{self.verdict:<10} {self.causes[0]} {self.confidence:.2f}"
        spent = (
            f"{self.checks:>2} checks {self.seconds:5.1f} s, in all {self.wall:5.1f} s, load {100 * self.share:.2f} %"
        )
        return f"{mark} {self.name:<45} {truth:<15} {found}  {spent}"


class Bench:
    """One server, one lab, one data folder with the server as a target."""

    def __init__(self, server: Server, lab: Lab, folder: Path) -> None:
        self.server = server
        self.lab = lab
        self.folder = folder
        self.seen: list[Seen] = []

    def look(self, name: str, truths: tuple[str, ...] = (), exact: bool = True) -> None:
        """Runs the command and returns its outcome. Names the standby if there is one."""
        entry = target_entry("lab", self.server, standby=self.server.standby() is not None)
        (self.folder / "targets.yaml").write_text(yaml.safe_dump({"targets": [entry]}), encoding="utf-8")
        command = [sys.executable, "-m", "gateway.cli", "diagnose", "--target", "lab", "--json"]
        began = time.monotonic()
        with Load(self.server) as load:
            done = subprocess.run(
                [*command, "--data-dir", str(self.folder)], capture_output=True, text=True, check=False
            )
        wall = time.monotonic() - began
        if not done.stdout:
            raise RuntimeError(done.stderr)
        report: dict[str, Any] = json.loads(done.stdout)
        first, *rest = (item["root_cause_id"] for item in report["hypotheses"])
        also = [item["root_cause_id"] for item in report["also"]]
        causes = tuple(dict.fromkeys((first, *also, *rest)))
        found = (report["verdict"], causes, report["hypotheses"][0]["confidence"])
        times = (report["seconds"], round(wall, 2), round(load.own, 4), round(load.all, 2))
        self.seen.append(Seen(name, truths, exact, *found, report["checks"], *times))
        print(self.seen[-1].told(), file=sys.stderr, flush=True)

    def fault(self, name: str) -> None:
        """One fault alone."""
        fault = FAULTS[name]
        self._with((fault,), lambda: self.look(name, (fault.root_cause,), fault.exact))

    def scene(self, scene: Scene) -> None:
        """Several faults or oddities at once."""
        faults = tuple(FAULTS[name] for name in scene.faults)
        truths = tuple(dict.fromkeys(fault.root_cause for fault in faults))
        oddity = scene.oddity
        try:
            if oddity is not None:
                oddity.start(self.lab)
                self.lab.flush()
                time.sleep(oddity.settle)
            self._with(faults, lambda: self.look(scene.name, truths))
        finally:
            if oddity is not None:
                self.lab.sessions.end()
                oddity.restore(self.lab)

    def _with(self, faults: tuple[Fault, ...], look: Any) -> None:
        begun: list[Fault] = []
        try:
            for fault in faults:
                begun.append(fault)
                begin(self.lab, fault)
            time.sleep(max((fault.visible_after for fault in faults), default=0))
            look()
        finally:
            for fault in begun:
                fault.release(self.lab)
            for fault in begun:
                end(self.lab, fault)


@contextlib.contextmanager
def bench(keep: Path | None) -> Iterator[Bench]:
    """A lab under its light load, settled."""
    server = Server.create()
    try:
        with contextlib.ExitStack() as stack:
            folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            folder.mkdir(parents=True, exist_ok=True)
            lab = stack.enter_context(contextlib.closing(Lab.embedded(server)))
            lab.workload.start()
            time.sleep(_SETTLE_SECONDS)
            yield Bench(server, lab, folder)
    finally:
        server.remove()


def measured(names: list[str], scenes: bool, keep: Path | None) -> list[Seen]:
    """Measures every case in turn and reports each at once."""
    with bench(keep) as made:
        made.look("healthy")
        if scenes:
            for scene in SCENES:
                if not names or scene.name in names:
                    made.scene(scene)
        else:
            for name in names or [name for name, fault in FAULTS.items() if fault.database]:
                made.fault(name)
        time.sleep(_SETTLE_SECONDS)
        made.look("healthy afterwards")
        made.lab.restart()
        time.sleep(1)
        made.look("healthy, just restarted")
        return made.seen


def main() -> None:
    """Measures the named faults or scenes, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--scenes", action="store_true", help="two faults at once, oddities, oddities beside a fault")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    # Ended from outside it takes its server away as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    seen = measured(given.names, given.scenes, given.keep)
    rows = table(seen, given.scenes)
    if given.json:
        cases = [asdict(case) | {"right": case.right, "share": case.share} for case in seen]
        print(json.dumps({"cases": cases, "table": [row._asdict() for row in rows]}, ensure_ascii=False))
    else:
        print("\n".join(row.told() for row in rows))


if __name__ == "__main__":
    main()
