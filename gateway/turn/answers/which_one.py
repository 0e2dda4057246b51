"""Messages that only say which of the things that were shown they mean: that asks for it, and answers nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.planner.v1.planner_types import (
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    Speaker,
    SuggestionStep,
)

from gateway.turn.context import Turn
from lang.cues import telling_keys
from lang.judging.pointing import asks_to_look, pointed_at, pointed_at_in

# What was shown so many replies ago is still in sight.
_RECENT = 3
# What a question for the command of a check may be taken for.
_OF_COMMANDS = (None, QuestionTopic.COMMAND)


def hear_which_one(turn: Turn) -> None:
    """Puts the question how to look at what is pointed at in the place of answers by the same words."""
    asked = turn.session.clarification
    if asked is not None and len(asked.options) > 1:
        return
    pointing = pointed_at(turn.message)
    found = _shown(turn, " ".join(name for _, name in pointing)) if pointing else ""
    if found:
        turn.pointing = tuple(clause for clause, _ in pointing)
        kept = (step for step in turn.plan.steps if not _is_of(step, turn.pointing))
        question = QuestionStep(QuestionKind.HELP, Reference(id=found), turn.message)
        turn.plan = replace(turn.plan, steps=(question, *kept))
    elif any(isinstance(step, QuestionStep) for step in turn.plan.steps):
        turn.plan = replace(turn.plan, steps=tuple(_with_subject(turn, step) for step in turn.plan.steps))


def _with_subject(turn: Turn, step: PlanStep) -> PlanStep:
    """A question how to look, of the one thing that it points at by words of its name."""
    if not isinstance(step, QuestionStep) or step.kind is not QuestionKind.HELP or not asks_to_look(step.text):
        return step
    if step.subject is None or step.subject.words is None:
        return step
    found = _shown(turn, pointed_at_in(step.text))
    return replace(step, subject=Reference(id=found)) if found else step


def _shown(turn: Turn, said: str) -> str:
    """The one thing shown of late whose name has all words of content of what is said; "" if none or several have.

    Of several it is the one whose name has them as they are said: "DDL waits" is not "DDL running, not waiting".
    """
    words = telling_keys(said)
    if not words:
        return ""
    session = turn.session
    listed = {item.phenomenon_id for item in (*session.pending, *session.earlier)}
    listed |= {entry.phenomenon_id for entry in session.active()}
    replies = [item.text for item in session.dialogue if item.speaker is Speaker.ASSISTANT][-_RECENT:]
    found = []
    for phenomenon_id in sorted(turn.catalog.phenomena):
        name = turn.catalog.phenomenon_name(phenomenon_id)
        shown = phenomenon_id in listed or any(name.say(turn.language) in reply for reply in replies)
        if shown and any(words <= telling_keys(text) for text in (name.zh, name.en)):
            found.append(phenomenon_id)
    if len(found) > 1:
        names = {each: turn.catalog.phenomenon_name(each) for each in found}
        found = [each for each, name in names.items() if said.lower() in f"{name.zh}\n{name.en}".lower()]
    return found[0] if len(found) == 1 else ""


def _is_of(step: PlanStep, clauses: Iterable[str]) -> bool:
    """Whether a step is made of pointing clauses, or of the question that stands in their place."""
    if isinstance(step, QuestionStep) and step.topic in _OF_COMMANDS and asks_to_look(step.text):
        return True
    said = _words_of(step)
    whole = not isinstance(step, QuestionStep) or step.topic is QuestionTopic.COMMON
    return bool(said) and any(said in each or (whole and each in said) for each in clauses)


def _words_of(step: PlanStep) -> str:
    match step:
        case ObservationStep(text=text) | SuggestionStep(text=text) | QuestionStep(text=text):
            return text
        case FeedbackStep(words=words) | ClarifyStep(words=words):
            return words
        case CorrectionStep(words=str(words)):
            return words
    return ""
