"""A message made comparable, and its language.

Reading happens on normalised text (NFKC, simplified Chinese, lower case, no control characters); each character knows
where it came from, so that what is passed on are the person's own words.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Protocol, cast

from lang import deferred_re as re
from services.planner.model import Language
from services.planner.understand.text.word_lists import listed

CJK = r"\u3400-\u4dbf\u4e00-\u9fff"
CJK_CHAR = re.compile(f"[{CJK}]")
_CJK_RUN = re.compile(f"[{CJK}]+")
# A word of English prose: a shell word, an identifier or an abbreviation is none.
_PROSE = re.compile(r"(?<![\w.$/-])[A-Za-z][a-z']*(?![\w/]|[._-]\w)")
_MODIFIERS = {"\ufe0e", "\ufe0f", "\u20e3"}
# What changes in printable ASCII, but for capitals.
_UNPLAIN = re.compile("  |`")
# The same few letters mean "yes" or "no" in every language that dbdiag speaks.
_SHORTHAND = {"y", "n", "u", "x", "ok", "yes", "no", "na"}


@dataclass(frozen=True)
class Message:
    """A normalised message. `origins[i]` is the index in `original` of the character behind `normal[i]`."""

    original: str
    normal: str
    origins: tuple[int, ...]

    def words(self, start: int, end: int) -> str:
        """The person's own words for normal[start:end]."""
        if start >= end:
            return ""
        return self.original[self.origins[start] : self.origins[end - 1] + 1].strip()


class _Converter(Protocol):
    def convert(self, text: str) -> str: ...


@cache
def _simplifier() -> _Converter:
    import opencc

    return cast(_Converter, opencc.OpenCC("t2s"))


def read(original: str) -> Message:
    """The message, normalised; of several spaces in a row one is left."""
    if original.isascii() and original.isprintable() and not _UNPLAIN.search(original):
        return Message(original, original.lower(), tuple(range(len(original))))
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(original):
        for part in _plain(character):
            if part == " " and characters and characters[-1] == " ":
                continue
            characters.append(part)
            origins.append(index)
    return Message(original, _simplified("".join(characters)), tuple(origins))


@lru_cache(maxsize=8192)
def _plain(character: str) -> str:
    if character in "\n\r\t":
        return "\n" if character == "\n" else " "
    if character in _MODIFIERS or unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn"):
        return ""
    if character in "’‘`´":
        return "'"
    return unicodedata.normalize("NFKC", character).lower()


def _simplified(text: str) -> str:
    """Traditional characters as simplified ones; the dictionary is loaded only for text outside GB 2312."""
    try:
        "".join(_CJK_RUN.findall(text)).encode("gb2312")
    except UnicodeEncodeError:
        converted = _simplifier().convert(text)
        return converted if len(converted) == len(text) else text
    return text


# "偶发 FATAL: sorry, too many clients already": the English is the server's.
_QUOTED_ERROR = listed("text.quoted_error")


# Words that a person uses and output does not: who speaks, what is asked, contractions.
_TALK = listed("text.talk")


def language_of(original: str, session: Language | None) -> Language:
    """The language of the person's own words; without any it is the session's, else English.

    Chinese characters make it Chinese unless they are few among English prose; what a server says is nobody's prose,
    and a line in which nobody speaks is output, names or figures.
    """
    own = _own_lines(_QUOTED_ERROR.sub(" ", original) if CJK_CHAR.search(original) or session else original)
    if not own and session:
        return session
    own = own or original
    chinese = len(CJK_CHAR.findall(own))
    prose = [word for word in _PROSE.findall(own) if word.lower() not in _SHORTHAND]
    if chinese:
        return Language.EN if len(prose) >= 4 and len(prose) >= 2 * chinese else Language.ZH
    if session is Language.ZH and len(prose) < 2:
        return session
    return Language.EN if prose or not session else session


def _own_lines(text: str) -> str:
    """The lines in which a person speaks."""
    return "\n".join(line for line in text.splitlines() if CJK_CHAR.search(line) or _TALK.search(line.lower()))
