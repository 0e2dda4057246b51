"""The effect of a suspicion on a turn: its cause is shown, and its most telling question comes first if it is open."""

from __future__ import annotations

import math
from dataclasses import replace

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Recommendation, Relation
from dbdiag.planner.v1.planner_types import AppliedSuggestion, RankedHypothesis

from gateway.contracts.engine_client import EngineClient
from gateway.turn.context import Turn
from gateway.turn.suspected.weighing import weigh
from gateway.turn.tools.reach import out_of_reach

# A suspicion's question needs this share of the best question's gain, and at least this gain.
_WORTH_SHARE = 0.02
_WORTH_BITS = 0.005
# Typical of a cause from this likelihood on; how many such questions are weighed; no base rate counts as less.
_TYPICAL, _TRIED, _RAREST = 0.5, 3, 0.005
# From this belief on a cause leads clearly, less is hardly any, and what fell so far has something against it.
_LEADS, _FAINT, _FALLEN = 0.5, 0.2, 0.5


def add_suspected(
    causes: tuple[RankedHypothesis, ...], suggestions: tuple[AppliedSuggestion, ...]
) -> tuple[RankedHypothesis, ...]:
    """The causes by belief, always including a suspected one."""
    found = {item.root_cause_id: item for item in causes}
    for each in suggestions:
        if each.root_cause_id and not each.matter.area:
            suspected = RankedHypothesis(each.root_cause_id, each.name, each.confidence, each.confidence)
            found.setdefault(each.root_cause_id, suspected)
    return tuple(sorted(found.values(), key=lambda item: -item.confidence))


async def add_confidence(
    turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse, suggestion: AppliedSuggestion
) -> AppliedSuggestion:
    """The suspicion with what the case says of it."""
    asked = suggestion.matter
    matter = await weigh(turn, engine, diagnosis, asked.words, area=asked.area, cause=asked.root_cause_id)
    believed = matter.confidence
    return replace(
        suggestion,
        root_cause_id=matter.root_cause_id,
        name=matter.name,
        confidence=believed,
        effective_confidence=believed,
        matter=matter,
    )


async def steered(
    turn: Turn, engine: EngineClient, diagnosis: DiagnoseResponse, suggestions: tuple[AppliedSuggestion, ...]
) -> tuple[Recommendation, ...]:
    """The questions, the suspected cause's most telling one first; empty if that is settled or tells too little."""
    asked = diagnosis.recommendations
    suspected = next((each for each in suggestions if each.root_cause_id), None)
    if suspected is None or not asked or diagnosis.conclusion is not None or _is_settled(suspected):
        return ()
    first = await _find_telling(turn, engine, suspected.root_cause_id, asked)
    if first is None:
        return ()
    return (first, *(item for item in asked if item.phenomenon_id != first.phenomenon_id))


def _is_settled(suspected: AppliedSuggestion) -> bool:
    """Whether the suspected cause is unlikely by what is on record: its check is not worth a walk."""
    leader, own = suspected.matter.leader, suspected.confidence
    other = leader.confidence >= _LEADS and leader.root_cause_id != suspected.root_cause_id
    return own < _FAINT and (other or own < suspected.matter.prior * _FALLEN)


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
        explained = await engine.explain(turn.known(), cause, phenomenon_id=link.phenomenon_id)
        if explained.question is not None and explained.question.information_gain_bits >= worth:
            return explained.question
    return None


def _says(turn: Turn, link: Relation) -> float:
    """The weight of a confirmation for the cause times its likelihood under the cause."""
    found = turn.catalog.phenomena.get(link.phenomenon_id)
    base_rate = max(found.base_rate if found else 0.0, _RAREST)
    return link.likelihood * math.log2(link.likelihood / base_rate)
