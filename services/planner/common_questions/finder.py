"""Finds the common question that words ask, with how sure that is.

`questions.arrays` has the model; services/planner/training/common_questions.py learns it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from lang.concepts import glossary
from lang.concepts.reading import read
from lang.concepts.weighted_terms import count_places
from lang.linear.array_file import map_file
from lang.linear.linear_model import probability
from services.planner.common_questions.known_answers import KnownAnswer, known_answers
from services.planner.questions_asked.question_model import Found, QuestionModel, find, from_bytes, score

FILE = Path(__file__).with_name("questions.arrays")
# The engine that questions are about where nobody named one.
USUAL = "postgresql"
# How much what was talked of before weighs beside the words that ask.
_AROUND = 0.3
# How likely a question is asked in the middle of a talk follows from the log odds that it has by its words alone, and
# from how much of what it is about is named.
_IN_TALKS = np.array([1.2, 3.1, -3.5])
# What a question is about are its so many rarest terms; the odds that are told apart at all.
_ABOUT, _LEAST = 4, 0.001
# The share of what a question is about that its own words name at least.
_OWN = 0.12


@lru_cache(maxsize=512)
def find_question(words: str, engine: str = USUAL, about: str = "", but: frozenset[str] = frozenset()) -> Found | None:
    """The common question that words ask by the shipped model; None where they have no known term.

    A question about one engine alone is found only where that is the engine. about: what was being talked of, which
    tells questions apart that leave out what they are about; but: questions that it is not.
    """
    model = shipped()
    around = score(model, about) if about else np.zeros(len(model.keys))
    around[_of_others(engine)] = -np.inf
    around[[at for at, key in enumerate(model.keys[:-1]) if key in but] if but else []] = -np.inf
    found = find(model, words, _AROUND * around)
    return _in_talks(found, words, about) if found is not None and found.key else found


@cache
def _of_others(engine: str) -> list[int]:
    """The places of the questions that are asked of other engines than this one."""
    keys, answers = shipped().keys[:-1], known_answers()
    return [at for at, key in enumerate(keys) if answers[key].engine not in ("", engine)]


def _in_talks(found: Found, words: str, about: str) -> Found:
    """A question with the probability that it has in a talk: less where what it is about was not named.

    One of whose matter the words themselves name next to nothing is not what they ask, whatever was talked of before.
    """
    if about and _named(known_answers()[found.key], words) < _OWN:
        return found._replace(probability=0.0)
    odds = min(max(found.probability, _LEAST), 1 - _LEAST)
    grounds = np.array([np.log(odds / (1 - odds)), _named(known_answers()[found.key], f"{words}\n{about}"), 1.0])
    return found._replace(probability=probability(_IN_TALKS, grounds))


def _named(answer: KnownAnswer, said: str) -> float:
    """How much of what a question is about a text names, in [0, 1]: rare terms say more than common ones."""
    rarity = _rarity(f"{answer.key.replace('_', ' ')}\n{answer.asked.en}\n{answer.asked.zh}")
    most = sum(sorted(rarity.values(), reverse=True)[:_ABOUT])
    named = sum(rarity[term] for term in rarity.keys() & {token.key for token in read(said, glossary.load()).tokens})
    return min(named / most, 1.0) if most else 0.0


@lru_cache(maxsize=1024)
def _rarity(text: str) -> dict[str, float]:
    """The concepts of a text, each with how rare it is in questions."""
    terms = {token.key for token in read(text, glossary.load()).tokens}
    return {term: float(shipped().linear.rarity[count_places([term])[0][0]]) for term in terms}


@cache
def shipped() -> QuestionModel:
    """The model of the package; read once."""
    return from_bytes(map_file(FILE))
