"""What a suspicion does to a turn: where its cause stands, and that what tells of it is asked first. Never evidence."""

from __future__ import annotations

import math
from dataclasses import replace

from gateway.clients import EngineClient
from gateway.reasoning import Diagnosis, Explanation, Recommendation, Relation
from gateway.results import AppliedSuggestion
from gateway.turn import Turn
from gateway.views import RankedHypothesis

# A suspicion is followed while its question brings at least this share of what the best one brings, and this much.
_WORTH_SHARE = 0.02
_WORTH_BITS = 0.005
# Typical of a cause from this likelihood on; how many such questions are weighed; no base rate counts as less.
_TYPICAL, _TRIED, _RAREST = 0.5, 3, 0.005


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
    asked = diagnosis.recommendations
    suspected = [suggestion for suggestion in turn.suggestions if suggestion.root_cause_id]
    first = None
    if suspected and asked and diagnosis.conclusion is None:
        cause = max(suspected, key=lambda suggestion: suggestion.boost).root_cause_id
        first = await _telling(turn, engine, cause, asked)
    if first is not None:
        asked = (first, *(item for item in asked if item.phenomenon_id != first.phenomenon_id))
    return replace(diagnosis, recommendations=asked[:most])


async def _telling(
    turn: Turn, engine: EngineClient, cause: str, asked: tuple[Recommendation, ...]
) -> Recommendation | None:
    """The question that says most of the cause, of those that bring enough; None when there is none."""
    worth = max(_WORTH_SHARE * asked[0].information_gain_bits, _WORTH_BITS)
    open_links = [
        link
        for link in await engine.relations(turn.session.snapshot_id, root_cause_id=cause)
        if link.likelihood >= _TYPICAL and turn.session.active_for(link.phenomenon_id) is None
    ]
    open_links.sort(key=lambda link: (-_says(turn, link), link.phenomenon_id))
    for link in open_links[:_TRIED]:
        explained = await engine.explain(
            turn.session.snapshot_id, turn.active_evidence(), cause, phenomenon_id=link.phenomenon_id
        )
        if explained.question is not None and explained.question.information_gain_bits >= worth:
            return explained.question
    return None


def _says(turn: Turn, link: Relation) -> float:
    """How much seeing it would say for the cause, times how likely it is to be seen with it."""
    found = turn.catalog.phenomena.get(link.phenomenon_id)
    base_rate = max(found.base_rate if found else 0.0, _RAREST)
    return link.likelihood * math.log2(link.likelihood / base_rate)


async def _explained(turn: Turn, engine: EngineClient, cause: str) -> Explanation:
    return await engine.explain(turn.session.snapshot_id, turn.active_evidence(), cause)
