"""Deeds that a message asks to be the cause: they began the trouble, and are no treatment of it."""

from __future__ import annotations

from dataclasses import replace

from services.planner.model import PlanStep, QuestionStep, QuestionTopic, SuggestionStep, TurnPlan


def without_suspected(plan: TurnPlan) -> TurnPlan:
    """The plan without treatments of which it asks whether they are it: "they purged the table, is that why?"."""
    about = [_plain(words) for step in plan.steps for words in _words_asked_about(step)]
    kept = tuple(each for each in plan.treatments if each.undone or not _is_in(each.words, about))
    if kept == plan.treatments:
        return plan
    done = any(not each.undone for each in kept)
    steps = tuple(step for step in plan.steps if done or not _reports(step))
    return replace(plan, treatments=kept, steps=steps)


def _is_in(words: str, about: list[str]) -> bool:
    return any(_plain(words) in each for each in about)


def _words_asked_about(step: PlanStep) -> tuple[str, ...]:
    """The words of which a step asks whether they have to do with the trouble."""
    if isinstance(step, SuggestionStep):
        return (step.text,)
    if not isinstance(step, QuestionStep) or step.topic is not QuestionTopic.RELATED:
        return ()
    return (step.text, step.subject.words or "") if step.subject is not None else (step.text,)


def _reports(step: PlanStep) -> bool:
    return isinstance(step, QuestionStep) and step.topic is QuestionTopic.TREATED


def _plain(words: str) -> str:
    return "".join(words.casefold().split()).strip("?？。.!！,，")
