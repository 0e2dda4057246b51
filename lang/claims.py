"""What a clause says of each of its subjects: a value, none, a state, a degree, a trend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from lang.cues import is_plain, word_set
from lang.modality import Meaning, Where
from lang.numbers.model import TIMES, Role, Value, rates, scale
from lang.numbers.numerals import Range
from lang.parts import Parts
from lang.polarity import (
    SPEEDS,
    TRENDS,
    grades_of,
    is_about,
    is_habit,
    is_none,
    level_of,
    negations_before,
    nobody_does,
)
from lang.says import Claim, Says
from lang.states import find_state
from lang.subjects import Mention, Slot
from lang.tokens import Text
from lang.vocabulary import Action, Quantity, State, Subject, Unit

_ALL = 100.0
_REACHED, _CONNECTED = word_set("reached"), word_set("connected")
_NOT_OF_ALL = word_set("not_of_all")
_PART_OF = frozenset(("of", "/"))
_FROM = frozenset(("from", "从", "由"))


def claims_of(text: Text, parts: Parts, subjects: Mapping[str, Subject]) -> list[Claim]:
    """What a clause says of each of its subjects."""
    return [_claim(text, parts, mention, subjects[mention.subject]) for mention in parts.mentions]


def _claim(text: Text, parts: Parts, mention: Mention, subject: Subject) -> Claim:
    claim = Claim(mention, Says.MENTION, covered=mention.tokens)
    claim = _with_trend(text, parts, claim, subject)
    values = parts.bound.get(mention, [])
    if values:
        return _with_values(text, parts, claim, values, subject)
    if isinstance(subject, State):
        return _with_state(text, parts, claim)
    if _reaches_whole(text, parts, mention, subject):
        return replace(claim, says=Says.VALUE, amount=_ALL)
    if isinstance(subject, Action):
        negated = negations_before(text, parts, mention.first, mention.last) % 2 and not is_habit(text, parts)
        return replace(claim, says=Says.NONE) if negated else claim
    return _with_words(text, parts, claim, subject)


def _reaches_whole(text: Text, parts: Parts, mention: Mention, subject: Subject) -> bool:
    """True for "connections hit max_connections": what has come up to its whole is all of it."""
    if not isinstance(subject, Quantity) or subject.unit is not Unit.PERCENT or subject.whole is None:
        return False
    wholes = [other for other in parts.mentions if other.subject == subject.whole and other.first >= mention.last]
    between = range(mention.last, min((other.first for other in wholes), default=0))
    reached = [at for at in between if text.tokens[at].text in _REACHED]
    return bool(reached) and not negations_before(text, parts, reached[0], reached[0] + 1) % 2


def _with_values(text: Text, parts: Parts, claim: Claim, values: Sequence[Value], subject: Subject) -> Claim:
    """The value of a subject, with its base, and with the larger of two as the whole."""
    values = _with_former(text, parts, values)
    bases = [value for value in values if value.role is Role.BASE]
    multiples = _multiples(values)
    plain = [each for each in values if each.role is not Role.BASE and each.readings.keys() != {TIMES}] or bases
    if isinstance(subject, Quantity):
        plain.sort(key=lambda each: subject.unit not in each.readings and each.bare)
    value = plain[0] if plain else multiples[0]
    whole = None
    if len(plain) > 1 and isinstance(subject, Quantity) and subject.whole and not (plain[0].whole or plain[1].whole):
        value, whole = _part_and_whole(text, plain)
    if bases and plain is not bases and value.before is None:
        value = _after(bases[0], value)
    elif multiples and plain and value.before is None:
        value = replace(value, readings={**value.readings, **multiples[0].readings})
    if plain is bases and not multiples:
        return claim
    rest = any(slot.slot == "complement" and slot.subject == subject.id for slot in _near(parts, value, claim.mention))
    covered = claim.covered.union(*(range(each.first, each.last) for each in values))
    trend = "up" if value.grew else _direction(value) or claim.trend
    return replace(claim, says=Says.VALUE, value=value, whole=whole, rest=rest, trend=trend, covered=covered)


def _multiples(values: Sequence[Value]) -> list[Value]:
    """The multiples among the values; beside another one "as usual" only names the base ("twice as many as usual")."""
    multiples = [value for value in values if value.readings.keys() == {TIMES}]
    return [value for value in multiples if value.readings[TIMES] != (1.0, 1.0)] or multiples


def _with_former(text: Text, parts: Parts, values: Sequence[Value]) -> Sequence[Value]:
    """Of two values with "now" between them, or "from" before it, the first is what it was.

    "A 40 ms report now takes 4 s", "it went down from 100 and sits at 0".
    """
    if len(values) != 2 or any(value.role is not Role.VALUE for value in values):
        return values
    first, second = sorted(values, key=lambda value: value.first)
    between = any(cue.name == "now" and first.last <= cue.first < second.first for cue in parts.cues)
    led = text.tokens[max(first.first - 1, 0)].text in _FROM
    if not (between or led) or not first.readings.keys() & second.readings.keys():
        return values
    return [replace(first, role=Role.BASE), second]


def _after(base: Value, value: Value) -> Value:
    """The value with what it was before, whose unit a bare one shares: "used to be 12 GB, now 40"."""
    if value.bare and not base.bare:
        value = replace(value, readings=_in_unit_of(base, value) or value.readings)
    return replace(value, before=rates(base.readings, value.period) if value.period else base.readings)


def with_base(claim: Claim, base: Value) -> Claim:
    """The claim with what its value was before: "800 ms now, 3 ms before", "takes 300 ms. It used to be 2."."""
    if claim.value is not None and base.bare:
        base = replace(base, readings={**base.readings, **_in_unit_of(claim.value, base)})
    if claim.value is None or claim.value.before is not None or not claim.value.readings.keys() & base.readings.keys():
        return claim
    value = replace(claim.value, before=base.readings)
    return replace(claim, value=value, trend=_direction(value) or claim.trend)


def _in_unit_of(value: Value, bare: Value) -> dict[str, Range]:
    """A number without a unit in the unit of the value beside it; nothing where that has none, or several."""
    if value.bare or value.number <= 0 or len(value.readings) != 1:
        return {}
    ((unit, (low, _)),) = value.readings.items()
    return {unit: scale(bare.readings[Unit.COUNT], low / value.number)}


def with_whole(claim: Claim, whole: Value) -> Claim:
    """The claim with what its value is a part of ("20 GB left, 2 TB in all"); the value may follow."""
    if claim.says is Says.MENTION and claim.value is None:
        return replace(claim, whole=whole)
    if claim.value is None or claim.value.whole or not claim.value.readings.keys() & whole.readings.keys():
        return claim
    return replace(claim, whole=claim.whole or whole)


def counted_before(
    text: Text, before: Parts, own: Sequence[Claim], parts_of: Mapping[str, str], subjects: Mapping[str, Subject]
) -> list[Claim]:
    """The part of a whole that was counted right before it: "193 sessions, max_connections is 200"."""
    valued = [claim.mention for claim in own if claim.says is Says.VALUE and claim.mention.subject in parts_of]
    wholes = [mention for mention in valued if getattr(subjects[mention.subject], "unit", None) is Unit.COUNT]
    if len(wholes) != 1 or len(before.values) != 1 or before.bound or not _counts_connected(text, before):
        return []
    part = replace(wholes[0], subject=parts_of[wholes[0].subject])
    if any(claim.mention.subject == part.subject for claim in own):
        return []
    value = before.values[0]
    return [Claim(part, Says.VALUE, value, covered=part.tokens.union(value.covered))]


def _counts_connected(text: Text, parts: Parts) -> bool:
    """True for a clause that ends with how many sessions or connections there are, whatever they do."""
    value = parts.values[0]
    said = {at for cue in parts.cues for at in range(cue.first, cue.last)}
    behind = [text.tokens[at] for at in range(value.first + 1, parts.clause.last) if at not in said]
    every = "".join(token.text for token in behind)
    counted = "".join(token.text for token in behind if not is_plain(token))
    return value.readings.keys() == {Unit.COUNT} and not _CONNECTED.isdisjoint((every, counted))


def _part_and_whole(text: Text, values: Sequence[Value]) -> tuple[Value, Value | None]:
    """Of two values in one unit the one told to be the whole is it, else the larger ("180 GB on a 128 GB machine").

    Of two bare numbers neither is a whole unless it is told, or named as what the other is of: "1200 connections of
    1500", but "I said 300 gone up to disk 91".
    """
    first, second = values[0], values[1]
    shared = [unit for unit in first.readings if unit in second.readings and unit != Unit.PERCENT]
    if not shared:
        return (first if Unit.PERCENT in first.readings or first.role is Role.VALUE else second), None
    if (first.role is Role.WHOLE) != (second.role is Role.WHOLE):
        return (second, first) if first.role is Role.WHOLE else (first, second)
    if first.bare and second.bare and text.tokens[max(first.first, second.first) - 1].text not in _PART_OF:
        return first, None
    unit = shared[0]
    return (first, second) if first.readings[unit][0] <= second.readings[unit][0] else (second, first)


def _direction(value: Value) -> str | None:
    for unit, (low, _) in (value.before or {}).items():
        if unit in value.readings:
            return "up" if value.readings[unit][0] > low else "down"
    return None


def _near(parts: Parts, value: Value, mention: Mention) -> Iterable[Slot]:
    """The words of a subject that belong to this value: in the mention, or with no other value nearer to them."""
    for slot in parts.slots:
        others = [other for other in parts.values if other.first != value.first]
        gap = _gap(slot, value)
        if slot.first in mention.tokens or all(gap <= _gap(slot, other) for other in others):
            yield slot


def _gap(slot: Slot, value: Value) -> int:
    return max(value.first - slot.last, slot.first - value.last, 0)


def _with_trend(text: Text, parts: Parts, claim: Claim, subject: Subject) -> Claim:
    # How evenly something goes is of its amount, and not of the time that it takes.
    lasts = isinstance(subject, State) or (isinstance(subject, Quantity) and subject.unit is Unit.SECONDS)
    for cue in parts.cues:
        if cue.name == "even" and lasts:
            continue
        if cue.name in TRENDS and is_about(text, parts, cue, claim.mention):
            flips = negations_before(text, parts, cue.first, cue.last) % 2 and cue.name == "rising"
            trend = "flat" if flips else TRENDS[cue.name]
            return replace(claim, says=Says.TREND, trend=trend, covered=claim.covered | set(range(cue.first, cue.last)))
    return claim


def _is_not_of_all(text: Text, parts: Parts, mention: Mention) -> bool:
    """True for "not all pages are fast": it says nothing of all of them."""
    starts = (cue.first for cue in parts.cues if cue.name == "negation" and cue.last <= mention.first)
    return any("".join(token.text for token in text.tokens[at : mention.first]) in _NOT_OF_ALL for at in starts)


def _with_state(text: Text, parts: Parts, claim: Claim) -> Claim:
    """What the words for the two ways say, unless of all it is denied; else a level that is fine."""
    told = find_state(text, parts, claim.mention)
    if told is not None and _is_not_of_all(text, parts, claim.mention):
        return claim
    if told is not None:
        covered = claim.covered | set(range(told.slot.first, told.slot.last))
        return replace(claim, says=Says.STATE_BAD if told.is_bad else Says.STATE_GOOD, covered=covered)
    level = level_of(text, parts, claim.mention, SPEEDS)
    return (
        replace(claim, says=Says.FINE, covered=claim.covered | level[1]) if level and level[0] is Says.FINE else claim
    )


def _with_words(text: Text, parts: Parts, claim: Claim, subject: Subject) -> Claim:
    """What words without a number say: none, a value word of the subject, fine, bad, high, low."""
    mention = claim.mention
    if none_left := _none_left(text, parts, claim, subject):
        return none_left
    if is_none(text, parts, mention):
        # "Nobody can log in" is no log-in that takes no time.
        idle = isinstance(subject, Quantity) and subject.unit is Unit.SECONDS and nobody_does(text, parts)
        return claim if idle else replace(claim, says=Says.NONE)
    for slot in parts.slots:
        if slot.slot == "value" and slot.subject == subject.id and not _is_taken(parts, slot):
            covered = claim.covered | set(range(slot.first, slot.last))
            if negations_before(text, parts, slot.first, slot.last) % 2:
                return replace(claim, says=Says.FINE, covered=covered)
            return replace(claim, says=Says.VALUE, amount=slot.amount, covered=covered)
    level = level_of(text, parts, mention, grades_of(subject))
    if level:
        return replace(claim, says=level[0], covered=claim.covered | level[1])
    return claim


def _none_left(text: Text, parts: Parts, claim: Claim, subject: Subject) -> Claim | None:
    """ "No connections left": none of the rest is all of the whole."""
    if not isinstance(subject, Quantity) or subject.unit is not Unit.PERCENT:
        return None
    none = is_none(text, parts, claim.mention)
    rest = [
        slot
        for slot in parts.slots
        if slot.slot == "complement"
        and slot.subject == subject.id
        and (none or negations_before(text, parts, slot.first, slot.last, claim.mention) % 2)
    ]
    covered = claim.covered.union(*(range(slot.first, slot.last) for slot in rest))
    return replace(claim, says=Says.VALUE, amount=_ALL, covered=covered) if rest else None


def _is_taken(parts: Parts, slot: Slot) -> bool:
    """A longer word of the lexicon over a word of the subject wins: 不慢 over 慢."""
    return any(
        cue.first <= slot.first and cue.last >= slot.last and cue.last - cue.first > slot.last - slot.first
        for cue in parts.cues
    )


def narrowed(meaning: Meaning, parts: Parts, claim: Claim, is_of_standby: Callable[[str], bool]) -> Meaning:
    """How a clause is meant for one of its claims."""
    elsewhere = any(cue.name == "standby" and cue.first not in claim.mention.tokens for cue in parts.standbys)
    if elsewhere and not is_of_standby(claim.mention.subject):
        meaning = replace(meaning, where=Where.ELSEWHERE)
    return meaning
