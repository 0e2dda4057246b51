"""Binds the values and words of a clause to its subjects: what the clause says of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from lang.clauses import Clause, Cue
from lang.cues import word_set
from lang.subjects import Mention, Slot
from lang.text import Kind, Text
from lang.values import TIMES, Role, Value, rates
from lang.vocabulary import Action, Event, Outcome, Quantity, State, Subject, Unit

_FAR = 24
_NEGATION_REACH = 4
_CROSSED_VALUE, _CROSSED_MENTION, _VALUE_FIRST, _OPEN_SPACE = 8, 6, 2, 3
LIST_WORDS = word_set("joins")
_LEVELS = ("fine", "bad", "high", "low")
# An amount of a rate lacks its period, and a rate of an amount its time: both are about the subject.
_RATES = {
    Unit.PER_SECOND: Unit.COUNT,
    Unit.BYTES_PER_SECOND: Unit.BYTES,
    Unit.COUNT: Unit.PER_SECOND,
    Unit.BYTES: Unit.BYTES_PER_SECOND,
}
_TRENDS = {"rising": "up", "falling": "down", "flat": "flat"}
_FILLERS = word_set("fillers")


class Says(StrEnum):
    """What kind of thing a clause says of a subject."""

    VALUE = "value"
    NONE = "none"
    FINE = "fine"
    BAD = "bad"
    HIGH = "high"
    LOW = "low"
    TREND = "trend"
    STATE_BAD = "state_bad"
    STATE_GOOD = "state_good"
    OUTCOME = "outcome"
    MENTION = "mention"


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause says of a mentioned subject.

    amount: the value of a word ("full" is 100), in the base unit. rest: the value is the rest of the whole.
    whole: a second value in the clause, of which the first is a part. covered: all tokens that the claim rests on.
    """

    mention: Mention
    says: Says
    value: Value | None = None
    amount: float | None = None
    whole: Value | None = None
    rest: bool = False
    trend: str | None = None
    outcome: Outcome | None = None
    covered: frozenset[int] = frozenset()


@dataclass
class Parts:
    """A clause with all that was found in it."""

    clause: Clause
    mentions: list[Mention]
    slots: list[Slot]
    cues: list[Cue]
    values: list[Value]
    standbys: list[Cue] = field(default_factory=list)
    bound: dict[Mention, list[Value]] = field(default_factory=dict)


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
        (_distance(text, value, mention, parts), value, mention)
        for value in parts.values
        for mention in parts.mentions
        if fits(value, subjects[mention.subject], subjects)
    ]
    given: dict[int, Mention] = {}
    for distance, value, mention in sorted(pairs, key=lambda pair: (pair[0], pair[1].first)):
        if distance > _FAR or not given.get(value.first, mention).tokens & mention.tokens:
            continue  # Only subjects of one and the same term share a value.
        given.setdefault(value.first, mention)
        parts.bound.setdefault(mention, []).append(value)
    return [value for value in parts.values if value.first not in given]


def _distance(text: Text, value: Value, mention: Mention, parts: Parts) -> int:
    """How far a value is from a subject: the tokens between them, more for what stands between."""
    gaps = [
        (value.first - last, 0) if last <= value.first else (first - value.last, _VALUE_FIRST)
        for first, last in mention.spans
    ]
    gap, order = min((max(gap, 0), order) for gap, order in gaps)
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
    return gap + order + crossed + len(others) * _CROSSED_MENTION + open_space


def claims_of(text: Text, parts: Parts, subjects: Mapping[str, Subject]) -> list[Claim]:
    """What a clause says of each of its subjects."""
    return [_claim(text, parts, mention, subjects[mention.subject]) for mention in parts.mentions]


def _claim(text: Text, parts: Parts, mention: Mention, subject: Subject) -> Claim:
    claim = Claim(mention, Says.MENTION, covered=mention.tokens)
    claim = _with_trend(text, parts, claim)
    values = parts.bound.get(mention, [])
    if values:
        return _with_values(parts, claim, values, subject)
    if isinstance(subject, State):
        return _with_state(text, parts, claim)
    if isinstance(subject, Action):
        negated = _negations_before(text, parts, mention.first, mention.last) % 2
        return replace(claim, says=Says.NONE) if negated else claim
    return _with_words(text, parts, claim, subject)


def _with_values(parts: Parts, claim: Claim, values: Sequence[Value], subject: Subject) -> Claim:
    """The value of a subject, with its base, and with the larger of two as the whole."""
    bases = [value for value in values if value.role is Role.BASE]
    multiples = [value for value in values if value.readings.keys() == {TIMES}]
    plain = [value for value in values if value.role is not Role.BASE and value not in multiples] or bases
    value = plain[0] if plain else multiples[0]
    whole = None
    if len(plain) > 1 and isinstance(subject, Quantity) and subject.whole and not (plain[0].whole or plain[1].whole):
        value, whole = _part_and_whole(plain)
    if bases and plain is not bases and value.before is None:
        before = bases[0].readings
        value = replace(value, before=rates(before, value.period) if value.period else before)
    elif multiples and plain and value.before is None:
        value = replace(value, readings={**value.readings, **multiples[0].readings})
    if plain is bases and not multiples:
        return claim
    rest = any(slot.slot == "complement" and slot.subject == subject.id for slot in _near(parts, value, claim.mention))
    covered = claim.covered.union(*(range(each.first, each.last) for each in values))
    trend = "up" if value.grew else _direction(value) or claim.trend
    return replace(claim, says=Says.VALUE, value=value, whole=whole, rest=rest, trend=trend, covered=covered)


def with_base(claim: Claim, base: Value) -> Claim:
    """The claim with what its value was before: "800 ms now, 3 ms before"."""
    if claim.value is None or claim.value.before is not None or not claim.value.readings.keys() & base.readings.keys():
        return claim
    value = replace(claim.value, before=base.readings)
    return replace(claim, value=value, trend=_direction(value) or claim.trend)


def _part_and_whole(values: Sequence[Value]) -> tuple[Value, Value | None]:
    """Of two values in one unit the larger is the whole."""
    first, second = values[0], values[1]
    shared = [unit for unit in first.readings if unit in second.readings and unit != Unit.PERCENT]
    if not shared:
        return (first if Unit.PERCENT in first.readings or first.role is Role.VALUE else second), None
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


def _with_trend(text: Text, parts: Parts, claim: Claim) -> Claim:
    for cue in parts.cues:
        if cue.name in _TRENDS and _is_about(parts, cue, claim.mention):
            flips = _negations_before(text, parts, cue.first, cue.last) % 2 and cue.name == "rising"
            trend = "flat" if flips else _TRENDS[cue.name]
            return replace(claim, says=Says.TREND, trend=trend, covered=claim.covered | set(range(cue.first, cue.last)))
    return claim


def _is_about(parts: Parts, cue: Cue, mention: Mention) -> bool:
    """A word is about the subjects before it, up to the word before; or about one right after it."""
    if mention.first <= cue.first:
        between = [
            other
            for other in parts.cues
            if other.name in _LEVELS and mention.last <= other.first and other.last <= cue.first
        ]
        return not between or cue.name in _TRENDS
    before = any(other.first < cue.first for other in parts.mentions)
    return not before and mention.first - cue.last <= _NEGATION_REACH


def _with_state(text: Text, parts: Parts, claim: Claim) -> Claim:
    """The nearest word for one of the two ways; a negation before it turns it round."""
    mention = claim.mention
    slots = [slot for slot in parts.slots if slot.subject == mention.subject and slot.slot in ("bad", "good")]
    if slots:
        slot = min(slots, key=lambda each: (_slot_distance(each, mention), each.first - each.last))
        bad = (slot.slot == "bad") != bool(_negations_before(text, parts, slot.first, slot.last, mention) % 2)
        covered = claim.covered | set(range(slot.first, slot.last))
        return replace(claim, says=Says.STATE_BAD if bad else Says.STATE_GOOD, covered=covered)
    level = _level(text, parts, mention)
    return (
        replace(claim, says=Says.STATE_GOOD, covered=claim.covered | level[1])
        if level and level[0] is Says.FINE
        else claim
    )


def _slot_distance(slot: Slot, mention: Mention) -> int:
    return max(slot.first - mention.last, mention.first - slot.last, 0)


def _with_words(text: Text, parts: Parts, claim: Claim, subject: Subject) -> Claim:
    """What words without a number say: none, a value word of the subject, fine, bad, high, low."""
    mention = claim.mention
    if _is_none(text, parts, mention):
        return replace(claim, says=Says.NONE)
    for slot in parts.slots:
        if slot.slot == "value" and slot.subject == subject.id and not _is_taken(parts, slot):
            covered = claim.covered | set(range(slot.first, slot.last))
            if _negations_before(text, parts, slot.first, slot.last) % 2:
                return replace(claim, says=Says.FINE, covered=covered)
            return replace(claim, says=Says.VALUE, amount=slot.amount, covered=covered)
    level = _level(text, parts, mention)
    if level:
        return replace(claim, says=level[0], covered=claim.covered | level[1])
    return claim


def _is_taken(parts: Parts, slot: Slot) -> bool:
    """A longer word of the lexicon over a word of the subject wins: 不慢 over 慢."""
    return any(
        cue.first <= slot.first and cue.last >= slot.last and cue.last - cue.first > slot.last - slot.first
        for cue in parts.cues
    )


def _is_none(text: Text, parts: Parts, mention: Mention) -> bool:
    """True where a negation stands right before the subject, or in a list before it, or `none` ends the clause."""
    if any(_negations_before(text, parts, first, last) % 2 for first, last in mention.spans):
        return True
    for cue in parts.cues:
        if (
            cue.name == "none"
            and cue.first >= mention.last
            and _only_fillers(text, cue.last, parts.clause.last)
            and _only_fillers(text, mention.last, cue.first, parts)
        ):
            return True
    return False


def _only_fillers(text: Text, first: int, last: int, parts: Parts | None = None) -> bool:
    names = {at for mention in parts.mentions for at in mention.tokens} if parts else set()
    tokens = [text.tokens[at] for at in range(first, last) if at not in names]
    return (
        all(
            token.kind in (Kind.COMMA, Kind.SIGN, Kind.STOP)
            or token.text in _FILLERS
            or (parts is not None and token.kind is Kind.HAN)
            for token in tokens
        )
        and len(tokens) <= 4
    )


def _negations_before(text: Text, parts: Parts, first: int, last: int, skip: Mention | None = None) -> int:
    """The number of negations right before a word; in a list ("no deadlocks or lock waits") the list shares them."""
    count, at, reach = 0, first, _NEGATION_REACH
    cues = {cue.last: cue for cue in parts.cues if cue.name in ("negation", "doubled_negation")}
    listed = {span_last: span_first for other in parts.mentions for span_first, span_last in other.spans}
    if any(
        cue.first <= first and last <= cue.last
        for cue in parts.cues
        if cue.name == "negation" and cue.last - cue.first > last - first
    ):
        return 1
    while at > parts.clause.first and reach:
        if at in cues:
            if cues[at].name == "doubled_negation":
                return count
            count, at, reach = count + 1, cues[at].first, _NEGATION_REACH
        elif at in listed and skip is None and not count and listed[at] < at and _joins(text, at, first):
            at = listed[at]
        elif any(
            cue.last == at
            and cue.name in (*_LEVELS, *_TRENDS, "turn", "except", "others")
            and cue.name not in ("high", "low")
            for cue in parts.cues
        ):
            return count
        else:
            at, reach = at - 1, reach - 1
    return count


def _joins(text: Text, last: int, first: int) -> bool:
    """True where two subjects stand in a list: joined by 、, 和, or, and."""
    return any(token.text in LIST_WORDS for token in text.tokens[last:first])


def _level(text: Text, parts: Parts, mention: Mention) -> tuple[Says, frozenset[int]] | None:
    """The word that tells how a subject stands, turned round by a negation before it."""
    for cue in parts.cues:
        if cue.name not in _LEVELS or not _is_about(parts, cue, mention):
            continue
        says = Says(cue.name)
        if _negations_before(text, parts, cue.first, cue.last) % 2:
            says = {Says.FINE: Says.BAD, Says.BAD: Says.FINE, Says.HIGH: Says.LOW, Says.LOW: Says.HIGH}[says]
        return says, frozenset(range(cue.first, cue.last))
    return None
