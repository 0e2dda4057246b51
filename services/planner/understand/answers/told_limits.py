"""What a person says they cannot reach, as the plan keeps it: it is no evidence, and nothing to ask back about."""

from __future__ import annotations

from dataclasses import replace

from lang.judging.out_of_reach import reachable_in
from services.planner.model import ClarifyStep, Limit, ObservationStep, PlanStep, Reach, SuggestionStep, TurnPlan


def with_limits(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan with the limits that a message tells or takes back, and without guesses at their words."""
    found = [each for each in reachable_in(said) if not said.startswith("/")]
    if not found:
        return plan
    limits = tuple(
        Limit(Reach[each.thing.upper()] if each.thing else None, each.name, each.words, lifted=each.within)
        for each in found
    )
    spoken = [_plain(each.words) for each in found]
    steps = tuple(step for step in plan.steps if not _guesses_at(step, spoken))
    return replace(plan, steps=steps, limits=limits)


def _guesses_at(step: PlanStep, spoken: list[str]) -> bool:
    """Whether a step makes something else of words that only tell what is out of reach."""
    match step:
        case ObservationStep(text=words) | SuggestionStep(text=words) | ClarifyStep(words=words):
            return bool(words) and any(_plain(words) in each for each in spoken)
    return False


def _plain(words: str) -> str:
    return "".join(words.lower().replace("’", "'").split()).strip("?？!！.。,，")
