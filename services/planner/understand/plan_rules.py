"""What holds of a plan as a whole: talk gives way to content, one clarification, a step for a message of nothing."""

from __future__ import annotations

from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    PlanStep,
    SmalltalkKind,
    SmalltalkStep,
)
from services.planner.understand.text import smalltalk
from services.planner.understand.text.messages import Message, read

_QUOTED_LENGTH = 200


def step_for_nothing(message: Message, original: str) -> PlanStep:
    """The step of a message that no piece of says anything."""
    if message.normal.strip() != read(original).normal.strip():
        return SmalltalkStep(SmalltalkKind.ORDERS)
    return ClarifyStep(ClarifyKind.VAGUE, original.strip()[:_QUOTED_LENGTH])


def without_posing(message: Message) -> Message:
    """The message without text that poses as the system or the assistant: blanks stand in its place."""
    text = message.normal
    for start, end in smalltalk.posed(text):
        text = text[:start] + "." + " " * (end - start - 1) + text[end:]
    return Message(message.original, text, message.origins)


def tidied(steps: tuple[PlanStep, ...]) -> tuple[PlanStep, ...]:
    """The steps without talk and vagueness beside something that says more, at most one clarification."""
    answered = any(isinstance(step, FeedbackStep) for step in steps)
    says_more = any(not isinstance(step, SmalltalkStep | ClarifyStep) for step in steps)
    kept: list[PlanStep] = []
    for step in dict.fromkeys(steps):
        dropped = (
            (isinstance(step, ClarifyStep) and _is_settled(step, kept, answered, says_more))
            or (isinstance(step, SmalltalkStep) and (says_more or _has(kept, SmalltalkStep) or _is_beside(step, steps)))
            or (isinstance(step, CorrectionStep) and bool(step.retract) and _has(kept, CorrectionStep))
        )
        if not dropped:
            kept.append(step)
    return tuple(kept)


def _is_beside(step: SmalltalkStep, steps: tuple[PlanStep, ...]) -> bool:
    """Whether talk about nothing stands beside a complaint that is asked back."""
    beside = (SmalltalkKind.OUT_OF_SCOPE, SmalltalkKind.ORDERS)
    return step.kind in beside and any(isinstance(other, ClarifyStep) for other in steps)


def _has(steps: list[PlanStep], kind: type[PlanStep]) -> bool:
    return any(isinstance(step, kind) for step in steps)


def _is_settled(step: ClarifyStep, kept: list[PlanStep], answered: bool, says_more: bool) -> bool:
    """Whether there is no need to ask back: another step says what was unclear, or something is asked already."""
    if step.kind is ClarifyKind.VAGUE:
        return says_more or _has(kept, ClarifyStep)
    bare = step.kind is ClarifyKind.AMBIGUOUS_FEEDBACK and len(step.references) > 1
    return bare and answered
