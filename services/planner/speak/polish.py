"""The last touch on a whole answer: even spacing, no doubled punctuation, no line twice. Code and quotations stay."""

from __future__ import annotations

import re

from services.planner.model import Language

# What is not ours to touch: fenced and inline code, and words in quotes.
_KEPT = re.compile(r"(```.*?```|`[^`\n]*`|“[^”\n]*”|\"[^\"\n]*\")", re.DOTALL)
_HAN = r"[\u4e00-\u9fff]"
_RULES_ZH = (
    (re.compile(rf"({_HAN})([A-Za-z0-9])"), r"\1 \2"),
    (re.compile(rf"([A-Za-z0-9%])({_HAN})"), r"\1 \2"),
    (re.compile(rf"(?<={_HAN}) (?={_HAN})"), ""),
    (re.compile(r"(?<=[）。；，：]) (?=\S)"), ""),
)
_RULES = (
    (re.compile(r"([。！？；，、：])\1+"), r"\1"),
    (re.compile(r"[；，、：。]+([。！？])"), r"\1"),
    (re.compile(r"[。；，、：]+([；，、）])"), r"\1"),
    (re.compile(r"(?<!\.)\.\.(?!\.)"), "."),
    (re.compile(r"[.,;:]+([;,)])"), r"\1"),
    (re.compile(r"[,;:]+(\.(?:\s|$))"), r"\1"),
)
_WORTH_COMPARING = 8


def polished(text: str, language: Language) -> str:
    """The answer as it is sent."""
    rules = (*_RULES_ZH, *_RULES) if language is Language.ZH else _RULES
    pieces = _KEPT.split(text)
    for at in range(0, len(pieces), 2):
        pieces[at] = _applied(pieces[at], rules)
    joined = "".join(pieces)
    if language is Language.ZH:
        joined = re.sub(rf"(?<=”) (?={_HAN})|(?<={_HAN}) (?=“)", "", joined)
    return _once(joined)


def _applied(piece: str, rules: tuple[tuple[re.Pattern[str], str], ...]) -> str:
    for expression, instead in rules:
        piece = expression.sub(instead, piece)
    return piece


def _once(text: str) -> str:
    """The text without lines of prose that it had before."""
    seen: set[str] = set()
    lines: list[str] = []
    fenced = False
    for line in text.split("\n"):
        mark = line.strip().startswith("```")
        fenced = fenced != mark
        if not (fenced or mark) and len(line) >= _WORTH_COMPARING:
            if line in seen:
                continue
            seen.add(line)
        lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
