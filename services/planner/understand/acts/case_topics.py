"""What a short message wants to know or says of the whole case: softmax regression over n-grams, as in `acts`.

`case_topics.arrays` has the weights of the features that any example phrase has; services/planner/training learns
them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.linear.array_file import Content, map_file, pack_arrays, view_arrays
from services.planner.understand.acts.ngrams import SIZE, ngrams_of
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

FILE = Path(__file__).with_name("case_topics.arrays")
OTHER = "other"
_CLOSING = "closing"
# "归档" and "closed" are said of a case, and of WAL and connections as well.
_OF_CASE, _OF_SYSTEM = listed("asking.of_the_case"), listed("asking.of_a_system")
_NO_CLOSING = listed("asking.no_closing")


@dataclass(frozen=True, eq=False)
class TopicModel:
    """`rows`: features, rising, the last one the intercept; `values` (rows, labels) times `scales` are their weights."""

    labels: tuple[str, ...]
    rows: npt.NDArray[np.int64]
    values: npt.NDArray[np.int8]
    scales: npt.NDArray[np.float32]
    digest: str


@lru_cache(maxsize=512)
def likely_topic(words: str) -> tuple[str, float]:
    """The likeliest label of a message and its share, in (0, 1]; `OTHER` for what is about something else."""
    wanted, share = likely_by(shipped(), words)
    return (OTHER, share) if wanted == _CLOSING and not may_close(words) else (wanted, share)


def may_close(words: str) -> bool:
    """Whether words can ask to close a case: they deny it not, nor only cry out, nor name a thing of the system."""
    of_system = _OF_SYSTEM.search(words) is not None and _OF_CASE.search(words) is None
    return not of_system and _NO_CLOSING.search(words) is None


def likely_by(model: TopicModel, words: str) -> tuple[str, float]:
    """The likeliest label of a message by this model, and its share."""
    features = ngrams_of(read(words).normal.strip())
    places = np.searchsorted(model.rows, features)
    known = places[model.rows[np.minimum(places, len(model.rows) - 1)] == features]
    weights = model.values[known] * model.scales[known, None]
    intercept = model.values[-1] * model.scales[-1]
    scores = weights.sum(axis=0) / np.sqrt(max(1, len(features))) + intercept
    shares = np.exp((scores - scores.max()).astype(np.float64))
    shares /= shares.sum()
    best = int(shares.argmax())
    return model.labels[best], float(shares[best])


def to_bytes(
    labels: Sequence[str], values: npt.NDArray[np.int8], scales: npt.NDArray[np.float32], digest: str
) -> bytes:
    """A model's file from weights (SIZE + 1, labels); rows of nothing but zeros are left out."""
    rows = np.flatnonzero(values.any(axis=1))
    rows = rows if len(rows) and rows[-1] == SIZE else np.append(rows, SIZE)
    text = np.frombuffer("\n".join([digest, *labels]).encode(), dtype=np.uint8)
    return pack_arrays(
        rows=rows.astype("<i8"), values=values[rows].astype("i1"), scales=scales[rows].astype("<f4"), text=text
    )


def from_bytes(content: Content) -> TopicModel:
    """The model of a file."""
    arrays = view_arrays(content)
    digest, *labels = arrays["text"].tobytes().decode().split("\n")
    return TopicModel(tuple(labels), arrays["rows"], arrays["values"], arrays["scales"], digest)


@cache
def shipped() -> TopicModel:
    """The model of the package."""
    return from_bytes(map_file(FILE))
