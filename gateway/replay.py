"""The belief history after something was taken back or replaced: as if only what counts now had ever been said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gateway.clients import EngineClient
from gateway.doubts import pair_of
from gateway.past_cases import Contents, Judgement, judged
from gateway.plan import HypothesisView
from gateway.reasoning import DiagnoseRequest, Diagnosis, Evidence
from gateway.session import BeliefPoint, LedgerEntry, Session
from gateway.turn import Turn


@dataclass(frozen=True)
class ReplayedTurn:
    """A turn that had evidence, as two snapshots judge it. unknown: phenomena that the other snapshot lacks."""

    turn: int
    case: int
    message: str
    snapshot_id: str
    said: Judgement
    would_say: Judgement
    unknown: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the other snapshot leads with another cause, or concludes where the first does not."""
        one, two = self.said, self.would_say
        return (one.root_cause_id, one.concluded) != (two.root_cause_id, two.concluded)


async def with_snapshot(
    engine: EngineClient,
    session: Session,
    traces: Sequence[Mapping[str, Any]],
    contents: Mapping[str, Contents],
    other: Contents,
) -> list[ReplayedTurn]:
    """What another snapshot would have said, turn by turn; turns without evidence are left out."""
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
                    said=await judged(engine, contents[trace["snapshot_id"]], evidence),
                    would_say=await judged(engine, other, evidence),
                    unknown=tuple(
                        item.phenomenon_id for item in evidence if item.phenomenon_id not in other.phenomenon_ids
                    ),
                )
            )
    return found


def evidence_at(session: Session, case: int, turn: int) -> tuple[Evidence, ...]:
    """What counted in a case at the end of a turn, in id order."""
    counted = (
        entry
        for entry in session.ledger
        if entry.case == case and entry.turn <= turn and (entry.retracted_turn is None or entry.retracted_turn > turn)
    )
    ordered = sorted(counted, key=lambda entry: entry.phenomenon_id)
    return tuple(Evidence(entry.phenomenon_id, entry.verdict, entry.score) for entry in ordered)


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
