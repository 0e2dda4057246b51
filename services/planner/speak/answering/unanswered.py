"""What a message asks and no part of the reply answers, said in the person's own words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.judging.reasking import asked_once_more
from lang.pastes import without_executed
from services.planner.case_questions.finder import find_case_question
from services.planner.case_questions.questions import GENERAL
from services.planner.model import (
    Answer,
    DataAnswer,
    HelpAnswer,
    HistoryAnswer,
    HypothesesAnswer,
    QuestionTopic,
    RelationsAnswer,
    TurnResults,
    WhatIfAnswer,
)
from services.planner.questions_asked.forms import Form, forms_of, forms_worded, protests
from services.planner.questions_asked.parts import asking_in
from services.planner.questions_asked.steps_of_words import overlaps
from services.planner.speak.voice import Voice, brief
from services.planner.treatment.actions import read_actions
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.acts.likelihood import telling
from services.planner.understand.text.domain import is_technical
from services.planner.understand.text.messages import read
from services.planner.understand.text.pasted_output import split_off_pastes

# So many questions are named, each of at most so many characters; of fewer letters, or fewer words, they say nothing.
_MOST, _LONGEST, _LETTERS, _WORDS = 2, 160, 5, 3
_LIKELY = 0.5
# What is asked of the shown rows, which are told by themselves.
_OF_ROWS = ("shows",)
_MARKS = ("?", "？")
# Who asks to be given something to run has it in the next check.
_TO_BE_GIVEN = re.compile(r"(?i)\b(?:give|show|send) (?:me|us)\b|给(?:我|个|条)|来(?:个|条)")
# A statement of SQL asks nothing of anybody.
_STATEMENT = re.compile(
    r"(?i)\b(?:select|explain|update|insert|delete|alter|show)\b[^?？]*\b(?:from|set|into|analyze|where|table)\b"
)


def tell_unanswered(
    message: str, results: TurnResults, told: Sequence[Answer], before: Sequence[Answer], voice: Voice
) -> str:
    """One line with the questions that have no answer; empty where there are none.

    told: the answers that the reply gives; before: those that were given before, and were none to who asks again.
    """
    again = [words.partition("\n")[0] for each in before if (words := _answered_words(each))]
    if asked := asked_once_more(message) if not told else "":
        again.append(asked)
    left = [*again, *(each for each in _left(message, results, told) if not _is_in(each, again))]
    listed = voice.say("semicolon").join(voice.say("quoted", words=brief(each)) for each in left[:_MOST])
    return voice.say("still_unanswered", words=listed) if left else ""


def _left(message: str, results: TurnResults, told: Sequence[Answer]) -> list[str]:
    """The questions of a message to which no answer is one."""
    unheard = results.turn <= 1 or results.clarification is not None  # What is wrong, the reply asks back.
    if unheard or results.reset or results.failures or results.engine_gap is not None or message.startswith("/"):
        return []
    words = [_answered_words(each) for each in told]
    if any(each is None for each in words):
        return []  # A list, figures or a supposition answer whatever asked for them.
    heard = [each for each in words if each] + [each.text for each in results.suggestions]
    heard += [each.words for each in results.noted if each.words]
    ordered = any(isinstance(each, HelpAnswer) and each.topic is QuestionTopic.SUMMARY for each in told)
    left = (each for each in _asking(message) if not _is_in(each, heard))
    return [each for each in left if not (ordered and _is_of_summary(each))]


def _is_of_summary(words: str) -> bool:
    """Whether a summary has what words ask for: what is to be in it, or how it is kept from coming back."""
    found = find_case_question(words)
    return not words.endswith(_MARKS) or (found is not None and found.key == "case_prevent")


def _is_in(words: str, others: Sequence[str]) -> bool:
    return any(overlaps(other, words) for other in others)


def _answered_words(answer: Answer) -> str | None:
    """The words to which an answer is one; None where it has none."""
    if isinstance(answer, DataAnswer | HistoryAnswer | HypothesesAnswer | RelationsAnswer | WhatIfAnswer):
        return None
    return answer.text or None


def _asking(message: str) -> Iterator[str]:
    """The questions of a message that want an answer of their own, in the person's words."""
    said, pasted = split_off_pastes(without_executed(message))
    for words in asking_in(said):
        if _STATEMENT.search(words):
            continue
        if len(words) <= _LONGEST and _says_something(words) and not protests(words) and not _is_told(words, pasted):
            yield words.strip(" ,，")


def _says_something(words: str) -> bool:
    """Whether words ask outright, by more than a mark, and name what they ask about."""
    letters = sum(map(str.isalnum, words))
    long = letters >= _LETTERS and (not words.isascii() or len(words.split()) >= _WORDS)
    return long and bool(forms_worded(words)) and (words.rstrip().endswith(_MARKS) or telling(words) < _LIKELY)


def _is_told(words: str, pasted: bool) -> bool:
    """Whether every reply tells what is asked: what is next, where the case stands, and what the rows show."""
    found = find_case_question(words)
    if found is not None and found.key in GENERAL and found.probability >= _LIKELY:
        return True
    if set(_OF_ROWS).intersection(wants_in(read_actions(words))) or _TO_BE_GIVEN.search(words):
        return True
    of_rows = not is_technical(read(words).normal) and forms_of(words) <= {Form.WHAT, Form.WHETHER, Form.HOW}
    return pasted and of_rows
