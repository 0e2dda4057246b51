"""The loop: baseline, sweep, classification, then rounds of plan, collect and judge until a stopping rule applies.

Every step goes to `note` before the next starts, so that an investigation resumes if its process is killed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace

from gateway.investigation.model import Batch, Case, Eyes, Looked, Mind, Stop, Verdicts, as_document
from gateway.investigation.model_proposals import Proposer, checked, followed
from gateway.investigation.other_causes import beside_the_others, others
from gateway.investigation.planning import batches, missing, plan, unswept
from gateway.investigation.state import State, after, at_start, could_look
from gateway.investigation.stopping import stop_reason, verdict

Note = Callable[[Mapping[str, object]], None]
_TOLD = 5
# Checks of the sweep in one call: they wait for their second reads together.
_TOGETHER = 12


def began(case: Case) -> Mapping[str, object]:
    """The first step of every trace."""
    return {"event": "began", "case": as_document(case)}


async def diagnose(
    case: Case, eyes: Eyes, mind: Mind, note: Note, proposer: Proposer | None = None
) -> tuple[State, Stop]:
    """Runs to the end; returns the final state and the reason for stopping. proposer: plans the rounds, if given."""
    note(began(case))
    state = await _round(case, await at_start(case, mind), eyes, mind, note, (Batch("", case.baseline),), False)
    while (stop := stop_reason(case, state)) is None:
        if left := unswept(case, state):
            state = await _round(case, state, eyes, mind, note, (Batch("", left[:_TOGETHER]),), False)
            continue
        room = min(case.budget.max_checks_per_round, case.budget.max_total_checks - state.spent)
        chosen = plan(case, state, room)
        if proposer is not None and chosen.planned:
            proposal = checked(case, state, chosen, await proposer.propose(case, state, chosen, room))
            note({"event": "proposed", "round": state.rounds + 1, "proposal": asdict(proposal)})
            if proposal.stop and not proposal.fallback:
                stop = Stop.PLANNER
                break
            chosen = followed(chosen, proposal, room)
        note({"event": "planned", "round": state.rounds + 1, "plan": asdict(chosen)})
        if not chosen.planned:
            stop = Stop.EXHAUSTED
            break
        leader = state.leader
        state = await _round(case, state, eyes, mind, note, batches(case, state, chosen.planned), True)
        if any(step.purpose == "counter_check" for step in chosen.planned):
            state = replace(state, countered=(*state.countered, leader))
    if verdict(case, state) in (Verdicts.FOUND, Verdicts.SUSPECTED):
        state = replace(state, also=await others(case, state, mind))
    if verdict(case, state) is Verdicts.SUSPECTED:
        state = await beside_the_others(case, state, mind)
    note({"event": "stopped", "reason": stop.value, "verdict": verdict(case, state).value})
    return state, stop


async def gather(case: Case, eyes: Eyes, mind: Mind, note: Note) -> State:
    """Collects evidence only: the baseline and the sweep, then the minimum of the leading route."""
    note(began(case))
    state = await _round(case, await at_start(case, mind), eyes, mind, note, (Batch("", case.baseline),), False)
    while could_look(state) and state.seconds < case.budget.time_budget_seconds:
        left = unswept(case, state) or missing(case, state)
        if not left:
            break
        state = await _round(case, state, eyes, mind, note, (Batch("", left[:_TOGETHER]),), False)
    return state


async def _round(
    case: Case, state: State, eyes: Eyes, mind: Mind, note: Note, calls: tuple[Batch, ...], planned: bool
) -> State:
    looks: list[Looked] = []
    seconds = state.seconds
    for batch in calls:
        collected = await eyes.collect(batch)
        looks += collected.looks
        seconds = collected.seconds
        note(
            {
                "event": "collected",
                "round": state.rounds + planned,
                "batch": asdict(batch),
                "collected": as_document(collected),
            }
        )
    known = await after(case, mind, state, tuple(looks), seconds, planned)
    note(_judged(known))
    return known


def _judged(state: State) -> dict[str, object]:
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
