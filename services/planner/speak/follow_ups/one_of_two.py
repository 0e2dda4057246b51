"""Which of two things that are set against each other to do first: by the remedy of the cause that leads."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import ConclusionView, HelpAnswer, ReliefStep, Text, TurnResults
from services.planner.questions_asked.likeness import likeness
from services.planner.speak.conclusion import render_alone, render_relief
from services.planner.speak.follow_ups.comparison import compare
from services.planner.speak.follow_ups.options import ENDING
from services.planner.speak.objects import objects_known
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import names_ddl
from services.planner.treatment.sentences import clauses_of, sentences_of
from services.planner.treatment.shown_actions import SESSION
from services.planner.understand.text.word_lists import listed

_EITHER_OR = listed("treatment.either_or")
# From so much likeness in all, words mean a step; by less, none of them.
_ALIKE = 0.75


def tell_first(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The one of two to do first, and why; empty where nothing is set against each other, or no step tells."""
    parts = two_in(answer.text)
    found = answer.conclusion or answer.leading
    if not parts or found is None:
        return ""
    if answer.action in ENDING and all(SESSION.search(part) or names_ddl(part) for part in parts):
        known = {each.name for each in objects_known(results)}
        both_seen = known.issuperset(SESSION.findall(" ".join(parts)))
        return "" if both_seen else compare(answer, results, voice)
    return _within_a_step(parts, found, voice) or _by_order(parts, found, voice)


def two_in(asked: str) -> tuple[str, ...]:
    """The words on both sides of an "or" in a question; empty without one."""
    for sentence in sentences_of(asked):
        left, *right = _EITHER_OR.split(sentence, maxsplit=1)
        before, after = [*clauses_of(left)][-1:], [*clauses_of("".join(right))][:1]
        if right and before and after:
            return (before[0].strip("?？ "), after[0].strip("?？ "))
    return ()


def _within_a_step(parts: Sequence[str], found: ConclusionView, voice: Voice) -> str:
    """The one step that does both things, in the order of its words."""
    for number, step in enumerate(found.solution, 1):
        if step.prevents or any(_alike(part, step.action) < _ALIKE for part in parts):
            continue
        lead = voice.say("both_of_two", name=voice.name(found.name, found.root_cause_id))
        return "\n".join([lead, render_alone(number, step, voice)])
    return ""


def _by_order(parts: Sequence[str], found: ConclusionView, voice: Voice) -> str:
    """The relief that one of the two is, else the step of them that comes first."""
    lead = voice.say("first_of_two", name=voice.name(found.name, found.root_cause_id))
    if (relief := _meant(parts, found.relief)) is not None:
        return "\n".join([lead, render_relief(relief, voice)])
    acting = [(number, each) for number, each in enumerate(found.solution, 1) if not each.prevents]
    fitting = [each for each in acting if each[1].risk != "none" and _likest(parts, each[1].action) >= _ALIKE]
    return "\n".join([lead, render_alone(*fitting[0], voice)]) if fitting else ""


def _meant(parts: Sequence[str], relief: Sequence[ReliefStep]) -> ReliefStep | None:
    return next((each for each in relief if _likest(parts, each.action) >= _ALIKE), None)


def _likest(parts: Sequence[str], action: Text) -> float:
    return max(_alike(part, action) for part in parts)


def _alike(words: str, action: Text) -> float:
    """How much words are like a step in either language, in all views together."""
    return float(likeness(words, (action.zh, action.en)).max(axis=1).sum())
