"""How alike what words ask and known wordings are: by their terms, and by where models of questions place them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary
from lang.concepts.weighted_terms import weigh_terms
from services.planner.common_questions import finder
from services.planner.questions_asked import placing

Floats = npt.NDArray[np.float64]
# In each of these ways words are alike.
VIEWS = ("terms", "field", "place")


class Seen(NamedTuple):
    """Words as they are seen: their terms with weights, what they would ask of the field, and where they lie."""

    terms: dict[int, float]
    field: placing.Vectors
    place: placing.Vectors


@lru_cache(maxsize=8192)
def see(words: str) -> Seen:
    """Words as they are seen; the vectors are of length 1, or 0 where nothing is known."""
    field = finder.shipped().linear
    places, weights = weigh_terms(words, glossary.load(), field.rarity)
    scores = field.scores(places, weights)[:-1]
    length = float(np.linalg.norm(scores))
    terms = dict(zip(places.tolist(), weights.tolist(), strict=True))
    asked = (scores / length if length else scores).astype(np.float32)
    return Seen(terms, asked, placing.shipped().place(words))


def likeness(words: str, known: Sequence[str]) -> Floats:
    """float64 (VIEWS, known): how alike words and each known wording are, in [-1, 1]."""
    one, others = see(words), [see(each) for each in known]
    terms = [_shared(one.terms, each.terms) for each in others]
    field, place = (np.array(column) for column in list(zip(*others, strict=True))[1:])
    return np.array([terms, field @ one.field, place @ one.place])


def _shared(one: dict[int, float], other: dict[int, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())
