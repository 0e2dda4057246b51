"""What a clause does: answers, states, suspects, takes back, asks (and for what), or nothing of the kind.

Softmax regression over words, characters and their n-grams. `acts.npz` has its weights, which services/planner/training
learns from example phrases. It carries what the rules know over to wordings that no list holds; how sure it is decides
which of both is believed.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang import deferred_re as re
from services.planner.understand.text.messages import CJK

Features = npt.NDArray[np.int64]

# Where a phrase points at an item that was asked about.
ITEM = "{}"
FILE = Path(__file__).with_name("acts.npz")
# Features share this many places; the row after them says how usual each act is.
SIZE = 1 << 17
TOKEN = re.compile(rf"\{{\}}|[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[{CJK}]|[^\s\w]")
_STEM = 4


class Act(Enum):
    """What a clause does; the value names its file of examples."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"
    WEAK = "weak"
    FACT = "fact"
    ASIDE = "aside"
    ELSEWHERE = "elsewhere"
    SUSPICION = "suspicion"
    CORRECTION = "correction"
    VAGUE = "vague"
    RESET = "reset"
    SMALLTALK = "smalltalk"
    ORDER = "order"
    PROGRESS = "q_progress"
    HYPOTHESES = "q_hypotheses"
    RELATIONS = "q_relations"
    HISTORY = "q_history"
    REASONING = "q_reasoning"
    WHAT_IF = "q_what_if"
    DATA = "q_data"
    HELP = "q_help"

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.value.startswith("q_")


ACTS = tuple(Act)


@dataclass(frozen=True)
class Likely:
    """How likely each act is, in the order of `ACTS`; sums to 1."""

    shares: tuple[float, ...]

    @property
    def act(self) -> Act:
        """The likeliest act."""
        return ACTS[self.shares.index(max(self.shares))]

    @property
    def share(self) -> float:
        """The likelihood of the likeliest act."""
        return max(self.shares)

    def of(self, *acts: Act) -> float:
        """The likelihood of any of these acts."""
        return sum(self.shares[ACTS.index(act)] for act in acts)

    def among(self, acts: Sequence[Act]) -> tuple[Act, float]:
        """The likeliest of these acts, and its share among them."""
        best = max(acts, key=self.of)
        return best, self.of(best) / max(self.of(*acts), 1e-9)


@dataclass(frozen=True, eq=False)
class Model:
    """Weights (SIZE + 1, acts): each row's `values` times its `scales`.

    `words` says how many example phrases have each word; `digest` identifies the inputs of the training.
    """

    values: npt.NDArray[np.int16]
    scales: npt.NDArray[np.float32]
    words: Mapping[str, int]
    digest: str


@lru_cache(maxsize=4096)
def act_of(clause: str) -> Likely:
    """What a normalised clause does; `{}` stands where it points at an item."""
    return likely_by(shipped(), clause)


def likely_by(model: Model, clause: str) -> Likely:
    """How likely each act is for a normalised clause, by this model."""
    rows = np.append(features_of(clause), SIZE)
    weights = model.values[rows] * model.scales[rows, None]
    scores = weights[:-1].sum(axis=0) / np.sqrt(max(1, len(rows) - 1)) + weights[-1]
    shares = np.exp((scores - scores.max()).astype(np.float64))
    return Likely(tuple(float(share) for share in shares / shares.sum()))


def features_of(clause: str) -> Features:
    """Positions of the clause's n-grams, rising: up to three tokens in a row, and four letters within long words."""
    tokens = ["^", *("0" if token[0].isdigit() else token for token in TOKEN.findall(clause)), "$"]
    found = set(tokens[1:-1])
    found.update(" ".join(tokens[at : at + width]) for width in (2, 3) for at in range(len(tokens) - width + 1))
    for token in tokens:
        if len(token) > _STEM and token.isascii():
            word = f"<{token}>"
            found.update("#" + word[at : at + _STEM] for at in range(len(word) - _STEM + 1))
    return np.array(sorted({zlib.crc32(feature.encode()) % SIZE for feature in found}), dtype=np.int64)


def is_known(clause: str) -> bool:
    """Whether any word of a normalised clause stands in the examples."""
    words = shipped().words
    return any(word in words for word in TOKEN.findall(clause))


@cache
def shipped() -> Model:
    """The model of the package."""
    return from_bytes(FILE.read_bytes())


def to_bytes(model: Model) -> bytes:
    """A model's file; equal models give equal bytes."""
    file = io.BytesIO()
    words = "\n".join(f"{word} {count}" for word, count in model.words.items())
    text = np.frombuffer(f"{model.digest}\n{words}".encode(), dtype=np.uint8)
    np.savez(file, values=model.values.astype("<i2"), scales=model.scales.astype("<f4"), text=text)
    return file.getvalue()


def from_bytes(content: bytes) -> Model:
    """The model of a file."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        values, scales, text = arrays["values"], arrays["scales"], arrays["text"]
    digest, *lines = text.tobytes().decode().split("\n")
    words = {word: int(count) for word, count in (line.split(" ") for line in lines)}
    return Model(values, scales, words, digest)
