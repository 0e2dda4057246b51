"""Answers with a stress to what is asked: "1啊 我说了", "废话 当然是", "obviously", "no way"."""

from __future__ import annotations

from lang.modality import tells_misheard
from lang.tokens import read_text
from services.planner.model import FeedbackStep, SessionView, Verdict
from services.planner.understand.items.references import open_list
from services.planner.understand.questions.questions import has_wh
from services.planner.understand.text.clauses import sentences_of
from services.planner.understand.text.marks import marks_in
from services.planner.understand.text.messages import Message, read
from services.planner.understand.text.numerals import number_of
from services.planner.understand.text.segments import is_bare, pointers_of, polarity_of
from services.planner.understand.text.tokens import Kind
from services.planner.understand.text.word_lists import listed

_NUMBERED = listed("open_question.stressed_number")
_AROUND = " ,，。.;；!！~"
_SAYING = ("stressed_yes", "stressed_no", "opens_yes", "before_yes")


def stressed_answer(message: str, view: SessionView) -> tuple[FeedbackStep, str] | None:
    """The answer that a message opens with, where a stress makes it one, and the rest; None without."""
    reading = read(message)
    return _numbered(reading, view) or _of_the_one(reading, view)


def points_at_more(rest: str) -> bool:
    """Whether the rest of a message answers other items as well."""
    return any(token.kind is not Kind.JUST for token in pointers_of(read(rest).normal))


def _numbered(reading: Message, view: SessionView) -> tuple[FeedbackStep, str] | None:
    found, asked = _NUMBERED.match(reading.normal), open_list(view)
    ordinal = number_of(found[1]) if found is not None else 0
    if found is None or asked.find(ordinal) is None:
        return None
    rest = reading.words(found.end(), len(reading.normal))
    if _denies(rest) or _asks(rest):
        return None
    words = reading.words(0, found.end()).rstrip(_AROUND)
    return FeedbackStep(asked.at(ordinal), Verdict.CONFIRMED, words), rest


def _of_the_one(reading: Message, view: SessionView) -> tuple[FeedbackStep, str] | None:
    """A stressed yes or no to the only thing that is asked."""
    asked = open_list(view)
    said, end = _opening(reading)
    if len(view.options) != 1 or (
        not said & {"stressed_yes", "stressed_no"} and not said >= {"before_yes", "opens_yes"}
    ):
        return None
    rest = reading.words(end, len(reading.normal)).lstrip(_AROUND)
    verdict = Verdict.DENIED if "stressed_no" in said else Verdict.CONFIRMED
    if _denies(rest) if verdict is Verdict.CONFIRMED else _protests(rest):
        return None
    words = reading.words(0, end).rstrip(_AROUND)
    return FeedbackStep(asked.at(asked.items[0].ordinal), verdict, words), rest


def _opening(reading: Message) -> tuple[set[str], int]:
    """The lists of the words that a message opens with, in a row whatever parts them, and where they end."""
    said: set[str] = set()
    normal, end = reading.normal, 0
    while True:
        left = normal[end:].lstrip(_AROUND)
        found = [each for each in marks_in(left) if each.first == 0 and each.payload in _SAYING]
        if not found:
            return said, end
        longest = max(found, key=lambda each: each.last)
        said |= {each.payload for each in found if each.last == longest.last}
        end = len(normal) - len(left) + _end_of(left, longest.last)


def _end_of(text: str, count: int) -> int:
    """Where so many first tokens of a text end."""
    return read_text(text).tokens[count - 1].end


def _denies(rest: str) -> bool:
    """Whether the rest of a message opens with a bare no."""
    first = next((each for sentence in sentences_of(read(rest)) for each in sentence.clauses), None)
    return first is not None and is_bare(first.text) and polarity_of(first.text) is Verdict.DENIED


def _protests(rest: str) -> bool:
    """Whether the rest opens with a word that something was misheard: the no before it is of that."""
    first = next((each for sentence in sentences_of(read(rest)) for each in sentence.clauses), None)
    return first is not None and tells_misheard(first.text)


def _asks(rest: str) -> bool:
    """Whether the rest asks what the item is, or how it is looked at."""
    first = next((each for sentence in sentences_of(read(rest)) for each in sentence.clauses), None)
    return first is not None and has_wh(first.text)
