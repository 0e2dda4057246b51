"""Groups statements that say the same thing. The result depends on the set of statements only, never on their order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from services.knowledge.importing.claims import compatible, sizes_differ
from services.knowledge.importing.embedding import Embedder
from services.knowledge.importing.features import method_features, text_features
from services.knowledge.importing.likeness import Rarity, VectorIndex, cosine, rarity_of
from services.knowledge.importing.progress import Progress, counted, silent

_NEIGHBOURS = 12
_LEAST_COSINE = 0.2
# Near enough for a person to look at, never near enough to merge.
_MOST_WHEN_SIZES_DIFFER = 0.6


@dataclass(frozen=True)
class Item:
    """A statement to group: its key's digest orders items, text and method are compared."""

    digest: str
    text: str
    method: str = ""


@dataclass(frozen=True)
class Pair:
    """Two items (digests in order) and how likely they say the same, in [0, 1], rounded to 3 digits."""

    left: str
    right: str
    score: float


@dataclass(frozen=True)
class PairWeights:
    """Logistic weights of the likeness of words, methods and dense vectors."""

    words: float = 4.7
    method: float = 1.3
    meaning: float = 1.4
    bias: float = -4.0


DEFAULT_WEIGHTS = PairWeights()


def group(items: Sequence[Item], pairs: Sequence[Pair], same: float) -> list[list[str]]:
    """Groups of digests, each in order, ordered by their first.

    Average linkage, from the likest pair down: two groups become one when the mean score over all their pairs, counting
    pairs that were never near as 0, is at least `same`. Ties go by digest.
    """
    scores = {(pair.left, pair.right): pair.score for pair in pairs}
    groups = {item.digest: [item.digest] for item in items}
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right)):
        left, right = groups[pair.left], groups[pair.right]
        if left is not right and pair.score >= same and _mean(left, right, scores) >= same:
            joined = sorted([*left, *right])
            groups.update(dict.fromkeys(joined, joined))
    unique = {members[0]: members for members in groups.values()}
    return [unique[first] for first in sorted(unique)]


def pairs_of(
    items: Sequence[Item], embedder: Embedder, weights: PairWeights = DEFAULT_WEIGHTS, progress: Progress = silent
) -> list[Pair]:
    """The pairs of like items, each item with its nearest few; found through posting lists, not by comparing all."""
    ordered = sorted({item.digest: item for item in items}.values(), key=lambda item: item.digest)
    if len(ordered) < 2:
        return []
    features = [text_features(item.text) for item in ordered]
    rarity = rarity_of(features)
    vectors = [rarity.vector(found) for found in features]
    index = VectorIndex(vectors)
    methods = _method_vectors(ordered)
    dense = embedder.vectors([item.text for item in ordered])
    found: dict[tuple[int, int], float] = {}
    for row, vector in enumerate(counted(vectors, len(vectors), "comparing statements", progress)):
        words = np.round(index.cosines(vector), 9)
        words[row] = 0.0
        near = np.flatnonzero(words >= _LEAST_COSINE)
        for other in near[np.lexsort((near, -words[near]))][:_NEIGHBOURS]:
            key = (min(row, int(other)), max(row, int(other)))
            if key not in found and compatible(ordered[key[0]].text, ordered[key[1]].text):
                meaning = float(np.round(np.sum(dense[key[0]] * dense[key[1]]), 3))
                looked_at = cosine(methods[key[0]], methods[key[1]])
                score = _score(weights, float(words[other]), looked_at, max(0.0, meaning))
                unequal = sizes_differ(ordered[key[0]].text, ordered[key[1]].text)
                found[key] = min(score, _MOST_WHEN_SIZES_DIFFER) if unequal else score
    return [Pair(ordered[left].digest, ordered[right].digest, score) for (left, right), score in sorted(found.items())]


def _method_vectors(items: Sequence[Item]) -> list[dict[str, float]]:
    features = [method_features(item.method) for item in items]
    rarity: Rarity = rarity_of(features)
    return [rarity.vector(found) for found in features]


def _score(weights: PairWeights, words: float, method: float, meaning: float) -> float:
    total = weights.words * words + weights.method * method + weights.meaning * meaning + weights.bias
    return round(1.0 / (1.0 + math.exp(-total)), 3)


def _mean(left: Sequence[str], right: Sequence[str], scores: Mapping[tuple[str, str], float]) -> float:
    total = math.fsum(scores.get((min(a, b), max(a, b)), 0.0) for a in left for b in right)
    return total / (len(left) * len(right))
