"""Learns linear models from labelled texts.

The weights are learned by the passive-aggressive algorithm of Crammer et al., "Online Passive-Aggressive Algorithms",
JMLR 7 (2006), in its multi-class form PA-I, averaged over all steps. Equal texts give equal models.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary
from lang.concepts.weighted_terms import SIZE, Places, Weights, count_places, list_terms, weigh_terms
from lang.linear.linear_model import LinearModel, ends_of

# Passes over the texts, the largest step, and the least weight that is kept.
PASSES, LARGEST_STEP, LEAST = 5, 0.5, 0.05
_SEED, _STEPS = 1, 127


@dataclass(frozen=True)
class Rows:
    """Vectors of terms as a sparse matrix in CSR form."""

    places: Places
    weights: Weights
    ends: npt.NDArray[np.int64]

    def row(self, at: int) -> tuple[Places, Weights]:
        """The places and weights of one text."""
        start, end = self.ends[at], self.ends[at + 1]
        return self.places[start:end], self.weights[start:end]


def count_rarity(texts: Sequence[str]) -> Weights:
    """float32 (SIZE,): the smoothed inverse document frequency of each term, 1 + ln((1 + n) / (1 + count))."""
    counts = np.zeros(SIZE)
    for text in texts:
        for kind in list_terms(text, glossary.load()):
            counts[count_places(kind)[0]] += 1
    return (1 + np.log((1 + len(texts)) / (1 + counts))).astype(np.float32)


@dataclass(frozen=True)
class Question:
    """What a model is to tell of a text: the class of each one to learn from, and how many classes there are.

    rivals: bool (classes, classes), the classes that a text of each class is told from; None: from all.
    """

    right: Sequence[int]
    classes: int
    rivals: npt.NDArray[np.bool_] | None = None


def learn(texts: Sequence[str], questions: Sequence[Question], rarity: Weights, passes: int = PASSES) -> LinearModel:
    """A model whose classes are those of several questions, one after the other."""
    rows = _vectors_of(texts, rarity)
    used = np.unique(rows.places)
    compact = replace(rows, places=np.searchsorted(used, rows.places))
    weights = [_learn_weights(compact, each, len(used), passes) for each in questions]
    return _pack(np.hstack(weights), used, rarity)


@dataclass(frozen=True)
class Case:
    """One decision to learn: the text at a place, the options to choose from, and which one is right.

    An option is the classes whose scores it adds up.
    """

    text: int
    options: Sequence[tuple[int, ...]]
    right: int


def learn_choices(texts: Sequence[str], passes: Iterable[Sequence[Case]], classes: int, rarity: Weights) -> LinearModel:
    """A model that chooses among the options of each case; passes: the cases of each pass, in the order of learning."""
    rows = _vectors_of(texts, rarity)
    used = np.unique(rows.places)
    compact = replace(rows, places=np.searchsorted(used, rows.places))
    weights, drift = (np.zeros((len(used), classes), np.float32) for _ in range(2))
    step = 0
    for cases in passes:
        for case in cases:
            step += 1
            places, values = compact.row(case.text)
            columns = np.unique([column for option in case.options for column in option])
            scores = values @ weights[places[:, None], columns]
            for column, change in _changes(case, dict(zip(columns.tolist(), scores.tolist(), strict=True))):
                weights[places, column] += change * values
                drift[places, column] += step * change * values
    return _pack(np.asarray(weights - drift / max(step, 1), dtype=np.float32), used, rarity)


def _changes(case: Case, scores: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """By how much the score of each class has to rise so that the right option leads by one."""
    totals = np.array([sum(scores[column] for column in option) for option in case.options])
    totals[case.right] -= 1.0
    wrong = int(totals.argmax())
    if wrong == case.right:
        return
    right, other = set(case.options[case.right]), set(case.options[wrong])
    changed = right ^ other
    change = min(LARGEST_STEP, float(totals[wrong] - totals[case.right]) / len(changed))
    yield from ((column, change if column in right else -change) for column in sorted(changed))


def _vectors_of(texts: Sequence[str], rarity: Weights) -> Rows:
    found = [weigh_terms(text, glossary.load(), rarity) for text in texts]
    ends = np.cumsum([0, *(len(places) for places, _ in found)])
    return Rows(np.concatenate([each for each, _ in found]), np.concatenate([each for _, each in found]), ends)


def _learn_weights(rows: Rows, question: Question, terms: int, passes: int) -> Weights:
    """Averaged weights, float32 (terms, classes)."""
    weights, drift = (np.zeros((terms, question.classes), np.float32) for _ in range(2))
    drawn, order, step = random.Random(_SEED), list(range(len(question.right))), 0
    for _ in range(passes):
        drawn.shuffle(order)
        for at in order:
            step += 1
            places, values = rows.row(at)
            scores = values @ weights[places]
            right = question.right[at]
            scores[right] -= 1.0
            if question.rivals is not None:
                scores[~question.rivals[right]] = -np.inf
            wrong = int(scores.argmax())
            if wrong != right:
                change = min(LARGEST_STEP, float(scores[wrong] - scores[right]) / 2) * values
                weights[places, right] += change
                weights[places, wrong] -= change
                drift[places, right] += step * change
                drift[places, wrong] -= step * change
    return np.asarray(weights - drift / step, dtype=np.float32)


def _pack(weights: Weights, used: Places, rarity: Weights) -> LinearModel:
    scales = np.maximum(np.abs(weights).max(axis=0), 1e-6) / _STEPS
    steps = np.where(np.abs(weights) < LEAST, 0, np.rint(weights / scales)).astype(np.int8)
    terms, columns = np.nonzero(steps)
    counts = np.zeros(SIZE, dtype=np.int64)
    counts[used] = np.bincount(terms, minlength=len(used))
    return LinearModel(
        rarity, ends_of(counts), columns.astype(np.uint16), steps[terms, columns], scales.astype(np.float32)
    )
