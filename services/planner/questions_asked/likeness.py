"""How alike what words ask and known wordings are: by their terms, and by where models of questions place them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary
from lang.concepts.weighted_terms import SIZE, Places, Weights
from services.planner.common_questions import finder
from services.planner.questions_asked import placing

Floats = npt.NDArray[np.float64]
# In each of these ways words are alike.
VIEWS = ("terms", "field", "place")


class Seen(NamedTuple):
    """Words as they are seen: their terms with weights, what they would ask of the field, and where they lie."""

    terms: Places
    weights: Weights
    field: placing.Vectors
    place: placing.Vectors


class Known(NamedTuple):
    """Several words as they are seen, one below the other; whose: of which each term is."""

    terms: Places
    weights: Weights
    whose: Places
    field: placing.Vectors
    place: placing.Vectors


@lru_cache(maxsize=512)
def see(words: str) -> Seen:
    """Words as they are seen; the vectors are of length 1, or 0 where nothing is known."""
    field = finder.shipped().linear
    terms, weights = field.vector(words, glossary.load())
    scores = field.scores(terms, weights)[:-1]
    length = float(np.linalg.norm(scores))
    asked = (scores / length if length else scores).astype(np.float32)
    return Seen(terms, weights, asked, placing.shipped().place_terms(terms, weights))


@lru_cache(maxsize=64)  # The questions of so many causes.
def _see_all(known: tuple[str, ...]) -> Known:
    seen = [see(each) for each in known]
    terms, weights = (np.concatenate([each[column] for each in seen]) for column in (0, 1))
    field, place = (np.array([each[column] for each in seen]) for column in (2, 3))
    return Known(terms, weights, np.repeat(np.arange(len(seen)), [len(each.terms) for each in seen]), field, place)


def likeness(words: str, known: Sequence[str]) -> Floats:
    """float64 (VIEWS, known): how alike words and each known wording are, in [-1, 1]."""
    one, others = see(words), _see_all(tuple(known))
    weighed = np.zeros(SIZE)
    weighed[one.terms] = one.weights
    shared = np.bincount(others.whose, weighed[others.terms] * others.weights, len(known))
    return np.array([shared, others.field @ one.field, others.place @ one.place])
