"""What a new case sets aside beside the ledger, so that going back to the case before finds it again."""

from __future__ import annotations

from dataclasses import dataclass

from dbdiag.planner.v1.planner_types import Aftermath, Limit, NamedObject, Treatment


@dataclass(frozen=True)
class SetAside:
    """What was known of a case when the next one began."""

    snapshot_id: str = ""
    treatments: tuple[Treatment, ...] = ()
    objects: tuple[NamedObject, ...] = ()
    aftermath: Aftermath | None = None
    began: str = ""
    looked: int = 0
    limits: tuple[Limit, ...] = ()


@dataclass(frozen=True)
class Closing:
    """A case that a person closed, and the proposal it became. Seconds since 1970, UTC."""

    case: int
    turn: int
    root_cause_id: str
    proposal_id: str
    closed_at: float
