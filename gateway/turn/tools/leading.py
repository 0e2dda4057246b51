"""The causes in front: what speaks for them, and what the leading one is told with before it is concluded."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Hypothesis, Relation
from dbdiag.matcher.v1.matcher_types import Standing
from dbdiag.planner.v1.planner_types import Aftermath, Answer, ConclusionView, HelpAnswer, QuestionStep, QuestionTopic
from dbdiag.vocabulary import ReliefStep, Verdict

from gateway.contracts.clients import Services
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.tools.worth_asking import SURE

# What lowers the belief in a cause by less than half its odds is not told as speaking against it.
LOWERS_FROM_BITS = 1.0
# How many causes lead, and how often one has what speaks for it.
_LEADERS, _SPEAKS_FROM = 3, 0.3
# How many causes behind the leading one are looked at, and from which belief on.
_MOST_RIVALS, _RIVALS_FROM = 12, 0.005


def tell_sure_lead(turn: Turn, diagnosis: DiagnoseResponse) -> tuple[Answer, ...]:
    """The relief of the cause that leads surely, where it just came to and nothing is asked or done yet."""
    session = turn.session
    asks = any(isinstance(step, QuestionStep) for step in turn.plan.steps)
    if diagnosis.conclusion or asks or session.treatments or session.aftermath is Aftermath.WELL:
        return ()
    leader = diagnosis.hypotheses[0]
    before = {each.root_cause_id: each.confidence for each in session.beliefs()}
    leading = as_concluded(turn, leader) if before.get(leader.root_cause_id, 0.0) < SURE else None
    if leading is None or not leading.solution:
        return ()
    return (HelpAnswer((), None, "", QuestionTopic.RELIEF, relief=leading.relief, leading=leading),)


def clearly_against(hypothesis: Hypothesis | None) -> frozenset[str]:
    """The phenomena whose answers lower the belief in a cause so much that it is worth a word."""
    weighed = hypothesis.contributions if hypothesis is not None else ()
    return frozenset(item.phenomenon_id for item in weighed if item.bits <= -LOWERS_FROM_BITS)


def as_concluded(turn: Turn, leader: Hypothesis) -> ConclusionView | None:
    """A cause as it would be concluded: what speaks for it and against it, and its remedy."""
    cause = turn.catalog.root_causes.get(leader.root_cause_id)
    if cause is None:
        return None
    weighed = [item for item in leader.contributions if item.verdict is not Verdict.UNKNOWN]
    against = clearly_against(leader)
    speaking = [item for item in weighed if item.bits > 0]
    seen = [item for item in speaking if item.verdict is Verdict.CONFIRMED] or speaking  # What is absent says little.
    return ConclusionView(
        leader.root_cause_id,
        leader.name,
        leader.confidence,
        mechanism=cause.mechanism,
        plain=cause.plain,
        supporting=turn.evidence_names([item.phenomenon_id for item in seen], lacks=False),
        conflicting=turn.evidence_names([each.phenomenon_id for each in weighed if each.phenomenon_id in against]),
        relief=cause.relief,
        solution=cause.solution,
        verify=cause.verify,
    )


async def find_bearing(turn: Turn, services: Services, causes: Iterable[str]) -> dict[str, Relation]:
    """The phenomena that speak for one of the first causes, each with the cause that it speaks for first."""
    found: dict[str, Relation] = {}
    for cause in list(causes)[:_LEADERS]:
        for link in await services.engine.relations(turn.session.snapshot_id, root_cause_id=cause):
            if link.likelihood >= _SPEAKS_FROM:
                found.setdefault(link.phenomenon_id, replace(link, root_cause_id=cause))
    return found


async def with_bearing(turn: Turn, services: Services, result: ToolResult) -> ToolResult:
    """The reading of a message with what speaks for the causes in front, where something in it is not sure."""
    readings = [*result.readings, *(reading for words in result.words for reading in words.meaning.readings)]
    if all(reading.standing is Standing.COUNTS for reading in readings):
        return result
    leading = (belief.root_cause_id for belief in turn.session.beliefs())
    return replace(result, bearing=frozenset(await find_bearing(turn, services, leading)))


def relieve_by_leader(turn: Turn, diagnosis: DiagnoseResponse) -> tuple[ReliefStep, ...]:
    """What stops the bleeding by the leading cause."""
    leader = next(iter(diagnosis.hypotheses), None)
    cause = turn.catalog.root_causes.get(leader.root_cause_id) if leader else None
    return cause.relief if cause else ()


def describe_leader(turn: Turn, diagnosis: DiagnoseResponse) -> ConclusionView | None:
    """The leading cause as it would be concluded: what speaks for it and against it, and its remedy."""
    leader = next(iter(diagnosis.hypotheses), None)
    return as_concluded(turn, leader) if leader is not None else None


def describe_named(turn: Turn, told: DiagnoseResponse, root_cause_id: str) -> ConclusionView | None:
    """A cause that a question names, as it would be concluded, however likely it is."""
    believed = next((each for each in told.hypotheses if each.root_cause_id == root_cause_id), None)
    named = Hypothesis(root_cause_id=root_cause_id, name=turn.catalog.root_cause_name(root_cause_id))
    return as_concluded(turn, believed or named)


def describe_rivals(turn: Turn, diagnosis: DiagnoseResponse) -> tuple[ConclusionView, ...]:
    """The causes behind the leading one: what was done may be the remedy of one of them."""
    behind = (item for item in diagnosis.hypotheses[1:] if item.confidence >= _RIVALS_FROM)
    return tuple(view for item in islice(behind, _MOST_RIVALS) if (view := as_concluded(turn, item)) is not None)
