"""Reads what people answer, in words of their own, when they are asked about a check.

Such words lean on the question: "all of em on orders", "nope, just the one report". The weights are those of a linear
model with two classes a phenomenon, that it is there and that it is not, which share what any yes and any no sounds
like, and one class for what answers nothing that is asked. Only what is asked is compared.
`services.matcher.training.answer_weights` learns them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.concepts.glossary import Glossary
from lang.linear.array_file import Content, map_file, pack_arrays, view_arrays
from lang.linear.linear_model import LinearModel, from_arrays, probability
from services.matcher.index.entries import Entry
from services.matcher.model import Verdict
from services.matcher.recognition.recogniser import digest_names, id_among

Floats = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("answers.arrays")
# What the probability of the best answer follows from: by how much it beats anything else, the opposite answer, and
# no answer at all; whether it is of what was asked first; whether a number is in it.
GROUNDS = ("lead", "over_opposite", "over_none", "first", "known", "number", "one")
# Beyond this many, what was asked is no question any more.
_MOST_ASKED = 8


@dataclass(frozen=True, eq=False)
class Model:
    """labels: of each phenomenon the ids it has in the shipped libraries; names: a digest of the names under each id.

    linear: the classes yes and no of each label in turn, then NONE, YES and NO. grounds: float64 (GROUNDS,).
    """

    labels: tuple[str, ...]
    names: tuple[str, ...]
    linear: LinearModel
    grounds: Floats
    digest: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What words answer, and how likely that is right, in [0, 1]."""

    phenomenon_id: str
    verdict: Verdict
    probability: float


class AnswerReader:
    """Reads answers to checks of one library. Pure and deterministic."""

    def __init__(self, entries: Iterable[Entry], glossary: Glossary, model: Model | None = None) -> None:
        self._model = model or shipped()
        self._glossary = glossary
        known = {entry.id: digest_names(entry.name.zh, entry.name.en) for entry in entries}
        pairs = zip(self._model.labels, self._model.names, strict=True)
        found = [id_among(label.split(), names.split(), known) for label, names in pairs]
        self._places = {name: at for at, name in enumerate(found) if name}

    def read(self, words: str, asked: Sequence[str]) -> Answer | None:
        """What words answer of what is asked, the first of which was asked most plainly; None if it is nothing."""
        known = [name for name in asked if name in self._places][:_MOST_ASKED]
        places, weights = self._model.linear.vector(words, self._glossary)
        if not known or not len(places):
            return None
        scores = self._model.linear.scores(places, weights)
        options = options_of(scores, [self._places[name] for name in known])
        best = int(options.argmax())
        if best == len(options) - 1:
            return None
        share = self._model.linear.known_share(places, weights)
        likely = probability(self._model.grounds, grounds_of(words, options, share))
        verdict = Verdict.DENIED if best % 2 else Verdict.CONFIRMED
        return Answer(known[best // 2], verdict, round(likely, 4))


def options_of(scores: Floats, labels: Sequence[int]) -> Floats:
    """float64 (2 * labels + 1,): the scores of yes and no of each label, and that of no answer."""
    none, yes, no = scores[-3:]
    pairs = [score for at in labels for score in (scores[2 * at] + yes, scores[2 * at + 1] + no)]
    return np.array([*pairs, none])


def grounds_of(words: str, options: Floats, known: float) -> Floats:
    """float64 (GROUNDS,) of the best of the options, which is an answer. known: the share of the words that are."""
    best = int(options.argmax())
    lead = options[best] - float(np.delete(options, best).max())
    number = any(character.isdigit() for character in words)
    row = (lead, options[best] - options[best ^ 1], options[best] - options[-1], best < 2, known, number, 1)
    return np.array(row, dtype=np.float64)


def to_bytes(model: Model) -> bytes:
    """The file of a model."""
    text = "\n".join([model.digest, *model.labels, *model.names])
    return pack_arrays(
        text=np.frombuffer(text.encode(), dtype=np.uint8), **model.linear.arrays(), grounds=model.grounds
    )


def from_bytes(content: Content) -> Model:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *words = arrays["text"].tobytes().decode().split("\n")
    half = len(words) // 2
    return Model(tuple(words[:half]), tuple(words[half:]), from_arrays(arrays), arrays["grounds"], digest)


@cache
def shipped() -> Model:
    """The model of the package; read once."""
    return from_bytes(map_file(FILE))
