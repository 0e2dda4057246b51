"""A clause as tokens: references, groups, verdicts, hedges, function words, and the words that carry content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache

from lang import deferred_re as re
from services.planner.model import Verdict
from services.planner.understand.text.numerals import number_of
from services.planner.understand.text.word_lists import expression, listed_pattern


class Kind(Enum):
    """What a token is."""

    ORDINALS = "ordinals"
    ID = "id"
    FIRST = "first"
    LAST_ITEMS = "last_items"
    LAST = "last"
    MIDDLE = "middle"
    ENDS = "ends"
    ODD = "odd"
    EVEN = "even"
    FROM_END = "from_end"
    ALL = "all"
    REST = "rest"
    EXCEPT = "except"
    ONLY = "only"
    JUST = "just"
    VERDICT = "verdict"
    HEDGE = "hedge"
    FUNCTION = "function"
    MARK = "mark"
    CONTENT = "content"


@dataclass(frozen=True)
class Token:
    """normal[start:end] of the clause. `numbers`: ordinals, or a count for FIRST and LAST_ITEMS."""

    kind: Kind
    text: str
    start: int
    end: int
    numbers: tuple[int, ...] = ()
    verdict: Verdict | None = None
    explicit: bool = False


_NUMERAL = re.compile(r"\d+|[一二两三四五六七八九十]")
_OTHER = (("MARK", r"[\s,.:;、/&()\[\]\"'“”=>*-]+"), ("CONTENT", r"[a-z0-9_]+(?:[.'_/=-][a-z0-9_]+)*%?|."))
# Entries of `lexicon/pointers.yaml` and of `lexicon/tokens.yaml`, in the order in which they are tried.
_POINTERS = (
    "glued_yes",
    "glued_no",
    "glued_unknown",
    "id",
    "range",
    "middle",
    "ends",
    "odd",
    "even",
    "top",
    "first",
    "last_items",
    "last",
    "from_end",
    "ordinal",
    "word",
    "number",
    "zh_number",
    "except",
    "rest",
    "only",
    "all",
    "just",
    "not_not",
    "weak",
)
_CLASSES = ("unknown", "hedge", "denied", "confirmed", "function")
# "The third's a cold trail": what points is a word of its own.
_IS = re.compile(r"(?<=\d)'s(?![a-z])|(?<=one|two|ree|our|ive|six|rst|ond|ird|rth|fth|ast|dle|ter|mer|est)'s(?![a-z])")
_PLAIN = {kind.name: kind for kind in Kind}
_PLAIN["TOP"] = Kind.ORDINALS
_PLAIN["WEAK"] = Kind.HEDGE
_VERDICT_OF = {
    "UNKNOWN": Verdict.UNKNOWN,
    "DENIED": Verdict.DENIED,
    "CONFIRMED": Verdict.CONFIRMED,
    "NOT_NOT": Verdict.CONFIRMED,
}
_VERDICT_OF |= {"GLUED_YES": Verdict.CONFIRMED, "GLUED_NO": Verdict.DENIED, "GLUED_UNKNOWN": Verdict.UNKNOWN}


@cache
def _lexer() -> re.Pattern[str]:
    pointers = ((name.upper(), expression("pointers", name)) for name in _POINTERS)
    classes = ((name.upper(), listed_pattern("tokens", name)) for name in _CLASSES)
    groups = (*pointers, *classes, *_OTHER)
    return re.compile("|".join(f"(?P<{name}>{fragment})" for name, fragment in groups), re.DOTALL | re.ASCII)


# One message is looked at from many sides, and has few clauses.
@lru_cache(maxsize=256)
def tokens_of(clause: str) -> tuple[Token, ...]:
    """The clause's tokens in order; together they cover it."""
    return tuple(_token(match) for match in _lexer().finditer(_IS.sub(" =", clause)))


def _token(match: re.Match[str]) -> Token:
    name, text = match.lastgroup or "CONTENT", match.group()
    start, end = match.span()
    if name in _VERDICT_OF:
        return Token(Kind.VERDICT, text, start, end, verdict=_VERDICT_OF[name])
    if name == "RANGE":
        low, high = (number_of(part) for part in _NUMERAL.findall(text)[:2])
        return Token(Kind.ORDINALS, text, start, end, tuple(range(low, min(high, low + 20) + 1)), explicit=True)
    if name in ("NUMBER", "ZH_NUMBER", "ORDINAL", "WORD"):
        return Token(Kind.ORDINALS, text, start, end, (number_of(text),), explicit=name in ("ORDINAL", "WORD"))
    if name == "FROM_END":
        return Token(Kind.FROM_END, text, start, end, (number_of(text) or 2,), explicit=True)
    if name == "TOP":
        return Token(Kind.ORDINALS, text, start, end, (1,), explicit=True)
    if name in ("FIRST", "LAST_ITEMS"):
        return Token(_PLAIN[name], text, start, end, (number_of(text, cardinal=True),), explicit=True)
    return Token(_PLAIN[name], text, start, end)


def content_of(tokens: tuple[Token, ...]) -> str:
    """What the content tokens say, joined."""
    return "".join(token.text for token in tokens if token.kind is Kind.CONTENT)
