"""Which common question a message asks, and how the turn's plan is with it."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.common_questions.finder import Found, find_question
from services.planner.common_questions.interrogatives import is_question
from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    ClarifyStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
    TurnPlan,
)
from services.planner.treatment.actions import action_named
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import shown_statements
from services.planner.understand.text.engines import find_engine

# From these probabilities on a question is answered: where nothing else was read in its words, and where something was.
LIKELY, SURE = 0.6, 0.75
# How much words that ask have to say, and may: "why JIT?" says too little, in a long story several things are said.
_LEAST, _LONGEST = 8, 160
_WORD = re.compile(r"[a-z_]+|[\u4e00-\u9fff]", re.IGNORECASE)
_WEIGHT = 2
_MOST_AROUND = 400
# An answer is known by its first words: blanks may be filled in the rest.
_OPENING = 25
_LETTER = re.compile(r"\w")
# What a general answer may stand in place of, but for what ends a session: whether to, the case tells.
_OF_CASE = ("terminate", "cancel", "stop")
_GENERAL = (
    QuestionTopic.RISK,
    QuestionTopic.MEANING,
    QuestionTopic.RUNNING,
    QuestionTopic.EFFECT,
    QuestionTopic.RELATED,
)
_KINDS = (QuestionKind.HELP, QuestionKind.WHAT_IF, QuestionKind.REASONING, QuestionKind.RELATIONS)


class Asked(NamedTuple):
    """The words that ask a common question, and which it is."""

    words: str
    found: Found


def question_in(said: str, engine: str = "", before: str = "", told: Set[str] = frozenset()) -> Asked | None:
    """The likeliest common question that a message asks in a sentence, or in two of them.

    before: what was being talked of when it came; told: questions that were answered, and were not what was asked.
    """
    about = f"{before}\n{said[:_MOST_AROUND]}"
    found = ((words, find_question(words, engine, about, frozenset(told))) for words in _parts(said))
    asked = (Asked(words, each) for words, each in found if each is not None)
    return max(asked, key=lambda each: each.found.probability, default=None)


def with_common_question(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the common question that the person's own words ask, in place of what else they were taken for."""
    asked = None if said.startswith("/") else _asked(plan, said, view)
    if asked is None or asked.found.probability < LIKELY:
        return plan
    sure = asked.found.probability >= SURE
    of_words = [step for step in plan.steps if _is_of(step, asked.words)]
    if any(not _gives_way(step, sure) for step in of_words):
        return plan
    step = QuestionStep(
        QuestionKind.HELP, None, asked.words, topic=QuestionTopic.COMMON, common_question=asked.found.key
    )
    return replace(plan, steps=(*(each for each in plan.steps if each not in of_words), step))


def _asked(plan: TurnPlan, said: str, view: SessionView) -> Asked | None:
    """The question that is asked; whoever asks again after an answer may have asked another one."""
    engine, before, told = _engine(plan, view), _before(view), _told(view)
    other = question_in(said, engine, before, told) if told else None
    return other if other and other.found.probability >= SURE else question_in(said, engine, before)


def _told(view: SessionView) -> frozenset[str]:
    """The questions that the last answer answered."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    openings = {key: each.answer.say(view.language)[:_OPENING] for key, each in known_answers().items()}
    return frozenset(key for key, opening in openings.items() if opening in last)


def _engine(plan: TurnPlan, view: SessionView) -> str:
    """The engine that the person named last."""
    told = (find_engine(each.text) for each in reversed(view.history) if each.speaker is Speaker.USER)
    return plan.named_engine or next(filter(None, told), "")


def _before(view: SessionView) -> str:
    """The leading cause, and the first statement that the last answer showed."""
    leading = view.hypotheses[0].name.en if view.hypotheses else ""
    return "\n".join((leading, *shown_statements(view)[:1]))


def _parts(said: str) -> Iterator[str]:
    """The sentences that ask, each by itself and with the one before it."""
    before = ""
    for words in sentences_of(said):
        if is_question(words):
            yield from (each for each in (words, f"{before} {words}".strip()) if _LEAST <= _length(each) <= _LONGEST)
        before = words


def _length(words: str) -> int:
    """How much words say: two for a word in letters, one for a Chinese character."""
    return sum(_WEIGHT if each.isascii() else 1 for each in _WORD.findall(words))


def _is_of(step: PlanStep, words: str) -> bool:
    """Whether a step was read in these words."""
    match step:
        case QuestionStep(text=own) | SuggestionStep(text=own) | ObservationStep(text=own) | ClarifyStep(words=own):
            return _plain(own) in _plain(words) or _plain(words) in _plain(own)
        case SmalltalkStep():
            return True
    return False


def _gives_way(step: PlanStep, sure: bool) -> bool:
    """Whether a general answer may stand in place of a step."""
    if not isinstance(step, QuestionStep):
        return not isinstance(step, ObservationStep) or sure
    if step.topic is not None:
        of_case = step.action in _OF_CASE or (step.action and action_named(step.action) is None)
        return sure and step.topic in _GENERAL and not of_case and not any(map(str.isdigit, step.text))
    general = step.kind in _KINDS and not _points_at_item(step.subject)
    return general and (sure or step.kind is not QuestionKind.REASONING)


def _points_at_item(subject: Reference | None) -> bool:
    return subject is not None and (subject.ordinal is not None or subject.id is not None)


def _plain(words: str) -> str:
    return "".join(_LETTER.findall(words.lower()))
