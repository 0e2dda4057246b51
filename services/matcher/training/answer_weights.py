"""Learns to read what people answer to a check: from `answers/<hands>.jsonl`, and from what they say unasked.

The lines are those of `sentences`: what means that it is there, that it is not, and what is no answer.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from lang.concepts import glossary, weighted_terms
from lang.linear import learning
from lang.linear.learning import Case
from lang.linear.linear_model import fit_logistic
from services.matcher.recognition import asked_answers
from services.matcher.recognition.asked_answers import GROUNDS, Model
from services.matcher.recognition.recogniser import ABSENT, NEITHER, PRESENT
from services.matcher.training.recogniser_weights import Sentence, load_labels, load_names, load_sentences, load_written

FOLDER = Path(__file__).parent / "answers"
# Increment if the same sentences yield other weights.
VERSION = 1
_PASSES, _SEED = 4, 1
# Each answer is learned from so many times as often as a sentence that leans on no question.
_TIMES = 2
# So often each sentence that says that something is not there: few do, and roundabout ways are many.
_DENIALS = 4
# So many other checks are asked beside the one that is answered, and so often it is the first of them.
_BESIDE, _FIRST = 2, 0.7
# One in so many hands is left out to measure the probabilities.
_LEFT_OUT = 5
# The share of sentences that are said while something else is asked, and of what answers nothing in a talk.
_ELSEWHERE, _REMARKS = 0.4, 0.35


@dataclass(frozen=True)
class Said:
    """Words at a place among the texts, the place of the label they are about (-1: none), and what they claim of it."""

    text: int
    label: int
    claim: str
    asked: bool


@cache
def load_answers() -> tuple[Sentence, ...]:
    """All answers, each with its hands."""
    return tuple(load_written(FOLDER))


@cache
def _labels() -> tuple[str, ...]:
    return tuple(sorted(set(load_labels().values())))


def digest_inputs() -> str:
    """Digest of all that the weights depend on."""
    constants = (
        VERSION,
        learning.LARGEST_STEP,
        learning.LEAST,
        GROUNDS,
        _PASSES,
        _TIMES,
        _BESIDE,
        _FIRST,
        _ELSEWHERE,
        _REMARKS,
    )
    learned = sorted(load_names().items()), load_sentences(), load_answers()
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    return hashlib.sha256(repr((constants, learned)).encode() + rules).hexdigest()


def train() -> bytes:
    """The file of the model that all answers and sentences teach, with the measured probabilities of its answers."""
    model = learn(load_sentences(), load_answers())
    hands = sorted({each.hands for each in load_answers()})
    left = [each for each in load_answers() if each.hands in hands[::_LEFT_OUT]]
    known = learn(load_sentences(), [each for each in load_answers() if each.hands not in hands[::_LEFT_OUT]])
    return asked_answers.to_bytes(replace(model, grounds=calibrate(known, left), digest=digest_inputs()))


def learn(sentences: Sequence[Sentence], answers: Sequence[Sentence]) -> Model:
    """A model without probabilities."""
    labels = _labels()
    places = {label: at for at, label in enumerate(labels)}
    texts = sorted({each.text for each in (*sentences, *answers)})
    at = {text: place for place, text in enumerate(texts)}
    said = [
        Said(at[each.text], places.get(each.label, -1), each.claim, asked=False)
        for each in sentences
        for _ in range(_DENIALS if each.claim == ABSENT else 1)
    ]
    said += [Said(at[each.text], places[each.label], each.claim, asked=True) for each in answers] * _TIMES
    rarity = learning.count_rarity(texts)
    linear = learning.learn_choices(texts, _passes(said, len(labels)), 2 * len(labels) + 3, rarity)
    names = tuple(" ".join(load_names()[name] for name in label.split()) for label in labels)
    return Model(labels, names, linear, np.zeros(len(GROUNDS)), "")


def _passes(said: Sequence[Said], labels: int) -> Iterator[list[Case]]:
    drawn = random.Random(_SEED)
    for _ in range(_PASSES):
        order = list(said)
        drawn.shuffle(order)
        yield [_case(each, labels, drawn) for each in order]


def _case(each: Said, labels: int, drawn: random.Random) -> Case:
    """Words as they are said while a few checks are asked: theirs, or only others."""
    beside = [label for label in drawn.sample(range(labels), _BESIDE) if label != each.label]
    elsewhere = each.label < 0 or (not each.asked and drawn.random() < _ELSEWHERE)
    asked = beside if elsewhere else [each.label, *beside]
    none, yes, no = (2 * labels + at for at in range(3))
    options = [option for label in asked for option in ((2 * label, yes), (2 * label + 1, no))]
    answers = not elsewhere and each.claim != NEITHER
    return Case(each.text, [*options, (none,)], int(each.claim == ABSENT) if answers else len(options))


def calibrate(model: Model, left: Sequence[Sentence]) -> asked_answers.Floats:
    """float64 (GROUNDS,): what the probability of an answer follows from, measured on answers by hands left out.

    Each is heard once where its check is asked, and once where only others are and it answers nothing.
    """
    drawn = random.Random(_SEED)
    places = {label: at for at, label in enumerate(model.labels)}
    rows, truth, remarks = [], [], []
    for each in left:
        own = places[each.label]
        beside = [label for label in drawn.sample(range(len(model.labels)), _BESIDE + 1) if label != own]
        with_own = [own, *beside] if drawn.random() < _FIRST else [*beside, own]
        for asked in (with_own, beside):
            found = _best(model, each.text, asked)
            if found is not None:
                grounds, label, claim = found
                rows.append(grounds)
                truth.append(float(label == own and claim == each.claim))
                remarks.append(asked is beside or each.claim == NEITHER)
    weights = np.where(remarks, _REMARKS / sum(remarks), (1 - _REMARKS) / (len(remarks) - sum(remarks)))
    return fit_logistic(np.asarray(rows), np.asarray(truth), weights, 0.0005)


def _best(model: Model, text: str, asked: Sequence[int]) -> tuple[asked_answers.Floats, int, str] | None:
    """The grounds, the label and the claim of what words answer; None if that is nothing."""
    places, weights = model.linear.vector(text, glossary.load())
    options = asked_answers.options_of(model.linear.scores(places, weights), asked)
    best = int(options.argmax())
    if best == len(options) - 1:
        return None
    grounds = asked_answers.grounds_of(text, options, model.linear.known_share(places, weights))
    return grounds, asked[best // 2], ABSENT if best % 2 else PRESENT
