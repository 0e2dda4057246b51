"""The terms of a text that a phenomenon is recognised by: words in a row, parts of long words, and concepts."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from lang import deferred_re as re
from lang.concepts.glossary import Glossary
from lang.concepts.reading import read

Places = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float32]

# Terms share this many places.
SIZE = 1 << 18
# The length of each kind of terms in a text's vector: words, parts of words, concepts.
_LENGTHS = (1.0, 0.7, 1.0)
_TOKEN = re.compile(r"[a-z]+(?:_[a-z]+)*|\d+(?:[.,:]\d+)*|[\u3400-\u9fff]|%")
_AMOUNT = re.compile(r"(\d[\d,]*)(?:\.\d+)?\s*(%?)")
_LONG, _PARTS, _IN_A_ROW = 3, (3, 4, 5), 3


def weigh_terms(text: str, glossary: Glossary, rarity: Weights) -> tuple[Places, Weights]:
    """The places of a text's terms, rising, and their weights in a vector of length 1; rarity: float32 (SIZE,).

    A term weighs (1 + ln count) times its rarity; each kind of terms is scaled to a length of its own.
    """
    found: list[tuple[Places, Weights]] = []
    for terms, length in zip(list_terms(text, glossary), _LENGTHS, strict=True):
        places, counts = count_places(terms)
        weights = (1 + np.log(counts)) * rarity[places]
        norm = float(np.linalg.norm(weights))
        found.append((places, weights * (length / norm) if norm else weights))
    places = np.concatenate([each for each, _ in found])
    weights = np.concatenate([each for _, each in found])
    norm = float(np.linalg.norm(weights))
    kept, inverse = np.unique(places, return_inverse=True)
    summed = np.bincount(inverse, weights, len(kept)).astype(np.float32)
    return kept, summed / norm if norm else summed


def list_terms(text: str, glossary: Glossary) -> tuple[list[str], list[str], list[str]]:
    """The terms of a text by kind: up to three words in a row, parts of long words, and the glossary's concepts.

    A number is the word "0", and beside it how large it is: exactly how much, the rules judge.
    """
    reading = read(text, glossary)
    tokens = ["0" if token[0].isdigit() else token for token in _TOKEN.findall(reading.text.lower())]
    rows = [
        " ".join(tokens[at : at + width]) for width in range(1, _IN_A_ROW + 1) for at in range(len(tokens) - width + 1)
    ]
    rows += [f"0 {_size_of(found[1], found[2])}" for found in _AMOUNT.finditer(reading.text)]
    parts = [part for token in tokens if len(token) > _LONG and token.isascii() for part in _parts_of(f"<{token}>")]
    return rows, parts, [token.key for token in reading.tokens]


def _size_of(number: str, percent: str) -> str:
    """Roughly how large a number is: how many digits, and of a percentage also whether it is in the upper half."""
    digits = number.replace(",", "").lstrip("0")
    upper = bool(percent) and len(digits) > 1 and (len(digits) > 2 or digits >= "5")
    return f"{len(digits)}{percent}{'+' if upper else ''}"


def count_places(terms: Iterable[str]) -> tuple[Places, Weights]:
    """The places of terms, rising, and how often each occurs."""
    counts = Counter(zlib.crc32(term.encode(errors="replace")) % SIZE for term in terms)
    places = sorted(counts)
    return np.array(places, dtype=np.int64), np.array([counts[place] for place in places], dtype=np.float32)


def _parts_of(word: str) -> Iterable[str]:
    return (f"#{word[at : at + size]}" for size in _PARTS for at in range(len(word) - size + 1))
