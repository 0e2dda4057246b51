"""Learns which common question words ask, from `common_questions_asked/<hands>.jsonl` and the answers themselves.

A line has the key of a question and how people ask it, in English and Chinese; each file is by other hands. What asks
none are the phrases that the acts and the topics of a case are learned from.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

from lang import deferred_re as re
from lang.concepts import glossary, weighted_terms
from lang.linear import learning
from services.planner.common_questions.known_answers import known_answers
from services.planner.questions_asked.question_model import GROUNDS, NOTHING, to_bytes
from services.planner.training.case_topics import load_topics
from services.planner.training.phrases import load_phrases
from services.planner.training.question_models import Asked, learn, measure, read_asked
from services.planner.understand.acts.labels import Label

FOLDER = Path(__file__).parent / "common_questions_asked"
# Increment if the same inputs yield other weights.
VERSION = 1
# What is asked under these labels and topics may be a common question.
_MAY_ASK = (Label.HELP, Label.WHAT_IF, Label.ORDER)
_MAY_ASK_TOPICS = ("risk", "prevention", "running", "assistant", "beyond", "other", "reasons", "relief")
# The hands that the model with which probabilities are measured does not learn from.
_LEFT_OUT = "second"
_SENTENCE = re.compile(r"(?<=[.。;；:：])\s*")
_SHORTEST = 9


@cache
def load_asked() -> tuple[Asked, ...]:
    """All words that teach, each once."""
    found = [*read_asked(FOLDER), *_answers(), *_nothing()]
    return tuple({each.words: each for each in reversed(found)}.values())[::-1]


def _answers() -> Iterator[Asked]:
    """An answer speaks of what is asked for; whole, by its sentences, and the words of its key."""
    for key, entry in known_answers().items():
        for text in (entry.answer.en, entry.answer.zh):
            parts = [part for part in _SENTENCE.split(text) if len(part) >= _SHORTEST]
            yield from (Asked(part, key, "answers") for part in (text, *parts))
        yield Asked(key.replace("_", " "), key, "answers")


def _nothing() -> Iterator[Asked]:
    yield from (Asked(phrase, NOTHING, "acts") for phrase, label in load_phrases() if label not in _MAY_ASK)
    yield from (Asked(words, NOTHING, "topics") for words, topic in load_topics() if topic not in _MAY_ASK_TOPICS)


def digest_inputs() -> str:
    """Digest of all that the weights depend on."""
    constants = VERSION, learning.PASSES, learning.LARGEST_STEP, learning.LEAST, GROUNDS, _LEFT_OUT
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    return hashlib.sha256(repr((constants, load_asked())).encode() + rules).hexdigest()


def train_questions() -> bytes:
    """The file of the model that all words teach, with the probabilities that other hands' words measure."""
    asked = load_asked()
    grounds = measure(asked, [_is_left_out(each, at) for at, each in enumerate(asked)])
    return to_bytes(replace(learn(asked), grounds=grounds, digest=digest_inputs()))


def _is_left_out(each: Asked, at: int) -> bool:
    return each.hands == _LEFT_OUT or (not each.key and at % 5 == 0)
