"""Recognises the known phenomenon or cause of a new statement, with a score; the caller applies the limits.

Scores are logistic in the features of alias_index.py. The weights were fitted on the labelled anomalies and causes of
the shipped library's tickets, each ticket held out in turn; docs/knowledge.md has the figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from lang.embedding import Embedder
from services.knowledge.importing.matching.alias_index import AliasIndex, Comparison
from services.knowledge.importing.matching.claims import claims_of
from services.knowledge.importing.matching.features import method_features
from services.knowledge.importing.matching.similarity import FloatArray, VectorIndex, rarity_of
from services.knowledge.importing.progress import Progress, ignore_progress, report_progress
from services.knowledge.library.schema import Strength

MIN_THING_COVERAGE = 0.5
MIN_SHARE_OF_BEST_WORDS = 0.75
_SHOWN = 3
# What a cause usually shows tells it from others as well as what it always shows.
_BY_STRENGTH = {Strength.ALWAYS: 1.0, Strength.USUALLY: 1.0, Strength.SOMETIMES: 0.5, Strength.RARELY: 0.2}


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
