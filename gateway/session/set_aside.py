"""What a session keeps beside its ledger: earlier cases, closed ones, and the clarifications it has asked for."""

from __future__ import annotations

from dataclasses import dataclass

from dbdiag.matcher.v1.matcher_types import CauseLikeness
from dbdiag.planner.v1.planner_types import Aftermath, Clarification, ClarifyKind, Limit, NamedObject, Treatment


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
    likeness: tuple[CauseLikeness, ...] = ()
    telling: tuple[int, ...] = ()
    heard: tuple[int, ...] = ()


@dataclass(frozen=True)
class Closing:
    """A case that a person closed, and the proposal it became. Seconds since 1970, UTC."""

    case: int
    turn: int
    root_cause_id: str
    proposal_id: str
    closed_at: float


def keys_of(asked: Clarification) -> set[str]:
    """The words of the clarification, and its options where they matter more than the words."""
    ids = sorted({option.phenomenon_id for option in asked.options})
    choice = {f"{asked.kind}:{' '.join(ids)}"}
    if asked.kind is ClarifyKind.CONTRADICTION:
        return choice
    words = {asked.words} - {""}
    return choice | words if ids and asked.kind is not ClarifyKind.NO_SUCH_ITEM else words
