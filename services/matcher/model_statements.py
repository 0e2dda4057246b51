"""Turns what a language model stated into statements about the subjects of the predicates, for the judge.

The model names a phenomenon and quotes words; every number is read from its quotes here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from lang.binding import fits
from lang.modality import Meaning, Mode, When, Where
from lang.numbers.model import Role, Value
from lang.numbers.values import read_values
from lang.says import Says
from lang.statements import Statement
from lang.terms import Terms
from lang.tokens import read_text
from lang.vocabulary import Action, Limit, Outcome, Predicate, Quantity, State, Subject

_TRENDS = {"rising": "up", "falling": "down", "steady": "flat"}
_OUTCOMES = {outcome.value: outcome for outcome in Outcome}
_LEVELS = {
    "none": Says.NONE,
    "fine": Says.FINE,
    "state_good": Says.FINE,
    "bad": Says.BAD,
    "state_bad": Says.BAD,
    "mention": Says.MENTION,
}
_STATES = {Says.BAD: Says.STATE_BAD, Says.FINE: Says.STATE_GOOD}
_LEFT = "left"
_NO_NUMBER = (Role.PERIOD, Role.THRESHOLD)


class StatedRow(BaseModel):
    """One thing that a message says of one phenomenon, by the model. words, value and of are quotes of the message.

    value: the number; it is looked for in `words` if empty. of: what it is a part of, was before, or usually is.
    """

    model_config = ConfigDict(extra="forbid")

    words: str = Field(min_length=1)
    phenomenon_id: str
    says: Literal[
        "value", "none", "fine", "bad", "rising", "falling", "steady", "state_bad", "state_good",
        "helped", "helped_for_a_while", "no_help", "trouble_began", "done", "mention",
    ]  # fmt: skip
    value: str = ""
    of: str = ""
    polarity: Literal["present", "absent"]
    modality: Mode
    when: When
    where: Where

    @property
    def meaning(self) -> Meaning:
        """How, when and where it is meant."""
        return Meaning(self.modality, self.when, self.where)


class StatementMaker:
    """Makes statements about the subjects of one library's predicates."""

    def __init__(self, means: Mapping[str, Sequence[Predicate]], subjects: Mapping[str, Subject]) -> None:
        self._means, self._subjects = means, subjects
        self._words: dict[str, Terms[str | float]] = {}

    def statements_of(self, row: StatedRow, start: int) -> list[Statement]:
        """The row as a statement of each subject that may be meant. start: the place of its words in the message.

        A value that fits a quantity is none of an event: "97 of 1000 connections" is no count of "nearly full".
        """
        span = start, start + len(row.words)
        found = []
        for predicate in self._predicates(row.phenomenon_id):
            subject = self._subjects.get(predicate.subject)
            if subject is not None:
                bare = Statement(subject.id, Says.MENTION, row.meaning, row.words, span)
                found.append((subject, self._stated(row, bare, subject, predicate.limit)))
        measured = [stated for subject, stated in found if isinstance(subject, Quantity) and stated is not None]
        if row.says == "value" and measured:
            return measured
        return [stated for _, stated in found if stated is not None]

    def amounts_of(self, row: StatedRow) -> Iterator[tuple[str, float]]:
        """The quantities that the quoted `of` gives, in their base units, for limits that are multiples of them."""
        value = read_number(row.of)
        for predicate in self._predicates(row.phenomenon_id):
            whole = self._subjects.get(predicate.limit.whole or "") if predicate.limit else None
            if value is not None and isinstance(whole, Quantity) and whole.unit in value.readings:
                yield whole.id, value.readings[whole.unit][0]

    def _predicates(self, phenomenon_id: str) -> Iterator[Predicate]:
        for predicate in self._means.get(phenomenon_id, ()):
            yield from (predicate, *predicate.with_)

    def _stated(self, row: StatedRow, bare: Statement, subject: Subject, limit: Limit | None) -> Statement | None:
        if row.says == "value":
            return self._valued(row, bare, subject, limit)
        if trend := _TRENDS.get(row.says):
            return replace(bare, says=Says.TREND, trend=trend)
        if outcome := _OUTCOMES.get(row.says):
            return replace(bare, says=Says.OUTCOME, outcome=outcome) if isinstance(subject, Action) else None
        says = _LEVELS[row.says]
        if isinstance(subject, State):
            return replace(bare, says=_STATES.get(says, says))
        amount = self._word_amount(subject, row.words) if says is Says.BAD else None
        return replace(bare, says=says) if amount is None else replace(bare, says=Says.VALUE, amount=amount)

    def _valued(self, row: StatedRow, bare: Statement, subject: Subject, limit: Limit | None) -> Statement | None:
        quote = row.value or row.words
        usual = limit is not None and limit.usual
        value, of = read_number(quote), read_number(row.of) or _beside(quote, Role.BASE if usual else Role.WHOLE)
        if value is None and isinstance(subject, Quantity):
            amount = self._word_amount(subject, quote)
            return None if amount is None else replace(bare, says=Says.VALUE, amount=amount)
        if value is None or not fits(value, subject, self._subjects):
            return None
        if of is not None and usual:
            value = replace(value, before=of.readings)
        return replace(
            bare,
            says=Says.VALUE,
            value=value,
            whole=None if usual else of,
            rest=any(found == _LEFT for found in self._found(subject, quote)),
            trend="up" if value.grew else None,
        )

    def _word_amount(self, subject: Subject, words: str) -> float | None:
        """The value that a word of the subject stands for: full is 100."""
        return next((found for found in self._found(subject, words) if isinstance(found, float)), None)

    def _found(self, subject: Subject, words: str) -> Iterable[str | float]:
        """What a quantity's own words say in a quote: amounts, and that it is the rest of the whole."""
        if not isinstance(subject, Quantity):
            return ()
        if subject.id not in self._words:
            terms = self._words[subject.id] = Terms[str | float]()
            for term in subject.complement.all:
                terms.add(term, _LEFT)
            for amount, several in subject.values.items():
                for term in several.all:
                    terms.add(term, float(amount))
        return [found.payload for found in self._words[subject.id].find(read_text(words))]


def read_number(words: str) -> Value | None:
    """The amount in a quote: the first that is said of something, not a limit or a span of time around it."""
    values = [value for value in read_values(read_text(words)) if value.role not in _NO_NUMBER]
    plain = [value for value in values if value.role is Role.VALUE]
    return next(iter(plain or values), None)


def _beside(words: str, role: Role) -> Value | None:
    """What a quote itself names its amount to be a part of, or to have been before."""
    values = read_values(read_text(words))
    plain = any(value.role is Role.VALUE for value in values)
    return next((value for value in values if plain and value.role is role), None)
