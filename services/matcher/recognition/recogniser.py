"""Recognises which phenomena a sentence may be about and what it claims of them, with how sure that is.

The weights are those of two linear models over the same terms: of the subject, one class a phenomenon and one of
sentences about none; and of the claim, that it is there now, that it is not, or neither (asked, over, elsewhere).
`services.matcher.training.recogniser_weights` learns them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.concepts.glossary import Glossary
from lang.concepts.weighted_terms import Weights
from lang.linear.array_file import Content, map_file, pack_arrays, view_arrays
from lang.linear.linear_model import LinearModel, from_arrays, probability
from lang.modality import is_negated
from services.matcher.index.entries import Entry

Floats = npt.NDArray[np.float64]
FILE = Path(__file__).with_name("phenomena.arrays")
# What the probability that the first phenomenon is right follows from, and that of each claim about it.
GROUNDS = ("lead", "score", "over_none", "unknown", "number", "one")
CLAIM_GROUNDS = ("claim", "number", "negated", "one")
_MOST, _MOST_REMEMBERED = 8, 256
NOTHING = ""
PRESENT, ABSENT, NEITHER = CLAIMS = ("present", "absent", "neither")


@dataclass(frozen=True, eq=False)
class Model:
    """labels: of each phenomenon the ids it has in the shipped libraries, and NOTHING at the end; names: a digest of
    the names under each id.

    linear: its classes are the labels and then the CLAIMS. grounds: float64 (GROUNDS,); claim_grounds: float64
    (2, CLAIM_GROUNDS), of what is present and what is absent; decline: how fast options lose.
    """

    labels: tuple[str, ...]
    names: tuple[str, ...]
    linear: LinearModel
    grounds: Floats
    claim_grounds: Floats
    decline: float
    digest: str


@dataclass(frozen=True, slots=True)
class Recognised:
    """A phenomenon that a sentence may be about; the probabilities, in [0, 1], that it says that it is there now, and
    that it says that it is not; and that it is about it, whatever it says.
    """

    phenomenon_id: str
    probability: float
    absent: float = 0.0
    about: float = 0.0


class Recogniser:
    """Recognises the phenomena of one library that the shipped sentences are about. Pure and deterministic."""

    def __init__(self, entries: Iterable[Entry], glossary: Glossary, model: Model | None = None) -> None:
        self._model = model or shipped()
        self._glossary = glossary
        known = {entry.id: digest_names(entry.name.zh, entry.name.en) for entry in entries}
        pairs = zip(self._model.labels[:-1], self._model.names[:-1], strict=True)
        self._ids = [id_among(label.split(), names.split(), known) for label, names in pairs]
        self._kept = np.array([bool(found) for found in self._ids], dtype=bool)
        self._known = frozenset(filter(None, self._ids))
        # The same words are read as a sentence, as a clause and as those of a reading.
        self._remembered = lru_cache(maxsize=_MOST_REMEMBERED)(self._recognise)

    def knows(self, phenomenon_id: str) -> bool:
        """True if sentences about the phenomenon of this id were learned from."""
        return phenomenon_id in self._known

    def recognise(self, sentence: str) -> tuple[Recognised, ...]:
        """Up to eight phenomena, the likeliest first; empty where the words are of nothing known."""
        return self._remembered(sentence)

    def _recognise(self, sentence: str) -> tuple[Recognised, ...]:
        if not self._kept.any():
            return ()
        places, weights = self._model.linear.vector(sentence, self._glossary)
        if not len(places):
            return ()
        scores, claims = split(self._model.linear.scores(places, weights))
        of_phenomena = np.where(self._kept, scores[:-1], -np.inf)
        order = [int(at) for at in np.argsort(-of_phenomena, kind="stable")[:_MOST] if self._kept[at]]
        known = self._model.linear.known_share(places, weights)
        first = probability(self._model.grounds, grounds_of(sentence, of_phenomena[order], float(scores[-1]), known))
        of_claims = claim_grounds_of(sentence, claims)
        pairs = zip(self._model.claim_grounds, of_claims, strict=True)
        present, absent = (first * probability(row, own) for row, own in pairs)
        falls = np.exp(self._model.decline * (of_phenomena[order] - of_phenomena[order[0]]))
        return tuple(
            Recognised(self._ids[at], *(round(share * float(fall), 4) for share in (present, absent, first)))
            for at, fall in zip(order, falls, strict=True)
        )


def split(scores: Floats) -> tuple[Floats, Floats]:
    """The scores of labels, and those of claims."""
    return scores[: -len(CLAIMS)], scores[-len(CLAIMS) :]


def id_among(ids: Sequence[str], names: Sequence[str], known: Mapping[str, str]) -> str:
    """Of the ids of a phenomenon the one under which a library has it; empty if it has none."""
    return next((name for name, digest in zip(ids, names, strict=True) if known.get(name) == digest), "")


def grounds_of(sentence: str, best: Sequence[float] | Weights, none: float, known: float) -> Floats:
    """float64 (GROUNDS,): the lead of the best score, its height, by how much it beats "nothing", and so on.

    best: the falling scores of phenomena; known: the share of the text's square length that the model knows.
    """
    second = float(best[1]) if len(best) > 1 else 0.0
    row = (best[0] - max(second, none), best[0], best[0] - none, 1 - known, _has_number(sentence), 1)
    return np.array(row, dtype=np.float64)


def claim_grounds_of(sentence: str, claims: Floats) -> Floats:
    """float64 (2, CLAIM_GROUNDS): by how much "present" beats the other claims, and by how much "absent" does."""
    row = _has_number(sentence), is_negated(sentence), 1
    leads = (claims[at] - float(np.delete(claims, at).max()) for at in range(2))
    return np.array([(lead, *row) for lead in leads], dtype=np.float64)


def _has_number(sentence: str) -> bool:
    return any(character.isdigit() for character in sentence)


def digest_names(zh: str, en: str) -> str:
    """What tells an entry from another one of the same id: a digest of its names."""
    return hashlib.sha256(f"{zh}\n{en}".encode()).hexdigest()[:12]


def to_bytes(model: Model) -> bytes:
    """The file of a model."""
    text = "\n".join([model.digest, *model.labels, *model.names])
    return pack_arrays(
        text=np.frombuffer(text.encode(), dtype=np.uint8),
        **model.linear.arrays(),
        grounds=model.grounds,
        claim_grounds=model.claim_grounds,
        decline=np.array([model.decline]),
    )


def from_bytes(content: Content) -> Model:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *words = arrays["text"].tobytes().decode().split("\n")
    half = len(words) // 2
    return Model(
        labels=tuple(words[:half]),
        names=tuple(words[half:]),
        linear=from_arrays(arrays),
        grounds=arrays["grounds"],
        claim_grounds=arrays["claim_grounds"],
        decline=float(arrays["decline"][0]),
        digest=digest,
    )


@cache
def shipped() -> Model:
    """The model of the package; read once."""
    return from_bytes(map_file(FILE))
