"""The leading cause before it is concluded: what it would be told with, and its relief once it is all but sure."""

from __future__ import annotations

from dbdiag.engine.v1.engine_types import DiagnoseResponse, Hypothesis
from dbdiag.planner.v1.planner_types import Aftermath, Answer, ConclusionView, HelpAnswer, QuestionStep, QuestionTopic
from dbdiag.vocabulary import Verdict

from gateway.turn.context import Turn
from gateway.turn.tools.worth_asking import SURE

# What lowers the belief in a cause by less than half its odds is not told as speaking against it.
LOWERS_FROM_BITS = 1.0


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
