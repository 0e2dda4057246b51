"""The tool diagnose: the whole active evidence evaluated, and what the answer says of it."""

from __future__ import annotations

from dataclasses import replace

from gateway.catalog import Catalog
from gateway.clients import EngineClient
from gateway.doubts import contradiction_view, overturn_view, pair_of, second_cause
from gateway.plan import HypothesisView, Item
from gateway.reasoning import Conclusion, DiagnoseRequest, Diagnosis, Hint, Hypothesis, Outcome, Recommendation
from gateway.replay import brought_evidence, leading, replayed
from gateway.results import AppliedCorrection
from gateway.steering import ranked, shown, steered, with_confidence
from gateway.turn import Turn
from gateway.views import (
    BeliefChange,
    ConclusionView,
    DiagnosisView,
    Mover,
    OutcomeView,
    OverturnView,
    RankedRecommendation,
)

SHOWN_HYPOTHESES = 5
ASKED = 3
# Less than this is no reason to give for a move.
MOVES_FROM_BITS = 0.3
_EVALUATED = 20
_SHOWN_CHANGES = 3


async def diagnose(turn: Turn, engine: EngineClient) -> None:
    """Evaluates, keeps the beliefs, sets what is pending, and builds the diagnosis view."""
    session = turn.session
    request = _request(turn)
    diagnosis = await steered(turn, engine, await _evaluated(engine, request), ASKED)
    turn.exchanges.append(("diagnose", request, diagnosis))
    before = {belief.root_cause_id: belief.confidence for belief in session.beliefs()}
    last = session.case_points()[-1] if session.case_points() else None
    concluded = diagnosis.conclusion.root_cause_id if diagnosis.conclusion else ""
    repeated = last is not None and last.concluded == concluded != ""
    # Asked before anything is kept: when one fails, the turn has not been evaluated.
    overturn = await _overturn(turn, engine) if concluded and not repeated else None
    corrections = await _with_changes(turn, engine)
    points = await replayed(turn, engine, _EVALUATED)
    turn.suggestions = [await with_confidence(turn, engine, diagnosis, item) for item in turn.suggestions]
    session.points = points
    session.add_point(leading(diagnosis, _EVALUATED), brought_evidence(turn), concluded)
    session.keep_doubts(diagnosis.surprise_bits, pair_of(diagnosis))
    turn.diagnosis, turn.corrections = diagnosis, corrections
    view = _view(turn, diagnosis, before, repeated)
    turn.diagnosis_view = replace(
        view,
        conclusion=replace(view.conclusion, overturn=overturn) if view.conclusion else None,
        contradiction=contradiction_view(turn, diagnosis, last.contradiction if last else ()),
        surprise_bits_before=last.surprise_bits if last else None,
    )
    _set_pending(turn, () if concluded else diagnosis.recommendations)


def _request(turn: Turn) -> DiagnoseRequest:
    hints = {hint.root_cause_id: hint.boost for hint in turn.suggestions if hint.root_cause_id}
    return DiagnoseRequest(
        snapshot_id=turn.session.snapshot_id,
        evidence=turn.active_evidence(),
        hints=tuple(Hint(root_cause_id, boost) for root_cause_id, boost in sorted(hints.items())),
        # A hinted cause may take a place of its own.
        max_hypotheses=_EVALUATED + len(hints),
        max_recommendations=ASKED,
        threshold=turn.threshold,
        # What a check could see is no question for a person.
        excluded_phenomenon_ids=turn.session.unlooked,
    )


async def _evaluated(engine: EngineClient, request: DiagnoseRequest) -> Diagnosis:
    """The engine's answer; where nothing else is left to ask, also what a check could have seen."""
    diagnosis = await engine.diagnose(request)
    if diagnosis.recommendations or diagnosis.conclusion or not request.excluded_phenomenon_ids:
        return diagnosis
    return await engine.diagnose(replace(request, excluded_phenomenon_ids=()))


async def _overturn(turn: Turn, engine: EngineClient) -> OverturnView | None:
    explained = await engine.explain(turn.session.snapshot_id, turn.active_evidence())
    return overturn_view(turn.catalog, explained.overturns)


def _set_pending(turn: Turn, recommendations: tuple[Recommendation, ...]) -> None:
    session = turn.session
    asked = tuple(
        Item(number, item.phenomenon_id, item.name, turn.catalog.test_of(item.phenomenon_id))
        for number, item in enumerate(recommendations, 1)
    )
    if asked != session.pending:
        session.earlier, session.pending = session.pending, asked


async def _with_changes(turn: Turn, engine: EngineClient) -> list[AppliedCorrection]:
    """The corrections, the last one with what all of them did: the beliefs as they were and as they are."""
    if not turn.corrections:
        return []
    now = turn.active_evidence()
    gone = {item.phenomenon_id for item in turn.evidence_before} - {item.phenomenon_id for item in now}
    edited = tuple(item for item in now if item not in turn.evidence_before)
    reply = await engine.what_if(turn.session.snapshot_id, turn.evidence_before, edited, tuple(sorted(gone)))
    moved = tuple(
        BeliefChange(item.root_cause_id, item.name, item.confidence_before, item.confidence_after)
        for item in reply.changes[:_SHOWN_CHANGES]
    )
    return [*turn.corrections[:-1], replace(turn.corrections[-1], changes=moved)]


def _view(turn: Turn, diagnosis: Diagnosis, before: dict[str, float], repeated: bool) -> DiagnosisView:
    conclusion = diagnosis.conclusion
    return DiagnosisView(
        hypotheses=shown(ranked(turn, diagnosis, before), SHOWN_HYPOTHESES),
        recommendations=tuple(
            recommended(turn, item, number, diagnosis.hypotheses)
            for number, item in enumerate(() if conclusion else diagnosis.recommendations, 1)
        ),
        conclusion=concluded_view(turn, conclusion, repeated) if conclusion else None,
        other_confidence=diagnosis.other_confidence,
        surprise_bits=diagnosis.surprise_bits,
        movers=_movers(turn, diagnosis),
        root_cause_count=diagnosis.root_cause_count,
        idle_turns=turn.session.idle_turns(),
    )


def _movers(turn: Turn, diagnosis: Diagnosis) -> tuple[Mover, ...]:
    """What this turn's evidence did for the leader, strongest first."""
    new = {noted.phenomenon_id for noted in turn.noted}
    new |= {seen.phenomenon_id for seen in (turn.look.seen if turn.look else ())}
    leader = diagnosis.hypotheses[:1]
    moved = [
        item
        for hypothesis in leader
        for item in hypothesis.contributions
        if item.phenomenon_id in new and abs(item.bits) >= MOVES_FROM_BITS
    ]
    return tuple(
        Mover(
            turn.catalog.phenomenon_name(item.phenomenon_id),
            item.bits,
            item.ticket_hits,
            item.ticket_count,
            item.verdict,
        )
        for item in moved[:3]
    )


def recommended(
    turn: Turn, item: Recommendation, ordinal: int, leading: tuple[Hypothesis, ...]
) -> RankedRecommendation:
    """A recommendation with how to look and what each answer would mean."""
    catalog = turn.catalog
    phenomenon = catalog.phenomena.get(item.phenomenon_id)
    beliefs = {hypothesis.root_cause_id: hypothesis.confidence for hypothesis in leading}
    related = tuple(
        HypothesisView(found, catalog.root_cause_name(found), beliefs.get(found, 0.0))
        for found in item.related_root_cause_ids
    )
    return RankedRecommendation(
        ordinal,
        item.phenomenon_id,
        item.name,
        observe_kind=phenomenon.observe_kind if phenomenon else "",
        observation_method=phenomenon.how.within(turn.language) if phenomenon else "",
        present_when=phenomenon.present_when if phenomenon else None,
        information_gain_bits=item.information_gain_bits,
        if_yes=_outcome(catalog, item.if_yes),
        if_no=_outcome(catalog, item.if_no),
        related=related,
        cost=item.cost,
    )


def _outcome(catalog: Catalog, outcome: Outcome | None) -> OutcomeView | None:
    if outcome is None:
        return None
    beliefs = tuple(
        HypothesisView(belief.root_cause_id, catalog.root_cause_name(belief.root_cause_id), belief.confidence)
        for belief in outcome.beliefs
    )
    return OutcomeView(outcome.probability, beliefs)


def concluded_view(turn: Turn, conclusion: Conclusion, repeated: bool) -> ConclusionView:
    """The concluded cause with its remedy and the past cases most like this one."""
    catalog = turn.catalog
    cause = catalog.root_causes.get(conclusion.root_cause_id)
    tickets = {ticket.ticket_id: ticket for ticket in cause.tickets} if cause else {}
    name = catalog.phenomenon_name
    return ConclusionView(
        conclusion.root_cause_id,
        conclusion.name,
        conclusion.confidence,
        mechanism=cause.mechanism if cause else None,
        supporting=tuple(map(turn.evidence_name, conclusion.supporting_phenomenon_ids)),
        conflicting=tuple(map(turn.evidence_name, conclusion.conflicting_phenomenon_ids)),
        unchecked=tuple(map(name, conclusion.unchecked_phenomenon_ids)),
        unexplained=tuple(map(name, conclusion.unexplained_phenomenon_ids)),
        solution=cause.solution if cause else (),
        verify=cause.verify if cause else None,
        tickets=tuple(tickets[ticket_id] for ticket_id in conclusion.ticket_ids if ticket_id in tickets),
        repeated_conclusion=repeated,
        second_cause=second_cause(catalog, conclusion),
    )
