"""Reads the amounts of a text: numbers with units, ranges, rates, parts, multiples, and what each is there for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from lang.cues import NumberWord, is_plain, word_set
from lang.numbers.model import TIMES, Bound, Readings, Role, Value, rates, scale
from lang.numbers.number_words import (
    NumberWords,
    Span,
    add_up,
    find_words,
    is_change,
    is_numbered_name,
    words_after,
    words_before,
)
from lang.numbers.numerals import Range, read_numeral
from lang.numbers.relations import relate
from lang.tokens import Kind, Text, Token
from lang.vocabulary import Unit

Words = Mapping[str, Span]
# 一千多 is more than a thousand.
_JUST_OVER = 1.0001
_MINUTE = 60
_MEBIBYTE = 1024.0**2
_TENS = [(float(tens), float(tens)) for tens in range(20, 100, 10)]
_PER = ("/", "per", "a", "every", "each", "每", "一", "an")
# Between an amount and its period stand at most so many words for what is counted, and none of these.
_NOUN = 2
_APART = word_set("no_noun")
_MORE = word_set("and_more")


def read_values(text: Text, blocked: frozenset[int] = frozenset()) -> list[Value]:
    """All values of a text in order. blocked: tokens that belong to a subject or a cue and are no numbers."""
    return list(_read_values(text, blocked))


@lru_cache(maxsize=256)
def _read_values(text: Text, blocked: frozenset[int]) -> tuple[Value, ...]:
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
        if value.role is Role.THRESHOLD and _is_named(text.tokens, value.first, words, blocked):
            value = replace(value, role=Role.VALUE)
        if value.readings:
            values.append(value)
        at = max(value.last, at + 1)
    return tuple(relate(text.tokens, add_up(text.tokens, values)))


def _is_named(tokens: Sequence[Token], at: int, words: NumberWords, blocked: frozenset[int]) -> bool:
    """True where the word for a threshold is a part of a subject's name: "cpu limit 2" says what the limit is."""
    span = words_before(tokens, at, words).get("threshold")
    return span is not None and blocked.issuperset(range(*span))


def _read_value(tokens: Sequence[Token], at: int, words: NumberWords) -> Value | None:
    """The value that begins at a token; without readings where a number there is a name or a time."""
    if (period := _read_period(tokens, at, words)) is not None:
        return period
    percent = _matches(tokens, at, "百", "分", "之")
    amount = _read_amount(tokens, at + 3 if percent else at, words)
    if amount is None:
        return None
    span, end, readings = amount
    if not percent and not readings and _follows_hours(tokens, at, end):
        readings, end = {Unit.SECONDS: scale(span, _MINUTE)}, end + _matches(tokens, end, "m")
    elif not percent and not readings:
        readings, end = _with_unit(tokens, span, end, words)
    elif percent:
        readings = {Unit.PERCENT: span}
    bare = set(readings) == {Unit.COUNT} and not any(words.at(each, "units") for each in range(at, end))
    if _is_lonely_one(tokens, at, end, span) and (bare or _is_one_of(tokens, at, readings)):
        return None
    value = Value(at, end, readings, bare=bare, number=span[0])
    before, after = words_before(tokens, at, words), words_after(tokens, end, words)
    return _with_role(tokens, _bounded(tokens, value, before, after), before, after)


def _follows_hours(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a number has the minutes of a duration whose hours stand before it: "1h32", "1h 32m"."""
    hours = at >= 2 and tokens[at - 1].text == "h" and tokens[at - 2].kind is Kind.NUMBER
    joined = hours and not (tokens[at].space or tokens[at - 1].space)
    unit = tokens[end].text if end < len(tokens) else ""
    return hours and (unit == "m" or (joined and unit not in ("min", "mins", "s")))


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
            span, end = _with_ones(tokens, _span_of(word), found.last, words)
            return span, end, {}
        unit = Unit.PERCENT if word.table == "parts" else TIMES
        return (word.factor, word.factor), found.last, {unit: (word.factor, word.factor)}
    if (numeral := read_numeral(tokens, at)) is None:
        return None
    span, end = numeral
    span, end = _ranged(tokens, at, span, end, words)
    return span, end, {}


def _span_of(word: NumberWord) -> Range:
    low, high = word.name.split("..")
    return float(low), float(high)


def _with_ones(tokens: Sequence[Token], span: Range, end: int, words: NumberWords) -> tuple[Range, int]:
    """ "twenty-five" and "twenty five": the tens take the ones that follow."""
    if span not in _TENS:
        return span, end
    at = end + 1 if _matches(tokens, end, "-") else end
    for found in words.at(at, "words"):
        ones = _span_of(found.payload)
        if ones[0] == ones[1] and 0 < ones[0] < 10:
            return (span[0] + ones[0], span[1] + ones[1]), found.last
    return span, end


def _ranged(tokens: Sequence[Token], at: int, span: Range, end: int, words: NumberWords) -> tuple[Range, int]:
    """A range "20-30" or "20到30", other than after 从 and from, where it is a change."""
    if end >= len(tokens) or tokens[end].text not in ("-", "~", "到", "至", "to") or is_change(tokens, at):
        return span, end
    other = read_numeral(tokens, end + 1)
    if other is None or other[0][1] <= span[0] or words.at(end + 1, "multiples"):
        return span, end
    return (span[0], other[0][1]), other[1]


def _is_one_of(tokens: Sequence[Token], at: int, readings: Readings) -> bool:
    return tokens[at].text == "一" and readings.keys() == {Unit.COUNT}


def _is_lonely_one(tokens: Sequence[Token], at: int, end: int, span: Range) -> bool:
    """一 without a unit is an article, and one of two characters of a word."""
    return end <= at + 2 and tokens[at].kind is Kind.HAN and span[1] <= 10 and tokens[at].text not in "零"


def _with_unit(tokens: Sequence[Token], span: Range, end: int, words: NumberWords) -> tuple[dict[str, Range], int]:
    """The readings of a number with the magnitude, unit and period after it."""
    readings: dict[str, Range] = {}
    amounts = {"": span}
    if end < len(tokens) and tokens[end].text in _MORE:
        amounts, end = {"": (span[0] * _JUST_OVER, span[1] * 1.5)}, end + 1
    if _matches(tokens, end, "个", "半"):
        amounts, end = {"": (span[0] + 0.5, span[1] + 0.5)}, end + 2
    for found in words.at(end, "magnitudes"):
        amounts["magnitude"] = scale(amounts[""], found.payload.factor)
        after = found.last
        if not words.at(end, "units") or words.at(end, "units")[0].last < after:
            amounts.pop("")
            end = after
    units = words.at(end, "units")
    if "magnitude" in amounts and units and _is_counted(words, units[0].last):
        amounts, units = {"": amounts["magnitude"]}, words.at(units[0].last, "units")  # "50k times a minute"
    if units and not _is_name_of(tokens, units[0].last):
        for found in units:
            unit = found.payload.name
            readings[unit] = scale(amounts.get("", amounts.get("magnitude", span)), found.payload.factor)
        if "magnitude" in amounts and "" in amounts:
            readings[Unit.COUNT] = amounts["magnitude"]
        end = units[0].last
    else:
        readings[Unit.COUNT] = amounts.get("magnitude", amounts.get("", span))
        readings |= {Unit.BYTES: span} if _are_bytes(span) else {}
        end = _after_more(tokens, end)
    return _per_period(tokens, readings, end, words)


def _are_bytes(span: Range) -> bool:
    """Whether a bare number may be of bytes, too: as servers print sizes, in whole MB."""
    return span[0] == span[1] and span[0] >= _MEBIBYTE and span[0] % _MEBIBYTE == 0


def _is_counted(words: NumberWords, at: int) -> bool:
    return any(found.payload.name == Unit.COUNT for found in words.at(at, "units"))


def _is_name_of(tokens: Sequence[Token], last: int) -> bool:
    """A unit whose word goes on ("5 m_lock") is none, and neither is one that asks (400 行不行)."""
    if last < len(tokens) and tokens[last - 1].text == "行" and tokens[last].text in "不吗么":
        return True
    return last < len(tokens) and tokens[last].joined


def _after_more(tokens: Sequence[Token], end: int) -> int:
    return end + 1 if end < len(tokens) and tokens[end].text == "+" else end


def _per_period(
    tokens: Sequence[Token], readings: dict[str, Range], end: int, words: NumberWords
) -> tuple[dict[str, Range], int]:
    """ "a minute", "/s", "每分钟" after an amount make it a rate, and so they do after what is counted.

    "12 in ten minutes" stays a number, too, and so does "500 MB in a minute" an amount.
    """
    if (period := _period_at(tokens, end, words)) is not None:
        return rates(readings, period[0]), period[1]
    if tokens[end : end + 1] and tokens[end].text == "in" and Unit.BYTES in readings:
        spent = _period_at(tokens, end, words, "in")
        return (readings, end) if spent is None else ({**readings, **rates(readings, spent[0])}, end)
    counted = {unit: span for unit, span in readings.items() if unit == Unit.COUNT}
    for at in _after_noun(tokens, end) if counted else ():
        if at > end and (period := _period_at(tokens, at, words)) is not None:
            return rates(counted, period[0]), end
        if tokens[at].text == "in" and (period := _period_at(tokens, at, words, "in")) is not None:
            return {**readings, **rates(counted, period[0])}, end
    return readings, end


def _period_at(tokens: Sequence[Token], at: int, words: NumberWords, *leads: str) -> tuple[float, int] | None:
    """The seconds of "per minute", "每 5 秒", and the token after it; None where no period begins."""
    if at >= len(tokens) or tokens[at].text not in (leads or _PER):
        return None
    first = at + 2 if leads and at + 1 < len(tokens) and tokens[at + 1].text in ("a", "an", "one") else at + 1
    many = _read_amount(tokens, first, words) if first < len(tokens) else None
    last = many[1] if many else first
    seconds = [found for found in words.at(last, "units") if found.payload.name == Unit.SECONDS]
    if not seconds or (many and (tokens[at].text == "/" or many[2])):
        return None
    return seconds[0].payload.factor * (many[0][0] if many and many[0][0] else 1.0), seconds[0].last


def _after_noun(tokens: Sequence[Token], end: int) -> Iterator[int]:
    """Where a period may stand after an amount: at once, or after one or two words for what is counted."""
    for at in range(end, min(end + _NOUN + 1, len(tokens))):
        yield at
        if tokens[at].kind is not Kind.WORD or is_plain(tokens[at]) or tokens[at].text in _APART:
            return


def _bounded(tokens: Sequence[Token], value: Value, before: Words, after: Words) -> Value:
    """Opens a value up or down where words around it say so: over 90 %, 不到 5, 1300 多."""
    around = {**after, **before}
    if tokens[value.last - 1].text == "+":
        around.setdefault("at_least", (value.last - 1, value.last))
    for side in ("at_least", "at_most", "reach"):
        if side in around:
            bounded = replace(value, bound=Bound(side, *around[side]))
            return bounded if side == "reach" else bounded.opened(side)
    return value


def _with_role(tokens: Sequence[Token], value: Value, before: Words, after: Words) -> Value:
    is_time = Unit.SECONDS in value.readings
    told = next((name for name in ("actual", "estimated") if name in before), "")
    value = replace(value, told=told) if told and Unit.COUNT in value.readings else value
    if value.bare and ({"version", "name"} & before.keys() or "clock" in {**before, **after}):
        return replace(value, readings={})
    if is_numbered_name(tokens, value.first):
        return replace(value, readings={})
    if is_time and "ago" in after:
        return replace(value, role=Role.AGO)
    if is_time and ("window" in after or "window" in before):
        return replace(value, readings={})
    if Unit.PERCENT in value.readings and _is_share(tokens, value, before, after):
        return replace(value, readings={TIMES: scale(value.readings[Unit.PERCENT], 0.01)})
    for name in ("threshold", "usual", "earlier", "capacity"):
        if name in before or (name in after and not is_time) or (name in after and name in ("usual", "earlier")):
            role = {"threshold": Role.THRESHOLD, "capacity": Role.WHOLE}.get(name, Role.BASE)
            return replace(value, role=role)
    return value


def _is_share(tokens: Sequence[Token], value: Value, before: Words, after: Words) -> bool:
    """平时的三成, 只有平时三成 and "30 % of normal" are multiples."""
    return "share" in after or "share" in before or ("usual" in before and tokens[value.first - 1].text == "的")
