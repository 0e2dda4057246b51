"""Questions of an output that was pasted before: what a value in it means, what it shows, whether it is normal."""

from __future__ import annotations

from dataclasses import replace

from lang import deferred_re as re
from lang.objects.named_objects import tables_in
from services.planner.glossary.asking import meanings_in
from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    TurnPlan,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.steps_of_words import is_of, plain
from services.planner.rows_shown.facts import facts_shown
from services.planner.rows_shown.named_values import values_named
from services.planner.rows_shown.pointing_questions import asks_meaning
from services.planner.treatment.folding import in_order
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.shown_actions import SESSION
from services.planner.understand.text.word_lists import listed

# In place of an action: what rows that were pasted before show.
FACTS = "facts"
_OF_OUTPUT = listed("facts_asked.of_output")
_ASKED_BEFORE = listed("facts_asked.asked_before")
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]{2,}(?:\.\d+)?", re.ASCII)
_NAME = re.compile(r"[a-z][a-z_]{2,}", re.IGNORECASE | re.ASCII)
# So much of an output is looked at again, of so many messages.
_LONGEST, _BACK = 8000, 3
_MISTAKEN = (
    *(None, QuestionTopic.MEANING, QuestionTopic.COMMON, QuestionTopic.OF_CAUSE, QuestionTopic.RELATED),
    *(QuestionTopic.MECHANISM, QuestionTopic.CERTAINTY, QuestionTopic.IDENTIFICATION, QuestionTopic.OBJECT),
)


def with_facts_asked(plan: TurnPlan, said: str, view: SessionView) -> TurnPlan:
    """The plan with the question of an earlier output as that, with what of it the question is about."""
    if plan.pasted or said.startswith("/"):
        return plan
    for asked in sentences_of(said):
        asks = is_question(asked) or _ASKED_BEFORE.search(asked.lower())
        if not asks or not asks_meaning(asked) or meanings_in(asked) or _names_session(asked, view):
            continue
        if facts := facts_asked(asked, view):
            lines = "\n".join((asked, *facts))
            step = QuestionStep(QuestionKind.HELP, text=lines, topic=QuestionTopic.IDENTIFICATION, action=FACTS)
            kept = [each for each in plan.steps if not _is_mistaken(each, asked)]
            return replace(plan, steps=tuple(in_order([*kept, step], said)))
    return plan


def facts_asked(asked: str, view: SessionView) -> list[str]:
    """What the last outputs show of the values that a question names, or all of one that it points at."""
    numbers = {each.replace(",", "") for each in _NUMBER.findall(asked)}
    names = _names_in(asked)
    for text in [each.text for each in reversed(view.history) if each.speaker is Speaker.USER][:_BACK]:
        tables = tables_in(text[:_LONGEST]) if "\n" in text else ()
        found = facts_shown((*tables, *values_named(text[:_LONGEST], tables)), asked=True)
        told = [each.say(view.language) for each in found]
        own = [each for each in told if numbers & {number.replace(",", "") for number in _NUMBER.findall(each)}]
        own = own or [each for each in told if names & _names_in(each)]
        if own or (told and _OF_OUTPUT.search(asked.lower())):
            return own or told
    return []


# Words in letters that stand in any sentence.
_PLAIN = frozenset(
    ("and", "are", "but", "does", "for", "has", "its", "mean", "not", "that", "the", "this", "was", "what")
)


def _names_session(asked: str, view: SessionView) -> bool:
    """Whether a question is of a session by its number, of which more is known than a row."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    return any(f"`{number}`" in last for number in SESSION.findall(asked))


def _names_in(words: str) -> set[str]:
    """The names in words, and what they are made of: "wal" of pg_wal."""
    names = {each.lower() for each in _NAME.findall(words)}
    return {part for name in names for part in (name, *name.split("_")) if len(part) > 2} - _PLAIN


def _is_mistaken(step: PlanStep, asked: str) -> bool:
    """Whether a step is another reading of the question."""
    match step:
        case QuestionStep(topic=topic, kind=kind, text=text):
            asks = kind in (QuestionKind.HELP, QuestionKind.PROGRESS, QuestionKind.REASONING)
            return asks and topic in _MISTAKEN and is_of(step, asked) and len(plain(text)) <= len(plain(asked))
        case ObservationStep(text=words) | ClarifyStep(words=words) | FeedbackStep(words=words):
            return plain(words) in plain(asked)
    return False
