"""A model of which question words ask: linear over the terms of words, one class a question and one that asks none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary
from lang.linear.array_file import Content, pack_arrays, view_arrays
from lang.linear.linear_model import LinearModel, from_arrays, probability

Floats = npt.NDArray[np.float64]
NOTHING = ""
# What the probability that the best question is right follows from.
GROUNDS = ("lead", "score", "over_none", "unknown", "one")


@dataclass(frozen=True, eq=False)
class QuestionModel:
    """keys: of each class the key of its question, NOTHING at the end; grounds: float64 (GROUNDS,)."""

    keys: tuple[str, ...]
    linear: LinearModel
    grounds: Floats
    digest: str


class Found(NamedTuple):
    """The key of a question, and how likely it is the one that was asked, in [0, 1]."""

    key: str
    probability: float


class Asked(NamedTuple):
    """The words that ask a question, and which it is."""

    words: str
    found: Found


def find(model: QuestionModel, words: str, added: Floats | float = 0.0) -> Found | None:
    """The question that words ask; None where they have no known term. added: as in `examine`."""
    grounds, order = examine(model, words, added)
    return Found(model.keys[order[0]], probability(model.grounds, grounds)) if order else None


def score(model: QuestionModel, text: str) -> Floats:
    """The scores that a text adds to those of a question; to none that it asks nothing."""
    scores = model.linear.scores(*model.linear.vector(text, glossary.load()))
    scores[-1] = 0.0
    return scores


def examine(model: QuestionModel, words: str, added: Floats | float = 0.0) -> tuple[Floats, list[int]]:
    """The grounds of the best question, and the places of the best three; no place where words have no known term.

    added: float64 (keys,), to the scores.
    """
    places, weights = model.linear.vector(words, glossary.load())
    known = model.linear.known_share(places, weights)
    if not known:
        return np.zeros(len(GROUNDS)), []
    scores = model.linear.scores(places, weights) + added
    order = [int(at) for at in np.argsort(-scores[:-1], kind="stable")[:3]]
    first, second, none = scores[order[0]], scores[order[1]], scores[-1]
    return np.array([first - max(second, none), first, first - none, 1 - known, 1]), order


def to_bytes(model: QuestionModel) -> bytes:
    """The file of a model."""
    text = "\n".join([model.digest, *model.keys])
    return pack_arrays(
        text=np.frombuffer(text.encode(), dtype=np.uint8), grounds=model.grounds, **model.linear.arrays()
    )


def from_bytes(content: Content) -> QuestionModel:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *keys = arrays["text"].tobytes().decode().split("\n")
    return QuestionModel(tuple(keys), from_arrays(arrays), arrays["grounds"], digest)
