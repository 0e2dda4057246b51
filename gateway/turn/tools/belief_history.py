"""The belief history after a retraction or correction: as if only the active evidence had ever been entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dbdiag.engine.v1.engine_types import DiagnoseRequest, Evidence, Likeness
from dbdiag.vocabulary import BeliefChange

from gateway.cases.past_cases import Contents, Judgement, judge
from gateway.contracts.engine_client import EngineClient, Known
from gateway.session.belief_points import KEPT_BELIEFS, BeliefPoint, point_of
from gateway.session.ledger import LedgerEntry, Session
from gateway.turn.context import Turn

# The most that the engine gives.
_ALL_CAUSES = 100


@dataclass(frozen=True)
class ReplayedTurn:
    """A turn with evidence under two snapshots. unknown: phenomena that the other snapshot lacks."""

    turn: int
    case: int
    message: str
    snapshot_id: str
    said: Judgement
    would_say: Judgement
    unknown: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """True if the snapshots lead with different causes, or only one of them concludes."""
        one, two = self.said, self.would_say
        return (one.root_cause_id, one.concluded) != (two.root_cause_id, two.concluded)


async def replay_session(
    engine: EngineClient,
    session: Session,
    traces: Sequence[Mapping[str, Any]],
    contents: Mapping[str, Contents],
    other: Contents,
) -> list[ReplayedTurn]:
    """The verdict of another snapshot, turn by turn; skips turns without evidence."""
    found = []
    for trace in traces:
        evidence = evidence_at(session, trace["case"], trace["turn"])
        if evidence:
            found.append(
                ReplayedTurn(
                    turn=trace["turn"],
                    case=trace["case"],
                    message=trace["message"],
                    snapshot_id=trace["snapshot_id"],
                    said=await judge(engine, contents[trace["snapshot_id"]], evidence),
                    would_say=await judge(engine, other, evidence),
                    unknown=tuple(
                        item.phenomenon_id for item in evidence if item.phenomenon_id not in other.phenomenon_ids
                    ),
                )
            )
    return found


def evidence_at(session: Session, case: int, turn: int) -> tuple[Evidence, ...]:
    """The active evidence at the end of a turn, in id order."""
    counted = (
        entry
        for entry in session.ledger
        if entry.case == case and entry.turn <= turn and (entry.retracted_turn is None or entry.retracted_turn > turn)
    )
    ordered = sorted(counted, key=lambda entry: entry.phenomenon_id)
    return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in ordered)


def has_brought_evidence(turn: Turn) -> bool:
    """Whether a turn with corrections brought something to weigh; they belong to the turn of what they correct."""
    return any(_find_first_turn(turn.session, entry) == turn.session.turn for entry in turn.session.active())


async def replay_points(turn: Turn, engine: EngineClient) -> list[BeliefPoint]:
    """The points of earlier turns, re-evaluated with the evidence that is active now."""
    session = turn.session
    said = {entry.phenomenon_id: _find_first_turn(session, entry) for entry in session.active()}
    points = [point for point in session.points if point.case != session.case]
    for number in sorted(set(said.values()) - {session.turn}):
        evidence = tuple(item for item in turn.active_evidence() if said[item.phenomenon_id] <= number)
        points.append(await _point(turn, engine, number, evidence))
    return points


async def find_changes(turn: Turn, engine: EngineClient, most: int) -> tuple[BeliefChange, ...]:
    """The causes that a turn moved most, by what is on record and by what all of it sounds like."""
    heard = tuple(Likeness(each.root_cause_id, each.bits) for each in turn.likeness_before)
    was, now = [
        {each.root_cause_id: each for each in (await engine.diagnose(_of_all(known))).hypotheses}
        for known in (Known(turn.session.snapshot_id, turn.evidence_before, heard), turn.known())
    ]
    moved = [BeliefChange(name, now[name].name, was[name].confidence, now[name].confidence) for name in now]
    return tuple(sorted(moved, key=lambda each: -abs(each.confidence_after - each.confidence_before))[:most])


def _of_all(known: Known) -> DiagnoseRequest:
    return DiagnoseRequest(
        known.snapshot_id,
        known.evidence,
        max_hypotheses=_ALL_CAUSES,
        max_recommendations=1,
        likeness=known.likeness,
    )


async def _point(turn: Turn, engine: EngineClient, number: int, evidence: tuple[Evidence, ...]) -> BeliefPoint:
    request = DiagnoseRequest(
        turn.session.snapshot_id,
        evidence,
        max_hypotheses=KEPT_BELIEFS,
        max_recommendations=1,
        threshold=turn.threshold,
        likeness=turn.known().likeness,
    )
    return point_of(await engine.diagnose(request), turn.session.case, number, True)


def _find_first_turn(session: Session, entry: LedgerEntry) -> int:
    """The turn of the original entry behind a correction; its own turn if it corrects nothing."""
    while entry.corrected_from is not None:
        entry = session.ledger[entry.corrected_from]
    return entry.turn
