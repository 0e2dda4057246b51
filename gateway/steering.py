"""What a suspicion does to a turn: where its cause stands, and that what tells of it is asked first. Never evidence."""

from __future__ import annotations

from dataclasses import replace

from gateway.clients import EngineClient
from gateway.reasoning import Diagnosis, Explanation, Recommendation
from gateway.results import AppliedSuggestion
from gateway.turn import Turn
from gateway.views import RankedHypothesis

# A suspicion is followed while its question brings at least this share of what the best one brings, and this much.
_WORTH_SHARE = 0.1
_WORTH_BITS = 0.01


def ranked(turn: Turn, diagnosis: Diagnosis, before: dict[str, float]) -> tuple[RankedHypothesis, ...]:
    """The causes by belief and hint together, a suspected one among them however little it is believed."""
    causes = [
        RankedHypothesis(
            h.root_cause_id, h.name, h.confidence, h.effective_confidence, h.boost, before.get(h.root_cause_id)
        )
        for h in diagnosis.hypotheses
    ]
    known = {item.root_cause_id for item in causes}
    for hint in turn.suggestions:
        if hint.root_cause_id and hint.root_cause_id not in known and hint.name is not None:
            known.add(hint.root_cause_id)
            causes.append(
                RankedHypothesis(hint.root_cause_id, hint.name, hint.confidence, hint.effective_confidence, hint.boost)
            )
    return tuple(sorted(causes, key=lambda item: -item.effective_confidence)) if turn.suggestions else tuple(causes)


def shown(hypotheses: tuple[RankedHypothesis, ...], most: int) -> tuple[RankedHypothesis, ...]:
    """The first of them, the one that led before among them: what fell from the lead is worth a word."""
    first = hypotheses[:most]
    led = max(hypotheses, key=lambda item: item.confidence_before or 0.0, default=None)
    return first if led is None or led in first or not led.confidence_before else (*first[:-1], led)


async def with_confidence(
    turn: Turn, engine: EngineClient, diagnosis: Diagnosis, suggestion: AppliedSuggestion
) -> AppliedSuggestion:
    """The suspicion with the belief in its cause, and with that and the hint together."""
    if not suggestion.root_cause_id:
        return suggestion
    found = [h for h in diagnosis.hypotheses if h.root_cause_id == suggestion.root_cause_id]
    believed = found[0] if found else await _explained(turn, engine, suggestion.root_cause_id)
    confidence = believed.confidence
    effective = min(confidence + suggestion.boost, 1.0)
    return replace(suggestion, confidence=confidence, effective_confidence=effective)


async def steered(turn: Turn, engine: EngineClient, diagnosis: Diagnosis, most: int) -> Diagnosis:
    """The diagnosis with the suspected cause's most telling question first, where its answer is worth having."""
    suspected = [suggestion for suggestion in turn.suggestions if suggestion.root_cause_id]
    if not suspected or diagnosis.conclusion is not None:
        return diagnosis
    cause = max(suspected, key=lambda suggestion: suggestion.boost).root_cause_id
    explained = await _explained(turn, engine, cause)
    telling = [await _question(turn, engine, cause, item.phenomenon_id) for item in explained.unchecked]
    best = max((item.information_gain_bits for item in diagnosis.recommendations), default=0.0)
    worth = [
        item
        for item in telling
        if item is not None and item.information_gain_bits >= max(_WORTH_SHARE * best, _WORTH_BITS)
    ]
    if not worth:
        return diagnosis
    first = max(worth, key=lambda item: (_lift(explained, item), item.information_gain_bits, item.phenomenon_id))
    others = [item for item in diagnosis.recommendations if item.phenomenon_id != first.phenomenon_id]
    return replace(diagnosis, recommendations=(first, *others)[:most])


def _lift(explained: Explanation, question: Recommendation) -> float:
    """How far apart yes and no leave the suspected cause."""
    found = next(item for item in explained.unchecked if item.phenomenon_id == question.phenomenon_id)
    return abs(found.confidence_if_yes - found.confidence_if_no)


async def _explained(turn: Turn, engine: EngineClient, cause: str) -> Explanation:
    return await engine.explain(turn.session.snapshot_id, turn.active_evidence(), cause)


async def _question(turn: Turn, engine: EngineClient, cause: str, phenomenon_id: str) -> Recommendation | None:
    explained = await engine.explain(turn.session.snapshot_id, turn.active_evidence(), cause, phenomenon_id)
    return explained.question
