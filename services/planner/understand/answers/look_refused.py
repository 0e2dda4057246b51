"""That the look which the last answer showed cannot be run: no check is answered by that, and the next one is shown."""

from __future__ import annotations

from dataclasses import replace

from lang.modality import is_out_of_reach
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    TurnPlan,
    Verdict,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.understand.items.item_names import named
from services.planner.understand.items.references import Asked
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import polarity_of

_UNCLEAR = (ClarifyKind.AMBIGUOUS_FEEDBACK, ClarifyKind.VAGUE)
# What "not allowed for my user" is taken for where a step or a check was shown.
_MISTAKEN = (QuestionTopic.RIGHTS, QuestionTopic.ALTERNATIVE)


def with_look_refused(plan: TurnPlan, view: SessionView) -> TurnPlan:
    """The plan with the next check in place of "can't tell" for the checks, where that is said of the look."""
    if not view.look_shown or view.options:
        return plan
    tried = {each.words for each in plan.treatments}  # "Killed 4711, permission denied" is said of a deed.
    refused = {step: words for step in plan.steps if (words := _refused(step, view)) and words not in tried}
    if not refused:
        return plan
    left = (step for step in plan.steps if step not in refused)
    without = (
        SmalltalkStep(SmalltalkKind.NOT_LOOKED),
        QuestionStep(QuestionKind.PROGRESS, text=next(iter(refused.values()))),
    )
    return replace(plan, steps=(*left, *without))


def _refused(step: PlanStep, view: SessionView) -> str:
    """The words of a step that say of no check that it cannot be run; empty for any other step."""
    match step:
        case FeedbackStep(reference=reference, verdict=Verdict.UNKNOWN, words=words):
            first = {each.phenomenon_id for each in view.pending[:1]}
            return (
                words
                if (reference.group is Group.ALL or reference.id in first) and not _names_check(words, view)
                else ""
            )
        case ClarifyStep(kind=kind, words=words) if kind in _UNCLEAR:
            says_so = polarity_of(read(words).normal) is Verdict.UNKNOWN or is_out_of_reach(words)
            return words if says_so and not _names_check(words, view) else ""
        case QuestionStep(topic=topic, text=words) if topic in _MISTAKEN:
            return "" if is_question(words) or _has_id(words, view) else words
    return ""


def _has_id(words: str, view: SessionView) -> bool:
    return any(item.phenomenon_id.lower() in words.lower() for item in view.pending)


def _names_check(words: str, view: SessionView) -> bool:
    return _has_id(words, view) or named(read(words).normal, Asked(ItemList.PENDING, view.pending)) is not None
