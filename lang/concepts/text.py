"""Text made comparable: normal form, pieces, stems."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from lang import deferred_re as re

READABLE, _TAIL = 1600, 500
# No number has more digits than this.
_ENDLESS = re.compile(r"(\d{24})\d+")
_HAN = r"\u3400-\u9fff"
# Another product's error code is one word, and ORA-00060 the same one as ORA-60.
_CODE = r"(?i:ora|tns|pls|rman)-?\d{2,5}"
_ONE_CODE = re.compile(r"([a-z]+)-?0*(\d+)")
# The unit of a number belongs to it; before "ago" it says how old something is.
_UNIT = (
    r"\s?(?:%|(?i:[kmgt]i?b?|ms|us|s|h|hrs?|percent|(?:second|sec|minute|min|hour|day|week|month)s?)(?![A-Za-z])"
    r"|毫秒|微秒|秒|分钟|个?小时|个?钟头|天|周|个月|成)(?!\s*(?:ago|之?前|以前))"
)
_PIECE = re.compile(
    rf"(?P<code>(?<![A-Za-z0-9_]){_CODE}(?!\d))|(?P<word>%?[A-Za-z][A-Za-z0-9_]*(?:['’][a-z]+)?)"
    rf"|(?P<number>\d[\d,]*(?:\.\d+)?(?:{_UNIT})?)|(?P<han>[{_HAN}])"
)
_BREAK = re.compile(
    r"[,，。;；!！?？、\n…]|(?<![A-Za-z_])\(|\.(?=\s|$)|\s-+\s|(?:但是|但|不过|可是|然而|而且|却|可(?!以|能|用|见|读))|\b(?:but|however|though|although|while|yet|whereas|and)\b",
    re.IGNORECASE,
)
_CONTROL = re.compile(
    r"[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)
# People write "WAL 目录" and "WAL目录"; one form for both.
_MIXED_SPACE = re.compile(rf"(?<=[{_HAN}]) (?=[A-Za-z0-9%])|(?<=[A-Za-z0-9%]) (?=[{_HAN}])")
_IRREGULAR = {
    "ran": "run", "slept": "sleep", "grew": "grow", "fell": "fall", "held": "hold", "kept": "keep", "died": "die",
    "dies": "die", "dying": "die", "took": "take", "went": "go", "came": "come", "lost": "lose", "stuck": "stuck",
    "indices": "index", "indexes": "index", "queries": "query", "queues": "queue", "caches": "cache",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, number or Chinese character of a normal form; `start` and `end` are offsets, `clause` counts from 0."""

    kind: str
    text: str
    stem: str
    start: int
    end: int
    clause: int


@cache
def _converter(config: str) -> Any:
    import opencc

    return opencc.OpenCC(config)


def _simplified(text: str) -> str:
    """Traditional text in simplified characters and mainland words; simplified text is left alone."""
    # tw2sp rewrites words that simplified text uses in another sense (文件), so it runs only where it is needed.
    return str(_converter("tw2sp").convert(text)) if _converter("t2s").convert(text) != text else text


def has_han(text: str) -> bool:
    """Whether any Chinese character is in the text."""
    return not text.isascii() and re.search(f"[{_HAN}]", text) is not None


def normalise(text: str) -> str:
    """One form for equal text: NFKC, simplified characters, single spaces, no control characters; case is kept."""
    flat = _CONTROL.sub(" ", unicodedata.normalize("NFKC", text))
    if has_han(flat):
        flat = _simplified(flat)
    return _MIXED_SPACE.sub("", re.sub(r"[ \t\r\f\v]+", " ", flat)).strip()


def excerpt(text: str) -> str:
    """A text that can be read in time: of a long one each line once, then its beginning and its end."""
    text = _ENDLESS.sub(r"\1", text)
    if len(text) <= READABLE:
        return text
    flat = "\n".join(dict.fromkeys(line.strip() for line in text.splitlines()))
    return flat if len(flat) <= READABLE else f"{flat[: READABLE - _TAIL]}\n{flat[-_TAIL:]}"


def pieces(text: str) -> list[Piece]:
    """The pieces of a normal form, in order. A clause ends at punctuation and at words such as `but`."""
    breaks = [match.start() for match in _BREAK.finditer(text)]
    found: list[Piece] = []
    clause, next_break = 0, 0
    for match in _PIECE.finditer(text):
        while next_break < len(breaks) and breaks[next_break] < match.start():
            clause += 1
            next_break += 1
        found.append(_piece(match, clause))
    return found


def _piece(match: re.Match[str], clause: int) -> Piece:
    raw, kind = match.group(), str(match.lastgroup)
    if kind == "code":
        kind, meant = "word", _ONE_CODE.sub(r"\1-\2", raw.lower())
    else:
        meant = stem(raw.lower()) if kind == "word" else raw
    return Piece(kind, raw, meant, match.start(), match.end(), clause)


@cache
def stem(word: str) -> str:
    """A light English stem: plural, -ing, -ed and doubled consonants go; identifiers with `_` stay whole."""
    word = word.replace("’", "'")
    if "_" in word or len(word) <= 3:
        return word
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    word = word.removesuffix("'s")
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "lsz":
                word = word[:-1]
            break
    return word.removesuffix("e") if len(word) > 4 else word


def camel_parts(word: str) -> list[str]:
    """The parts of a CamelCase name, lower case; empty when it is no such name."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z][a-z0-9]+", word)
    return [part.lower() for part in parts] if len(parts) > 1 and "".join(parts) == word else []
