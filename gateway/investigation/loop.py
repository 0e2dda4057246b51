"""The loop: baseline, sweep, classification, then rounds of plan, collect and judge until a stopping rule applies.

Every step goes to `note` before the next starts, so that an investigation resumes if its process is killed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial

from gateway.investigation.model import Batch, Case, CheckRun, Collector, Reasoner, Stop, Verdicts, as_document
from gateway.investigation.model_proposals import Proposer, apply_proposal, check_proposal
from gateway.investigation.other_causes import find_other_causes, judge_beside_others
from gateway.investigation.planning import list_missing, list_unswept, make_batches, plan_round
from gateway.investigation.state import State, add_results, has_succeeded, start_state
from gateway.investigation.stopping import find_stop, find_verdict

Note = Callable[[Mapping[str, object]], None]
_TOLD = 5
# Checks of the sweep in one call: they wait for their second reads together.
_TOGETHER = 12


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
