"""N-grams of a normalised text as positions in a table of a fixed size."""

from __future__ import annotations

import zlib
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from lang import deferred_re as re
from services.planner.understand.text.messages import CJK

Places = npt.NDArray[np.int64]

# Features share this many places; the row after them says how usual each label is.
SIZE = 1 << 17
TOKEN = re.compile(rf"\{{\}}|[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[{CJK}]|[^\s\w]")
_STEM = 4


def place_of(feature: str) -> int:
    """The place of a feature."""
    return zlib.crc32(feature.encode()) % SIZE


@lru_cache(maxsize=2048)
def ngrams_of(text: str) -> Places:
    """Places of the n-grams of a text, rising: up to three tokens in a row, and four letters within long words."""
    tokens = ["^", *("0" if token[0].isdigit() else token for token in TOKEN.findall(text)), "$"]
    found = set(tokens[1:-1])
    found.update(" ".join(tokens[at : at + width]) for width in (2, 3) for at in range(len(tokens) - width + 1))
    for token in tokens:
        if len(token) > _STEM and token.isascii():
            word = f"<{token}>"
            found.update("#" + word[at : at + _STEM] for at in range(len(word) - _STEM + 1))
    return np.array(sorted({place_of(feature) for feature in found}), dtype=np.int64)
