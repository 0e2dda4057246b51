"""A question as a row of items: names, words of questions, times, numbers, breaks, and words that nothing covers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lang.numbers.numerals import read_numeral
from lang.tokens import Kind, Text, stem
from services.analyst.questions.words.grammar import classifiers, grammar_kinds, grammar_lists
from services.analyst.questions.words.names import Mark, Meaning, Names, longest
from services.analyst.questions.words.times import TimeMark, TimeReader

_MAGNITUDES = {
    "k": 1e3, "thousand": 1e3, "grand": 1e3, "m": 1e6, "mn": 1e6, "mm": 1e6, "million": 1e6,
    "b": 1e9, "bn": 1e9, "billion": 1e9, "hundred": 1e2, "w": 1e4,
}  # fmt: skip
_HAN_MAGNITUDES = {"万": 1e4, "亿": 1e8}
_LASTING = ("周", "天", "年", "小")
_EN_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "twenty": 20, "fifty": 50, "dozen": 12,
}  # fmt: skip
_TIME_UNITS = {
    "second": ("秒", "second", "sec"), "minute": ("分钟", "minut", "minute", "min"),
    "hour": ("小时", "个小时", "hour", "hr", "h"), "day": ("天", "日", "day"), "week": ("周", "week"),
    "month": ("个月", "月", "month"), "year": ("年", "year"),
}  # fmt: skip
_OTHER_UNITS = (
    "元 块 块钱 人民币 刀 dollar usd cny yuan rmb eur euro buck 公斤 千克 kg 吨 克 米 平米 平方米 公里 km 升 分 岁"
    " kilogram kilo ton tonne sqm kilometre kilometer metre meter litre liter"
)
_WORDY_UNITS = ("square metre", "square meter", "square foot", "square feet", "cubic metre", "cubic meter")
_UNITS = {word: unit for unit, words in _TIME_UNITS.items() for word in words}
_UNITS |= dict.fromkeys((*_OTHER_UNITS.split(), *classifiers()), "")
_UNITS |= {"".join(stem(part) for part in word.split()): "" for word in (*_OTHER_UNITS.split(), *_WORDY_UNITS)}
_ARTICLES = ("a", "an")
_IN = ("in", "of", "since", "during")
_PARTICLES = "过了着"
_OTHER_VERBS = (("sort", "orders"), ("running", "run"), ("running", "runs"))
_SAYING = "上下大小多少高低单张种类项家名条笔件款表数段排"
_DENIED, _VERB_REACH = 8, 5
_BEFORE_NAMES = ("by", "per", "each", "every", "which", "what", "the", "a", "an", "of", "in", "and", "with", "for")
_MEANING = "出会记"  # Say nothing alone, and are a part of many words.
_ODD = ("多", "余")
_YEAR = re.compile(r"\d{4}")
_COMPARISONS = ("more", "at_least", "less", "at_most", "number")
_TOP = re.compile(r"(top|bottom|first|best|worst)(\d{1,4})")
_ORDINAL = re.compile(r"(\d{1,3})(?:st|nd|rd|th)")
_PERCENTILE = re.compile(r"p(\d{2})")


@dataclass(frozen=True)
class Number:
    """A number that was said. percent: it has a percent sign; unit: of time, or empty; scale: its magnitude.

    over: it was said to be more than that, as in 一个多小时.
    """

    value: float
    percent: bool = False
    unit: str = ""
    ordinal: bool = False
    scale: float = 1.0
    over: bool = False


@dataclass(frozen=True)
class Item:
    """kind: that of its meanings, or time, number, break, word.

    first, last: tokens. every: its meanings before one kind of them was chosen.
    """

    kind: str
    first: int
    last: int
    words: str
    meanings: tuple[Meaning, ...] = ()
    number: Number | None = None
    time: TimeMark | None = None
    every: tuple[Meaning, ...] = ()

    @property
    def id(self) -> str:
        """The id of its first meaning."""
        return self.meanings[0].id if self.meanings else ""

    def among(self, *kinds: str) -> tuple[Meaning, ...]:
        """Its meanings of these kinds."""
        return tuple(meaning for meaning in self.meanings if meaning.kind in kinds)

    def every_of(self, *kinds: str) -> tuple[Meaning, ...]:
        """Its meanings of these kinds, also those that were not chosen."""
        return tuple(meaning for meaning in self.every if meaning.kind in kinds)


def read_items(text: Text, names: Names, times: TimeReader) -> list[Item]:
    """The items of a question in order; fillers are left out."""
    marks = names.find(text)
    placed = {}
    for mark in times.read(text.normal):
        span = _tokens_of(text, mark)
        if span:
            placed[span] = mark
            marks.append(Mark(span[0], span[1], (Meaning("time"),)))
    marks = [mark for mark in marks if (mark.kind, text.tokens[mark.first].text) not in _OTHER_VERBS]
    chosen = {mark.first: mark for mark in longest(text, marks, set())}
    items: list[Item] = []
    at = 0
    while at < len(text.tokens):
        mark_here = chosen.get(at)
        if mark_here is not None and _is_verb(text, at, mark_here):
            at = mark_here.last
            continue
        short = mark_here is None or (mark_here.kind == "fillers" and mark_here.last == at + 1)
        number = _read_over(text, at) if short else None
        number = number or (_read_number(text, at, chosen, items) or _read_single(text, at, items) if short else None)
        if number is not None:
            if number.number is not None and number.number.over:
                items.append(Item("more", at, at, number.words, (Meaning("more"),)))
            items.append(number)
            at = number.last
        elif mark_here is not None and (
            _is_compound(text, at, chosen) or _ends_word(text, at, mark_here, items) or _begins_word(text, at, chosen)
        ):
            items.append(Item("word", at, at + 1, text.quote(at, at + 1)))
            at += 1
        elif mark_here is not None:
            if mark_here.kind != "fillers":
                items += _of_mark(text, mark_here, placed)
            at = mark_here.last
        else:
            items += _of_token(text, at)
            at += 1
    return _joined_words(_years_as_numbers(text, items))


def _is_compound(text: Text, at: int, chosen: dict[int, Mark]) -> bool:
    """Two characters that say nothing alone ("下", "单") may say something together: "下过单"."""
    for step in (1, -1):
        other = at + step
        if 0 <= other < len(text.tokens) and text.tokens[other].text in _PARTICLES:
            other += step
        if all(
            0 <= each < len(text.tokens) and text.tokens[each].text in _SAYING
            and each in chosen and chosen[each].kind == "fillers" and chosen[each].last == each + 1
            for each in (at, other)
        ):  # fmt: skip
            return True
    return False


def _is_verb(text: Text, at: int, mark: Mark) -> bool:
    """ "How many trips did members make": a word that says nothing, where it is no name, after a form of "do"."""
    word = text.tokens[at].text
    if mark.kind in grammar_kinds() or mark.last > at + 1 or word not in grammar_lists()["fillers"] or at < 2:
        return False
    before = [token.text for token in text.tokens[max(0, at - _VERB_REACH) : at]]
    return bool({"do", "does", "did"} & {*before[:-1]}) and before[-1] not in _BEFORE_NAMES


def _begins_word(text: Text, at: int, chosen: dict[int, Mark]) -> bool:
    """出生 is no 生 that 出: such a character, directly before one that nothing covers."""
    last = at + 1 == len(text.tokens)
    if text.tokens[at].text not in _MEANING or chosen[at].kind != "fillers" or chosen[at].last > at + 1 or last:
        return False
    return at + 1 not in chosen and text.tokens[at + 1].kind is Kind.HAN


def _ends_word(text: Text, at: int, mark: Mark, items: list[Item]) -> bool:
    """定位 is no 定 of a 位: a word that counts rows, directly after a character that nothing covers."""
    before = items[-1] if items else None
    counts = mark.kind == "fillers" and mark.last == at + 1 and text.tokens[at].text in classifiers()
    return counts and before is not None and before.kind == "word" and before.last == at and not before.words.isascii()


def _years_as_numbers(text: Text, items: list[Item]) -> list[Item]:
    """ "Priced over 2000": four digits beside a comparison are no year."""
    read = list(items)
    for at, item in enumerate(items):
        if item.kind != "time" or not _YEAR.fullmatch(item.words):
            continue
        before = read[at - 1].kind if at else ""
        if before == "number" and text.tokens[item.first - 1].text in _IN:
            continue
        after = items[at + 1].kind if at + 1 < len(items) else ""
        if before in _COMPARISONS or after in ("or_more", "or_less"):
            read[at] = replace(item, kind="number", time=None, number=Number(float(item.words)))
    return read


def _of_mark(text: Text, mark: Mark, placed: dict[tuple[int, int], TimeMark]) -> Iterator[Item]:
    words = text.quote(mark.first, mark.last)
    if mark.kind == "time":
        time = placed[mark.first, mark.last]
        yield Item("time", mark.first, mark.last, words, time=time)
    else:
        yield Item(mark.kind, mark.first, mark.last, words, mark.meanings, every=mark.meanings)


def _of_token(text: Text, at: int) -> Iterator[Item]:
    token = text.tokens[at]
    words = text.quote(at, at + 1)
    if found := _TOP.fullmatch(token.text):
        yield Item("bottom" if found[1] in ("bottom", "worst") else "top", at, at + 1, words, (Meaning("top"),))
        yield Item("number", at, at + 1, found[2], number=Number(float(found[2])))
    elif found := _ORDINAL.fullmatch(token.text):
        yield Item("number", at, at + 1, words, number=Number(float(found[1]), ordinal=True))
    elif found := _PERCENTILE.fullmatch(token.text):
        yield Item("number", at, at + 1, found[1], number=Number(float(found[1])))
        yield Item("quantile", at, at + 1, words, (Meaning("quantile"),))
    elif token.kind in (Kind.STOP, Kind.COMMA):
        yield Item("break", at, at + 1, words)
    elif token.kind in (Kind.WORD, Kind.HAN, Kind.STAMP):
        yield Item("word", at, at + 1, words)


def _joined_words(items: list[Item]) -> list[Item]:
    """Chinese characters in a row that nothing covers are one word."""
    joined: list[Item] = []
    for item in items:
        before = joined[-1] if joined else None
        if before and before.kind == item.kind == "word" and before.last == item.first and not item.words.isascii():
            joined[-1] = replace(before, last=item.last, words=before.words + item.words)
        else:
            joined.append(item)
    return joined


def _tokens_of(text: Text, mark: TimeMark) -> tuple[int, int] | None:
    end = mark.end + 2 if text.normal[mark.end : mark.end + 2] == "'s" else mark.end
    inside = [at for at, token in enumerate(text.tokens) if mark.start <= token.start and token.end <= end]
    return (inside[0], inside[-1] + 1) if inside else None


def _read_single(text: Text, at: int, items: list[Item]) -> Item | None:
    """ "Longer than an hour": one of a unit of time, after a comparison."""
    tokens = text.tokens
    if tokens[at].text not in _ARTICLES or at + 1 == len(tokens) or not items or items[-1].kind not in _COMPARISONS:
        return None
    unit = _UNITS.get(tokens[at + 1].key, "")
    return Item("number", at, at + 2, text.quote(at, at + 2), number=Number(1.0, unit=unit)) if unit else None


def _is_name(mark: Mark | None, end: int, unit: str) -> bool:
    """True where a name is longer than a unit, or as long as one that is none of time."""
    return mark is not None and mark.kind != "fillers" and (mark.last > end or (not unit and mark.last == end))


def _read_over(text: Text, at: int) -> Item | None:
    """ "一个多小时", "30 多分钟": more than a number of units of time."""
    tokens = text.tokens
    found = read_numeral(tokens, at)
    if found is None or found[0][0] != found[0][1]:
        return None
    start = found[1] + (found[1] < len(tokens) and tokens[found[1]].text == "个")
    if start >= len(tokens) or tokens[start].text not in _ODD:
        return None
    for length in (3, 2, 1):
        words = "".join(token.text for token in tokens[start + 1 : start + 1 + length])
        if _UNITS.get(words):
            end = start + 1 + length
            return Item(
                "number", at, end, text.quote(at, end), number=Number(found[0][0], unit=_UNITS[words], over=True)
            )
    return None


def _read_number(text: Text, at: int, chosen: dict[int, Mark], items: list[Item]) -> Item | None:
    """A number with its magnitude, percent sign and unit."""
    tokens = text.tokens
    found = read_numeral(tokens, at)
    if found is None and tokens[at].text in _EN_NUMBERS:
        found = (float(_EN_NUMBERS[tokens[at].text]),) * 2, at + 1
    if found is None or found[0][0] != found[0][1]:
        return None
    (value, _), end = found
    lonely = end == at + 1 and tokens[at].text == "一" and not (end < len(tokens) and tokens[end].text in _LASTING)
    denied = any(token.text in "都也" for token in tokens[at + 1 : at + _DENIED])  # 一张单子都没有 has no number.
    lonely = lonely and (denied or not (items and items[-1].kind == "equal" and items[-1].last == at))
    if lonely or any(step in chosen and chosen[step].kind != "fillers" for step in range(at + 1, end)):
        return None
    scale = next((size for sign, size in _HAN_MAGNITUDES.items() if tokens[end - 1].text == sign and end > at + 1), 1.0)
    if end < len(tokens) and tokens[end].text in _MAGNITUDES:
        scale = _MAGNITUDES[tokens[end].text]
        value, end = value * scale, end + 1
    percent = end < len(tokens) and (tokens[end].text in ("%", "percent", "pct"))
    end += percent
    ordinal = end < len(tokens) and tokens[end].text in ("st", "nd", "rd", "th") and not tokens[end].space
    end += ordinal
    unit = ""
    for length in (3, 2, 1):
        keys = [token.text if token.kind is Kind.HAN else token.key for token in tokens[end : end + length]]
        words = "".join(keys)
        if len(keys) == length and words in _UNITS and not _is_name(chosen.get(end), end + length, _UNITS[words]):
            unit, end = _UNITS[words], end + length
            break
    return Item("number", at, end, text.quote(at, end), number=Number(value, percent, unit, ordinal, scale))
