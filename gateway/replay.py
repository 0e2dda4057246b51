"""The belief history after something was taken back or replaced: as if only what counts now had ever been said."""

from __future__ import annotations

from gateway.clients import EngineClient
from gateway.doubts import pair_of
from gateway.plan import HypothesisView
from gateway.reasoning import DiagnoseRequest, Diagnosis, Evidence
from gateway.session import BeliefPoint, LedgerEntry, Session
from gateway.turn import Turn


def leading(diagnosis: Diagnosis, kept: int) -> tuple[HypothesisView, ...]:
    """The beliefs of a diagnosis as a session keeps them; a cause that a hint put there is not among them."""
    believed = sorted(diagnosis.hypotheses, key=lambda item: (-item.confidence, item.root_cause_id))
    return tuple(HypothesisView(h.root_cause_id, h.name, h.confidence) for h in believed[:kept])


def brought_evidence(turn: Turn) -> bool:
    """Whether this turn brought something to weigh; a correction belongs to the turn of what it corrects."""
    if not turn.corrections:
        return turn.evidence_changed()
    return any(_first_said(turn.session, entry) == turn.session.turn for entry in turn.session.active())


async def replayed(turn: Turn, engine: EngineClient, kept: int) -> list[BeliefPoint]:
    """The points of the turns before this one, evaluated anew; as they are when nothing was corrected."""
    session = turn.session
    if not turn.corrections:
        return session.points
    said = {entry.phenomenon_id: _first_said(session, entry) for entry in session.active()}
    points = [point for point in session.points if point.case != session.case]
    for number in sorted(set(said.values()) - {session.turn}):
        evidence = tuple(item for item in turn.active_evidence() if said[item.phenomenon_id] <= number)
        points.append(await _point(turn, engine, number, evidence, kept))
    return points


async def _point(
    turn: Turn, engine: EngineClient, number: int, evidence: tuple[Evidence, ...], kept: int
) -> BeliefPoint:
    request = DiagnoseRequest(
        turn.session.snapshot_id, evidence, max_hypotheses=kept, max_recommendations=1, threshold=turn.threshold
    )
    diagnosis = await engine.diagnose(request)
    concluded = diagnosis.conclusion.root_cause_id if diagnosis.conclusion else ""
    doubts = (diagnosis.surprise_bits, pair_of(diagnosis))
    return BeliefPoint(turn.session.case, number, leading(diagnosis, kept), True, concluded, *doubts)


def _first_said(session: Session, entry: LedgerEntry) -> int:
    """The turn in which what an entry corrects was said first; its own when it corrects nothing."""
    while entry.corrected_from is not None:
        entry = session.ledger[entry.corrected_from]
    return entry.turn
