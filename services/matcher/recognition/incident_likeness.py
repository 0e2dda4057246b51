"""How much the words of an incident, as a whole, sound like those of incidents of each cause.

The score of a cause is that of a linear model over the terms of each message, less of a few terms only, summed over the
messages. Of C causes,

    share_r = (1 - doubt) softmax_r(sharpness score) + doubt / C
    bits_r  = log2(C share_r)                       so an average cause has 0

`services.matcher.training.likeness_weights` learns the weights from incidents as people tell them, and measures
sharpness and doubt on those of other hands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang import deferred_re as re
from lang.concepts.glossary import Glossary
from lang.linear.array_file import Content, map_file, pack_arrays, view_arrays
from lang.linear.linear_model import LinearModel, from_arrays
from services.matcher.index.entries import Entry
from services.matcher.model import CauseLikeness
from services.matcher.recognition.recogniser import digest_names

Floats = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("causes.arrays")
# The words of so many causes are told, those of at least so many bits; so many clauses each, if they say something.
_TOLD, _TOLD_FROM, _MOST_WORDS = 3, 1.0, 3
_LONGEST = 80
_CLAUSE_END = re.compile(r"[，；。！？\n]|[,.;!?](?=\s|$)")
# The columns of an output; of what a person says so much is letters.
_OF_ROWS = re.compile(r"[|\t]| {2,}|--")
_LETTERS = 0.6
# A few causes of one's own cannot be compared with each other only.
_FEWEST_CAUSES = 5
_MOST_REMEMBERED = 64
# Three sentences have about so many terms: words, words in a row, parts of words.
_FEW_TERMS = 150


@dataclass(frozen=True, eq=False)
class Model:
    """causes: the ids of the shipped libraries; names: the digest of the names of each; linear: a class a cause."""

    causes: tuple[str, ...]
    names: tuple[str, ...]
    linear: LinearModel
    sharpness: float
    doubt: float
    digest: str


class LikenessReader:
    """Tells what incidents sound like, of the causes of one library that were learned. Pure and deterministic."""

    def __init__(self, causes: Iterable[Entry], glossary: Glossary, model: Model | None = None) -> None:
        self._model, self._glossary = model or shipped(), glossary
        here = {entry.id: digest_names(entry.name.zh, entry.name.en) for entry in causes}
        pairs = zip(self._model.causes, self._model.names, strict=True)
        self._places = np.array([at for at, (name, digest) in enumerate(pairs) if here.get(name) == digest], dtype=int)
        self._scores = lru_cache(maxsize=_MOST_REMEMBERED)(self._score)

    def liken(self, messages: Sequence[str]) -> tuple[CauseLikeness, ...]:
        """All learned causes by falling bits, ties by id; the first ones with the words that say so most."""
        told = [message for message in messages if message.strip()]
        if not told or len(self._places) < _FEWEST_CAUSES:
            return ()
        bits = bits_of(np.array([self._scores(message) for message in told]), self._model)
        order = np.argsort(-bits, kind="stable")
        return tuple(
            CauseLikeness(
                self._model.causes[self._places[at]],
                round(float(bits[at]), 4),
                self._words(told, int(at)) if place < _TOLD and bits[at] >= _TOLD_FROM else (),
            )
            for place, at in enumerate(order)
        )

    def _score(self, text: str) -> Floats:
        """float64 (causes of the library,): how well a text fits each."""
        found: Floats = score(self._model, text, self._glossary)[self._places]
        return found

    def _words(self, messages: Iterable[str], cause: int) -> tuple[str, ...]:
        """The clauses that fit a cause best before others, best first."""
        found: dict[str, float] = {}
        for message in messages:
            for clause in _CLAUSE_END.split(message):
                words = clause.strip()
                if len(words) <= _LONGEST and _is_spoken(words):
                    scores = self._scores(words)
                    found[words] = float(scores[cause] - np.delete(scores, cause).max())
        best = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return tuple(words for words, lead in best[:_MOST_WORDS] if lead > 0)


def _is_spoken(words: str) -> bool:
    """Whether words are a person's and no row or line of an output, which says nothing when quoted."""
    letters = sum(map(str.isalpha, words))
    return not _OF_ROWS.search(words) and letters > _LETTERS * len(words.replace(" ", ""))


def score(model: Model, text: str, glossary: Glossary) -> Floats:
    """float64 (causes of the model,): how well a text fits each; a few words say little, however telling they are."""
    places, weights = model.linear.vector(text, glossary)
    return np.asarray(model.linear.scores(places, weights) * min(1.0, len(places) / _FEW_TERMS), dtype=np.float64)


def bits_of(scores: Floats, model: Model) -> Floats:
    """float64 (causes,): the bits of each cause, from the scores of each message (messages, causes)."""
    total = model.sharpness * scores.sum(axis=0)
    shares = np.exp(total - total.max())
    count = len(shares)
    shares = (1 - model.doubt) * shares / shares.sum() + model.doubt / count
    return np.asarray(np.log2(shares * count), dtype=np.float64)


def to_bytes(model: Model) -> bytes:
    """The file of a model."""
    text = "\n".join([model.digest, *model.causes, *model.names])
    return pack_arrays(
        text=np.frombuffer(text.encode(), dtype=np.uint8),
        **model.linear.arrays(),
        chosen=np.array([model.sharpness, model.doubt]),
    )


def from_bytes(content: Content) -> Model:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *words = arrays["text"].tobytes().decode().split("\n")
    half = len(words) // 2
    sharpness, doubt = arrays["chosen"].tolist()
    return Model(tuple(words[:half]), tuple(words[half:]), from_arrays(arrays), sharpness, doubt, digest)


@cache
def shipped() -> Model:
    """The model of the package; read once."""
    return from_bytes(map_file(FILE))
