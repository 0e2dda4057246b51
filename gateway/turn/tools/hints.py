"""The effect of a suspicion on a turn: its cause is shown and its most telling question comes first. Never evidence."""

from __future__ import annotations

import math
from dataclasses import replace

from dbdiag.engine.v1.engine_types import DiagnoseResponse, ExplainResponse, Recommendation, Relation
from dbdiag.planner.v1.planner_types import AppliedSuggestion, RankedHypothesis

from gateway.contracts.engine_client import EngineClient
from gateway.turn.context import Turn
from gateway.turn.tools.reach import out_of_reach

# A suspicion's question needs this share of the best question's gain, and at least this gain.
_WORTH_SHARE = 0.02
_WORTH_BITS = 0.005
# Typical of a cause from this likelihood on; how many such questions are weighed; no base rate counts as less.
_TYPICAL, _TRIED, _RAREST = 0.5, 3, 0.005


def add_suspected(
    causes: tuple[RankedHypothesis, ...], suggestions: tuple[AppliedSuggestion, ...]
) -> tuple[RankedHypothesis, ...]:
    """The causes by belief plus boost, always including a suspected one."""
    found = {item.root_cause_id: item for item in causes}
    for hint in suggestions:
        if hint.root_cause_id:
            suspected = RankedHypothesis(
                hint.root_cause_id, hint.name, hint.confidence, hint.effective_confidence, hint.boost
            )
            found.setdefault(hint.root_cause_id, suspected)
    return tuple(sorted(found.values(), key=lambda item: -item.effective_confidence))


async def add_confidence(
    turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse, suggestion: AppliedSuggestion
) -> AppliedSuggestion:
    """The suspicion with the belief in its cause, with and without the boost."""
    if not suggestion.root_cause_id:
        return suggestion
    found = [h for h in diagnosis.hypotheses if h.root_cause_id == suggestion.root_cause_id]
    believed = found[0] if found else await _explain(turn, engine, suggestion.root_cause_id)
    confidence = believed.confidence
    effective = min(confidence + suggestion.boost, 1.0)
    return replace(suggestion, confidence=confidence, effective_confidence=effective)


async def steer(turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse) -> DiagnoseResponse:
    """The diagnosis with the suspected cause's most telling question first, if its gain suffices."""
    asked = diagnosis.recommendations
    suspected = [suggestion for suggestion in turn.suggestions if suggestion.root_cause_id]
    first = None
    if suspected and asked and diagnosis.conclusion is None:
        cause = max(suspected, key=lambda suggestion: suggestion.boost).root_cause_id
        first = await _find_telling(turn, engine, cause, asked)
    if first is not None:
        asked = (first, *(item for item in asked if item.phenomenon_id != first.phenomenon_id))
    return replace(diagnosis, recommendations=asked)


async def _find_telling(
    turn: Turn, engine: EngineClient, cause: str, asked: tuple[Recommendation, ...]
) -> Recommendation | None:
    """The most telling question about the cause with sufficient gain, or None."""
    worth = max(_WORTH_SHARE * asked[0].information_gain_bits, _WORTH_BITS)
    beyond = out_of_reach(turn)
    open_links = [
        link
        for link in await engine.relations(turn.session.snapshot_id, root_cause_id=cause)
        if link.likelihood >= _TYPICAL and turn.session.active_for(link.phenomenon_id) is None
        if link.phenomenon_id not in beyond
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
    """The weight of a confirmation for the cause times its likelihood under the cause."""
    found = turn.catalog.phenomena.get(link.phenomenon_id)
    base_rate = max(found.base_rate if found else 0.0, _RAREST)
    return link.likelihood * math.log2(link.likelihood / base_rate)


async def _explain(turn: Turn, engine: EngineClient, cause: str) -> ExplainResponse:
    return await engine.explain(turn.session.snapshot_id, turn.active_evidence(), cause)
