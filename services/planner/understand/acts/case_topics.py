"""What a short message wants to know or says of the whole case: softmax regression over n-grams, as in `acts`.

`case_topics.arrays` has the weights of the features that any example phrase has; services/planner/training learns
them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

import numpy as np

from lang.linear.array_file import map_file
from services.planner.understand.acts.ngrams import ngrams_of
from services.planner.understand.acts.softmax import SoftmaxModel, from_bytes
from services.planner.understand.text.messages import read
from services.planner.understand.text.word_lists import listed

FILE = Path(__file__).with_name("case_topics.arrays")
OTHER = "other"
_CLOSING = "closing"
# "归档" and "closed" are said of a case, and of WAL and connections as well.
_OF_CASE, _OF_SYSTEM = listed("asking.of_the_case"), listed("asking.of_a_system")
_NO_CLOSING = listed("asking.no_closing")


@lru_cache(maxsize=512)
def likely_topic(words: str) -> tuple[str, float]:
    """The likeliest label of a message and its share, in (0, 1]; `OTHER` for what is about something else."""
    wanted, share = likely_by(shipped(), words)
    return (OTHER, share) if wanted == _CLOSING and not may_close(words) else (wanted, share)


def may_close(words: str) -> bool:
    """Whether words can ask to close a case: they deny it not, nor only cry out, nor name a thing of the system."""
    of_system = _OF_SYSTEM.search(words) is not None and _OF_CASE.search(words) is None
    return not of_system and _NO_CLOSING.search(words) is None


def likely_by(model: SoftmaxModel, words: str) -> tuple[str, float]:
    """The likeliest label of a message by this model, and its share."""
    features = ngrams_of(read(words).normal.strip())
    shares = model.shares(features, np.full(len(features), 1 / np.sqrt(max(1, len(features)))))
    best = int(shares.argmax())
    return model.labels[best], float(shares[best])


@cache
def shipped() -> SoftmaxModel:
    """The model of the package."""
    return from_bytes(map_file(FILE))
