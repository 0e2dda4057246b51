"""THE reader of numbers: values with units, ranges, parts of a whole, rates, multiples and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from lang.cues import word_set
from lang.number_words import NumberWords, find_words, is_numbered_name, names_after, names_before
from lang.numerals import Range, read_numeral
from lang.text import Kind, Text, Token
from lang.vocabulary import Unit

TIMES = "times"
Readings = Mapping[str, Range]
_BOUNDLESS = 1e300
_REACH = 3
_PERIOD_REACH = 5
_CHANGED_TO = tuple(sorted(word_set("changed_to")))
_GREW_BY = tuple(sorted(word_set("grew_by")))
_GROWTH = word_set("growth")


class Role(StrEnum):
    """What a number is in its clause. Names, clock times and thresholds are no values."""

    VALUE = "value"
    BASE = "base"
    WHOLE = "whole"
    THRESHOLD = "threshold"
    PERIOD = "period"


@dataclass(frozen=True, slots=True)
class Value:
    """An amount at the tokens from `first` up to `last`.

    readings: for each dimension it may be in (Unit, or times) the least and the most, in the base unit.
    bare: no unit stands with it. whole: what it is a part of. before: what it was before, or usually is.
    grew: an amount by which something grew. number: the number as it was said, without its unit.
    period: the seconds of a rate that stood before the amount.
    """

    first: int
    last: int
    readings: Readings
    role: Role = Role.VALUE
    bare: bool = False
    whole: Readings | None = None
    before: Readings | None = None
    grew: bool = False
    number: float = 0.0
    period: float = 0.0

    @property
    def is_zero(self) -> bool:
        """True if the amount is nothing in every reading."""
        return all(high == 0 for _, high in self.readings.values())


def read_values(text: Text, blocked: frozenset[int] = frozenset()) -> list[Value]:
    """All values of a text in order. blocked: tokens that belong to a subject or a cue and are no numbers."""
    words = find_words(text)
    values: list[Value] = []
    at = 0
    while at < len(text.tokens):
        value = _read_value(text.tokens, at, words)
        if value is not None and at in blocked:
            # A subject named "WAL a minute" leaves its period to the amount that follows.
            value = replace(value, role=Role.PERIOD) if value.readings.keys() == {Unit.SECONDS} else None
        if value is None:
            at += 1
            continue
        if value.readings:
            values.append(value)
        at = max(value.last, at + 1)
    return _relate(text.tokens, values)


def _read_value(tokens: Sequence[Token], at: int, words: NumberWords) -> Value | None:
    """The value that begins at a token; without readings where a number there is a name or a time."""
    if (period := _read_period(tokens, at, words)) is not None:
        return period
    percent = _matches(tokens, at, "百", "分", "之")
    amount = _read_amount(tokens, at + 3 if percent else at, words)
    if amount is None:
        return None
    span, end, readings = amount
    if not percent and not readings:
        readings, end = _with_unit(tokens, span, end, words)
    elif percent:
        readings = {Unit.PERCENT: span}
    bare = set(readings) == {Unit.COUNT} and not _has_unit(tokens, at, end, words)
    if _is_lonely_one(tokens, at, end, span) and (bare or _is_one_of(tokens, at, readings)):
        return None
    value = Value(at, end, readings, bare=bare, number=span[0])
    return _with_role(tokens, _bounded(tokens, value, words), words)


def _read_period(tokens: Sequence[Token], at: int, words: NumberWords) -> Value | None:
    """每秒, every minute: the period of an amount that follows."""
    if tokens[at].text not in ("每", "every", "each", "per"):
        return None
    for found in words.at(at + 1, "units"):
        if found.payload.name == Unit.SECONDS:
            return Value(at, found.last, {Unit.SECONDS: (found.payload.factor, found.payload.factor)}, Role.PERIOD)
    return None


def _matches(tokens: Sequence[Token], at: int, *texts: str) -> bool:
    return [token.text for token in tokens[at : at + len(texts)]] == list(texts)


def _read_amount(tokens: Sequence[Token], at: int, words: NumberWords) -> tuple[Range, int, Readings] | None:
    """A number, or a word for one. Words for parts and multiples bring their own dimension."""
    for found in words.at(at, "parts", "multiples", "words"):
        word = found.payload
        if word.table == "words":
            low, high = word.name.split("..")
            return (float(low), float(high)), found.last, {}
        unit = Unit.PERCENT if word.table == "parts" else TIMES
        return (word.factor, word.factor), found.last, {unit: (word.factor, word.factor)}
    if (numeral := read_numeral(tokens, at)) is None:
        return None
    span, end = numeral
    span, end = _ranged(tokens, at, span, end, words)
    return span, end, {}


def _ranged(tokens: Sequence[Token], at: int, span: Range, end: int, words: NumberWords) -> tuple[Range, int]:
    """A range "20-30" or "20到30", other than after 从 and from, where it is a change."""
    if end >= len(tokens) or tokens[end].text not in ("-", "~", "到", "至", "to") or _is_change(tokens, at):
        return span, end
    other = read_numeral(tokens, end + 1)
    if other is None or other[0][1] <= span[0] or words.at(end + 1, "multiples"):
        return span, end
    return (span[0], other[0][1]), other[1]


def _is_change(tokens: Sequence[Token], at: int) -> bool:
    return any(
        token.text in ("从", "由", "from", "went", "go", "grew", "涨", "升", "降", "跌", "变")
        for token in tokens[max(at - _REACH, 0) : at]
    )


def _is_lonely_one(tokens: Sequence[Token], at: int, end: int, span: Range) -> bool:
    """一 without a unit is an article, and one of two characters of a word."""
    return end <= at + 2 and tokens[at].kind is Kind.HAN and span[1] <= 10 and tokens[at].text not in "零"


def _is_one_of(tokens: Sequence[Token], at: int, readings: Readings) -> bool:
    return tokens[at].text == "一" and readings.keys() == {Unit.COUNT}


def _with_unit(tokens: Sequence[Token], span: Range, end: int, words: NumberWords) -> tuple[dict[str, Range], int]:
    """The readings of a number with the magnitude, unit and period after it."""
    readings: dict[str, Range] = {}
    amounts = {"": span}
    if end < len(tokens) and tokens[end].text in ("多", "来", "余") and tokens[end].kind is Kind.HAN:
        amounts, end = {"": (span[0], span[1] * 1.5)}, end + 1
    if _matches(tokens, end, "个", "半"):
        amounts, end = {"": (span[0] + 0.5, span[1] + 0.5)}, end + 2
    for found in words.at(end, "magnitudes"):
        amounts["magnitude"] = _scale(amounts[""], found.payload.factor)
        after = found.last
        if not words.at(end, "units") or words.at(end, "units")[0].last < after:
            amounts.pop("")
            end = after
    units = words.at(end, "units")
    if units and not _is_name_of(tokens, units[0].last):
        for found in units:
            unit = found.payload.name
            readings[unit] = _scale(amounts.get("", amounts.get("magnitude", span)), found.payload.factor)
        if "magnitude" in amounts and "" in amounts:
            readings[Unit.COUNT] = amounts["magnitude"]
        end = units[0].last
    else:
        readings[Unit.COUNT] = amounts.get("magnitude", amounts.get("", span))
        end = _after_more(tokens, end)
    return _per_period(tokens, readings, end, words)


def _is_name_of(tokens: Sequence[Token], last: int) -> bool:
    """A unit whose word goes on ("5 m_lock") is none."""
    return last < len(tokens) and tokens[last].joined


def _after_more(tokens: Sequence[Token], end: int) -> int:
    return end + 1 if end < len(tokens) and tokens[end].text == "+" else end


def _per_period(
    tokens: Sequence[Token], readings: dict[str, Range], end: int, words: NumberWords
) -> tuple[dict[str, Range], int]:
    """ "a minute", "/s", "每分钟" after an amount make it a rate."""
    if end >= len(tokens) or tokens[end].text not in ("/", "per", "a", "every", "each", "每", "一", "an"):
        return readings, end
    many = read_numeral(tokens, end + 1)
    at = many[1] if many else end + 1
    seconds = [found for found in words.at(at, "units") if found.payload.name == Unit.SECONDS]
    if not seconds or (tokens[end].text == "/" and many):
        return readings, end
    period = seconds[0].payload.factor * (many[0][0] if many and many[0][0] else 1.0)
    return rates(readings, period), seconds[0].last


def rates(readings: Readings, period: float) -> dict[str, Range]:
    """The readings of an amount in so many seconds, as rates; those that are no amounts as they are."""
    units = {Unit.BYTES: Unit.BYTES_PER_SECOND, Unit.COUNT: Unit.PER_SECOND}
    made = {units[Unit(unit)]: _scale(span, 1 / period) for unit, span in readings.items() if unit in units}
    return {str(unit): span for unit, span in made.items()} if made else dict(readings)


def _scale(span: Range, factor: float) -> Range:
    return span[0] * factor, span[1] * factor


def _has_unit(tokens: Sequence[Token], at: int, end: int, words: NumberWords) -> bool:
    return any(words.at(each, "units") for each in range(at, end))


def _bounded(tokens: Sequence[Token], value: Value, words: NumberWords) -> Value:
    """Opens a value up or down where words around it say so: over 90 %, 不到 5, 1300 多."""
    before, after = names_before(tokens, value.first, words), names_after(tokens, value.last, words)
    low, high = "at_least" in before | after, "at_most" in before | after
    if tokens[value.last - 1].text == "+":
        low = True
    if not (low or high):
        return value
    spans = {unit: (span[0] if low else 0.0, _BOUNDLESS if low else span[1]) for unit, span in value.readings.items()}
    return replace(value, readings=spans)


def _with_role(tokens: Sequence[Token], value: Value, words: NumberWords) -> Value:
    before, after = names_before(tokens, value.first, words), names_after(tokens, value.last, words)
    is_time = Unit.SECONDS in value.readings
    if value.bare and ({"version", "name"} & before or "clock" in before | after):
        return replace(value, readings={})
    if is_numbered_name(tokens, value.first):
        return replace(value, readings={})
    if is_time and ("window" in after or ("window" in before)):
        return replace(value, readings={})
    if Unit.PERCENT in value.readings and _is_share(tokens, value, before, after):
        return replace(value, readings={TIMES: _scale(value.readings[Unit.PERCENT], 0.01)})
    for name in ("threshold", "usual", "earlier", "capacity"):
        if name in before or (name in after and not is_time) or (name in after and name in ("usual", "earlier")):
            role = {"threshold": Role.THRESHOLD, "capacity": Role.WHOLE}.get(name, Role.BASE)
            return replace(value, role=role)
    return value


def _is_share(tokens: Sequence[Token], value: Value, before: set[str], after: set[str]) -> bool:
    """平时的三成 and "30 % of normal" are multiples."""
    return "share" in after or ("usual" in before and tokens[value.first - 1].text == "的")


def _relate(tokens: Sequence[Token], values: list[Value]) -> list[Value]:
    """Joins what belongs together: a part and its whole, before and after, an amount and its period."""
    related: list[Value] = []
    for value in values:
        joined = _join(tokens, related[-1], value) if related else None
        if joined is None:
            related.append(value)
        else:
            related[-1] = joined
    return [_grown(tokens, value) for value in related if value.role not in (Role.THRESHOLD, Role.PERIOD)]


def _join(tokens: Sequence[Token], one: Value, other: Value) -> Value | None:
    between = [token.text for token in tokens[one.last : other.first]]
    if len(between) > _PERIOD_REACH or any(tokens[at].kind is Kind.STOP for at in range(one.last, other.first)):
        return None
    if _is_part(between) and one.whole is None:
        return _part_of(one, other)
    if _is_change_to(between) and (_is_change(tokens, one.first) or between[-1:] != ["到"]) and _share(one, other):
        readings = rates(other.readings, one.period) if one.period else other.readings
        return replace(other, first=one.first, readings=readings, before=_in_unit_of(one, other), role=Role.VALUE)
    if between and between[0] in (">", ">=", "<") and one.role is Role.VALUE:
        return replace(one, last=other.last)
    if (
        _is_period(one, between)
        and one.readings.keys() == {Unit.SECONDS}
        and {Unit.BYTES, Unit.COUNT} & other.readings.keys()
    ):
        period = one.readings[Unit.SECONDS][0] or 1.0
        role = Role.VALUE if other.role is Role.WHOLE else other.role
        return replace(
            other,
            first=one.first,
            role=role,
            readings={**rates(other.readings, period), **_counts(other)},
            period=period,
        )
    return None


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
    return {unit: _scale((one.number, one.number), span[0] / other.number) for unit, span in other.readings.items()}


def _is_change_to(between: Sequence[str]) -> bool:
    joined = "".join(between)
    return bool(between) and (joined in _CHANGED_TO or (joined.endswith(_CHANGED_TO) and len(joined) <= 5))


def _share(one: Value, other: Value) -> bool:
    return bool(one.readings.keys() & other.readings.keys()) or one.bare or bool(one.period)


def _is_period(one: Value, between: Sequence[str]) -> bool:
    """A duration before an amount: 每秒 80M, 一分钟写了 0.6G, 5 分钟涨了 14."""
    return one.role is Role.PERIOD or any(text in _GROWTH for text in between)


def _grown(tokens: Sequence[Token], value: Value) -> Value:
    before = "".join(token.text for token in tokens[max(value.first - 3, 0) : value.first])
    inside = "".join(token.text for token in tokens[value.first : min(value.last, value.first + _PERIOD_REACH + 1)])
    grew = before.endswith(_GREW_BY) or any(word in inside for word in _GREW_BY)
    return replace(value, grew=True) if grew and value.before is None else value
