"""The table at the end of fault_hits: each measure with its value, its floor and its goal."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple, Protocol


class Case(Protocol):
    """The figures of a diagnosis that the table needs."""

    @property
    def name(self) -> str:
        """What was there."""

    @property
    def truths(self) -> tuple[str, ...]:
        """The true causes; none on a healthy server."""

    @property
    def right(self) -> bool:
        """Whether it came out right."""

    @property
    def checks(self) -> int:
        """The checks that were made."""

    @property
    def seconds(self) -> float:
        """Seconds to the verdict."""

    @property
    def wall(self) -> float:
        """Seconds of the whole command."""

    @property
    def share(self) -> float:
        """The part of the processor time it took of the target."""


class Row(NamedTuple):
    """One measure with its floor and goal; empty if there is none."""

    measure: str
    value: str
    floor: str = ""
    goal: str = ""

    def told(self) -> str:
        """One line."""
        return f"{self.measure:<55} {self.value:>12} {self.floor:>8} {self.goal:>8}"


def table(cases: Sequence[Case], scenes: bool) -> list[Row]:
    """All rows; of scenes the share that came out right, of faults how many."""
    made = [case for case in cases if not case.name.startswith("healthy")]
    healthy = [case for case in cases if case.name.startswith("healthy")]
    hits = sum(case.right for case in made)
    wrong = sum(not case.right for case in healthy)
    if scenes:
        parts = [("two faults at once", 2, ""), ("an oddity alone", 0, ""), ("an oddity beside a fault", 1, "")]
        first = [_scene(made, name, truths) for name, truths, _ in parts]
        right = hits + len(healthy) - wrong
        first.append(Row("scenes and healthy servers, right", f"{100 * right / len(cases):.0f} %", "60 %", "90 %"))
    else:
        first = [Row("faults of the database, true cause first", f"{hits} of {len(made)}", "24 of 30", "30 of 30")]
    return [
        Row("measure", "value", "floor", "goal"),
        *first,
        Row("false findings on a healthy server", f"{wrong} of {len(healthy)}", "0", "0"),
        Row("checks made, median", f"{_median(case.checks for case in made):g}", "12", "8"),
        Row("seconds to the verdict, median", f"{_median(case.seconds for case in made):.1f}", "20", "5"),
        Row("seconds of the whole command, median", f"{_median(case.wall for case in made):.1f}"),
        Row("share of the processor while looking, median", _percent(case.share for case in made), "2 %", "0.5 %"),
        Row("the same, most", f"{100 * max((case.share for case in cases), default=0):.2f} %"),
    ]


def _scene(made: Sequence[Case], name: str, truths: int) -> Row:
    of_kind = [case for case in made if len(case.truths) == truths]
    return Row(f"scenes: {name}", f"{sum(case.right for case in of_kind)} of {len(of_kind)}")


def _median(values: object) -> float:
    known = list(values)  # type: ignore[call-overload]
    return float(statistics.median(known)) if known else 0.0


def _percent(values: object) -> str:
    return f"{100 * _median(values):.2f} %"
