"""Binds the values of a clause to its subjects."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lang.cues import is_number_word, is_plain, word_set
from lang.numbers.model import TIMES, Role, Value
from lang.parts import LIST_WORDS, Parts
from lang.polarity import value_negations
from lang.subjects import Mention
from lang.tokens import ARTICLES, Kind, Text, read_text
from lang.vocabulary import Event, Quantity, Subject, Unit

_FAR = 24
_CROSSED_VALUE, _CROSSED_MENTION, _VALUE_FIRST, _OPEN_SPACE = 8, 6, 2, 3
_UNITLESS = 4
_OWN_VALUE, _NEXT_THING = 3, 15
_LEADS = word_set("number_leads")
_DENIES_ZERO = word_set("denies_zero")
_BEING = word_set("being")
_VALUE_NAMES = word_set("value_names")
_COUNTED = (Unit.COUNT, Unit.PERCENT, Unit.PER_SECOND, Unit.PER_CORE)
# An amount of a rate lacks its period, and a rate of an amount its time: both are about the subject.
_RATES = {
    Unit.PER_SECOND: Unit.COUNT,
    Unit.BYTES_PER_SECOND: Unit.BYTES,
    Unit.COUNT: Unit.PER_SECOND,
    Unit.BYTES: Unit.BYTES_PER_SECOND,
}


def fits(value: Value, subject: Subject, subjects: Mapping[str, Subject]) -> bool:
    """True if a value may be one of this subject: by its unit, as a part of the whole, or as a multiple."""
    if isinstance(subject, Event):
        return bool({Unit.COUNT, Unit.PER_SECOND, Unit.PERCENT, TIMES} & value.readings.keys())
    if not isinstance(subject, Quantity):
        return False
    units = {str(subject.unit)}
    if subject.whole is not None:
        whole = subjects.get(subject.whole)
        units |= {str(whole.unit), Unit.PERCENT} if isinstance(whole, Quantity) else set()
    if subject.unit in (Unit.PERCENT, Unit.PER_SECOND, Unit.PER_CORE) or value.bare:
        units |= {Unit.COUNT} if value.bare else set()
    if subject.unit in _RATES:
        units.add(_RATES[subject.unit])
    return TIMES in value.readings or bool(units & value.readings.keys())


def bind_values(text: Text, parts: Parts, subjects: Mapping[str, Subject]) -> list[Value]:
    """Gives each value of a clause to the nearest subject that it fits, and returns those that fit none."""
    pairs = [
        (_distance(text, value, mention, parts) + _unlikeliness(value, subjects[mention.subject]), value, mention)
        for value in parts.values
        for mention in parts.mentions
        if fits(value, subjects[mention.subject], subjects)
        and not _counts_another(text, value, mention, parts, subjects[mention.subject])
    ]
    given: dict[int, Mention] = {}
    for distance, value, mention in sorted(pairs, key=lambda pair: (pair[0], pair[1].first)):
        if distance > _FAR or not given.get(value.first, mention).tokens & mention.tokens:
            continue  # Only subjects of one and the same term share a value.
        given.setdefault(value.first, mention)
        parts.bound.setdefault(mention, []).append(value)
    _apply_negations(text, parts, given)
    return [value for value in parts.values if value.first not in given]


def _counts_another(text: Text, value: Value, mention: Mention, parts: Parts, subject: Subject) -> bool:
    """True if a bare number stands before a noun that no term of the subject has: "32 queries join that table".

    After an event or a share any such number is of something else, too: "failsafe after 0 index scans". What is
    assigned is of the name that it is assigned to.
    """
    if isinstance(subject, Event) and value.bare and mention.last <= value.first and _is_of_noun(text, value, parts):
        return True
    within = len(mention.spans) > 1 and value.last < mention.last
    counted = isinstance(subject, Event) or (isinstance(subject, Quantity) and subject.unit is Unit.PERCENT)
    if value.first > 1 and text.tokens[value.first - 1].text == "=":
        return counted and value.bare and not _is_own_name(text, value.first - 2, mention)
    after = counted and mention.last <= value.first and value.last < len(text.tokens)
    if not (within or after) or not value.bare or value.bound is not None:
        return False
    noun = text.tokens[value.last]
    taken = any(cue.first <= value.last < cue.last for cue in parts.cues) or value.last in mention.tokens
    if noun.kind is not Kind.WORD or taken or is_plain(noun) or is_number_word(noun.text):
        return False
    return noun.key not in _words_of(subject.say.all)


def _is_of_noun(text: Text, value: Value, parts: Parts) -> bool:
    """True if a noun that no subject has and a form of "to be" stand right before a value: "all prices are 0"."""
    named = {at for mention in parts.mentions for at in mention.tokens}
    at = value.first - 2
    if at < parts.clause.first or at in named or text.tokens[at + 1].text not in _BEING:
        return False
    return text.tokens[at].kind is Kind.WORD and not is_plain(text.tokens[at])


def _is_own_name(text: Text, at: int, mention: Mention) -> bool:
    """True if a name before "=" is of the subject, or names no other thing: not so "conflicts" in "conflicts=3"."""
    name = text.tokens[at]
    return at in mention.tokens or name.kind is not Kind.WORD or name.text in _VALUE_NAMES or is_plain(name)


@cache
def _words_of(terms: tuple[str, ...]) -> frozenset[str]:
    return frozenset(token.key for term in terms for token in read_text(term).tokens)


def _unlikeliness(value: Value, subject: Subject) -> int:
    """A bare number is rather of what is counted than of a size or a time: "35 updates wait for locks"."""
    counted = isinstance(subject, Event) or (isinstance(subject, Quantity) and subject.unit in _COUNTED)
    return 0 if counted or not value.bare else _UNITLESS


def _apply_negations(text: Text, parts: Parts, given: Mapping[int, Mention]) -> None:
    """Turns denied bounds ("none is over", 没有超过) to the other side, and drops denied amounts ("not 97").

    What is "not 0" is more than nothing; other negations beside a zero say it once more ("none, 0").
    """
    for value in parts.values:
        if value.first not in given or value.first < parts.clause.first:
            continue
        negations = value_negations(text, parts, value, given[value.first])
        if value.is_zero and not any(text.tokens[cue.first].text in _DENIES_ZERO for cue in negations):
            continue
        parts.cues = [cue._replace(name="value_negation") if cue in negations else cue for cue in parts.cues]
        if len(negations) % 2:
            turned = [value.opened("at_least")] if value.is_zero else [value.turned()] if value.bound else []
            for mention, values in parts.bound.items():
                parts.bound[mention] = [new for each in values for new in (turned if each is value else [each])]


def _leads_on(text: Text, value: Value, gap: int) -> bool:
    """True if a number belongs to what follows it at once, or after a hyphen: "on 16 cores", "on an 8-core machine"."""
    before = max(value.first - 1, 0)
    before -= before > 0 and text.tokens[before].key in ARTICLES
    joined = not gap or text.tokens[value.last].text == "-"
    return joined and text.tokens[before].text in _LEADS


def _distance(text: Text, value: Value, mention: Mention, parts: Parts) -> int:
    """How far a value is from a subject: the tokens between them, more for what stands between."""
    gaps = [
        (value.first - last, 0) if last <= value.first else (first - value.last, _VALUE_FIRST)
        for first, last in mention.spans
    ]
    gap, order = min((max(gap, 0), order) for gap, order in gaps)
    if order and gap <= 1 and _leads_on(text, value, gap):
        gap = order = 0  # "220 active sessions on 16 cores": the word before the number belongs to what follows it.
    low, high = sorted((min(value.first, mention.first), max(value.last, mention.last)))
    between = range(low, high)
    crossed = sum(
        _CROSSED_VALUE
        for other in parts.values
        if other is not value and other.first in between and other.role is Role.VALUE
    )
    others = {
        other.spans
        for other in parts.mentions
        if other.spans != mention.spans and other.first in between and not other.tokens & mention.tokens
    }
    open_space = (
        _OPEN_SPACE if order and value.last < len(text.tokens) and text.tokens[value.last].kind is Kind.COMMA else 0
    )
    apart = _NEXT_THING if order and _has_own_value(text, value, mention, parts) else 0
    return gap + order + crossed + len(others) * _CROSSED_MENTION + open_space + apart


def _has_own_value(text: Text, value: Value, mention: Mention, parts: Parts) -> bool:
    """True if "and" parts a value from a subject that has one of its own: "disk at 93 % and pg_wal is 400 GB"."""
    joined = any(text.tokens[at].text in LIST_WORDS for at in range(value.last, mention.first))
    near = range(mention.last, mention.last + _OWN_VALUE + 1)
    return joined and any(other.first in near for other in parts.values)
