"""The tool match_phenomena: the meaning of a plan's free words.

One call serves all words of a turn: observations and both sides of corrections. Suspicions are searched separately:
they are never evidence.
"""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import MatchPhenomenaRequest, Observation
from dbdiag.planner.v1.planner_types import CorrectionStep, ObservationStep, PlanStep, SuggestionStep
from dbdiag.vocabulary import Verdict

from gateway.contracts.clients import MatcherClient
from gateway.turn.apply_words import read_verdict
from gateway.turn.context import Exchange, ToolResult, Turn, Words

_MAX_OBSERVATIONS = 50


async def match_phenomena(turn: Turn, matcher: MatcherClient) -> ToolResult:
    """Interprets all free words of the plan. Raises the matcher's errors."""
    asked = [found for step in turn.plan.steps if (found := _read_words(step)) is not None][:_MAX_OBSERVATIONS]
    suspicions = []
    exchanges: list[Exchange] = []
    for step in turn.plan.steps:
        if isinstance(step, SuggestionStep):
            reply = await matcher.search(turn.session.snapshot_id, step.text, limit=5)
            exchanges.append(("search_phenomena", step.text, reply))
            suspicions.append((step.text, reply))
    if not asked:
        return ToolResult(suspicions=tuple(suspicions), exchanges=tuple(exchanges))
    request = _request(turn, tuple(observation for observation, _ in asked))
    matched = await matcher.match(request)
    exchanges.append(("match_phenomena", request, matched))
    words = tuple(
        Words(observation.text, meaning, step)
        for (observation, step), meaning in zip(asked, matched.interpretations, strict=True)
    )
    return ToolResult(words, tuple(suspicions), exchanges=tuple(exchanges), usage=matched.usage)


def _request(turn: Turn, observations: tuple[Observation, ...]) -> MatchPhenomenaRequest:
    session = turn.session
    options = session.clarification.options if session.clarification else ()
    return MatchPhenomenaRequest(
        snapshot_id=session.snapshot_id,
        observations=observations,
        pending_phenomenon_ids=tuple(item.phenomenon_id for item in session.pending),
        evidence_phenomenon_ids=tuple(entry.phenomenon_id for entry in session.active()),
        language=turn.language.value,
        option_phenomenon_ids=tuple(item.phenomenon_id for item in options),
    )


def _read_words(step: PlanStep) -> tuple[Observation, CorrectionStep | None] | None:
    """The words of a step; of a correction, the replacement, else the retracted words."""
    if isinstance(step, ObservationStep):
        return Observation(step.text, step.certainty), None
    if isinstance(step, CorrectionStep):
        words = step.words if step.words is not None else step.original.words
        return (Observation(words), step) if words is not None else None
    return None


async def suppositions(turn: Turn, matcher: MatcherClient, words: str) -> tuple[list[tuple[str, Verdict]], Exchange]:
    """The suppositions of a what-if question's words, and the exchange with the matcher."""
    request = MatchPhenomenaRequest(turn.session.snapshot_id, (Observation(words),))
    reply = await matcher.match(request)
    found = [item.match for item in reply.interpretations if item.match is not None]
    return [(match.phenomenon_id, read_verdict(match)) for match in found], ("match_phenomena", request, reply)
