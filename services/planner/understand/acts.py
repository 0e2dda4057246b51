"""What a clause does: answers, states, suspects, takes back, asks (and for what), or nothing of the kind.

Softmax regression over words, characters and their n-grams, learned at start from `examples/<language>/<act>.txt`, one phrase a
line with `{}` where it points at an item. It carries what the rules know over to wordings that no list holds; how sure it
is decides who is believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from services.planner.understand.text import CJK, read

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Weights = npt.NDArray[np.float32]
Features = npt.NDArray[np.int64]

# Where a phrase points at an item that was asked about.
ITEM = "{}"
_SIZE = 1 << 17
# By cross-validated log loss on the examples: passes over them (their weights are averaged), examples a step, the step's length (AdaGrad).
_PASSES = 5
_BATCH = 256
_RATE = 1.0
# The order of the phrases moves what is learned: the mean of several orders gets more of the left-out phrases right than one.
_SEEDS = (1, 2)
# Counted up when what is learned from the same phrases and numbers changes.
_FORM = 2
# Where what was learned is kept, when it is.
_folder: list[Path] = []
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
    return likely_by(learned(), clause)


def likely_by(weights: Weights, clause: str) -> Likely:
    """How likely each act is for a normalised clause, by these weights."""
    features = _features(clause)
    scores = weights[features].sum(axis=0) / np.sqrt(max(1, len(features))) + weights[_SIZE]
    shares = np.exp((scores - scores.max()).astype(np.float64))
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


def is_known(clause: str) -> bool:
    """Whether any word of a normalised clause stands in the examples."""
    return any(word in _words() for word in _TOKEN.findall(clause))


@cache
def _words() -> frozenset[str]:
    return frozenset(word for phrase, _ in examples() for word in _TOKEN.findall(phrase) if word[0].isalpha())


@cache
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
def learned() -> Weights:
    """Weights (features and one row more for how usual each act is, acts), learned from the examples; the same every time."""
    kept = _kept()
    if kept is None:
        return weights_of(examples())
    try:
        weights = np.load(kept, allow_pickle=False)
        if weights.shape == (_SIZE + 1, len(ACTS)) and weights.dtype == np.float32:
            return np.asarray(weights, dtype=np.float32)
    except (OSError, ValueError, EOFError):
        # Nothing kept, or nothing that can be read: learning again says the same.
        pass
    weights = weights_of(examples())
    _keep(weights, kept)
    return weights


def is_kept() -> bool:
    """Whether there is something kept of these examples; only reading it shows whether it is whole."""
    kept = _kept()
    return kept is not None and kept.is_file()


def _kept() -> Path | None:
    return _folder[-1] / f"acts-{_digest()}.npy" if _folder else None


def keep_in(folder: Path) -> None:
    """From now on what was learned is kept in this folder, and read from there while examples and method are the same."""
    _folder[:] = [folder]
    learned.cache_clear()


def _keep(weights: Weights, path: Path) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            np.save(file, weights)
        # Whole or not at all: another process may read it at any time.
        Path(file.name).replace(path)


def _digest() -> str:
    """The name of what is learned: of the phrases, in order, and of the method's numbers."""
    method = (_FORM, _SIZE, _PASSES, _BATCH, _RATE, _SEEDS, np.__version__)
    said = "\n".join(f"{act.value} {phrase}" for phrase, act in examples())
    return hashlib.sha256(f"{method}\n{said}".encode()).hexdigest()[:16]


def weights_of(phrases: Sequence[tuple[str, Act]]) -> Weights:
    """Weights learned from these phrases: the mean of several learnings, each in an order drawn once and for all."""
    table = _table([_features(phrase) for phrase, _ in phrases])
    wanted = np.eye(len(ACTS), dtype=np.float32)[[ACTS.index(act) for _, act in phrases]]
    mean = np.zeros((_SIZE + 1, len(ACTS)), dtype=np.float32)
    for seed in _SEEDS:
        mean += _learn(table, wanted, random.Random(seed))
    return mean / np.float32(len(_SEEDS))


def _learn(table: csr_array, wanted: Weights, drawn: random.Random) -> Weights:
    """Weights after some passes, each step from a batch of phrases (AdaGrad, the mean over the passes)."""
    from scipy.sparse import csr_array

    weights = np.zeros((_SIZE + 1, len(ACTS)), dtype=np.float32)
    squares = np.full_like(weights, 1e-3)
    mean = np.zeros_like(weights)
    order = list(range(len(wanted)))
    for _ in range(_PASSES):
        drawn.shuffle(order)
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            rows = table[batch]
            used, places = np.unique(rows.indices, return_inverse=True)
            rows = csr_array((rows.data, places, rows.indptr), shape=(len(batch), len(used)))
            slope = rows.T @ (_softmax(rows @ weights[used]) - wanted[batch])
            squares[used] += slope**2
            weights[used] -= _RATE * slope / np.sqrt(squares[used])
        mean += weights / _PASSES
    return mean


def _table(found: Sequence[Features]) -> csr_array:
    """One row a phrase: its features, lighter the more there are, and a 1 for all phrases alike."""
    # Loaded where it is needed: what was learned and kept needs none of it.
    from scipy.sparse import csr_array

    rows = [np.append(features, _SIZE) for features in found]
    values = [
        np.append(np.full(len(features), 1.0 / np.sqrt(max(1, len(features)))), 1.0).astype(np.float32)
        for features in found
    ]
    ends = np.cumsum([0, *(len(row) for row in rows)])
    return csr_array((np.concatenate(values), np.concatenate(rows), ends), shape=(len(rows), _SIZE + 1))


def _softmax(scores: Weights) -> Weights:
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), dtype=np.float32)
