"""Recognises the known phenomenon or cause of a new statement, with a score; the caller applies the limits.

Scores are logistic in the features of alias_index.py. The weights were fitted on the labelled anomalies and causes of
the shipped library's tickets, each ticket held out in turn; docs/knowledge.md has the figures.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lang.embedding import Embedder
from services.knowledge.importing.matching.clustering import FloatArray, VectorIndex, rarity_of
from services.knowledge.importing.matching.features import claims_of, method_features, text_features
from services.knowledge.importing.progress import Progress, ignore_progress, report_progress
from services.knowledge.library.schema import Strength

MIN_THING_COVERAGE = 0.5
MIN_SHARE_OF_BEST_WORDS = 0.75
_SHOWN = 3
# What a cause usually shows tells it from others as well as what it always shows.
_BY_STRENGTH = {Strength.ALWAYS: 1.0, Strength.USUALLY: 1.0, Strength.SOMETIMES: 0.5, Strength.RARELY: 0.2}
_BEST_WORDINGS = 3


@dataclass(frozen=True)
class Known:
    """A phenomenon or cause as far as recognising needs it. signs: the phenomena a cause links, and how strongly."""

    id: str
    names: tuple[str, ...]
    wordings: tuple[str, ...]
    method: str = ""
    signs: Mapping[str, Strength] = field(default_factory=dict)


@dataclass(frozen=True)
class Candidate:
    """A known thing and how likely it is meant, in [0, 1], rounded to 3 digits."""

    id: str
    score: float


@dataclass(frozen=True)
class PhenomenonWeights:
    """Logistic weights of a statement against a phenomenon."""

    likeness: float = 2.3
    coverage: float = 1.1
    method: float = 2.4
    meaning: float = 4.5
    bias: float = -5.8


@dataclass(frozen=True)
class CauseWeights:
    """Logistic weights of a cause's words, and of the ticket's phenomena, against a cause.

    by_strength: how much a phenomenon of the ticket counts as a sign, by the strength of the cause's link. Weights like
    the others, fitted with them; not the rates by which the engine reasons.
    """

    likeness: float = 3.7
    coverage: float = 2.5
    signs: float = 15.0
    bias: float = -10.0
    by_strength: Mapping[Strength, float] = field(default_factory=lambda: _BY_STRENGTH)


class PhenomenonRecogniser:
    """Compares a statement and its observation method with all known phenomena."""

    def __init__(self, known: Sequence[Known], embedder: Embedder, weights: PhenomenonWeights | None = None) -> None:
        self._known = sorted(known, key=lambda item: item.id)
        self._weights = weights or PhenomenonWeights()
        self._surfaces = AliasIndex([item.wordings for item in self._known], embedder)
        methods = [method_features(item.method) for item in self._known]
        self._rarity = rarity_of(methods)
        self._methods = VectorIndex([self._rarity.vector(found) for found in methods])
        self._remedies = np.asarray([any(claims_of(name).remedy for name in item.names) for item in self._known])
        self._text = [" ".join((*item.names, *item.wordings)).casefold() for item in self._known]

    def candidates(
        self, statements: Sequence[str], methods: Sequence[str], progress: Progress = ignore_progress
    ) -> list[list[Candidate]]:
        """For each statement the best known phenomena, best first; those whose claims differ are left out."""
        found = self._surfaces.against(statements)
        pairs = report_progress(
            zip(statements, methods, found, strict=True), len(statements), "recognising phenomena", progress
        )
        return [_best(self._known, self.scores(text, method, against)) for text, method, against in pairs]

    def scores(self, text: str, method: str, against: Comparison) -> FloatArray:
        """float64 array (known,): the score of each; 0 where the claims differ."""
        weights = self._weights
        looked_at = self._methods.cosines(self._rarity.vector(method_features(method)))
        total = (
            weights.likeness * against.likeness
            + weights.coverage * against.coverage
            + weights.method * looked_at
            + weights.meaning * against.meaning
            + weights.bias
        )
        allowed = self._same_claims(text) & (against.thing_coverage >= MIN_THING_COVERAGE)
        return np.where(allowed & (against.coverage > 0), 1.0 / (1.0 + np.exp(-total)), 0.0)

    def _same_claims(self, text: str) -> npt.NDArray[np.bool_]:
        claims = claims_of(text)
        allowed: npt.NDArray[np.bool_] = self._remedies == claims.remedy
        for state in sorted(claims.states):
            allowed &= self._surfaces.holds(state) > 0
        if claims.settings:
            allowed &= np.asarray([any(name in text for name in claims.settings) for text in self._text], dtype=bool)
        return allowed


class CauseRecogniser:
    """Compares a cause's words and its ticket's phenomena with all known causes."""

    def __init__(self, known: Sequence[Known], embedder: Embedder, weights: CauseWeights | None = None) -> None:
        self._known = sorted(known, key=lambda item: item.id)
        self._weights = weights or CauseWeights()
        self._surfaces = AliasIndex([item.wordings for item in self._known], embedder)

    def candidates(
        self, statements: Sequence[str], phenomena: Sequence[Sequence[str]], progress: Progress = ignore_progress
    ) -> list[list[Candidate]]:
        """For each statement the best known causes, best first."""
        found = self._surfaces.against(statements)
        pairs = report_progress(zip(found, phenomena, strict=True), len(statements), "recognising causes", progress)
        return [_best(self._known, self._scores(against, seen)) for against, seen in pairs]

    def _scores(self, against: Comparison, seen: Sequence[str]) -> FloatArray:
        weights = self._weights
        signs = np.asarray([self._mean_sign(item.signs, seen) for item in self._known])
        words = weights.likeness * against.likeness + weights.coverage * against.coverage
        # Signs weigh between causes whose words fit; they never carry one whose words do not.
        fitting = words >= MIN_SHARE_OF_BEST_WORDS * np.max(words, initial=0.0)
        total = words + weights.signs * signs + weights.bias
        return np.where(fitting & (words > 0), 1.0 / (1.0 + np.exp(-total)), 0.0)

    def _mean_sign(self, signs: Mapping[str, Strength], seen: Sequence[str]) -> float:
        weights = self._weights.by_strength
        return math.fsum(weights[signs[name]] for name in seen if name in signs) / len(seen) if seen else 0.0


def _best(known: Sequence[Known], scores: FloatArray) -> list[Candidate]:
    rounded = np.round(scores, 3)
    order = np.lexsort((np.arange(len(known)), -rounded))[:_SHOWN]
    return [Candidate(known[row].id, float(rounded[row])) for row in order if rounded[row] > 0]


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
