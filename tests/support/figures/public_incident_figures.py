"""Plays tickets of public incidents: `python -m tests.support.figures.public_incident_figures`, for docs/knowledge.md.

By the library without any of them, and by all other tickets; and the other tickets, without and with these.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from services.engine.calibration.evaluation import Case, Course, play_cases, play_left_out, ticket_cases
from services.engine.calibration.learning import choose_parameters
from services.engine.calibration.metrics import Played, measure
from services.engine.inference.reasoner import open_model
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.engine.tables.snapshot import Snapshot, read_snapshot, snapshot_id_of
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.compile import compile_libraries

_PUBLIC = "TK-P"
_COURSE = Course()


def snapshots() -> tuple[Snapshot, Snapshot]:
    """The shipped library without the tickets of public incidents, and with them."""
    with tempfile.TemporaryDirectory() as name:
        curated = Path(name) / "library"
        shutil.copytree(POSTGRESQL, curated)
        for file in (curated / "tickets").glob("public-*.jsonl"):
            file.unlink()
        return _opened(curated), _opened(POSTGRESQL)


def _opened(library: Path) -> Snapshot:
    content = compile_libraries([library])
    return read_snapshot(content, snapshot_id_of(content))


def _show(title: str, played: Iterable[Played]) -> None:
    found = measure(list(played))
    print(
        f"{title:<48} {found.cases:>4} top-1 {found.top1:.2f} top-3 {found.top3:.2f} "
        f"questions {found.mean_questions:.1f} stopped {found.stopped_share:.2f} "
        f"right when stopped {found.right_when_stopped:.3f} ECE {found.ece:.2f}"
    )


def _quiet(done: int, total: int) -> None:
    """No progress is shown."""


def _public(case: Case | Played) -> bool:
    return case.case_id.startswith(_PUBLIC)


if __name__ == "__main__":
    without, everything = snapshots()
    cases = [case for case in ticket_cases(everything) if _public(case)]
    _show("public, by a library without them", play_cases(open_model(without), cases, _COURSE, _quiet))
    _show(
        "the others, without them",
        play_left_out(without, _COURSE, choose_parameters(without, DEFAULT_PARAMETERS).parameters, _quiet),
    )
    fixed = replace(DEFAULT_PARAMETERS, fewest_tickets=1e6)
    for how, parameters in (
        ("chosen", choose_parameters(everything, DEFAULT_PARAMETERS).parameters),
        ("default", fixed),
    ):
        played = play_left_out(everything, _COURSE, parameters, _quiet)
        _show(f"public, by all others, {how} numbers", filter(_public, played))
        _show(f"the others, with them, {how} numbers", (case for case in played if not _public(case)))
