"""More than one trouble at once: what the leading cause leaves unexplained is judged by itself."""

from __future__ import annotations

from gateway.language import Verdict
from gateway.looking.model import Belief, Case, Mind
from gateway.looking.state import State

# A phenomenon that speaks so much for a kind of trouble wants a cause of its own where the leader does not explain it.
_WEIGHTY = 2.0
_MOST = 2
# Less belief than this, given that there is another trouble, is no finding.
_LEAST = 0.3


async def others(case: Case, state: State, mind: Mind) -> tuple[Belief, ...]:
    """The causes of what was seen that the leader does not explain, each believed in as if it were the only one left.

    At most two; none where the leader explains all that speaks for a kind of trouble.
    """
    if not state.judgement.beliefs:
        return ()
    named = [state.judgement.beliefs[0]]
    explained = set(named[0].supporting)
    while len(named) <= _MOST and (left := _weighty(case, state) - explained):
        judgement = await mind.judge(_without(state, explained), frozenset())
        best = next((belief for belief in judgement.beliefs if left & set(belief.supporting)), None)
        if best is None or best.confidence < _LEAST or best.root_cause_id in {belief.root_cause_id for belief in named}:
            break
        named.append(best)
        explained |= set(best.supporting)
    return tuple(named[1:])


def _weighty(case: Case, state: State) -> set[str]:
    return {
        name for route in case.routes for name, weight in route.speaks_for.items() if weight >= _WEIGHTY
    } & state.confirmed


def _without(state: State, explained: set[str]) -> dict[str, Verdict]:
    """What was seen but for what is explained; what is not there stays."""
    return {
        item.finding.phenomenon_id: item.finding.verdict
        for item in state.shown
        if item.finding.verdict is not Verdict.CONFIRMED or item.finding.phenomenon_id not in explained
    }
