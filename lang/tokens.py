"""A message in one normal form, its tokens, and where each stands in the original.

Chinese characters and Latin words are separate tokens, so no rule needs a word boundary beside a Chinese character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from typing import Any

_HAN = r"\u3400-\u9fff"
_TOKEN = re.compile(
    r"(?P<stamp>\d{4}-\d\d?-\d\d?(?:[t ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?|\d\d?:\d\d(?::\d\d)?(?:\.\d+)?"
    r"|v?\d+(?:\.\d+){2,}|p-\d{3,}|0x[0-9a-f]+|[a-z]\w*(?:/[\w.-]+){2,}|(?:/[a-z_][\w.-]*){2,})"
    r"|(?P<number>(?<![\w-])\d+(?:\.\d+)?e\d\d?(?![\w-])"
    r"|\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?|\d+(?:\.\d+)?|(?<![\w.])\.\d+)"
    rf"|(?P<han>[{_HAN}])"
    # "1h32" has its hours and its minutes in one word.
    r"|(?P<word>(?<=\d)h(?=[0-5]?\d(?:m|min|mins|s)?(?![a-z\d_]))"
    rf"|(?:(?![{_HAN}\d])\w)(?:(?![{_HAN}])\w)*(?:'[a-z]+)?|\(\*\))"
    r"|(?P<sign>(?<=\w)\(\)|[-=]+>|[<>]=?|[%/~=:+*\-→≥≤≈×])"
    r"|(?P<stop>(?:(?!(?<!\S)\.[a-z])[.。;!?…\n])+)"
    r"|(?P<comma>[,、()\[\]{}|【】《》“”\"`])"
)
_NAME = 40
_SHORT = 400
_IDENTIFIER = re.compile(r"[a-z]_\w+$", re.ASCII)
_FILE_ENDING = re.compile(r"(?:conf|log|sql|java|py|sh|ya?ml|xml)(?![\w.])", re.ASCII)
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+")
_IRREGULAR = {
    "grew": "grow", "grown": "grow", "fell": "fall", "fallen": "fall", "held": "hold", "kept": "keep",
    "took": "take", "taken": "take", "went": "go", "gone": "gone", "lost": "lose",
    "indices": "index", "indexes": "index",
    "dropped": "drop", "died": "die", "had": "had", "is": "is", "was": "was", "this": "this",
    "does": "does", "always": "always", "less": "less", "rose": "rise", "risen": "rise", "hung": "hang",
    "used": "use", "using": "use", "stuck": "stick", "status": "status", "need": "need", "speed": "speed",
    "exceed": "exceed", "during": "during", "nothing": "nothing", "everything": "everything", "anything": "anything",
    "something": "something", "feed": "feed", "indeed": "indeed", "string": "string", "bring": "bring",
    "freed": "freed", "resolved": "resolved", "solved": "solved", "paste": "paste", "pasted": "paste",
    "pastes": "paste",
    "pasting": "paste", "min": "minut", "mins": "minut", "hr": "hour", "hrs": "hour", "sec": "second", "secs": "second",
    "nite": "night", "nites": "night",
}  # fmt: skip
# Negations as they are typed in haste; "wont" and "cant" are hardly anything else beside a database.
_CONTRACTIONS = {
    word.replace("'", ""): word
    for word in (
        *("isn't", "aren't", "wasn't", "weren't", "hasn't", "haven't", "hadn't", "doesn't", "don't", "didn't"),
        *("can't", "couldn't", "won't", "wouldn't", "shouldn't", "ain't"),
    )
}
# Ends of identifiers that name a unit or a kind of count, and beginnings that name the product.
_UNIT_ENDINGS = frozenset(
    ["second", "bytes", "byte", "total", "percent", "pct", "ratio", "count", "ms", "mb", "gb", "kb", "current", "sum"]
)
_OWN_BEGINNINGS = frozenset({"pg", "postgre", "postgresql", "mysql", "node", "pgsql"})
# Words that may stand inside any term.
ARTICLES = frozenset({"的", "the", "a", "an"})


class Kind(StrEnum):
    """What a token is."""

    WORD = "word"
    HAN = "han"
    NUMBER = "number"
    SIGN = "sign"
    STAMP = "stamp"
    STOP = "stop"
    COMMA = "comma"


# As groups of the pattern; a dictionary is much faster than a call of the enumeration.
_KINDS: dict[str | None, Kind] = {kind.value: kind for kind in Kind}
_MATCHED = frozenset((Kind.WORD, Kind.HAN, Kind.NUMBER, Kind.STAMP))


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the normal form.

    key: what terms are compared by. start, end: offsets in the normal form. space: white space stands before it.
    joined: part of one identifier with the token before it, which no term may cut.
    """

    kind: Kind
    text: str
    key: str
    start: int
    end: int
    space: bool
    joined: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A message, its normal form, and for each character of the normal form its offset in the message.

    The same words are mostly the same object, so that what is found in them can be kept by it.
    """

    original: str
    normal: str
    origins: tuple[int, ...]
    tokens: tuple[Token, ...]

    def span(self, first: int, last: int) -> tuple[int, int]:
        """The span in the original of the tokens from `first` up to, without, `last`."""
        if first >= last:
            return 0, 0
        start, end = self.tokens[first].start, self.tokens[last - 1].end
        return self.origins[start], self.origins[end - 1] + 1

    def quote(self, first: int, last: int) -> str:
        """The original words of the tokens from `first` up to, without, `last`."""
        start, end = self.span(first, last)
        return self.original[start:end]


@cache
def _converter() -> Any:
    import opencc

    return opencc.OpenCC("t2s")


@lru_cache(maxsize=20_000)
def _simplified(character: str) -> str:
    if not "\u3400" <= character <= "\u9fff":
        return character
    try:
        character.encode("gb2312")  # Has simplified characters only.
    except UnicodeEncodeError:
        return str(_converter().convert(character))
    return character


@lru_cache(maxsize=20_000)
def _normal_character(character: str) -> str:
    if character in "\r\t\v\f" or (unicodedata.category(character)[0] == "C" and character != "\n"):
        return " "
    normal = unicodedata.normalize("NFKC", character)
    normal = "".join(_simplified(each) for each in normal)
    return normal.replace("’", "'").replace("‘", "'")


def read_text(message: str) -> Text:
    """The normal form of a message (NFKC, simplified characters, lower case for comparison) and its tokens.

    What reads a turn reads its clauses again and again, so short texts are kept for a while.
    """
    return _kept(message) if len(message) <= _SHORT else _kept_long(message)


@lru_cache(maxsize=1024)
def _kept(message: str) -> Text:
    return _read(message)


@lru_cache(maxsize=8)
def _kept_long(message: str) -> Text:
    return _read(message)


def _read(message: str) -> Text:
    cased: list[str] = []
    origins: list[int] = []
    for offset, character in enumerate(message):
        for each in _normal_character(character):
            cased.append(each)
            origins.append(offset)
    form = "".join(cased)
    lowered = "".join(low if len(low := each.lower()) == 1 else each for each in cased)
    return Text(message, lowered, tuple(origins), tuple(_tokens(lowered, form)))


def _tokens(normal: str, cased: str) -> Iterator[Token]:
    end = 0
    for found in _TOKEN.finditer(normal):
        kind = _KINDS[found.lastgroup]
        between = normal[end : found.start()]
        space = between == " " or any(map(str.isspace, between))
        end = found.end()
        if kind is Kind.WORD:
            yield from _word_tokens(found.group(), cased[found.start() : end], found.start(), space)
        elif not (found.group() == "-" and _is_hyphen(normal, found.start())) and not _is_dot_of_name(normal, found):
            yield Token(kind, found.group(), found.group(), found.start(), end, space)


def _is_hyphen(normal: str, at: int) -> bool:
    """A hyphen inside a word ("lock-timeout") is no sign."""
    before, after = normal[at - 1 : at], normal[at + 1 : at + 2]
    return before.isalpha() and after.isalpha()


def _is_dot_of_name(normal: str, found: re.Match[str]) -> bool:
    """The dot in the name of a file or setting ("pg_hba.conf", "auto_explain.log_analyze") ends no sentence."""
    if found.group() != ".":
        return False
    before, after = normal[max(found.start() - _NAME, 0) : found.start()], normal[found.end() : found.end() + _NAME]
    return bool(_IDENTIFIER.search(before) and after[:1].isalpha()) or bool(before and _FILE_ENDING.match(after))


def _word_tokens(word: str, cased: str, start: int, space: bool) -> Iterator[Token]:
    """One token a word; identifiers and names of alerts come apart ("temp_files", "PostgresReplicationLag")."""
    camel = _CAMEL.findall(cased)
    if len(camel) > 2 and "".join(camel) == cased:
        for part in camel:
            yield Token(Kind.WORD, part.lower(), stem(part.lower()), start, start + len(part), space)
            start, space = start + len(part), False
        return
    joined = False
    for match in re.finditer(r"[^_]+", word):
        part = match.group()
        at, end = start + match.start(), start + match.end()
        part = _CONTRACTIONS.get(part, part)
        yield Token(Kind.WORD, part, stem(part), at, end, space and not joined, joined)
        joined = True


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """A light English stem: the plural, the possessive, -ing and -ed go."""
    word = word.removesuffix("'s")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or "'" in word:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
        return word.removesuffix("e") if len(word) > 3 else word
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 3 else word


def is_matched(token: Token) -> bool:
    """True if terms are compared with this token: signs and quotes stand between words freely."""
    return token.kind in _MATCHED or token.text == "%"


def is_inner_dot(tokens: Sequence[Token], at: int) -> bool:
    """True for the dot of "memory.max", which a term goes across: no space stands beside it."""
    following = tokens[at + 1 : at + 2]
    return tokens[at].text == "." and not tokens[at].space and any(not token.space for token in following)


def may_begin(tokens: Sequence[Token], at: int) -> bool:
    """True if a term may begin at this token: not inside an identifier, other than after the name of the product."""
    return not tokens[at].joined or (tokens[at - 1].key in _OWN_BEGINNINGS and not tokens[at - 1].joined)


def may_end(tokens: Sequence[Token], last: int) -> bool:
    """True if a term may end before token `last`: not inside an identifier, other than before a number or a unit."""
    if last >= len(tokens) or not tokens[last].joined:
        return True
    if tokens[last].text.isdecimal():  # "pg_toast_16384" is a pg_toast.
        return may_end(tokens, last + 1)
    return tokens[last].key in _UNIT_ENDINGS and may_end(tokens, last + 1)
