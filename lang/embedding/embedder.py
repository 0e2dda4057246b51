"""Embeds by latent semantic analysis: hashed words and character n-grams, projected onto what entries have in common.

`make train` fits projection.npz to the shipped library by a truncated singular value decomposition. Texts without a
common word are alike if the library uses their words for the same things.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
FILE = Path(__file__).with_name("projection.npz")
# Terms share this many rows by hash.
TERMS, DIMENSIONS = 4096, 192
_TOKEN = re.compile(r"[a-z]+|\d+|[一-鿿]+|\S")
_LARGEST = 127


class Embedder(Protocol):
    """Embeds texts as unit vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, dimensions): rows of norm 1, or 0 for a text without known terms. Equal texts, equal rows."""


@dataclass(frozen=True, eq=False)
class ProjectedEmbedder:
    """`steps` (TERMS, dimensions), of one byte where they are shipped, times `scales` float32 (dimensions,) is the
    projection, which includes the rarity of the terms.
    """

    steps: npt.NDArray[np.int8] | Vectors
    scales: Vectors

    @property
    def projection(self) -> Vectors:
        """float32 (TERMS, dimensions)."""
        return np.asarray(self.steps * self.scales, dtype=np.float32)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        rows = np.zeros((len(texts), len(self.scales)), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            terms, weights = weigh_terms(text)
            # A row at a time: its value must not depend on the other texts.
            np.dot(weights, self.steps[terms] * self.scales, out=row)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return unit


def weigh_terms(text: str) -> tuple[npt.NDArray[np.int64], Vectors]:
    """The terms of a text in [0, TERMS) and their weights, 1 + ln count."""
    counts = Counter(chain.from_iterable(map(_terms_of, _TOKEN.findall(text.lower()))))
    terms = np.fromiter(counts.keys(), np.int64, len(counts))
    return terms, 1 + np.log(np.fromiter(counts.values(), np.float32, len(counts)))


@lru_cache(maxsize=8192)  # Few words make up most texts.
def _terms_of(token: str) -> tuple[int, ...]:
    return tuple(zlib.crc32(term.encode(errors="surrogatepass")) % TERMS for term in _pieces(token))


def _pieces(token: str) -> Iterator[str]:
    """A word, number or sign; n-grams of 1 to 3 in Chinese, of 3 and 4 in words, whose ends are marked."""
    chinese = token[0] >= "一"
    if not chinese:
        yield f"={token}"
    edged, sizes = (token, (1, 2, 3)) if chinese else (f"<{token}>", (3, 4))
    for size in sizes:
        for start in range(len(edged) - size + 1):
            yield edged[start : start + size]


@cache
def load(path: Path = FILE) -> ProjectedEmbedder:
    """The embedder of a file; read once."""
    with np.load(path, allow_pickle=False) as found:
        return ProjectedEmbedder(found["steps"], found["scales"])


def save(embedder: ProjectedEmbedder, path: Path = FILE) -> None:
    """Writes a file that `load` reads: steps of one byte, and their size for each dimension."""
    projection = embedder.projection
    scales = np.abs(projection).max(axis=0) / _LARGEST
    steps = np.round(np.divide(projection, scales, where=scales > 0, out=np.zeros_like(projection)))
    np.savez_compressed(path, steps=steps.astype(np.int8), scales=scales.astype(np.float32))


@cache
def digest_rules() -> bytes:
    """Digest of all that a vector of the shipped embedder depends on, except the text."""
    return hashlib.sha256(Path(__file__).read_bytes() + FILE.read_bytes()).digest()
