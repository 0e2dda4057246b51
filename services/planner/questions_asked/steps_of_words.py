"""Which steps of a plan were read in some words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rapidfuzz import fuzz

from lang import deferred_re as re
from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    ObservationStep,
    PlanStep,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SmalltalkStep,
    Speaker,
    SuggestionStep,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.sentences import sentences_of
from services.planner.treatment.wanted.requests import with_action

_LETTER = re.compile(r"\w")
# So many percent of the shorter words stand in the longer ones.
_ALIKE = 80
# An echo has so many letters at most.
_ECHO = 12
# Words that ask something beside have more letters.
_REST = 8
_QUOTES = ('"', "'", "“", "”", "「", "」", "『", "』", "`")


def is_of(step: PlanStep, words: str) -> bool:
    """Whether a step was read in these words."""
    match step:
        case QuestionStep(text=own) | SuggestionStep(text=own) | ObservationStep(text=own):
            return overlaps(own, words)
        case ClarifyStep(words=own) | FeedbackStep(words=own):
            return bool(own) and overlaps(own, words)
        case CorrectionStep(words=own, original=original):
            return any(overlaps(each, words) for each in (own, original.words) if each)
        case SmalltalkStep():
            return True
    return False


def rest_of(step: PlanStep, asked: str, view: SessionView) -> Iterator[PlanStep]:
    """What a question of several acts asks beside one of its sentences."""
    if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RISK and plain(asked) in plain(step.text):
        apart = [each for each in sentences_of(step.text) if fuzz.partial_ratio(plain(each), plain(asked)) < _ALIKE]
        if rest := " ".join(filter(is_question, apart)):
            yield with_action(replace(step, text=rest, action=""), rest, view)
    elif (left := without(step, asked)) is not None:
        yield left


def without(step: PlanStep, asked: str) -> PlanStep | None:
    """What a question that was put together of several sentences asks beside one of them; None if that is nothing."""
    if not isinstance(step, QuestionStep) or asked not in step.text:
        return None
    own, *told = step.text.split("\n")
    rest = " ".join(own.replace(asked, " ").split())
    return replace(step, text="\n".join((rest, *told))) if is_question(rest) and len(rest) > _REST else None


def echoes(words: str, view: SessionView) -> bool:
    """Whether words with a question mark only say again what the last answer said, or quote: "16GB??" protests."""
    last = next((each.text for each in reversed(view.history) if each.speaker is Speaker.ASSISTANT), "")
    said, quoted = plain(words), words.rstrip("?？ ").startswith(_QUOTES) and words.rstrip("?？ ").endswith(_QUOTES)
    return words.rstrip().endswith(("?", "？")) and (quoted or (len(said) <= _ECHO and said in plain(last)))


def overlaps(own: str, words: str) -> bool:
    """Whether a line of a step's words and the words that ask are nearly the same, or one a part of the other."""
    asked = plain(words)
    return any(fuzz.partial_ratio(line, asked) >= _ALIKE for line in map(plain, own.split("\n")) if line)


def plain(words: str) -> str:
    """Words without signs and spaces, for comparing."""
    return "".join(_LETTER.findall(words.lower()))
