"""Learns what words ask of the case, from `case_questions_asked/<hands>.jsonl`, with technical terms masked.

What is asked of the field are the words of the common questions; what asks nothing are the phrases of the acts too.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from lang.concepts import glossary, weighted_terms
from lang.linear import learning
from services.planner.case_questions.finder import OF_THE_FIELD, masked
from services.planner.questions_asked.question_model import GROUNDS, NOTHING, to_bytes
from services.planner.training import common_questions
from services.planner.training.case_topics import load_topics
from services.planner.training.phrases import load_phrases
from services.planner.training.question_models import Asked, learn, measure, read_asked
from services.planner.understand.acts.labels import Label

FOLDER = Path(__file__).parent / "case_questions_asked"
# Increment if the same inputs yield other weights.
VERSION = 1
# Topics of the case that are one question each.
_TOPICS = {
    "certainty": "case_how_sure",
    "closing": "case_close",
    "next": "case_what_next",
    "object": "case_which_one",
    "prevention": "case_prevent",
    "recovered": NOTHING,
    "not_helped": NOTHING,
    "relief": "case_what_now",
    "ruled_out": "case_ruled_out",
    "sharing": "case_share",
    "summary": "case_summary",
}
_TELLING = (Label.YES, Label.NO, Label.FACT, Label.ASIDE, Label.ELSEWHERE, Label.SUSPICION, Label.CORRECTION)
# Each so many-th of the words of common questions, and of what only tells, is enough.
_OF_FIELD, _OF_TELLING = 6, 10
# The hands that probabilities are measured with, and how many of those that were heard in talks.
_LEFT_OUT, _IN_TALKS, _MEASURING = "case_by_managers", "case_in_talks", 3


@cache
def load_case_asked() -> tuple[Asked, ...]:
    """All words that teach, masked, each once."""
    found = [each._replace(words=masked(each.words)) for each in (*read_asked(FOLDER), *_known())]
    return tuple({each.words: each for each in reversed(found)}.values())[::-1]


def _known() -> Iterator[Asked]:
    """What other models learn from."""
    yield from (Asked(words, _TOPICS[topic], "topics") for words, topic in load_topics() if topic in _TOPICS)
    field = (each for each in read_asked(common_questions.FOLDER) if each.key)
    yield from (Asked(each.words, OF_THE_FIELD, "field") for at, each in enumerate(field) if at % _OF_FIELD == 0)
    telling = (phrase for phrase, label in load_phrases() if label in _TELLING)
    yield from (Asked(phrase, NOTHING, "acts") for at, phrase in enumerate(telling) if at % _OF_TELLING == 0)


def digest_case_inputs() -> str:
    """Digest of all that the weights depend on."""
    constants = VERSION, learning.PASSES, learning.LARGEST_STEP, learning.LEAST, GROUNDS, _LEFT_OUT, _MEASURING
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    return hashlib.sha256(repr((constants, load_case_asked())).encode() + rules).hexdigest()


def train_case_questions() -> bytes:
    """The file of the model that all words teach, with the probabilities that other hands' words measure."""
    asked = load_case_asked()
    grounds = measure(asked, [_is_left_out(each, at) for at, each in enumerate(asked)])
    return to_bytes(replace(learn(asked), grounds=grounds, digest=digest_case_inputs()))


def _is_left_out(each: Asked, at: int) -> bool:
    return each.hands == _LEFT_OUT or (each.hands == _IN_TALKS and at % _MEASURING == 0)
