"""Numbers in digits and in Chinese characters, with their magnitudes: 1,300 · 1.8亿 · 一亿八千万 · 几十 · 三百多."""

from __future__ import annotations

from collections.abc import Sequence

from lang.tokens import Kind, Token

Range = tuple[float, float]
_DIGITS = {
    "零": (0, 0), "〇": (0, 0), "一": (1, 1), "二": (2, 2), "两": (2, 2), "三": (3, 3), "四": (4, 4), "五": (5, 5),
    "六": (6, 6), "七": (7, 7), "八": (8, 8), "九": (9, 9), "几": (3, 9), "俩": (2, 2), "仨": (3, 3), "半": (0.5, 0.5),
}  # fmt: skip
_SMALL = {"十": 10.0, "百": 100.0, "千": 1000.0}
_LARGE = {"万": 1e4, "亿": 1e8}
_LONGEST = 16
# A name such as "0000A3" or "00000001" begins with zeros; a number does not.
_NAME = "00"
# 03 may be an hour or a month.
_LONGEST_CLOCK = 2


def read_numeral(tokens: Sequence[Token], first: int) -> tuple[Range, int] | None:
    """The number that begins at a token, as (least, most), and the token after it; None where none begins.

    Digits may be followed by Chinese magnitudes, and these by more digits: "1亿8千万", "3个亿". A Chinese digit behind
    digits begins another word ("16/16 一条直线"); zeros before more digits are an address or a number of a thing.
    """
    if first < len(tokens) and _is_code(tokens[first].text):
        return None
    total: Range = (0.0, 0.0)
    section: Range = (0.0, 0.0)
    pending: Range | None = None
    at = first
    while at < len(tokens) and at - first < _LONGEST:
        text = tokens[at].text
        if tokens[at].kind is Kind.NUMBER and pending is None and not text.startswith(_NAME):
            pending = _digits(text)
        elif tokens[at].kind is Kind.HAN and text in _DIGITS:
            if at > first and tokens[at - 1].kind is Kind.NUMBER:
                break
            pending = _following_digit(pending, _DIGITS[text])
        elif tokens[at].kind is Kind.HAN and text in _SMALL and (pending or _stands_alone(text, tokens, first, at)):
            section = _plus(section, _times(pending or (1.0, 1.0), _SMALL[text]))
            pending = None
        elif tokens[at].kind is Kind.HAN and text in _LARGE and (pending or section != (0.0, 0.0)):
            total = _plus(total, _times(_plus(section, pending or (0.0, 0.0)), _LARGE[text]))
            section, pending = (0.0, 0.0), None
        elif not (text == "个" and pending and at + 1 < len(tokens) and tokens[at + 1].text in _LARGE):
            break
        at += 1
    if at == first:
        return None
    return _plus(_plus(total, section), pending or (0.0, 0.0)), at


def _is_code(text: str) -> bool:
    return len(text) > _LONGEST_CLOCK and text.isdecimal() and text.startswith("0")


def _digits(text: str) -> Range:
    value = float(text.replace(",", "")[:30])
    return value, value


def _following_digit(pending: Range | None, digit: Range) -> Range:
    """两三 is two or three; other digits in a row are read as they stand: 二零 is 20."""
    if pending is None or pending == (0.0, 0.0):
        return float(digit[0]), float(digit[1])
    if pending[1] < digit[0] <= pending[1] + 1:
        return pending[0], float(digit[1])
    return pending[0] * 10 + digit[0], pending[1] * 10 + digit[1]


def _stands_alone(text: str, tokens: Sequence[Token], first: int, at: int) -> bool:
    """十 alone and 十几 are numbers; 百 and 千 need a digit before."""
    return text == "十" and (at == first or tokens[at - 1].text in _LARGE or tokens[at - 1].text in _SMALL)


def _plus(one: Range, other: Range) -> Range:
    return one[0] + other[0], one[1] + other[1]


def _times(one: Range, factor: float) -> Range:
    return one[0] * factor, one[1] * factor
