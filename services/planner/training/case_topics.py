"""Trains the model of case topics from `case_topics_examples/<language>/<label>.txt`, one message per line."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from services.planner.training.acts import PASSES, RATE, SEEDS, VERSION, learn_weights, quantise
from services.planner.training.phrases import load_examples
from services.planner.understand.classifier.acts import Act
from services.planner.understand.classifier.case_topics import OTHER, to_bytes
from services.planner.understand.text.messages import read

FOLDER = Path(__file__).parent / "case_topics_examples"
# What says something of the system; each so many-th of its phrases is an example of another topic.
_CLAIMS = (Act.YES, Act.NO, Act.UNKNOWN, Act.WEAK, Act.FACT, Act.ASIDE, Act.ELSEWHERE, Act.SUSPICION, Act.CORRECTION)
_EACH = 7


@cache
def load_topics() -> tuple[tuple[str, str], ...]:
    """All example messages, normalised, with their labels; ordered by language, label and line, claims last."""
    files = sorted(FOLDER.glob("*/*.txt"))
    found = [
        (read(line).normal.strip(), path.stem)
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    claims = [phrase for phrase, act in load_examples() if act in _CLAIMS][::_EACH]
    return (*found, *((phrase, OTHER) for phrase in claims))


def digest_of(phrases: tuple[tuple[str, str], ...]) -> str:
    """Digest of the training inputs."""
    return hashlib.sha256(repr((VERSION, PASSES, RATE, SEEDS, phrases)).encode()).hexdigest()


def train_topics(phrases: tuple[tuple[str, str], ...]) -> bytes:
    """Trains on the phrases and returns the bytes of the weights file; equal phrases give equal bytes."""
    labels = sorted({label for _, label in phrases})
    weights = learn_weights([phrase for phrase, _ in phrases], [label for _, label in phrases], labels)
    values, scales = quantise(weights)
    return to_bytes(labels, values, scales, digest_of(phrases))
