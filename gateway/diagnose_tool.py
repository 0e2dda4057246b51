"""The tool diagnose: the whole active evidence evaluated, and what the answer says of it."""

from __future__ import annotations

from dataclasses import replace

from gateway.catalog import Catalog
from gateway.clients import EngineClient
from gateway.doubts import contradiction_view, overturn_view, pair_of, second_cause
from gateway.plan import HypothesisView, Item
from gateway.reasoning import Conclusion, DiagnoseRequest, Diagnosis, Hint, Hypothesis, Outcome, Recommendation
from gateway.results import AppliedCorrection, AppliedSuggestion
from gateway.turn import Turn
from gateway.views import (
    BeliefChange,
    ConclusionView,
    DiagnosisView,
    Mover,
    OutcomeView,
    OverturnView,
    RankedHypothesis,
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
    diagnosis = await engine.diagnose(request)
    turn.exchanges.append(("diagnose", request, diagnosis))
    before = {belief.root_cause_id: belief.confidence for belief in session.beliefs()}
    last = session.case_points()[-1] if session.case_points() else None
    concluded = diagnosis.conclusion.root_cause_id if diagnosis.conclusion else ""
    repeated = last is not None and last.concluded == concluded != ""
    # Asked before anything is kept: when it fails, the turn has not been evaluated.
    overturn = await _overturn(turn, engine) if concluded and not repeated else None
    beliefs = tuple(HypothesisView(h.root_cause_id, h.name, h.confidence) for h in diagnosis.hypotheses)
    session.add_point(beliefs, turn.evidence_changed(), concluded)
    session.keep_doubts(diagnosis.surprise_bits, pair_of(diagnosis))
    turn.diagnosis = diagnosis
    turn.corrections = [_with_changes(correction, beliefs, before) for correction in turn.corrections]
    turn.suggestions = [await _with_confidence(turn, engine, suggestion) for suggestion in turn.suggestions]
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
        max_hypotheses=_EVALUATED,
        max_recommendations=ASKED,
        threshold=turn.threshold,
    )


async def _overturn(turn: Turn, engine: EngineClient) -> OverturnView | None:
    explained = await engine.explain(turn.session.snapshot_id, turn.active_evidence())
    return overturn_view(turn.catalog, explained.overturns)


def _set_pending(turn: Turn, recommendations: tuple[Recommendation, ...]) -> None:
    session = turn.session
    asked = tuple(Item(number, item.phenomenon_id, item.name) for number, item in enumerate(recommendations, 1))
    if asked != session.pending:
        session.earlier, session.pending = session.pending, asked


def _with_changes(
    correction: AppliedCorrection, beliefs: tuple[HypothesisView, ...], before: dict[str, float]
) -> AppliedCorrection:
    changes = [
        BeliefChange(now.root_cause_id, now.name, before.get(now.root_cause_id, 0.0), now.confidence)
        for now in beliefs
        if now.root_cause_id in before
    ]
    changes.sort(key=lambda change: (-abs(change.confidence_after - change.confidence_before), change.root_cause_id))
    return replace(correction, changes=tuple(changes[:_SHOWN_CHANGES]))


async def _with_confidence(turn: Turn, engine: EngineClient, suggestion: AppliedSuggestion) -> AppliedSuggestion:
    if not suggestion.root_cause_id or turn.diagnosis is None:
        return suggestion
    found = [h for h in turn.diagnosis.hypotheses if h.root_cause_id == suggestion.root_cause_id]
    if found:
        confidence = found[0].confidence
    else:
        explained = await engine.explain(turn.session.snapshot_id, turn.active_evidence(), suggestion.root_cause_id)
        confidence = explained.confidence
    effective = min(confidence + suggestion.boost, 1.0)
    return replace(suggestion, confidence=confidence, effective_confidence=effective)


def _view(turn: Turn, diagnosis: Diagnosis, before: dict[str, float], repeated: bool) -> DiagnosisView:
    catalog = turn.catalog
    conclusion = diagnosis.conclusion
    return DiagnosisView(
        hypotheses=tuple(_ranked(h, before) for h in diagnosis.hypotheses[:SHOWN_HYPOTHESES]),
        recommendations=tuple(
            recommended(catalog, item, number, diagnosis.hypotheses)
            for number, item in enumerate(() if conclusion else diagnosis.recommendations, 1)
        ),
        conclusion=concluded_view(turn, conclusion, repeated) if conclusion else None,
        other_confidence=diagnosis.other_confidence,
        surprise_bits=diagnosis.surprise_bits,
        movers=_movers(turn, diagnosis),
        root_cause_count=diagnosis.root_cause_count,
        idle_turns=turn.session.idle_turns(),
    )


def _ranked(hypothesis: Hypothesis, before: dict[str, float]) -> RankedHypothesis:
    return RankedHypothesis(
        hypothesis.root_cause_id,
        hypothesis.name,
        hypothesis.confidence,
        hypothesis.effective_confidence,
        hypothesis.boost,
        before.get(hypothesis.root_cause_id),
    )


def _movers(turn: Turn, diagnosis: Diagnosis) -> tuple[Mover, ...]:
    """What this turn's evidence did for the leader, strongest first."""
    new = {noted.phenomenon_id for noted in turn.noted}
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
    catalog: Catalog, item: Recommendation, ordinal: int, leading: tuple[Hypothesis, ...]
) -> RankedRecommendation:
    """A recommendation with how to look and what each answer would mean."""
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
        observation_method=phenomenon.observation_method if phenomenon else "",
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
