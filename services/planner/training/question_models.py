"""Learns which question words ask, from `<hands>.jsonl`: a line has a key and how people ask it, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang.linear import learning
from lang.linear.linear_model import fit_logistic
from services.planner.questions_asked.question_model import GROUNDS, NOTHING, QuestionModel, examine

_RIDGE = 0.0005


class Asked(NamedTuple):
    """Words, the key of the question they ask or NOTHING, and whose they are."""

    words: str
    key: str
    hands: str


def read_asked(folder: Path) -> Iterator[Asked]:
    """The words of all hands in a folder."""
    for path in sorted(folder.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            yield from (Asked(words, row["key"], path.stem) for words in (*row["en"], *row["zh"]))


def learn(asked: Sequence[Asked]) -> QuestionModel:
    """A model without probabilities."""
    keys = (*sorted({each.key for each in asked if each.key}), NOTHING)
    texts = [each.words for each in asked]
    question = learning.Question([keys.index(each.key) for each in asked], len(keys))
    linear = learning.learn(texts, (question,), learning.count_rarity(texts))
    return QuestionModel(keys, linear, np.zeros(len(GROUNDS)), "")


def measure(asked: Sequence[Asked], left_out: Sequence[bool]) -> npt.NDArray[np.float64]:
    """What probabilities follow from, by words that the measured model did not learn from."""
    model = learn([each for each, left in zip(asked, left_out, strict=True) if not left])
    examined = [(each, *examine(model, each.words)) for each, left in zip(asked, left_out, strict=True) if left]
    rows = np.asarray([grounds for _, grounds, _ in examined])
    right = [bool(order) and model.keys[order[0]] == each.key for each, _, order in examined]
    return fit_logistic(rows, np.asarray(right, dtype=float), np.ones(len(right)), _RIDGE)
