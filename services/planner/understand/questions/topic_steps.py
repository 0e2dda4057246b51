"""The step that a topic is, and which questions want relief whatever else they were taken for."""

from __future__ import annotations

from services.planner.model import (
    Group,
    LookStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SmalltalkKind,
    SmalltalkStep,
    TurnPlan,
)
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.question_contents import asks_for_nothing, thing_asked


def step_of(wanted: str, words: str) -> QuestionStep | SmalltalkStep | LookStep:
    """The step of a topic."""
    match wanted:
        case "look":
            return LookStep(False, words.strip())
        case "beyond":
            return SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE)
        case "next":
            return QuestionStep(QuestionKind.PROGRESS, text=words)
        case "reasons":
            return QuestionStep(QuestionKind.REASONING, Reference(group=Group.JUST_MENTIONED), words)
        case "assistant":
            return QuestionStep(QuestionKind.HELP, text="/help")
        case "statement":
            return QuestionStep(QuestionKind.HELP, Reference(words=thing_asked(words)), words)
    return QuestionStep(QuestionKind.HELP, text=words, topic=QuestionTopic(wanted))


def cry_for_help(step: PlanStep, plan: TurnPlan) -> PlanStep:
    """A bare "help" beside a fault that is told wants relief, and "what is wrong?" what is known: not how to use this."""
    told = any(isinstance(each, ObservationStep) for each in plan.steps)
    if not told or not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP:
        return step
    bare = step.topic is None and step.subject is None
    return step_of("next" if asks_for_nothing(step) else "relief", step.text) if bare else step


def asks_what_to_do(step: QuestionStep) -> bool:
    """Whether a question was taken for how to look at what it tells, and asks what to do."""
    subject = step.subject if step.kind is QuestionKind.HELP and step.topic is None else None
    wants = wants_in(read_actions(step.text))
    numbered = subject is not None and subject.words is None and any(map(str.isdigit, step.text))
    return subject is not None and ("cure" in wants or ("remedy" in wants and not numbered))
