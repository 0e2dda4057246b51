"""What belongs together among the numbers of a text: part and whole, before and after, amount and period."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lang.cues import is_plain, word_set
from lang.numbers.model import TIMES, Readings, Role, Value, rates, scale
from lang.numbers.number_words import is_change
from lang.tokens import Kind, Token
from lang.vocabulary import Unit

_PERIOD_REACH = 5
_TIMES = "次"
_CHANGED_TO = tuple(sorted(word_set("changed_to")))
_GREW_BY = tuple(sorted(word_set("grew_by")))
_FELL_BY = tuple(sorted(word_set("fell_by")))
_GROWTH = word_set("growth")
_ONLY = word_set("only")
_LATER, _PASSING, _LATER_WITHIN = word_set("later"), word_set("passing"), 2
_COUNT_TO = frozenset(("to", "到"))
# What turns from an estimate to what it came to, which words for how that was counted may stand before.
_TURNS, _COUNT_REACH = (frozenset(("but", "但", "而", "却", "vs", "versus")) | word_set("counted"), 15)


def relate(tokens: Sequence[Token], values: list[Value]) -> list[Value]:
    """Joins what belongs together: a part and its whole, before and after, an amount and its period."""
    related: list[Value] = []
    for value in _joined_later(tokens, values):
        joined = _join(tokens, related[-1], value) if related else None
        if joined is None:
            related.append(value)
        else:
            related[-1] = joined
    return [_grown(tokens, value) for value in related if value.role not in (Role.THRESHOLD, Role.PERIOD)]


def _joined_later(tokens: Sequence[Token], values: Sequence[Value]) -> list[Value]:
    """Values, of which one a while after another of its kind is what that became: "4312, 5 minutes later 4341"."""
    found: list[Value] = []
    for value in values:
        later = len(found) > 1 and _is_while(tokens, found[-1], value)
        if later and _follows_at_once(tokens, *found[-2:]) and _share(found[-2], value):
            one, _ = found.pop(-2), found.pop()
            value = replace(value, first=one.first, before=_in_unit_of(one, value), role=Role.VALUE)
        found.append(value)
    return found


def _is_while(tokens: Sequence[Token], passed: Value, value: Value) -> bool:
    """True for a time that goes by before a value is read: 5 minutes later, 过了 5 分钟再查."""
    between = [token.text for token in tokens[passed.last : value.first]]
    lead = [token.text for token in tokens[max(passed.first - 2, 0) : passed.first]]
    told = not _LATER.isdisjoint(between[:_LATER_WITHIN]) or not _PASSING.isdisjoint(lead)
    near = len(between) <= _PERIOD_REACH and Kind.STOP not in {each.kind for each in tokens[passed.last : value.first]}
    return told and near and passed.readings.keys() == {Unit.SECONDS} and passed.role is not Role.AGO


def _follows_at_once(tokens: Sequence[Token], one: Value, passed: Value) -> bool:
    """True if nothing of weight stands between a value and the time that goes by after it."""
    between = tokens[one.last : passed.first]
    return all(token.kind is Kind.COMMA or is_plain(token) or token.text in _PASSING for token in between)


def _join(tokens: Sequence[Token], one: Value, other: Value) -> Value | None:
    if Role.AGO in (one.role, other.role):
        return None
    between = [token.text for token in tokens[one.last : other.first]]
    told = one.told == "estimated" and (other.told == "actual" or _turns(between))
    reach = _COUNT_REACH if told else _PERIOD_REACH
    if len(between) > reach or any(tokens[at].kind is Kind.STOP for at in range(one.last, other.first)):
        return None
    if told:
        return _estimate_of(one, other)
    if _is_part(between) and one.whole is None:
        return _part_of(one, other)
    if _is_count_to(tokens, one, other):
        return replace(other, first=one.first, before=one.readings, role=Role.VALUE)
    if _is_change_to(between) and _is_while(tokens, one, other):
        return None
    if _is_change_to(between) and other.bare and not one.bare and one.number:
        other = replace(other, readings=_in_unit_of(other, one), bare=False)  # "From 96 % to 61".
    if _is_change_to(between) and (_begins_change(tokens, one) or between[-1:] != ["到"]) and _share(one, other):
        readings = rates(other.readings, one.period) if one.period else other.readings
        return replace(other, first=one.first, readings=readings, before=_in_unit_of(one, other), role=Role.VALUE)
    if between and between[0] in (">", ">=", "<") and one.role is Role.VALUE:
        return replace(one, last=other.last)
    if (
        (_is_period(one, between) or (_ONLY.issuperset(between) and _is_each(tokens, one, other)))
        and one.readings.keys() == {Unit.SECONDS}
        and {Unit.BYTES, Unit.COUNT} & other.readings.keys()
    ):
        return _in_period(one, other)
    return None


def _turns(between: Sequence[str]) -> bool:
    """True for words between an estimate and a number that make it what there really is."""
    written = "".join(between)
    return any(word in (written if not word.isascii() else between) for word in _TURNS)


def _in_period(one: Value, other: Value) -> Value:
    """An amount and the period before it, as a rate."""
    period = one.readings[Unit.SECONDS][0] or 1.0
    role = Role.VALUE if other.role is Role.WHOLE else other.role
    readings = {**rates(other.readings, period), **_counts(other)}
    return replace(other, first=one.first, role=role, readings=readings, period=period)


def _estimate_of(one: Value, other: Value) -> Value | None:
    """What was estimated and what it came to, as the factor between them: "rows=12, actual 480000"."""
    counts = [value.readings.get(Unit.COUNT) for value in (one, other)]
    if None in counts:
        return None
    (least, _), (most, _) = sorted(max(count or (1.0, 1.0), (1.0, 1.0)) for count in counts)
    return replace(other, first=one.first, readings={TIMES: (most / least,) * 2}, bare=False, role=Role.VALUE)


def _counts(value: Value) -> Readings:
    return {unit: span for unit, span in value.readings.items() if unit == Unit.COUNT}


def _is_part(between: Sequence[str]) -> bool:
    """ "490/500", "295 out of 300", "31 of 400"."""
    return list(between) in (
        ["/"],
        ["of"],
        ["out", "of"],
        ["out", "of", "the"],
        ["of", "the"],
        ["中", "的"],
        ["of", "a"],
    )


def _part_of(one: Value, other: Value) -> Value | None:
    if Unit.SECONDS in other.readings or TIMES in other.readings:
        return None
    if not one.bare and not _share(one, other):
        return None
    return replace(
        one, last=other.last, readings=_in_unit_of(one, other), whole=other.readings, bare=False, role=Role.VALUE
    )


def _in_unit_of(one: Value, other: Value) -> Readings:
    """The readings of a bare number that shares the unit of another: "from 40 to 80 GB"."""
    if not one.bare or other.bare or not other.number:
        return one.readings
    return {unit: scale((one.number, one.number), span[0] / other.number) for unit, span in other.readings.items()}


def _begins_change(tokens: Sequence[Token], one: Value) -> bool:
    """True after from and 从, which may stand between the period of an amount and the amount: 每秒提交从 3000."""
    return is_change(tokens, one.first) or is_change(tokens, one.last - 1)


def _is_change_to(between: Sequence[str]) -> bool:
    joined = "".join(between)
    return bool(between) and (joined in _CHANGED_TO or (joined.endswith(_CHANGED_TO) and len(joined) <= 5))


def _is_count_to(tokens: Sequence[Token], one: Value, other: Value) -> bool:
    """ "20 pods to 60": how many there were and are; "gave 20 pods to 60 users" is none."""
    between = [token.text for token in tokens[one.last : other.first]]
    if (
        len(between) != 2
        or between[1] not in _COUNT_TO
        or not one.readings.keys() == other.readings.keys() == {Unit.COUNT}
    ):
        return False
    following = tokens[other.last : other.last + 1]
    return not any(each.kind in (Kind.WORD, Kind.HAN) and not is_plain(each) for each in following)


def _share(one: Value, other: Value) -> bool:
    return bool(one.readings.keys() & other.readings.keys()) or one.bare or bool(one.period)


def _is_period(one: Value, between: Sequence[str]) -> bool:
    """A duration before an amount: 每秒 80M, 一分钟写了 0.6G, 5 分钟涨了 14."""
    return one.role is Role.PERIOD or any(text in _GROWTH for text in between)


def _is_each(tokens: Sequence[Token], one: Value, other: Value) -> bool:
    """One unit of time right before how often or how much: 一秒 60 万次, 一天 200G."""
    amount = Unit.BYTES in other.readings and not other.bare
    return one.number == 1.0 and (amount or tokens[other.last - 1].text == _TIMES)


def _grown(tokens: Sequence[Token], value: Value) -> Value:
    before = "".join(token.text for token in tokens[max(value.first - 3, 0) : value.first])
    inside = "".join(token.text for token in tokens[value.first : min(value.last, value.first + _PERIOD_REACH + 1)])
    if before.endswith(_FELL_BY) and Unit.PERCENT in value.readings and value.before is None:
        low, high = value.readings[Unit.PERCENT]
        # By how much it fell is not how much there is.
        left = {unit: span for unit, span in value.readings.items() if unit != Unit.PERCENT}
        return replace(value, readings={**left, TIMES: (max(1 - high / 100, 0.0), max(1 - low / 100, 0.0))})
    grew = before.endswith(_GREW_BY) or any(word in inside for word in _GREW_BY)
    return replace(value, grew=True) if grew and value.before is None else value
