"""Finds what words ask of the case, whatever it is about: their technical terms are masked.

`case_questions.arrays` has the model; services/planner/training/case_questions.py learns it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from lang.linear.array_file import map_file
from services.planner.questions_asked.question_model import Found, QuestionModel, find, from_bytes
from services.planner.understand.text.domain import TECH
from services.planner.understand.text.messages import read

FILE = Path(__file__).with_name("case_questions.arrays")
# The class of what is asked of the field and not of the case.
OF_THE_FIELD = "common"
# What stands for a technical term.
MASK = "xx"
# How much another reading speaks for a question.
_READ_SO = 0.3
# What is spelled by its sound: the model learned from few who write so.
_SPELLED = {"u": "you", "ur": "your", "ya": "you"}


@lru_cache(maxsize=512)
def find_case_question(words: str, read_as: frozenset[str] = frozenset()) -> Found | None:
    """What words ask of the case by the shipped model, OF_THE_FIELD for a common question; None of no known term.

    read_as: the questions as which the words were read otherwise, which speaks for these.
    """
    model = shipped()
    added = np.array([_READ_SO * (key in read_as) for key in model.keys])
    spelled_out = " ".join(_SPELLED.get(word, word) for word in masked(words).split(" "))
    return find(model, spelled_out, added)


def is_of_field(words: str) -> bool:
    """Whether words ask rather of the field than of the case."""
    found = find_case_question(words)
    return found is not None and found.key == OF_THE_FIELD


def masked(words: str) -> str:
    """Normalised words with one sign for each technical term, so that what is asked stands out."""
    return TECH.sub(f" {MASK} ", read(words).normal)


@cache
def shipped() -> QuestionModel:
    """The model of the package; read once."""
    return from_bytes(map_file(FILE))
