"""Learns where words that ask lie, from how the same questions of the field, the case and causes are asked otherwise.

Two wordings of a question are drawn together, and away from those of the questions beside it: the softmax over a batch
of pairs, as in Oord et al., "Representation Learning with Contrastive Predictive Coding" (2018), by AdaGrad. Equal
words give equal moves. `cause_questions_asked/shipped.jsonl` has the wordings of the shipped libraries as they were
when it was learned; those of other libraries need not be learned.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lang.concepts import glossary, weighted_terms
from services.planner.common_questions import finder
from services.planner.common_questions.known_answers import known_answers
from services.planner.questions_asked.placing import DIMENSIONS, ROWS, Places, Vectors, rows_of
from services.planner.training import case_questions, common_questions
from services.planner.training.question_models import read_asked

# Increment if the same inputs yield other moves.
VERSION = 1
STEPS, PAIRS, RATE, SHARPNESS = 1300, 110, 0.3, 10.0
FOLDER = Path(__file__).parent / "cause_questions_asked"
# So many questions of the field or the case that stand beside each other are told apart in one step, as are those of a
# cause, which are before the sign in their keys.
_BESIDE, _OF_CAUSE, _SEED = 10, "/", 1
_LEAST = 2
Drawn = tuple[npt.NDArray[np.int64], Vectors]


class _Lines(NamedTuple):
    """The vectors of several words: the rows of all terms, their weights, whose they are; places and their lengths."""

    rows: npt.NDArray[np.int64]
    weights: Vectors
    whose: npt.NDArray[np.int64]
    places: Vectors
    lengths: Vectors


@cache
def load_wordings() -> tuple[tuple[tuple[str, ...], ...], ...]:
    """How each question is asked, in groups that stand beside each other: of the field, of the case, of each cause."""
    asked: dict[str, dict[str, None]] = defaultdict(dict)
    for key, entry in known_answers().items():
        asked[key] |= dict.fromkeys((entry.asked.en, entry.asked.zh))
    for folder in (common_questions.FOLDER, case_questions.FOLDER, FOLDER):
        for each in read_asked(folder):
            if each.key:
                asked[each.key][each.words] = None
    groups: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for at, (key, words) in enumerate(asked.items()):
        cause, of_cause, _ = key.partition(_OF_CAUSE)
        groups[cause if of_cause else str(at // _BESIDE)].append(tuple(words))
    return tuple(tuple(each for each in group if len(each) >= _LEAST) for group in groups.values())


def digest_places() -> str:
    """Digest of all that the moves depend on."""
    constants = VERSION, STEPS, PAIRS, RATE, SHARPNESS, _BESIDE, DIMENSIONS, ROWS
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    inputs = repr((constants, load_wordings())).encode() + finder.shipped().linear.rarity.astype(np.float32).tobytes()
    return hashlib.sha256(inputs + rules).hexdigest()


def train_places() -> bytes:
    """The file of the moves that all wordings teach."""
    return Places.of(learn(load_wordings()), digest_places()).to_bytes()


def learn(groups: Sequence[Sequence[Sequence[str]]]) -> Vectors:
    """float32 (ROWS, DIMENSIONS): where each term moves words."""
    field, known_words = finder.shipped().linear, glossary.load()
    known = [[[rows_of(*field.vector(words, known_words)) for words in each] for each in group] for group in groups]
    drawn = random.Random(_SEED)
    first = [drawn.gauss(0.0, DIMENSIONS**-0.5) for _ in range(ROWS * DIMENSIONS)]
    moves: Vectors = np.array(first, dtype=np.float32).reshape(ROWS, DIMENSIONS)
    sums = np.full((ROWS, 1), 1e-3, np.float32)
    for _ in range(STEPS):
        pairs = [_draw(each, drawn) for each in _choose(known, drawn)]
        one, other = ([pair[side] for pair in pairs] for side in (0, 1))
        _step(_look(one, moves), _look(other, moves), moves, sums)
    return moves


def _draw(wordings: Sequence[Drawn], drawn: random.Random) -> tuple[Drawn, Drawn]:
    """Two wordings of a question."""
    first, second = drawn.sample(wordings, 2)
    return first, second


def _choose(known: Sequence[Sequence[Sequence[Drawn]]], drawn: random.Random) -> list[Sequence[Drawn]]:
    """The questions of some groups, enough for a step."""
    chosen: list[Sequence[Drawn]] = []
    for group in drawn.sample(known, len(known)):
        chosen += group
        if len(chosen) >= PAIRS:
            break
    return chosen


def _look(words: Sequence[Drawn], moves: Vectors) -> _Lines:
    counts = [len(rows) for rows, _ in words]
    rows, weights = (np.concatenate(column) for column in zip(*words, strict=True))
    moved = np.add.reduceat(moves[rows] * weights[:, None], np.cumsum([0, *counts[:-1]]), axis=0)
    lengths = np.linalg.norm(moved, axis=1, keepdims=True) + 1e-6
    return _Lines(rows, weights, np.repeat(np.arange(len(words)), counts), moved / lengths, lengths)


def _step(one: _Lines, other: _Lines, moves: Vectors, sums: Vectors) -> None:
    """Moves the terms of two wordings of each question towards each other."""
    logits = one.places @ other.places.T * np.float32(SHARPNESS)
    wrong = (_softmax(logits, 1) + _softmax(logits, 0)) / np.float32(2) - np.eye(len(logits), dtype=np.float32)
    slope: Vectors = np.asarray(wrong * (SHARPNESS / len(logits)), dtype=np.float32)
    slopes = (_slopes(one, slope @ other.places), _slopes(other, slope.T @ one.places))
    rows = np.concatenate((one.rows, other.rows))
    order = np.argsort(rows, kind="stable")
    firsts = np.flatnonzero(np.diff(rows[order], prepend=-1))
    summed = np.add.reduceat(np.concatenate(slopes)[order], firsts, axis=0).astype(np.float32)
    moved = rows[order][firsts]
    sums[moved] += np.square(summed).sum(axis=1, keepdims=True)
    moves[moved] -= RATE * summed / np.sqrt(sums[moved])


def _slopes(lines: _Lines, slope: Vectors) -> Vectors:
    """The slope at each term of words, from that at their places."""
    along = (slope * lines.places).sum(axis=1, keepdims=True)
    each: Vectors = ((slope - lines.places * along) / lines.lengths)[lines.whose] * lines.weights[:, None]
    return each


def _softmax(logits: Vectors, axis: int) -> Vectors:
    raised = np.exp(logits - logits.max(axis=axis, keepdims=True))
    return np.asarray(raised / raised.sum(axis=axis, keepdims=True), dtype=np.float32)
