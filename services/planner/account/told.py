"""What the person told of the case, clause by clause: nothing that asks, was pasted, orders a text or is proposed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lang import deferred_re as re
from lang.judging.proposed_acts import is_proposed
from services.planner.model import Remark, SessionView
from services.planner.questions_asked.interrogatives import is_question
from services.planner.treatment.sentences import clauses_of, holds_output, places_of, sentences_of
from services.planner.treatment.wanted.briefs import read_order
from services.planner.understand.text.pasted_output import split_off_pastes
from services.planner.understand.text.word_lists import listed

_TALKS_TO, _DENIES = listed("account.talks_to"), listed("account.denies")
_NEW = SessionView()
_ASKING = ("?", "？")
_ENDS = " \n。.；;，,!！:："
# "..." ends a sentence, and a colon before a name of its own does not.
_DOTS = re.compile(r"(?:\.{2,}|…+)\s*")
# An order has a plan of the person's in brackets.
_BRACKETED = re.compile(r"[（(]([^（）()\n]{4,60})[）)]")


class Said(NamedTuple):
    """A clause of the person's, its sentence, and the turn that it was said in."""

    turn: int
    text: str
    sentence: str


def clauses_told(remarks: Iterable[Remark]) -> list[Said]:
    """The clauses that tell something of the case, oldest first."""
    return [each for remark in remarks for each in _clauses_in(remark)]


def _clauses_in(remark: Remark) -> Iterator[Said]:
    own = own_words(remark.text)
    order = read_order(own, _NEW)
    told = own if order is None else "\n".join((order.rest, *_BRACKETED.findall(order.step.text)))
    text = _DOTS.sub(". ", told)
    for start, sentence in places_of(text, sentences_of):
        clauses = places_of(sentence, clauses_of)
        for at, clause in clauses[:-1] if sentence.rstrip().endswith(_ASKING) else clauses:
            proposed = is_proposed(text, (start + at, start + at + len(clause)))
            if not (proposed or holds_output(clause) or is_question(clause)) and clause.strip(_ENDS):
                yield Said(remark.turn, clause.strip(_ENDS), sentence)


def own_words(message: str) -> str:
    """A message without what was pasted; a line by itself is somebody's own, also where it reads like an alert."""
    own, _ = split_off_pastes(message)
    return own if own.strip() or "\n" in message.strip() else message


def tells(clause: str) -> bool:
    """Whether a clause tells something of the case, and nobody is asked or set right by it."""
    beside = any(each.search(clause.lower()) for each in (_TALKS_TO, _DENIES))
    return not beside and not is_question(clause)
