"""Which answers the words of a message give, which they only seem to give, and which point back at its words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import FeedbackStep, Group, ObservationStep, PlanStep, Verdict

from gateway.turn.answers.asked_last import says_only
from gateway.turn.answers.by_name import calls_by_name, content_of
from gateway.turn.context import Turn
from gateway.turn.proposed_readings import RECOGNISED
from gateway.turn.unread import tells_more
from lang import deferred_re as re
from lang.cues import telling_keys, word_set
from lang.tokens import read_text

# A number behind its negation is a value that is no such one.
_NOT_NUMBER = re.compile(r"(?:不是|\bnot|\bisn'?t)\s*\d+\s*$")
_POINTS = re.compile(r"(?i)^\s*(?:[这那]一?[条个项点]|(?:that|this)(?: one)?\b)")


def only_seems_to_answer(turn: Turn, step: FeedbackStep, readings: Iterable[Reading]) -> bool:
    """Whether the words of an answer say something else, open or end another thought, or are of no whole list."""
    return (
        _is_read_as_another(turn, step, readings)
        or (step.reference.ordinal is not None and _is_idle(turn, step))
        or (step.reference.group is Group.ALL and not _sweeps(turn, step))
        or (step.verdict is Verdict.DENIED and _is_of_a_thing(turn, step))
    )


def _is_of_a_thing(turn: Turn, step: FeedbackStep) -> bool:
    """Whether the words of a denial of several items, or of one by its number, name a thing of their own.

    What sweeps over a list says so, or no more than a no; "not 1" behind a figure is of that.
    """
    same = [each for each in turn.plan.steps if isinstance(each, FeedbackStep) and each.words == step.words]
    several = len(same) > 1 or step.reference.group is Group.ALL
    if _NOT_NUMBER.search(step.words) and step.words in turn.message:
        return any(map(str.isdigit, turn.message.partition(step.words)[0]))
    return several and not any(map(str.isdigit, step.words)) and bool(content_of(step.words)) and not _has_all(step)


def _is_read_as_another(turn: Turn, step: FeedbackStep, readings: Iterable[Reading]) -> bool:
    """Whether an answer to one thing that its words name says, as they are recognised, another one."""
    if step.reference.id is None or not tells_more(step.words):
        return False
    heard = [each for each in readings if each.words and (each.words in step.words or step.words in each.words)]
    recognised = any(each.kind == RECOGNISED for each in heard)
    return recognised and step.reference.id not in {each.phenomenon_id for each in heard}


def _sweeps(turn: Turn, step: FeedbackStep) -> bool:
    """Whether an answer is of a whole list: it says so of one that was shown just now, or is all of the message."""
    return says_only(turn.message, step.words) or (bool(turn.shown or turn.session.clarification) and _has_all(step))


def _is_idle(turn: Turn, step: FeedbackStep) -> bool:
    """Whether a bare yes or no opens or ends what is told otherwise, while several things are asked."""
    placed = any(map(str.isdigit, step.words)) or word_set("places") & {t.text for t in read_text(step.words).tokens}
    asked = turn.session.clarification
    alone = len(asked.options) == 1 if asked is not None else len(turn.session.pending) == 1
    if placed or step.by_name or alone:
        return False
    rest = turn.message
    for each in turn.plan.steps:
        rest = rest.replace(each.words, " ", 1) if isinstance(each, FeedbackStep) and each.words else rest
    return bool(content_of(rest)) and not calls_by_name(turn, step, rest)


def _has_all(step: FeedbackStep) -> bool:
    said = {token.text for token in read_text(step.words).tokens}
    return any(each in (said if each.isascii() else step.words) for each in word_set("sweeps"))


def without_pointing_back(turn: Turn) -> None:
    """Leaves out answers to what is asked whose words point at a statement just before them, and not at the list."""
    steps = turn.plan.steps
    kept = (step for at, step in enumerate(steps) if not (at and _is_of(turn, step, steps[at - 1])))
    turn.plan = replace(turn.plan, steps=tuple(kept))


def _is_of(turn: Turn, step: PlanStep, before: PlanStep) -> bool:
    if not isinstance(step, FeedbackStep) or not isinstance(before, ObservationStep) or not _POINTS.search(step.words):
        return False
    _, _, between = turn.message.partition(before.text)
    between = between.partition(step.words)[0]
    name = turn.catalog.phenomenon_name(step.reference.id or "")
    told = telling_keys(before.text)
    named = told & (telling_keys(name.zh) | telling_keys(name.en))
    return bool(step.reference.id) and not any(map(str.isalnum, between)) and len(named) < len(told) / 2
