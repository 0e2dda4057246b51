"""Drops corrections that nobody marked as such: taking back what was said needs words that say so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from lang import deferred_re as re
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    ObservationStep,
    PlanStep,
    SuggestionStep,
    TurnPlan,
)
from services.planner.understand.text.messages import read

# What the assistant did not say takes nothing back: "u didnt say which pid".
_OF_THE_ASSISTANT = re.compile(
    r"\b(?:you|u|ya)\s+(?:didn'?t|did not|never|don'?t)\s+(?:even )?sa(?:y|id)\b|你(?:也|又|都|还)?(?:没说|没有说)"
)
_MARKS = Path(__file__).parent / "corrections.yaml"


def keep_marked_corrections(plan: TurnPlan, said: str) -> TurnPlan:
    """The plan without corrections that the message does not mark, or refuses ("don't take that back").

    A correction that puts nothing in the place of what it takes back needs a word that takes back.
    """
    text = _OF_THE_ASSISTANT.sub(" ", read(said).normal)
    if has_words("disagreeing", text):
        return replace(plan, steps=tuple(_as_guess(step, said) for step in plan.steps))
    if not any(isinstance(step, CorrectionStep) for step in plan.steps):
        return plan
    refused, retracts = has_words("refusing", text), has_words("retracting", text)
    replaces = retracts or has_words("replacing", text)

    def holds(step: PlanStep) -> bool:
        if not isinstance(step, CorrectionStep):
            return True
        return step.retract is False or (not refused and (retracts if step.retract else replaces))

    return replace(plan, steps=tuple(step for step in plan.steps if holds(step)))


def _as_guess(step: PlanStep, said: str) -> PlanStep:
    """What corrects the assistant is what the person thinks, not something seen."""
    _, _, rest = said.replace("，", ",").partition(",")
    match step:
        case CorrectionStep(words=str(words)) if words:
            return SuggestionStep(words)
        case ObservationStep(text=text):
            return SuggestionStep(text)
        case ClarifyStep(kind=ClarifyKind.VAGUE) if rest.strip():
            return SuggestionStep(rest.strip())
    return step


def has_words(marks: str, text: str) -> bool:
    """True if a normalised text has one of the words of a list."""
    return any(mark in text for mark in _marks()[marks])


@cache
def _marks() -> dict[str, tuple[str, ...]]:
    loaded = yaml.load(_MARKS.read_text("utf-8"), yaml.CSafeLoader)
    return {name: tuple(map(str, words)) for name, words in loaded.items()}
