"""Groups statements that say the same thing, by the cosine of features. Depends on their set, not on their order."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lang.embedding import Embedder
from services.knowledge.importing.matching.features import (
    compatible,
    method_features,
    sense_features,
    sizes_differ,
    states_of,
    text_features,
)
from services.knowledge.importing.matching.lexicon import lexicon
from services.knowledge.importing.progress import Progress, ignore_progress, report_progress

_NEIGHBOURS = 16
_THOUSAND = 1000
_LEAST_LIKE = 0.3
# Near enough for a person to look at, never near enough to merge: the sizes differ, or tickets tell both.
_MOST_IN_DOUBT = 0.6
# Who writes two anomalies into one ticket saw two things; in a few of many tickets it may be one said twice.
_TOLD_TOGETHER = 0.2
Features = Mapping[str, float]
Vector = dict[str, float]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Item:
    """A statement to group: its key's digest orders items, text and method are compared.

    near: the known things it is like, and how much; two statements that are like the same ones are like each other.
    tickets: those that say it.
    """

    digest: str
    text: str
    method: str = ""
    near: Mapping[str, float] = field(default_factory=dict)
    tickets: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pair:
    """Two items (digests in order) and how likely they say the same, in [0, 1], rounded to 3 digits."""

    left: str
    right: str
    score: float


@dataclass(frozen=True)
class PairWeights:
    """Logistic weights of the likeness of words, things named, states, known things, methods and dense vectors.

    contrary: each names a thing the other lacks; elsewhere: the same of general things; vague: one names none.
    """

    words: float
    meaning: float
    method: float
    bias: float
    sense: float = 0.0
    states: float = 0.0
    near: float = 0.0
    contrary: float = 0.0
    elsewhere: float = 0.0
    vague: float = 0.0


# Fitted on the pairs of the labelled anomalies that are not held out; docs/knowledge.md has the figures.
ANOMALY_WEIGHTS = PairWeights(
    words=0.8,
    meaning=1.4,
    method=0.7,
    bias=-2.9,
    sense=1.8,
    states=0.2,
    near=3.6,
    contrary=-2.0,
    elsewhere=-1.8,
    vague=-1.0,
)
# The same where no known thing is near any of them.
BARE_WEIGHTS = PairWeights(
    words=2.3, meaning=1.5, method=0.7, bias=-2.6, sense=2.6, states=0.2, contrary=-2.2, elsewhere=-1.8, vague=-1.3
)
CAUSE_WEIGHTS = PairWeights(words=4.7, meaning=1.4, method=1.3, bias=-4.0)


def group(items: Sequence[Item], pairs: Sequence[Pair], same: float) -> list[list[str]]:
    """Groups of digests, each in order, ordered by their first.

    Average linkage, from the likest pair down: two groups become one when the mean score over all their pairs, counting
    pairs that were never near as 0, is at least `same`. Ties go by digest.
    """
    groups = {item.digest: [item.digest] for item in items}
    # Between two groups, by their first: the sum of the scores in thousandths, which adds up the same in any order.
    sums: dict[str, dict[str, int]] = {digest: {} for digest in groups}
    for pair in pairs:
        sums[pair.left][pair.right] = sums[pair.right][pair.left] = round(pair.score * _THOUSAND)
    for pair in sorted(pairs, key=lambda pair: (-pair.score, pair.left, pair.right)):
        left, right = groups[pair.left], groups[pair.right]
        if left is not right and pair.score >= same:
            mean = sums[left[0]].get(right[0], 0) / (_THOUSAND * len(left) * len(right))
            if mean >= same:
                _join(left, right, groups, sums)
    unique = {members[0]: members for members in groups.values()}
    return [unique[first] for first in sorted(unique)]


def _join(left: list[str], right: list[str], groups: dict[str, list[str]], sums: dict[str, dict[str, int]]) -> None:
    joined = sorted([*left, *right])
    one, other = sums.pop(left[0]), sums.pop(right[0])
    both = {name: one.get(name, 0) + other.get(name, 0) for name in (one.keys() | other.keys()) - {left[0], right[0]}}
    for name, total in both.items():
        sums[name].pop(left[0], None)
        sums[name].pop(right[0], None)
        sums[name][joined[0]] = total
    sums[joined[0]] = both
    groups.update(dict.fromkeys(joined, joined))


def pairs_of(
    items: Sequence[Item], embedder: Embedder, weights: PairWeights | None = None, progress: Progress = ignore_progress
) -> list[Pair]:
    """The pairs of like items, each item with its nearest few; found through posting lists, not by comparing all.

    Without weights they are compared as anomalies.
    """
    ordered = sorted({item.digest: item for item in items}.values(), key=lambda item: item.digest)
    if len(ordered) < 2:
        return []
    fitting = ANOMALY_WEIGHTS if any(item.near for item in ordered) else BARE_WEIGHTS
    likeness = _Likeness(ordered, embedder, weights or fitting)
    found: dict[tuple[int, int], float] = {}
    for row in report_progress(range(len(ordered)), len(ordered), "comparing statements", progress):
        for other in likeness.nearest(row):
            key = (min(row, other), max(row, other))
            if key not in found and compatible(ordered[key[0]].text, ordered[key[1]].text):
                found[key] = likeness.score(*key)
    return [Pair(ordered[left].digest, ordered[right].digest, score) for (left, right), score in sorted(found.items())]


class _Likeness:
    """How like any two of the items are, by everything there is to compare."""

    def __init__(self, items: Sequence[Item], embedder: Embedder, weights: PairWeights) -> None:
        self._items = items
        self._weights = weights
        self._words = _weighted([text_features(item.text) for item in items])
        self._senses = _weighted([sense_features(item.text) for item in items])
        self._methods = _weighted([method_features(item.method) for item in items])
        self._near = [_of_length_one(item.near) for item in items]
        self._dense = embedder.embed([item.text for item in items])
        parts = ((self._words, weights.words), (self._senses, weights.sense), (self._near, weights.near))
        self._indexes = [(VectorIndex(vectors), vectors) for vectors, weight in parts if weight]

    def nearest(self, row: int) -> list[int]:
        """The rows that may say the same, the likelier first; ties go by digest."""
        total = np.round(sum(index.cosines(vectors[row]) for index, vectors in self._indexes), 9)
        total[row] = 0.0
        near = np.flatnonzero(total >= _LEAST_LIKE)
        return [int(other) for other in near[np.lexsort((near, -total[near]))][:_NEIGHBOURS]]

    def score(self, left: int, right: int) -> float:
        """How likely two rows say the same."""
        one, other, weights = self._items[left], self._items[right], self._weights
        meaning = float(np.round(np.sum(self._dense[left] * self._dense[right]), 3))
        states = (states_of(one.text), states_of(other.text))
        either = states[0] | states[1]
        total = (
            weights.words * cosine(self._words[left], self._words[right])
            + weights.sense * cosine(self._senses[left], self._senses[right])
            + weights.states * (len(states[0] & states[1]) / len(either) if either else 1.0)
            + weights.near * cosine(self._near[left], self._near[right])
            + weights.method * cosine(self._methods[left], self._methods[right])
            + weights.meaning * max(0.0, meaning)
            + _against(weights, self._senses[left].keys(), self._senses[right].keys())
            + weights.bias
        )
        score = round(1.0 / (1.0 + math.exp(-total)), 3)
        in_doubt = sizes_differ(one.text, other.text) or _told_together(one, other)
        return min(score, _MOST_IN_DOUBT) if in_doubt else score


def _against(weights: PairWeights, one: Set[str], other: Set[str]) -> float:
    """The weight of differing concepts against two statements being the same."""
    general = lexicon().general
    core, places = (one - general, other - general), (one & general, other & general)
    return (
        weights.contrary * bool(core[0] - core[1] and core[1] - core[0])
        + weights.elsewhere * bool(places[0] - places[1] and places[1] - places[0])
        + weights.vague * (not (core[0] and core[1]))
    )


def _told_together(one: Item, other: Item) -> bool:
    fewer = min(len(one.tickets), len(other.tickets))
    return fewer > 0 and len(one.tickets & other.tickets) >= _TOLD_TOGETHER * fewer


def _weighted(features: Sequence[Mapping[str, float]]) -> list[dict[str, float]]:
    rarity: Rarity = rarity_of(features)
    return [rarity.vector(found) for found in features]


def _of_length_one(values: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(math.fsum(value * value for value in values.values()))
    return {name: value / length for name, value in values.items()} if length else {}


@dataclass(frozen=True)
class Rarity:
    """Inverse document frequencies: ln(1 + documents / (1 + documents with the feature))."""

    weights: Mapping[str, float]
    unseen: float

    def vector(self, features: Features) -> Vector:
        """The features weighted by rarity, of length 1."""
        raw = {name: weight * self.of(name) for name, weight in features.items()}
        length = math.sqrt(math.fsum(value * value for value in raw.values()))
        return {name: value / length for name, value in raw.items()} if length else {}

    def of(self, feature: str) -> float:
        """The rarity of one feature; one never seen counts as the rarest."""
        return self.weights.get(feature, self.unseen)


def rarity_of(documents: Iterable[Iterable[str]]) -> Rarity:
    """Rarities over documents, each given by its features; the order of the documents never matters."""
    counts: Counter[str] = Counter()
    total = 0
    for names in documents:
        counts.update(set(names))
        total += 1
    return Rarity({name: math.log(1 + total / (1 + count)) for name, count in counts.items()}, math.log(1 + total))


def cosine(left: Vector, right: Vector) -> float:
    """The likeness of two vectors of length 1, in [0, 1]."""
    if len(right) < len(left):
        left, right = right, left
    return math.fsum(value * right[name] for name, value in left.items() if name in right)


class VectorIndex:
    """Cosines of one vector with many, through posting lists: the cost is that of the features in common."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        self.size = len(vectors)
        postings: dict[str, tuple[list[int], list[float]]] = {}
        for number, vector in enumerate(vectors):
            for name, value in vector.items():
                rows, values = postings.setdefault(name, ([], []))
                rows.append(number)
                values.append(value)
        self._postings = {
            name: (np.asarray(rows, dtype=np.int64), np.asarray(values, dtype=np.float64))
            for name, (rows, values) in postings.items()
        }

    def cosines(self, vector: Vector) -> FloatArray:
        """float64 array (vectors,): the likeness with each, in the order they were given."""
        total = np.zeros(self.size)
        for name in sorted(vector):
            if name in self._postings:
                rows, values = self._postings[name]
                total[rows] += vector[name] * values
        return total
