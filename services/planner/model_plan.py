"""A model's help with understanding: it reads the parts that the rules could not place, and the rules stand elsewhere.

What comes back is checked in code (see `model_reading.py`). A reading that fails in any way leaves the rules' plan,
with the reason in the usage.
"""

from __future__ import annotations

import json
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
    TurnPlan,
)
from services.planner.model_reading import QUESTIONS, Reading, Unusable, steps_of
from services.planner.understand import smalltalk
from services.planner.understand.domain import has_letters
from services.planner.understand.references import open_list
from services.planner.understand.text import read

_PROMPT = Path(__file__).parent / "prompts" / "understand.md"
# A model reads a few unclear clauses of a message, not a page.
_MOST_PARTS, _LONGEST = 8, 2000


async def with_model(
    model: LanguageModel, message: str, view: SessionView, plan: TurnPlan, unsure: tuple[str, ...]
) -> tuple[TurnPlan, ModelUsage]:
    """The plan with what a model made of its unclear parts. `unsure`: words of the clauses the rules guessed at."""
    parts = unclear_parts(plan, unsure, message)
    if not parts:
        return plan, ModelUsage()
    usage, problem = Usage(), ""
    try:
        reading = await model.structured(_messages(message, parts, view), Reading, usage)
        plan = _merged(plan, parts, steps_of(reading, parts, message, view), view)
    except DbdiagError as error:
        problem = error.reason
    except Unusable as error:
        problem = str(error)
    return plan, ModelUsage(usage.calls, usage.prompt_tokens, usage.completion_tokens, problem)


def unclear_parts(plan: TurnPlan, unsure: tuple[str, ...], message: str) -> tuple[str, ...]:
    """What a model is asked about, in the message's order; nothing of one that gives orders or poses as a system."""
    normal = read(message).normal
    if len(message) > _LONGEST or smalltalk.posed(normal) or smalltalk.commands_assistant(normal):
        return ()
    vague = [step.words for step in plan.steps if isinstance(step, ClarifyStep) and step.kind is ClarifyKind.VAGUE]
    found = dict.fromkeys(part for part in (*unsure, *vague) if has_letters(read(part).normal) and part in message)
    return tuple(sorted(found, key=message.find))[:_MOST_PARTS]


def _merged(plan: TurnPlan, parts: tuple[str, ...], readings: dict[int, list[PlanStep]], view: SessionView) -> TurnPlan:
    """The rules' steps, those of the parts that the model placed replaced by the model's."""
    placed = [part for number, part in enumerate(parts, 1) if readings[number]]
    if not placed:
        return plan
    kept = [step for step in plan.steps if not _superseded(step, placed)]
    answered = _answered(kept, view)
    new = [step for steps in readings.values() for step in steps if not _repeats(step, kept, answered, view)]
    return TurnPlan(tuple(dict.fromkeys((*kept, *new))), plan.language, PlanSource.MODEL) if new else plan


def _superseded(step: PlanStep, placed: list[str]) -> bool:
    """Whether a model's reading takes a step's place; beside a reading nobody asks what the message was about."""
    match step:
        case ObservationStep(text=text) | QuestionStep(text=text):
            return bool(text) and any(text in part for part in placed)
        case ClarifyStep(kind=kind):
            return kind is ClarifyKind.VAGUE
        case SmalltalkStep(kind=talk):
            return talk is SmalltalkKind.OUT_OF_SCOPE
    return False


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
    return step in kept


@cache
def _system() -> str:
    return Template(_PROMPT.read_text(encoding="utf-8")).substitute(questions=", ".join(QUESTIONS))


def _messages(message: str, parts: tuple[str, ...], view: SessionView) -> list[Message]:
    asked = [
        {"ordinal": item.ordinal, "id": item.phenomenon_id, "name": item.name.say(view.language)}
        for item in open_list(view).items
    ]
    told = {
        "asked": asked,
        "message": message,
        "parts": [{"part": number, "words": part} for number, part in enumerate(parts, 1)],
    }
    return [
        {"role": "system", "content": _system()},
        {"role": "user", "content": json.dumps(told, ensure_ascii=False, indent=1)},
    ]
