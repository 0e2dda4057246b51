"""How alike what words ask and known wordings are: by their terms, and by what models of questions make of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang import embedding
from lang.concepts import glossary
from lang.concepts.weighted_terms import weigh_terms
from lang.linear.linear_model import LinearModel
from services.planner.case_questions import finder as of_case
from services.planner.common_questions import finder as of_field

Floats = npt.NDArray[np.float64]
# In each of these ways words are alike.
VIEWS = ("terms", "field", "case", "embedding")


class Seen(NamedTuple):
    """Words as they are seen: their terms with weights, and unit vectors (zero where nothing is known)."""

    terms: dict[int, float]
    field: Floats
    case: Floats
    embedding: Floats


@lru_cache(maxsize=4096)
def see(words: str) -> Seen:
    """Words as they are seen."""
    field, case = of_field.shipped().linear, of_case.shipped().linear
    places, weights = weigh_terms(words, glossary.load(), field.rarity)
    embedded = embedding.load().embed([words])[0].astype(np.float64)
    return Seen(
        dict(zip(places.tolist(), weights.tolist(), strict=True)),
        _unit(field.scores(places, weights)[:-1]),
        _unit(_scores(case, of_case.masked(words))[:-1]),
        embedded,
    )


def likeness(words: str, known: Sequence[str]) -> Floats:
    """float64 (VIEWS, known): how alike words and each known wording are, in [-1, 1]."""
    one, others = see(words), [see(each) for each in known]
    terms = [_shared(one.terms, each.terms) for each in others]
    field, case, embedded = (np.array(column) for column in list(zip(*others, strict=True))[1:])
    return np.array([terms, field @ one.field, case @ one.case, embedded @ one.embedding])


def _scores(model: LinearModel, words: str) -> Floats:
    return model.scores(*weigh_terms(words, glossary.load(), model.rarity))


def _unit(vector: Floats) -> Floats:
    norm = float(np.linalg.norm(vector))
    return vector / norm if norm else vector


def _shared(one: dict[int, float], other: dict[int, float]) -> float:
    return sum(weight * other.get(term, 0.0) for term, weight in one.items())
