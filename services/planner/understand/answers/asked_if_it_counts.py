"""Whether what somebody saw counts as a yes to a check: who asks that has not answered it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    Item,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    TurnPlan,
)
from services.planner.understand.answers.shown import last_answer
from services.planner.understand.items.references import Asked, open_list
from services.planner.understand.text.clauses import sentences_of
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.messages import read


def asks_if_counts(words: str) -> bool:
    """True if words ask whether what was seen counts: "does that count?", 这算有还是没有."""
    return has_mark(read(words).normal, "counts_or_not")


def with_counts_asked(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with that question in place of guesses at an answer; the check stays open."""
    asked, message = open_list(view), read(said)
    clauses = [each for sentence in sentences_of(message) for each in sentence.clauses if not each.pasted]
    asking = next((message.words(each.start, each.end) for each in clauses if asks_if_counts(each.text)), "")
    item = _opening(said, asked) or _meant(plan.steps, asked, view) if asking else None
    if item is None:
        return plan
    kept = (step for step in plan.steps if not _guesses(step, asking, item))
    text = f"{asking}\n{said}"
    question = QuestionStep(QuestionKind.HELP, asked.at(item.ordinal), text, topic=QuestionTopic.MEANING)
    return replace(plan, steps=(*kept, question))


def _opening(said: str, asked: Asked) -> Item | None:
    """The item whose number opens a message: "1 i looked, mostly idle. does that count?"."""
    number = next(iter(said.split()), "")
    return asked.find(int(number)) if number.isdecimal() else None


def _meant(steps: Iterable[PlanStep], asked: Asked, view: SessionView) -> Item | None:
    """The item that the question is of: the one that the message points at, else the first that the last answer named."""
    references = [each.reference for each in steps if isinstance(each, FeedbackStep)]
    references += [each for step in steps if isinstance(step, ClarifyStep) for each in step.references[:1]]
    for each in references:
        if each.ordinal is not None and each.list is asked.list and (item := asked.find(each.ordinal)):
            return item
    if view.options:
        return view.options[0] if len(view.options) == 1 else None
    shown = last_answer(view)
    return next((each for each in view.pending[:1] if each.name.zh in shown or each.name.en in shown), None)


def _guesses(step: PlanStep, asking: str, item: Item) -> bool:
    """Whether a step takes the question, or what is asked about, for something else."""
    match step:
        case FeedbackStep(reference=reference, words=words):
            return reference.ordinal == item.ordinal or not any(map(str.isdigit, words))
        case ClarifyStep():
            return True
        case QuestionStep(text=text) | ObservationStep(text=text):
            return bool(text) and (text.strip("?？ ") in asking or asking in text)
    return False
