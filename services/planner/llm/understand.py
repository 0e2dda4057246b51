"""Understanding with a model: it reads only the parts that the rules could not classify.

`readings.py` validates its answer. An invalid or failed reading leaves the rules' plan; `usage` has the reason.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from string import Template

from services.chassis.errors import DbdiagError
from services.chassis.llm import LanguageModel, Message, Usage
from services.planner.llm.readings import QUESTIONS, Reading, Unusable, steps_of
from services.planner.llm.unread_parts import Part, find_unclear_parts, part_of
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    ModelUsage,
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
from services.planner.understand.items.references import open_list

_PROMPT = Path(__file__).parents[1] / "prompts" / "understand.md"
_KIND_OF = {
    ObservationStep: "observation",
    QuestionStep: "question",
    SuggestionStep: "suspicion",
    FeedbackStep: "answer",
    SmalltalkStep: "talk",
    ClarifyStep: "clarify",
}


async def refine_plan(
    model: LanguageModel, message: str, view: SessionView, plan: TurnPlan, unsure: tuple[str, ...]
) -> tuple[TurnPlan, ModelUsage]:
    """The plan refined by a model's reading of its unclear parts. `unsure`: clauses that the rules guessed."""
    parts = select_parts(plan, unsure, message, view)
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


def select_parts(plan: TurnPlan, unsure: tuple[str, ...], message: str, view: SessionView) -> tuple[Part, ...]:
    """The unclear parts that a model may reclassify, each with the kinds it may choose."""
    found = []
    for words in find_unclear_parts(plan, unsure, message):
        part, ruled = part_of(words, view), _find_kind(words, plan)
        may = [kind for kind in part.may if ruled not in ("", kind)]
        if ruled in ("clarify", "talk"):
            # A clarification or small talk does little harm, so only the likeliest kind may replace it; a part too
            # vague for the rules never becomes an observation.
            may = [kind for kind in may if kind == part.likeliest and (ruled, kind) != ("clarify", "observation")]
        if may:
            found.append(replace(part, may=tuple(may)))
    return tuple(found)


def _find_kind(words: str, plan: TurnPlan) -> str:
    """The kind that the rules gave a part.

    Empty if they dropped it next to a more specific step; it then stays dropped.
    """
    kinds = [_KIND_OF.get(type(step), "other") for step in plan.steps if _is_said_in(step, words)]
    if kinds:
        return kinds[0] if len(kinds) == 1 else ""
    if not all(isinstance(step, ClarifyStep | SmalltalkStep) for step in plan.steps):
        return ""
    return "clarify" if any(isinstance(step, ClarifyStep) for step in plan.steps) else "talk"


def _is_said_in(step: PlanStep, words: str) -> bool:
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
    """The rules' steps, with those of reclassified parts replaced by the model's."""
    placed = [part.words for number, part in enumerate(parts, 1) if readings[number]]
    found = [step for steps in readings.values() for step in steps]
    talk_only = all(isinstance(step, SmalltalkStep) for step in found)
    kept = [step for step in plan.steps if not _is_superseded(step, placed, talk_only)]
    answered = _list_answered(kept, view)
    new = [step for step in found if not _repeats(step, kept, answered, view)]
    if not new:
        return plan
    steps = _in_order(kept, new, message)
    says = [step for step in steps if not isinstance(step, SmalltalkStep)]
    return TurnPlan(tuple(dict.fromkeys(says or steps)), plan.language, PlanSource.MODEL)


def _is_superseded(step: PlanStep, placed: list[str], talk_only: bool) -> bool:
    """True if the model's reading replaces a step. A vague clarification is dropped once any part is understood."""
    match step:
        case ObservationStep(text=text) | QuestionStep(text=text):
            return bool(text) and any(text in part for part in placed)
        case ClarifyStep(kind=kind):
            return kind is ClarifyKind.VAGUE and not talk_only
        case SmalltalkStep(kind=talk):
            return talk is SmalltalkKind.OUT_OF_SCOPE
    return False


def _in_order(kept: list[PlanStep], new: list[PlanStep], message: str) -> list[PlanStep]:
    """Inserts each new step before the first kept step that occurs later in the message."""
    steps = list(kept)
    for step in new:
        at = message.find(_words_of(step))
        later = [index for index, other in enumerate(steps) if message.find(_words_of(other) or message) > at]
        steps.insert(later[0] if later else len(steps), step)
    return steps


def _list_answered(steps: list[PlanStep], view: SessionView) -> set[str] | None:
    """The items that the rules recorded an answer for; None if all of them."""
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
    """True if the rules already decided the matter of a step: their decision stands."""
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
    return [{"role": "system", "content": _system()}, {"role": "user", "content": json.dumps(told, ensure_ascii=False)}]
