"""The leading beliefs of each evaluated turn, as a session keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbdiag.engine.v1.engine_types import DiagnoseResponse
from dbdiag.planner.v1.planner_types import HypothesisView

# Smaller changes of belief count as no movement.
IDLE_BELOW = 0.02
KEPT_BELIEFS = 20


@dataclass(frozen=True)
class BeliefPoint:
    """The leading beliefs of one evaluated turn, highest first."""

    case: int
    turn: int
    beliefs: tuple[HypothesisView, ...]
    evidence_changed: bool
    concluded: str = ""
    surprise_bits: float = 0.0
    # The two phenomena with contradictory answers; empty if none.
    contradiction: tuple[str, ...] = ()


def idle_turns(points: Sequence[BeliefPoint]) -> int:
    """The number of consecutive last points with evidence that moved no leading belief."""
    moved, count = [point for point in points if point.evidence_changed], 0
    for before, after in zip(reversed(moved[:-1]), reversed(moved[1:]), strict=True):
        if _largest_move(before, after) > IDLE_BELOW:
            break
        count += 1
    return count


def point_of(diagnosis: DiagnoseResponse, case: int, turn: int, evidence_changed: bool) -> BeliefPoint:
    """The stored part of a diagnosis: leading beliefs, without causes present only by a suspicion, and its caveats."""
    believed = sorted(diagnosis.hypotheses, key=lambda item: (-item.confidence, item.root_cause_id))
    beliefs = tuple([HypothesisView(h.root_cause_id, h.name, h.confidence) for h in believed[:KEPT_BELIEFS]])
    concluded = diagnosis.conclusion.root_cause_id if diagnosis.conclusion else ""
    doubts = (diagnosis.surprise_bits, pair_of(diagnosis))
    return BeliefPoint(case, turn, beliefs, evidence_changed, concluded, *doubts)


def pair_of(diagnosis: DiagnoseResponse) -> tuple[str, ...]:
    """The ids of the two contradictory answers; empty if none."""
    found = diagnosis.contradiction
    return (found.first_phenomenon_id, found.second_phenomenon_id) if found else ()


def _largest_move(before: BeliefPoint, after: BeliefPoint) -> float:
    old = {belief.root_cause_id: belief.confidence for belief in before.beliefs}
    # A cause that was not stored ranked below all stored ones.
    unkept = min(old.values()) if len(old) >= KEPT_BELIEFS else 0.0
    return max((abs(new.confidence - old.get(new.root_cause_id, unkept)) for new in after.beliefs), default=0.0)
