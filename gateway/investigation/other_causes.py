"""Several faults at once: evidence that the leading cause does not explain is judged separately."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.vocabulary import Verdict

from gateway.investigation.model import Belief, Case, Reasoner
from gateway.investigation.state import State

# A phenomenon that speaks so much for a kind of trouble wants a cause of its own where the leader does not explain it.
_WEIGHTY = 2.0
_MOST = 2
# Less belief than this, given that there is another trouble, is no finding.
_LEAST = 0.2


async def find_other_causes(case: Case, state: State, reasoner: Reasoner) -> tuple[Belief, ...]:
    """The causes of evidence that the leader does not explain, each judged as if it were the only one left.

    The unexplained evidence is judged as a whole, and category by category where the leader explains nothing of a
    category; unrelated faults would otherwise hide one another. At most two; none if the leader explains all evidence
    that supports a category.
    """
    if not state.judgement.beliefs:
        return ()
    leader = state.judgement.beliefs[0]
    explained = set(leader.supporting)
    parts = _group_unexplained(case, state, explained)
    found = [await _find_cause(state, reasoner, left, explained | (parts[0] - left)) for left in parts]
    named: list[Belief] = []
    for belief, left in sorted((item for item in found if item), key=lambda item: -item[0].confidence):
        known = {leader.root_cause_id, *(other.root_cause_id for other in named)}
        if belief.root_cause_id not in known and left & set(belief.supporting) - explained:
            named.append(belief)
            explained |= set(belief.supporting)
    return tuple(named[:_MOST])


def _group_unexplained(case: Case, state: State, explained: set[str]) -> list[set[str]]:
    """The groups to judge: all unexplained evidence, then that of each category of which nothing is explained."""
    kinds = [
        {name for name, weight in route.speaks_for.items() if weight >= _WEIGHTY} & state.confirmed
        for route in case.routes
    ]
    whole = set().union(*kinds) - explained
    return [whole, *(kind for kind in kinds if kind and not kind & explained)] if whole else []


async def judge_beside_others(case: Case, state: State, reasoner: Reasoner) -> State:
    """The state with the leader's belief computed without the evidence that only another certain cause explains.

    Two causes that are both present share the belief, so that neither seems certain. If another cause is certain and
    the leader would be without it, the leader counts as certain; otherwise nothing changes.
    """
    asked = case.budget.confidence_threshold
    sure = [other for other in state.also if other.confidence >= asked]
    if not sure:
        return state
    leader, *rest = state.judgement.beliefs
    theirs = set().union(*(other.supporting for other in sure)) - set(leader.supporting)
    judgement = await reasoner.judge(_select_evidence(state, theirs), frozenset())
    again = next((belief for belief in judgement.beliefs if belief.root_cause_id == leader.root_cause_id), leader)
    if again.confidence < asked:
        return state
    beliefs = (replace(leader, confidence=again.confidence), *rest)
    return replace(state, judgement=replace(state.judgement, beliefs=beliefs))


async def _find_cause(
    state: State, reasoner: Reasoner, left: set[str], apart: set[str]
) -> tuple[Belief, set[str]] | None:
    """The cause of the remaining evidence, without what is set apart; denials count as before."""
    judgement = await reasoner.judge(_select_evidence(state, apart), frozenset())
    best = next((belief for belief in judgement.beliefs if left & set(belief.supporting)), None)
    return (best, left) if best is not None and best.confidence >= _LEAST else None


def _select_evidence(state: State, apart: set[str]) -> dict[str, Verdict]:
    return {
        item.finding.phenomenon_id: item.finding.verdict
        for item in state.shown
        if item.finding.verdict is not Verdict.CONFIRMED or item.finding.phenomenon_id not in apart
    }
