"""A yes or no that points at nothing: an answer where the words around it are about what was asked, else only talk."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from lang.cues import plain_words
from lang.tokens import Kind as Word
from lang.tokens import read_text
from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    FeedbackStep,
    Group,
    ItemList,
    ObservationStep,
    PlanStep,
    QuestionStep,
    SessionView,
    TurnPlan,
    Verdict,
)
from services.planner.understand.answers.plan_checks import protests_beside
from services.planner.understand.answers.wording import names_the_list
from services.planner.understand.items.item_names import touched
from services.planner.understand.items.references import Asked
from services.planner.understand.text.clauses import sentences_of
from services.planner.understand.text.marks import has_mark
from services.planner.understand.text.messages import read
from services.planner.understand.text.segments import pointers_of
from services.planner.understand.text.tokens import Kind

_STOP = re.compile(r"[.!?;。！？；\n](?=\s|$|[^\x00-\x7f])")
# So many words of content state something of their own; two characters of Chinese are a word.
_STATES = 2.0


def without_talk(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan without a yes or no that is none of what was asked: what is stated beside it is read instead.

    One below an output is of what that shows.
    """
    if any(clause.pasted for sentence in sentences_of(read(said)) for clause in sentence.clauses):
        return plan
    steps = tuple(step for step in plan.steps if not _is_talk(step, plan, said, view))
    if len(steps) == len(plan.steps):
        return plan
    return replace(plan, steps=steps or (ObservationStep(said.strip()),))


def _is_talk(step: PlanStep, plan: TurnPlan, said: str, view: SessionView) -> bool:
    """Whether a step takes words for an answer, or for half of one, that point at nothing of what was asked."""
    match step:
        case FeedbackStep(verdict=Verdict.CONFIRMED | Verdict.DENIED, reference=reference, words=words):
            of_all = reference.group is Group.ALL
            if step.by_name and not of_all:
                return False
        case ClarifyStep(kind=ClarifyKind.AMBIGUOUS_FEEDBACK, words=words, references=(reference, *_)):
            of_all = True
        case _:
            return False
    if reference.list is ItemList.OPTIONS or words not in said or _points(words, view):
        return False
    before, _, after = said.partition(words)
    if protests_beside(said):
        return True
    if of_all:
        asks = [each.text for each in plan.steps if isinstance(each, QuestionStep)]
        not_one = has_mark(read(words).normal, "none_of_it")
        return _speaks(before) or _states(words) or (_states(_without(after, asks)) and not not_one)
    following = _STOP.split(after, 1)[0]
    beside = f"{_STOP.split(before)[-1]} {following}"
    return not _states(words) and (_speaks(before) or _states(following)) and not _names(beside, view)


def _points(words: str, view: SessionView) -> bool:
    """Whether an answer names its item, or the list."""
    normal = read(words).normal
    pointed = any(token.kind is not Kind.JUST for token in pointers_of(normal))
    return pointed or names_the_list(normal) or _names(normal, view)


def _names(words: str, view: SessionView) -> bool:
    return bool(touched(read(words).normal, Asked(ItemList.PENDING, view.pending)))


def _speaks(before: str) -> bool:
    """Whether something was said or asked before a verdict."""
    return _states(before) or "?" in before or "？" in before


def _states(words: str) -> bool:
    """Whether words say something of their own: a figure, or more than a word of content."""
    tokens = [token for token in read_text(words).tokens if not plain_words() & {token.key, token.text}]
    if any(token.kind is Word.NUMBER for token in tokens):
        return True
    return sum({Word.WORD: 1.0, Word.HAN: 0.5}.get(token.kind, 0.0) for token in tokens) >= _STATES


def _without(words: str, parts: list[str]) -> str:
    for part in parts:
        words = words.replace(part, " ")
    return words
