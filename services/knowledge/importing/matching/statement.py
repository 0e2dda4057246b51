"""An anomaly's words made general: `IO waits at 65 %, usually 20 %` becomes a statement without the case's numbers.

Numbers that say how much give way to their direction; a value that is the statement itself (a setting at 0, off, 0.5)
stays. Names of somebody's tables and indexes, paths, addresses and times go. The original words stay in the ticket.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Language = Literal["zh", "en"]

_UNIT = (
    r"(?:%|percent|ms|us|s|min|h|[kmgt]i?b|[kmgt]|bytes?|times?|rows?|seconds?|minutes?|hours?|days?|weeks?|months?|"
    r"million|billion|thousand|blocks?|毫秒|微秒|秒钟|秒|分钟|个小时|小时|天|周|个月|年|次|倍|行|块|核|个|条|张|万|亿|千|百)"
)
_NUMBER = rf"(?<![A-Za-z0-9_.\-])[~约]?\d[\d,]{{0,24}}(?:\.\d+)?\s?\+?(?:\s*{_UNIT}(?![A-Za-z_])){{0,3}}(?![A-Za-z_\d])"
_AMOUNT = rf"{_NUMBER}(?:\s*(?:-|~|–|至|到|to|/|\*)\s*{_NUMBER})*"
_COUNT = r"(?<![A-Za-z0-9_.\-=])\d[\d,]{0,24}\+?\s*(?:多|余)?[个条张次](?!小时|月)\s*(?=[\u4e00-\u9fff])"
_ANY_AMOUNT = re.compile(_AMOUNT, re.IGNORECASE)
_DURATION_OR_SIZE = rf"(?![\d.]+\s*%){_AMOUNT}"
_NAME = r"[A-Za-z][\w.]*"
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_SHARES = ((90.0, "九成以上", "above nine tenths"), (50.0, "一半以上", "above half"), (0.0, "一半以下", "below half"))
_MAGNITUDES = (("个位数", "a few"), ("数十", "tens"), ("数百", "hundreds"), ("数千", "thousands"))
_COUNTED = ("个", "条", "张", "次", "行", "块")
_MANY = ("数万以上", "ten thousands or more")
_MULTIPLES = {"千": 1e3, "万": 1e4, "亿": 1e8, "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_LOW = re.compile(r"过小|不足|过低|太小|太低|过短|偏小|偏低|too (?:small|low|short)|insufficient", re.IGNORECASE)
_HIGH = re.compile(r"过大|过高|太大|太高|过长|偏大|偏高|too (?:large|high|big|long)|excessive", re.IGNORECASE)
_SETTING = re.compile(
    rf"(?P<name>[a-z]+(?:_[a-z]+)+)\s*(?P<verb>设置为|设为|配置为|被设为|只有|为|(?:is )?set to|is|=)\s*"
    rf"(?P<value>{_NUMBER})",
    re.IGNORECASE,
)
# Private-use characters replace text that must not be read as an amount.
_KEPT_BASE = 0xE000
_KEPT_BACK = re.compile("[\ue000-\uf8ff]")
# Control characters and the private ones.
_UNREADABLE = re.compile("[\x00-\x1f\x7f\ue000-\uf8ff]")


def _rules(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern, re.IGNORECASE), replacement) for pattern, replacement in pairs)


_PLACES = _rules(
    (r"https?://\S+|(?<![\w.])/(?:[\w.*\-]+/)+[\w.*\-]*", " "),
    (r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b", " "),
    (r"(?:\b(?:at|since|until|around|from|by)\s+)?\b\d{1,2}:\d{2}(?::\d{2})?\b", " "),
    (r"\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b|\b[0-9A-F]+/[0-9A-F]{4,}\b|\b[0-9A-F]{24}\b", " "),
    (r"\b(pid|oid|process)\s*[=:]?\s*\d+", r"\1"),
    (r"\([^()]*\d[^()]*\)", " "),
    (rf"(索引|表|序列)\s*(?!pg_){_NAME}", r"\1"),
    (rf"(?<![\w.])(?!pg_){_NAME}\s*(?=表(?:上|中|的|大小|膨胀|[\s,，]|$))", ""),
    (rf"\b(index|table|sequence|relation)\s+[\"']?(?!pg_)(?=[\w.]*[_\d.]){_NAME}[\"']?", r"\1"),
    (r"\b(?!pg_)(?:idx_\w+|tbl_\w+|\w+_(?:idx|index|pkey|tbl|table))\b", " "),
)
_AMOUNTS = _rules(
    (rf"从\s*{_AMOUNT}\s*(?:增长|增加|增大|上涨|上升|飙升|恶化|涨|升|飙|变)[到至为成]?\s*{_AMOUNT}", "增长"),
    (rf"从\s*{_AMOUNT}\s*(?:降低|下降|骤降|减少|缩短|降|掉|跌)[到至为]?\s*{_AMOUNT}", "下降"),
    (rf"\bfrom\s+{_AMOUNT}\s+to\s+{_AMOUNT}", " "),
    (rf"[,，;；]?\s*(?:远|明显)?(?:超过|高于|大于|超)(?:日常|平时|正常)的?\s*(?:{_AMOUNT})?\s*的?(?:水平|值)?", ""),
    (rf"[,，;；]?\s*(?:well |far )?(?:above|over)\s+(?:the\s+)?(?:usual|normal)(?:\s+{_AMOUNT})?", ""),
    (rf"(?:距离|还有|只剩)[^,，]{{0,6}}?{_AMOUNT}", " "),
    (rf"(?:超过|超出|大于|高于|多于|高达|多达|达到|接近|>=?|≥)\s*{_COUNT}", "大量"),
    (rf"(?:恢复|回升|回落)[到至]\s*{_AMOUNT}", "恢复"),
    (rf"(?:降低|减少|缩短|下降|降)[到至]?\s*{_AMOUNT}", "下降"),
    (rf"{_AMOUNT}\s*以?前", "很久以前"),
    (rf"\b{_AMOUNT}\s+ago\b", "long ago"),
    (rf"已?经?远?(?:超过|超出|大于|高于|多于|高达|多达|达到|接近|逼近|飙升至|升至|涨到|>=?|≥)\s*{_AMOUNT}", "超过阈值"),
    (rf"(?:仅有|仅为|仅|只有|不到|不足|低于|小于|少于|降至|降到|<=?|≤)\s*{_AMOUNT}", "低于阈值"),
    (rf"\b(?:more than|over|above|exceeds?|exceeding|at least|up to|reached|beyond)\s+{_AMOUNT}", "above the limit"),
    (rf"\b(?:less than|below|under|only|at most|down to|fewer than)\s+{_AMOUNT}", "below the limit"),
    (rf"每隔?\s*{_AMOUNT}", "周期性"),
    (rf"\bevery\s+{_AMOUNT}", "periodically"),
    (rf"\bfor\s+(?:about\s+)?{_NUMBER}(?<=[a-z])", "for long"),
    (rf"{_NUMBER}(?<=b|g)\s+of\b", "some of"),
    (rf"(运行|持续|等待|延迟|耗时|时间|大小)了?\s*[为达是约]?\s*{_DURATION_OR_SIZE}", r"\1超过阈值"),
)
_TIDY = _rules(
    (r"\s*[,，;；、]\s*(?=[,，;；、。.]|$)", ""),
    (r"\s*[为达约]\s*(?=[,，;；、。]|$)", ""),
    (r"(超过阈值)(?:\s*超过阈值)+", r"\1"),
    (r"(?<=[\u4e00-\u9fff,，])\s+(?=[\u4e00-\u9fff,，])", ""),
    (r"\s{2,}", " "),
    (r"^[\s,，;；、。.:：]+|[\s,，;；、。.:：]+$", ""),
)


@dataclass(frozen=True)
class Statement:
    """A general statement. text is for reading; two statements are the same if their keys are equal."""

    text: str
    key: str

    @property
    def digest(self) -> str:
        """Hex digits that order statements whatever the order they came in."""
        return hashlib.sha256(self.key.encode()).hexdigest()

    @property
    def language(self) -> Language:
        """zh as soon as a Chinese character is in it."""
        return "zh" if _CHINESE.search(self.text) else "en"


@lru_cache(maxsize=65536)
def generalise(description: str, why_relevant: str = "") -> Statement:
    """The general statement of an anomaly; `why_relevant` may say which way a setting is off (too small, too large)."""
    text = _UNREADABLE.sub(" ", unicodedata.normalize("NFKC", description)).strip()
    plain = text
    chinese = bool(_CHINESE.search(text))
    kept: list[str] = []
    text = _applied(_PLACES, text)
    text = _SETTING.sub(_setting(text, why_relevant, kept), text)
    text = _applied(_AMOUNTS, text)
    text = _ANY_AMOUNT.sub(lambda match: _size(match[0], chinese), text)
    text = _KEPT_BACK.sub(lambda match: kept[ord(match[0]) - _KEPT_BASE], text)
    text = _applied(_TIDY, text) or plain or "?"
    return Statement(text, normalise(text))


def normalise(text: str) -> str:
    """Width, case, punctuation and spacing made equal; Chinese and Latin are set apart by one space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    apart = re.sub(r"(?<=[\u4e00-\u9fff])(?=[a-z0-9_%])|(?<=[a-z0-9_%])(?=[\u4e00-\u9fff])", " ", folded)
    return " ".join(re.sub(r"[^\w\s%.+=]|(?<!\d)\.(?!\w)|\.(?=\s|$)", " ", apart).split())


def _applied(rules: tuple[tuple[re.Pattern[str], str], ...], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _setting(text: str, why: str, kept: list[str]) -> Callable[[re.Match[str]], str]:
    """Replaces a setting's value by its direction when the words tell it, else keeps the value from being removed."""

    def replace(match: re.Match[str]) -> str:
        words = text if _LOW.search(text) or _HIGH.search(text) else why
        low, high = bool(_LOW.search(words)), bool(_HIGH.search(words))
        digits = re.sub(r"\D", "", match["value"])
        if low != high and digits.strip("0"):
            chinese = bool(_CHINESE.search(text))
            direction = ("过小" if low else "过大") if chinese else ("too small" if low else "too large")
            return f"{match['name']} {'设置' if chinese else 'is '}{direction}"
        if match["verb"] in ("为", "is", "只有") and digits.strip("0"):
            return match[0]
        kept.append(match[0].removeprefix(match["name"]))
        return match["name"] + chr(_KEPT_BASE + len(kept) - 1)

    return replace


def _size(amount: str, chinese: bool) -> str:
    """How large an amount is, without its digits: a share by halves, a count by its magnitude, else nothing."""
    number = re.search(r"\d[\d,]{0,24}(?:\.\d+)?", amount)
    unit = re.sub(r"[\d,.\s~约+]", "", amount).casefold()
    value = min(1e18, float(number[0].replace(",", ""))) if number else 0.0
    if unit in ("%", "percent"):
        words = next(words for limit, *words in _SHARES if value >= limit)
    elif unit in ("", "个", "条", "张", "次", "行", "块", "rows", "times", "blocks", *_MULTIPLES):
        power = int(math.log10(max(1.0, value * _MULTIPLES.get(unit, 1.0))))
        words = list(_MAGNITUDES[power] if power < len(_MAGNITUDES) else _MANY)
    else:
        return " "
    return words[0] + (unit if unit in _COUNTED else "") if chinese else f" {words[1]} "
