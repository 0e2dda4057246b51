"""Finds the common question that words ask, with how sure that is.

`questions.npz` has the model; services/planner/training/common_questions.py learns it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from services.planner.common_questions.known_answers import known_answers
from services.planner.questions_asked.question_model import Found, QuestionModel, find, from_bytes, score

FILE = Path(__file__).with_name("questions.npz")
# How much what was talked of before weighs beside the words that ask.
_AROUND = 0.3


@lru_cache(maxsize=512)
def find_question(words: str, engine: str = "", about: str = "", but: frozenset[str] = frozenset()) -> Found | None:
    """The common question that words ask by the shipped model; None where they have no known term.

    A question about one engine alone is found only where that is the engine. about: what was being talked of, which
    tells questions apart that leave out what they are about; but: questions that it is not.
    """
    model, answers = shipped(), known_answers()
    left_out = [at for at, key in enumerate(model.keys[:-1]) if key in but or answers[key].engine not in ("", engine)]
    around = score(model, about) if about else np.zeros(len(model.keys))
    around[left_out] = -np.inf
    return find(model, words, _AROUND * around)


@cache
def shipped() -> QuestionModel:
    """The model of the package; read once."""
    return from_bytes(FILE.read_bytes())
