"""An index of the wordings of known phenomena or causes, to compare a text with all of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lang.embedding import Embedder
from services.knowledge.importing.matching.features import text_features
from services.knowledge.importing.matching.similarity import FloatArray, VectorIndex, rarity_of

_BEST_WORDINGS = 3


@dataclass(frozen=True)
class Comparison:
    """The comparison of a text with every known thing: float64 arrays (things,), each value in [0, 1].

    likeness: the mean cosine of the (up to three) most like wordings. coverage: the share of the text's features, by
    rarity, that occur in any wording. thing_coverage: the same over its concepts only. meaning: the best cosine of the
    dense vectors.
    """

    likeness: FloatArray
    coverage: FloatArray
    thing_coverage: FloatArray
    meaning: FloatArray


class AliasIndex:
    """An index over things, each given by its wordings in any order."""

    def __init__(self, wordings: Sequence[Sequence[str]], embedder: Embedder) -> None:
        self._size = len(wordings)
        owned = [(owner, text) for owner, texts in enumerate(wordings) for text in dict.fromkeys(texts)]
        features = [text_features(text) for _, text in owned]
        self._rarity = rarity_of(features)
        self._index = VectorIndex([self._rarity.vector(found) for found in features])
        self._owner = np.asarray([owner for owner, _ in owned], dtype=np.int64)
        self._wanted = np.minimum(_BEST_WORDINGS, np.maximum(1, np.bincount(self._owner, minlength=self._size)))
        self._embedder = embedder
        self._dense = embedder.embed([text for _, text in owned])
        holders: dict[str, set[int]] = defaultdict(set)
        for (owner, _), found in zip(owned, features, strict=True):
            for name in found:
                holders[name].add(owner)
        self._holders = {name: np.asarray(sorted(owners), dtype=np.int64) for name, owners in holders.items()}

    def against(self, texts: Sequence[str]) -> Iterator[Comparison]:
        """Each text against every thing, in the order of the texts."""
        dense = self._embedder.embed(texts)
        return (self._one(text, row) for text, row in zip(texts, dense, strict=True))

    def holds(self, feature: str) -> FloatArray:
        """float64 array (things,): 1 where any wording has the feature."""
        found = np.zeros(self._size)
        if feature in self._holders:
            found[self._holders[feature]] = 1.0
        return found

    def _one(self, text: str, dense: np.ndarray[tuple[int], np.dtype[np.float32]]) -> Comparison:
        features = text_features(text)
        meaning = np.zeros(self._size)
        if len(self._owner):
            # Not `@`: a row's value may not depend on how many rows there are.
            cosines = np.clip(np.round(np.einsum("ij,j->i", self._dense, dense), 3), 0.0, 1.0)
            np.maximum.at(meaning, self._owner, cosines.astype(np.float64))
        things = {name: weight for name, weight in features.items() if name.startswith("thing:")}
        return Comparison(
            likeness=self._likeness(features),
            coverage=self._coverage(features),
            thing_coverage=self._coverage(things) if things else np.ones(self._size),
            meaning=meaning,
        )

    def _likeness(self, features: dict[str, float]) -> FloatArray:
        cosines = self._index.cosines(self._rarity.vector(features))
        rows = np.flatnonzero(cosines)
        owners = self._owner[rows]
        order = np.lexsort((rows, -np.round(cosines[rows], 9), owners))
        owners, best = owners[order], cosines[rows[order]]
        firsts = np.flatnonzero(np.diff(owners, prepend=-1))
        ranks = np.arange(len(owners)) - np.repeat(firsts, np.diff(firsts, append=len(owners)))
        used = ranks < self._wanted[owners]
        return np.bincount(owners[used], weights=best[used], minlength=self._size) / self._wanted

    def _coverage(self, features: dict[str, float]) -> FloatArray:
        weights = {name: weight * self._rarity.of(name) for name, weight in features.items()}
        whole = math.fsum(weights.values())
        covered = np.zeros(self._size)
        for name in sorted(weights):
            if name in self._holders:
                covered[self._holders[name]] += weights[name]
        return covered / whole if whole else covered
