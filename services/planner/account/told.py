"""What the person told of the case, sentence by sentence in their own words: never what was read into it.

What asks, what speaks to the assistant, what takes something back and what was pasted tells nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from services.planner.model import Aftermath, EvidenceView, Language, Remark, SessionView, TurnResults
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.clause_news import aftermath_of
from services.planner.treatment.sentences import clauses_of, holds_output, is_clear, sentences_of, tells_own_deed
from services.planner.treatment.wanted.briefs import read_order
from services.planner.understand.text.pasted_output import split_off_pastes
from services.planner.understand.text.word_lists import listed

_TALKS_TO, _ASIDE, _LEAD, _DENIES = (listed(f"account.{name}") for name in ("talks_to", "aside", "lead", "denies"))
_CHANGE, _NO_DEED = listed("treatment.others_deed"), listed("treatment.no_deed")
_CHANGE_ZH = listed("account.change_zh")
_CAUSE, _TIME, _HAN = listed("account.cause"), listed("account.time"), listed("briefs.han")
_DAYS_BEFORE, _NO_TROUBLE = listed("account.days_before"), listed("account.no_trouble")
_ASKING = ("?", "？")
_FAILED = re.compile(r"^\s*(?:[a-z]+: )?(?:ERROR|FATAL)\b", re.MULTILINE)
_OPEN_BRACKET = re.compile(r"\s*[（(][^()（）]*$")
_DOTS = re.compile(r"(?:\.{2,}|…+)\s*")
ENDS = " \n。.；;，,!！:："
_NEW = SessionView()
# Fewer letters tell nothing on their own.
_LEAST = {Language.EN: 8, Language.ZH: 4}


class Said(NamedTuple):
    """A sentence or clause of the person's, and the turn that it was said in."""

    turn: int
    text: str


def telling(remarks: Iterable[Remark]) -> list[Said]:
    """The sentences that tell something of the case, oldest first."""
    return [Said(each.turn, text) for each in remarks for text in telling_in(each.text)]


def telling_in(message: str) -> Iterator[str]:
    """The sentences of a message that tell something, each without what only leads up to it."""
    own = own_words(message)
    order = read_order(own, _NEW)
    for sentence in sentences_of(_DOTS.sub(". ", order.rest if order is not None else own)):
        told = _without_asides(_LEAD.sub("", sentence).strip(" \n"))
        if (
            not sentence.rstrip().endswith(_ASKING)
            and not holds_output(sentence)
            and len(told) >= _LEAST[_language_of(told)]
        ):
            yield told


def own_words(message: str) -> str:
    """A message without what was pasted; a line by itself is somebody's own, also where it reads like an alert."""
    own, _ = split_off_pastes(message)
    return own if own.strip() or "\n" in message.strip() else message


def _without_asides(sentence: str) -> str:
    """A sentence without the clauses that ask, that speak to the assistant, or tell only how the person is."""
    clauses = [*clauses_of(sentence)]
    kept = [each for each in clauses if not _ASIDE.search(each.lower()) and tells(each)]
    if len(kept) == len(clauses):
        return sentence.strip(ENDS)
    joint = "，" if _language_of(sentence) is Language.ZH else ", "
    return _LEAD.sub("", joint.join(each.strip(ENDS) for each in kept)).strip(ENDS)


def tells(clause: str) -> bool:
    """Whether a clause tells something of the case, and nobody is asked or set right by it."""
    beside = any(each.search(clause.lower()) for each in (_TALKS_TO, _DENIES))
    return not beside and not is_question(clause)


def opening(told: Sequence[Said], complaints: Sequence[EvidenceView]) -> list[Said]:
    """The sentence of the first message that tells the trouble, and the one that tells since when, if it does not."""
    first = [each for each in told if each.turn == min((one.turn for one in told), default=0)]
    words = [view.words for view in complaints]

    def rank(each: Said) -> tuple[bool, bool, int]:
        of_trouble = any(each.text in one or one in each.text for one in words)
        return of_trouble, _NO_TROUBLE.search(each.text.lower()) is None, len(each.text)

    chosen = max(first, key=rank, default=None)
    if chosen is None:
        return []
    dated = [each for each in first if each is not chosen and _is_dated(each.text) and not changes([each])]
    return [chosen, *([] if _is_dated(chosen.text) else dated[:1])]


def _is_dated(text: str) -> bool:
    return _TIME.search(text.lower()) is not None


def deeds(told: Sequence[Said], results: TurnResults) -> list[Said]:
    """The clauses that tell what was done against the trouble, oldest first: by who did it, or as the record has it.

    Beside an error that was pasted what somebody did may have failed, so that only the record tells.
    """
    done = [each.words.strip(ENDS) for each in results.treatments if not each.undone]
    failed = {each.turn for each in results.remarks if _FAILED.search(each.text)}
    first = min((each.turn for each in told), default=0)
    sentences = [each for each in told if not _DAYS_BEFORE.search(each.text.lower())]
    clauses = [Said(each.turn, _LEAD.sub("", one).strip(ENDS)) for each in sentences for one in _clauses(each.text)]
    return [
        each
        for each in clauses
        if is_clear(each.text)
        and (
            any(is_of(words, each.text) for words in done)
            or (each.turn > first and each.turn not in failed and tells_own_deed(each.text))
        )
    ]


def is_of(words: str, clause: str) -> bool:
    """Whether a clause is told by these words of the record, and does not deny them."""
    whole = words in clause and 2 * len(words) >= len(clause)
    return (whole or _LEAD.sub("", words) == clause) and _NO_DEED.search(clause) is None


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence, each without a bracket that it does not close."""
    return [_OPEN_BRACKET.sub("", each) for each in clauses_of(sentence)]


def changes(told: Sequence[Said]) -> list[Said]:
    """The clauses that tell what had changed before: of the first message, and what is of a day before in any."""
    first = min((each.turn for each in told), default=0)
    clauses = [Said(each.turn, one.strip(ENDS)) for each in told for one in _clauses(each.text)]
    return [
        each
        for each in clauses
        if (each.turn == first or _DAYS_BEFORE.search(each.text.lower())) and _is_change(each.text)
    ]


def cause_told(remarks: Iterable[Remark]) -> str:
    """The cause as the person put it last; empty where they did not."""
    own = [sentence for each in remarks for sentence in sentences_of(own_words(each.text))]
    found = [match for sentence in own if not is_question(sentence) and (match := _CAUSE.search(sentence))]
    return (found[-1]["zh"] or found[-1]["en"]).strip(ENDS) if found else ""


def news(told: Sequence[Said], how: Aftermath) -> list[Said]:
    """The clauses of the last message that told how things are since, where they tell this."""
    first = min((each.turn for each in told), default=0)
    since = [each for each in told if each.turn > first]
    found = [Said(each.turn, clause.strip(ENDS)) for each in since for clause in _clauses(each.text)]
    news_told = [each for each in found if aftermath_of(each.text) is not None]
    last = max((each.turn for each in news_told), default=0)
    return [each for each in news_told if each.turn == last and aftermath_of(each.text) is how]


def _is_change(clause: str) -> bool:
    found = _CHANGE.search(clause) or _CHANGE_ZH.search(clause.lower())
    return found is not None and _NO_DEED.search(clause) is None


def _language_of(text: str) -> Language:
    return Language.ZH if _HAN.search(text) else Language.EN


def in_language(said: Iterable[Said], language: Language) -> list[Said]:
    """What is in the language that is written in: the person's words are not translated."""
    return [each for each in said if _language_of(each.text) is language]
