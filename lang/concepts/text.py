"""Text made comparable: normal form, pieces, stems."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

READABLE, _TAIL = 1600, 500
# No number has more digits than this.
_ENDLESS = re.compile(r"(\d{24})\d+")
_HAN = r"\u3400-\u9fff"
_ONE_CODE = re.compile(r"([a-z]+)-?0*(\d+)")
_PIECE = _LISTED.pattern("piece")
_BREAK = _LISTED.pattern("break", re.IGNORECASE)
_CONTROL = _LISTED.pattern("control")
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
