"""An anomaly's words made general: `IO waits at 65 %, usually 20 %` becomes a statement without the case's numbers.

Numbers that say how much give way to their direction; a value that is the statement itself (a setting at 0, off, 0.5)
stays. Names of somebody's tables and indexes, paths, addresses and times go. The original words stay in the ticket.
"""

from __future__ import annotations

import hashlib
import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from services.knowledge.library.yaml_text import read_yaml

Rules = tuple[tuple[re.Pattern[str], str], ...]
_PART = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Patterns:
    """The patterns of a table, which ignore case, and its rules in their order, both by name."""

    patterns: Mapping[str, re.Pattern[str]]
    rules: Mapping[str, Rules]


def read_patterns(path: Path) -> Patterns:
    """The table in a file. Lines of a pattern are one, alternatives are a list, {{name}} stands for a part."""
    table = read_yaml(path.read_text(encoding="utf-8"))
    parts: dict[str, str] = {}

    def filled(text: str | Sequence[str]) -> str:
        whole = text.replace("\n", "") if isinstance(text, str) else "|".join(text)
        return _PART.sub(lambda found: parts[found[1]], whole)

    def compiled(text: str | Sequence[str]) -> re.Pattern[str]:
        return re.compile(filled(text), re.IGNORECASE)

    for name, text in table.get("parts", {}).items():
        parts[name] = filled(text)
    rules = {
        name: tuple((compiled(text), instead) for text, instead in pairs)
        for name, pairs in table.get("rules", {}).items()
    }
    return Patterns({name: compiled(text) for name, text in table.get("patterns", {}).items()}, rules)


Language = Literal["zh", "en"]
_TABLE = read_patterns(Path(__file__).with_name("statement.yaml"))
_SAYS = _TABLE.patterns
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_SHARES = ((90.0, "九成以上", "above nine tenths"), (50.0, "一半以上", "above half"), (0.0, "一半以下", "below half"))
_MAGNITUDES = (("个位数", "a few"), ("数十", "tens"), ("数百", "hundreds"), ("数千", "thousands"))
_COUNTED = ("个", "条", "张", "次", "行", "块")
_MANY = ("数万以上", "ten thousands or more")
_MULTIPLES = {"千": 1e3, "万": 1e4, "亿": 1e8, "k": 1e3, "thousand": 1e3, "million": 1e6, "billion": 1e9}
# Private-use characters replace text that must not be read as an amount.
_KEPT_BASE = 0xE000
_KEPT_BACK = re.compile("[\ue000-\uf8ff]")
# Control characters and the private ones.
_UNREADABLE = re.compile("[\x00-\x1f\x7f\ue000-\uf8ff]")


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
    text = _applied(_TABLE.rules["places"], text)
    text = _SAYS["setting"].sub(_setting(text, why_relevant, kept), text)
    text = _applied(_TABLE.rules["amounts"], text)
    text = _SAYS["any_amount"].sub(lambda match: _size(match[0], chinese), text)
    text = _KEPT_BACK.sub(lambda match: kept[ord(match[0]) - _KEPT_BASE], text)
    text = _applied(_TABLE.rules["tidy"], text) or plain or "?"
    return Statement(text, normalise(text))


def normalise(text: str) -> str:
    """Width, case, punctuation and spacing made equal; Chinese and Latin are set apart by one space."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    apart = re.sub(r"(?<=[\u4e00-\u9fff])(?=[a-z0-9_%])|(?<=[a-z0-9_%])(?=[\u4e00-\u9fff])", " ", folded)
    return " ".join(re.sub(r"[^\w\s%.+=]|(?<!\d)\.(?!\w)|\.(?=\s|$)", " ", apart).split())


def _applied(rules: Rules, text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


def _setting(text: str, why: str, kept: list[str]) -> Callable[[re.Match[str]], str]:
    """Replaces a setting's value by its direction when the words tell it, else keeps the value from being removed."""

    def replace(match: re.Match[str]) -> str:
        words = text if _SAYS["low"].search(text) or _SAYS["high"].search(text) else why
        low, high = bool(_SAYS["low"].search(words)), bool(_SAYS["high"].search(words))
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
