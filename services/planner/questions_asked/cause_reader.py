"""Finds which question of a cause words ask, by nothing but the wordings and answers that its library has for it.

Any library's questions are read so: no model has to learn them. Each question of a cause, and none of them, has a score
that follows from a few grounds; the probabilities follow from the scores. The weights of the grounds were fitted to the
wordings of half of the shipped causes, each left out in turn, among words that ask none of the cause's questions, with
places (`placing.py`) learned without these causes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np

from services.planner.case_questions.finder import OF_THE_FIELD, find_case_question
from services.planner.common_questions.finder import find_question
from services.planner.model import CauseQuestion
from services.planner.questions_asked.interrogatives import is_question
from services.planner.questions_asked.likeness import VIEWS, Floats, likeness
from services.planner.understand.acts.likelihood import telling

# The best of a question's wordings, and the best so many of them, count.
_BEST = 3
# What the score of a question follows from: in each view the likest wording, the likest few, and the answer.
QUESTION_GROUNDS = tuple(f"{ground}_{view}" for ground in ("best", "few", "answer") for view in VIEWS)
# What the score of none follows from: whether the words ask, how likely they ask something of the case or of the field
# or only tell, how long they are, and whether they have a figure.
NONE_GROUNDS = ("one", "asks", "of_case", "of_field", "common", "length", "tells", "figure")
# Words of so many characters, or so many times as many letters, are long.
_LONG, _LETTERS = 60, 3
# How much each ground counts.
_OF_QUESTION = np.array([0.72, 2.76, 3.91, -0.28, 1.28, 3.29, 1.55, 0.75, 1.38])
_OF_NONE = np.array([3.22, -1.48, 2.35, 1.60, 1.99, 2.06, 1.08, 0.70])


class CauseQuestionFound(NamedTuple):
    """The place of a question among those of its cause, from 0, and how likely it is the one that was asked."""

    at: int
    probability: float


def find_cause_question(words: str, questions: Sequence[CauseQuestion]) -> CauseQuestionFound | None:
    """The likeliest of a cause's questions that words ask; None where there are no questions."""
    if not questions:
        return None
    scores = question_grounds(words, tuple(questions)) @ _OF_QUESTION
    odds = np.exp(scores - float(none_grounds(words) @ _OF_NONE))
    at = int(odds.argmax())
    return CauseQuestionFound(at, float(odds[at] / (1 + odds.sum())))


def question_grounds(words: str, questions: tuple[CauseQuestion, ...]) -> Floats:
    """float64 (questions, QUESTION_GROUNDS)."""
    known = [(*each.asked_en, *each.asked_zh) for each in questions]
    known += [(each.answer.en, each.answer.zh) for each in questions]
    ends = [*accumulate(map(len, known))]
    alike = np.split(likeness(words, [*chain.from_iterable(known)]), ends[:-1], axis=1)
    wordings, answers = alike[: len(questions)], alike[len(questions) :]
    return np.array([_grounds(*each) for each in zip(wordings, answers, strict=True)])


def _grounds(wordings: Floats, answers: Floats) -> Floats:
    alike = np.sort(wordings, axis=1)
    return np.concatenate((alike[:, -1], alike[:, -_BEST:].mean(axis=1), answers.max(axis=1)))


@lru_cache(maxsize=512)
def none_grounds(words: str) -> Floats:
    """float64 (NONE_GROUNDS,)."""
    case, common = find_case_question(words), find_question(words)
    of_case = case.probability if case is not None and case.key not in ("", OF_THE_FIELD) else 0.0
    of_field = case.probability if case is not None and case.key == OF_THE_FIELD else 0.0
    asked = common.probability if common is not None and common.key else 0.0
    figure = any(map(str.isdigit, words))
    return np.array(
        [1.0, is_question(words), of_case, of_field, asked, _length(words), telling(words), figure], dtype=float
    )


def _length(words: str) -> float:
    """How long words are, as a share of what is too long; a Chinese character counts as three letters."""
    return min(len(words) / (_LETTERS if words.isascii() else 1), _LONG) / _LONG * 3
