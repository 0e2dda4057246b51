"""The loop: baseline, sweep, classification, then rounds of plan, collect and judge until a stopping rule applies.

Every step goes to `note` before the next starts, so that an investigation resumes if its process is killed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial

from dbdiag.vocabulary import Verdict

from gateway.investigation.model import Batch, Belief, Case, CheckRun, Collector, Reasoner, Stop, Verdicts, as_document
from gateway.investigation.model_proposals import Proposer, apply_proposal, check_proposal
from gateway.investigation.planning import find_stop, find_verdict, list_missing, list_unswept, make_batches, plan_round
from gateway.investigation.state import State, add_results, has_succeeded, start_state

Note = Callable[[Mapping[str, object]], None]
_TOLD = 5
# Checks of the sweep in one call: they wait for their second reads together.
_TOGETHER = 12
# A phenomenon that speaks so much for a kind of trouble wants a cause of its own where the leader does not explain it.
_WEIGHTY = 2.0
_MOST = 2
# Less belief than this, given that there is another trouble, is no finding.
_LEAST = 0.2


def make_first_step(case: Case) -> Mapping[str, object]:
    """The first step of every trace."""
    return {"event": "began", "case": as_document(case)}


async def diagnose(
    case: Case, collector: Collector, reasoner: Reasoner, note: Note, proposer: Proposer | None = None
) -> tuple[State, Stop]:
    """Runs to the end; returns the final state and the reason for stopping. proposer: plans the rounds, if given."""
    note(make_first_step(case))
    run = partial(_run_round, case, collector, reasoner, note)
    state = await run(await start_state(case, reasoner), (Batch("", case.baseline),))
    while (stop := find_stop(case, state)) is None:
        if left := list_unswept(case, state):
            state = await run(state, (Batch("", left[:_TOGETHER]),))
            continue
        room = min(case.budget.max_checks_per_round, case.budget.max_total_checks - state.spent)
        chosen = plan_round(case, state, room)
        if proposer is not None and chosen.planned:
            proposal = check_proposal(case, state, chosen, await proposer.propose(case, state, chosen, room))
            note({"event": "proposed", "round": state.rounds + 1, "proposal": asdict(proposal)})
            if proposal.stop and not proposal.fallback:
                stop = Stop.PLANNER
                break
            chosen = apply_proposal(chosen, proposal, room)
        note({"event": "planned", "round": state.rounds + 1, "plan": asdict(chosen)})
        if not chosen.planned:
            stop = Stop.EXHAUSTED
            break
        leader = state.leader
        state = await run(state, make_batches(case, state, chosen.planned), planned=True)
        if any(step.purpose == "counter_check" for step in chosen.planned):
            state = replace(state, countered=(*state.countered, leader))
    if find_verdict(case, state) in (Verdicts.FOUND, Verdicts.SUSPECTED):
        state = replace(state, also=await find_other_causes(case, state, reasoner))
    if find_verdict(case, state) is Verdicts.SUSPECTED:
        state = await judge_beside_others(case, state, reasoner)
    note({"event": "stopped", "reason": stop.value, "verdict": find_verdict(case, state).value})
    return state, stop


async def collect_evidence(case: Case, collector: Collector, reasoner: Reasoner, note: Note) -> State:
    """Collects evidence only: the baseline and the sweep, then the minimum of the leading route."""
    note(make_first_step(case))
    run = partial(_run_round, case, collector, reasoner, note)
    state = await run(await start_state(case, reasoner), (Batch("", case.baseline),))
    while has_succeeded(state) and state.seconds < case.budget.time_budget_seconds:
        left = list_unswept(case, state) or list_missing(case, state)
        if not left:
            break
        state = await run(state, (Batch("", left[:_TOGETHER]),))
    return state


async def _run_round(
    case: Case,
    collector: Collector,
    reasoner: Reasoner,
    note: Note,
    state: State,
    calls: tuple[Batch, ...],
    *,
    planned: bool = False,
) -> State:
    looks: list[CheckRun] = []
    seconds = state.seconds
    for batch in calls:
        collected = await collector.collect(batch)
        looks += collected.looks
        seconds = collected.seconds
        step = {"batch": asdict(batch), "collected": as_document(collected)}
        note({"event": "collected", "round": state.rounds + planned, **step})
    known = await add_results(case, reasoner, state, tuple(looks), seconds, planned)
    note(_describe_judgement(known))
    return known


def _describe_judgement(state: State) -> dict[str, object]:
    return {
        "event": "judged",
        "round": state.rounds,
        "standings": [asdict(item) for item in state.standings],
        "beliefs": [
            {"root_cause_id": item.root_cause_id, "confidence": item.confidence}
            for item in state.judgement.beliefs[:_TOLD]
        ],
        "other": state.judgement.other,
        "confirmed": sorted(state.confirmed),
    }


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
