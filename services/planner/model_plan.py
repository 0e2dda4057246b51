"""A model's help with understanding: it reads the parts that the rules could not place, and the rules stand elsewhere.

What comes back is checked in code (see `model_reading.py`). A reading that fails in any way leaves the rules' plan,
with the reason in the usage.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template

from services.chassis.errors import DbdiagError
from services.chassis.llm import LanguageModel, Message, Usage
from services.planner.decision import ModelUsage
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanSource,
    PlanStep,
    QuestionStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    SuggestionStep,
    TurnPlan,
)
from services.planner.model_parts import Part, part_of, unclear_parts
from services.planner.model_reading import QUESTIONS, Reading, Unusable, steps_of
from services.planner.understand.references import open_list

_PROMPT = Path(__file__).parent / "prompts" / "understand.md"
_KIND_OF = {
    ObservationStep: "observation",
    QuestionStep: "question",
    SuggestionStep: "suspicion",
    FeedbackStep: "answer",
    SmalltalkStep: "talk",
    ClarifyStep: "clarify",
}


async def with_model(
    model: LanguageModel, message: str, view: SessionView, plan: TurnPlan, unsure: tuple[str, ...]
) -> tuple[TurnPlan, ModelUsage]:
    """The plan with what a model made of its unclear parts. `unsure`: words of the clauses the rules guessed at."""
    parts = asked_parts(plan, unsure, message, view)
    if not parts:
        return plan, ModelUsage()
    usage, problem = Usage(), ""
    try:
        reading = await model.structured(_messages(message, parts, view), Reading, usage)
        plan = _merged(plan, parts, steps_of(reading, parts, message, view), message, view)
    except DbdiagError as error:
        problem = error.reason
    except Unusable as error:
        problem = str(error)
    return plan, ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem)


def asked_parts(plan: TurnPlan, unsure: tuple[str, ...], message: str, view: SessionView) -> tuple[Part, ...]:
    """The unclear parts of which a model may make something else than the rules did, with what it may make of each."""
    found = []
    for words in unclear_parts(plan, unsure, message):
        part, ruled = part_of(words, view), _ruled(words, plan)
        may = [kind for kind in part.may if ruled not in ("", kind)]
        if ruled in ("clarify", "talk"):
            # Asking back and passing over are never far wrong: only the likeliest reading takes their place, and what
            # was too vague is no fact.
            may = [kind for kind in may if kind == part.likeliest and (ruled, kind) != ("clarify", "observation")]
        if may:
            found.append(replace(part, may=tuple(may)))
    return tuple(found)


def _ruled(words: str, plan: TurnPlan) -> str:
    """The kind of what the rules made of a part.

    Empty where they left it out beside something that says more: it stays out.
    """
    kinds = [_KIND_OF.get(type(step), "other") for step in plan.steps if _said_in(step, words)]
    if kinds:
        return kinds[0] if len(kinds) == 1 else ""
    if not all(isinstance(step, ClarifyStep | SmalltalkStep) for step in plan.steps):
        return ""
    return "clarify" if any(isinstance(step, ClarifyStep) for step in plan.steps) else "talk"


def _said_in(step: PlanStep, words: str) -> bool:
    text = _words_of(step)
    return bool(text) and (text in words or words in text)


def _words_of(step: PlanStep) -> str:
    match step:
        case ObservationStep(text=text) | QuestionStep(text=text) | SuggestionStep(text=text):
            return text
        case FeedbackStep(words=words) | ClarifyStep(words=words):
            return words
    return ""


def _merged(
    plan: TurnPlan, parts: tuple[Part, ...], readings: dict[int, list[PlanStep]], message: str, view: SessionView
) -> TurnPlan:
    """The rules' steps, those of the parts that the model placed replaced by the model's."""
    placed = [part.words for number, part in enumerate(parts, 1) if readings[number]]
    found = [step for steps in readings.values() for step in steps]
    talk_only = all(isinstance(step, SmalltalkStep) for step in found)
    kept = [step for step in plan.steps if not _superseded(step, placed, talk_only)]
    answered = _answered(kept, view)
    new = [step for step in found if not _repeats(step, kept, answered, view)]
    if not new:
        return plan
    steps = _in_order(kept, new, message)
    says = [step for step in steps if not isinstance(step, SmalltalkStep)]
    return TurnPlan(tuple(dict.fromkeys(says or steps)), plan.language, PlanSource.MODEL)


def _superseded(step: PlanStep, placed: list[str], talk_only: bool) -> bool:
    """Whether a model's reading takes a step's place; beside a reading nobody asks what the message was about."""
    match step:
        case ObservationStep(text=text) | QuestionStep(text=text):
            return bool(text) and any(text in part for part in placed)
        case ClarifyStep(kind=kind):
            return kind is ClarifyKind.VAGUE and not talk_only
        case SmalltalkStep(kind=talk):
            return talk is SmalltalkKind.OUT_OF_SCOPE
    return False


def _in_order(kept: list[PlanStep], new: list[PlanStep], message: str) -> list[PlanStep]:
    """The steps with each new one before the first kept one that the person said later."""
    steps = list(kept)
    for step in new:
        at = message.find(_words_of(step))
        later = [index for index, other in enumerate(steps) if message.find(_words_of(other) or message) > at]
        steps.insert(later[0] if later else len(steps), step)
    return steps


def _answered(steps: list[PlanStep], view: SessionView) -> set[str] | None:
    """The items that the rules recorded an answer to; None: all of them."""
    found: set[str] = set()
    for step in steps:
        if isinstance(step, FeedbackStep):
            reference = step.reference
            item = open_list(view).find(reference.ordinal or 0)
            if reference.group is not None:
                return None
            found.add(reference.id or (item.phenomenon_id if item else ""))
    return found


def _repeats(step: PlanStep, kept: list[PlanStep], answered: set[str] | None, view: SessionView) -> bool:
    """Whether the rules have said it already, or otherwise: where they are certain they stand."""
    if isinstance(step, FeedbackStep):
        item = open_list(view).find(step.reference.ordinal or 0)
        return answered is None or item is None or item.phenomenon_id in answered
    if isinstance(step, QuestionStep):
        return any(isinstance(other, QuestionStep) and other.kind is step.kind for other in kept)
    if isinstance(step, ObservationStep | SuggestionStep):
        return any(type(other) is type(step) and step.text in _words_of(other) for other in kept)
    return step in kept


@cache
def _system() -> str:
    return Template(_PROMPT.read_text(encoding="utf-8")).substitute(questions=", ".join(QUESTIONS))


def _messages(message: str, parts: tuple[Part, ...], view: SessionView) -> list[Message]:
    asked = [{"ordinal": item.ordinal, "name": item.name.say(view.language)} for item in open_list(view).items]
    told = {
        "asked": asked if any("answer" in part.may for part in parts) else [],
        "message": message,
        "parts": [
            {"part": number, "words": part.words, "may": [*part.may, "unclear"]} for number, part in enumerate(parts, 1)
        ],
    }
    return [
        {"role": "system", "content": _system()},
        {"role": "user", "content": json.dumps(told, ensure_ascii=False)},
    ]
