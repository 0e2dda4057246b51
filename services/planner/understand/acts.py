"""What a clause does: answers, states, suspects, takes back, asks (and for what), or nothing of the kind.

Naive Bayes over words, characters and their n-grams, counted when first used from `examples/<language>/<act>.txt`, one phrase a line
with `{}` where it points at an item. It carries what the rules know over to wordings that no list holds; how sure it is
decides who is believed.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import resources

import numpy as np
import numpy.typing as npt

from services.planner.understand.text import CJK, read

Weights = npt.NDArray[np.float32]
Features = npt.NDArray[np.int64]

# Where a phrase points at an item that was asked about.
ITEM = "{}"
_SIZE = 1 << 16
# By cross-validated log loss on the examples: what is added to each count, and how far evidence is trusted.
_SMOOTHING = 0.4
_SHARPNESS = 1.5
_TOKEN = re.compile(rf"\{{\}}|[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[{CJK}]|[^\s\w]")
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
# How often people on call do each, roughly: a question of a certain kind is rarer than an answer.
_USUAL = {
    Act.FACT: 0.20,
    Act.YES: 0.10,
    Act.NO: 0.10,
    Act.UNKNOWN: 0.08,
    Act.ASIDE: 0.10,
    Act.SUSPICION: 0.06,
    Act.CORRECTION: 0.05,
    Act.WEAK: 0.05,
}
_RARE = 0.02
_PRIOR = np.log([_USUAL.get(act, _RARE) for act in ACTS])


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


@lru_cache(maxsize=4096)
def act_of(clause: str) -> Likely:
    """What a normalised clause does; `{}` stands where it points at an item."""
    features = _features(clause)
    scores = _learned()[features].sum(axis=0) * (_SHARPNESS / np.sqrt(max(1, len(features)))) + _PRIOR
    shares = np.exp(scores - scores.max())
    return Likely(tuple(float(share) for share in shares / shares.sum()))


def _features(clause: str) -> Features:
    """Positions of the clause's n-grams, rising: up to three tokens in a row, and four letters within long words."""
    tokens = ["^", *("0" if token[0].isdigit() else token for token in _TOKEN.findall(clause)), "$"]
    found = set(tokens[1:-1])
    found.update(" ".join(tokens[at : at + width]) for width in (2, 3) for at in range(len(tokens) - width + 1))
    for token in tokens:
        if len(token) > _STEM and token.isascii():
            word = f"<{token}>"
            found.update("#" + word[at : at + _STEM] for at in range(len(word) - _STEM + 1))
    return np.array(sorted({zlib.crc32(feature.encode()) % _SIZE for feature in found}), dtype=np.int64)


def examples() -> tuple[tuple[str, Act], ...]:
    """Every example phrase, normalised, with its act; by language, act and line."""
    folder = resources.files("services.planner.understand") / "examples"
    found: list[tuple[str, Act]] = []
    for language in ("en", "zh"):
        for act in ACTS:
            lines = (folder / language / f"{act.value}.txt").read_text(encoding="utf-8").splitlines()
            found += [(read(line).normal.strip(), act) for line in lines if line.strip()]
    return tuple(found)


@cache
def _learned() -> Weights:
    """Weights (features, acts): log shares of the features in each act's examples, less their mean; unseen ones weigh 0."""
    counts = np.zeros((_SIZE, len(ACTS)))
    for phrase, act in examples():
        counts[_features(phrase), ACTS.index(act)] += 1.0
    seen = counts.sum(axis=1) > 0.0
    weights = np.log(counts + _SMOOTHING) - np.log(counts.sum(axis=0) + _SMOOTHING * seen.sum())
    weights -= weights.mean(axis=1, keepdims=True)
    weights[~seen] = 0.0
    return weights.astype(np.float32)
