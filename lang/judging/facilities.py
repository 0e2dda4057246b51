"""What a message says that the site has, or does without: "we have no standby", 单机, "there is one replica".

A site does without a facility only where nothing else is said of it: "no standby is connected" has one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lang.cues import word_set
from lang.judging.amending import wrongly_said
from lang.says import Says
from lang.statements import Reader, Statement
from lang.tokens import ARTICLES, read_text
from lang.vocabulary import Event, Facility, Vocabulary

_HAVING, _THERE, _LACKS, _UNSEEN = (word_set(name) for name in ("having", "there", "lacks", "out_of_sight"))
_LACKING = "_lacking"
# "没断过" tells what never happened to a thing that is there.
_NOW_GONE = frozenset("了过")
# "slots: 0" counts facilities; a zero beside more words counts something else.
_COUNTED = 3


@dataclass(frozen=True, slots=True)
class Told:
    """That a facility is there, or not, in which words of a message.

    phenomena: what is ruled out by its lack, or may be there again.
    """

    facility: Facility
    there: bool
    words: str
    span: tuple[int, int]
    phenomena: tuple[str, ...]


class FacilityReader:
    """Reads which facilities a site has. Pure: one message, one reading. needs: those that each phenomenon needs."""

    def __init__(self, facilities: Sequence[Facility], needs: Mapping[str, Sequence[str]]) -> None:
        self._facilities = {each.id: each for each in facilities}
        self._needs = {name: frozenset(needed) for name, needed in needs.items() if needed}
        self._reader = Reader(Vocabulary(events=tuple(event for each in facilities for event in _events(each))))

    def read(self, message: str, shown: Collection[str] = ()) -> tuple[Told, ...]:
        """What a message tells of facilities, in its order; of what it calls wrong, the opposite comes last.

        shown: the phenomena that its outputs show: what they need is there, whatever the words beside them quote.
        """
        wrong = wrongly_said(message) if self._facilities else ()
        told = [each for each in self._told(message) if not any(quote in each.words for quote in wrong)]
        for quote in wrong:
            start = max(message.find(quote), 0)
            told += [self._turned(each, (start, start + len(quote))) for each in self._told(quote)]
        return tuple(each for each in told if each.there or not set(shown).intersection(each.phenomena))

    def _told(self, words: str) -> Iterator[Told]:
        for statement in self._reader.read(words).statements if self._facilities else ():
            there = _is_there(statement)
            if there is not None:
                facility = self._facilities[statement.subject.removesuffix(_LACKING)]
                yield Told(facility, there, statement.words, statement.span, self._bearing_on(facility, there))

    def _turned(self, told: Told, span: tuple[int, int]) -> Told:
        there = not told.there
        return replace(told, there=there, span=span, phenomena=self._bearing_on(told.facility, there))

    def _bearing_on(self, facility: Facility, there: bool) -> tuple[str, ...]:
        """The phenomena that need a facility, or what lacks with it; of one that is there, what must be there too."""
        inner = {each.id for each in self._facilities.values() if facility.id in (each.id, each.within)}
        bears = {facility.id, facility.within} if there else inner
        return tuple(sorted(name for name, needed in self._needs.items() if bears & needed))


def _events(facility: Facility) -> Iterator[Event]:
    yield Event(id=facility.id, name=facility.name, say=facility.say, beside=facility.beside)
    yield Event(id=facility.id + _LACKING, name=facility.name, say=facility.lacking, beside=facility.beside)


def _is_there(statement: Statement) -> bool | None:
    """Whether a statement tells that its facility is there; None where it does not tell."""
    alone = all(word in _HAVING for word in statement.leftover) and not _is_in_name(statement.words)
    said = [token.text for token in read_text(statement.words).tokens]
    zero = statement.value is not None and statement.value.is_zero and len(said) <= _COUNTED
    lacks = statement.says is Says.NONE and not _LACKS.isdisjoint(said)
    if not statement.meaning.is_fact or _tells_loss(said):
        return None
    if statement.subject.endswith(_LACKING):
        return statement.says is Says.NONE if alone else None
    if zero or statement.says is Says.NONE:
        return False if alone and (zero or lacks) else None
    return True if not _THERE.isdisjoint(said) else None


def _is_in_name(words: str) -> bool:
    """Whether the no is a part of a name: "the error is the no partition one"."""
    tokens = read_text(words).tokens
    return any(other.text == "no" and token.key in ARTICLES for token, other in pairwise(tokens))


def _tells_loss(said: Sequence[str]) -> bool:
    """Whether words tell that a thing is gone or out of sight, so that there was, or may be, one."""
    return said[-1] in _NOW_GONE or not _UNSEEN.isdisjoint(said)
