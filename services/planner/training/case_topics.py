"""Trains the model of case topics from `case_topics_examples/<language>/<label>.txt`, one message per line."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from services.planner.training.phrases import load_phrases
from services.planner.training.regression import PASSES, VERSION, even_row, learn_weights, quantise
from services.planner.understand.acts.case_topics import OTHER
from services.planner.understand.acts.labels import ANSWERS, Label
from services.planner.understand.acts.ngrams import ngrams_of
from services.planner.understand.acts.softmax import to_bytes
from services.planner.understand.text.messages import read

FOLDER = Path(__file__).parent / "case_topics_examples"
# What says something of the system; each so many-th of its phrases is an example of another topic.
_CLAIMS = (*ANSWERS, Label.FACT, Label.ASIDE, Label.ELSEWHERE, Label.SUSPICION, Label.CORRECTION)
# Few examples are learned from with a larger rate than the labels; steps of a quantised weight.
_RATE, _STEPS = 1.0, 127
# Averaging over several shuffles tells topics better than a single one.
_SEEDS = (1, 2)
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
    claims = [phrase for phrase, act in load_phrases() if act in _CLAIMS][::_EACH]
    return (*found, *((phrase, OTHER) for phrase in claims))


def digest_of(phrases: tuple[tuple[str, str], ...]) -> str:
    """Digest of the training inputs."""
    return hashlib.sha256(repr((VERSION, PASSES, _RATE, _STEPS, _SEEDS, phrases)).encode()).hexdigest()


def train_topics(phrases: tuple[tuple[str, str], ...]) -> bytes:
    """Trains on the phrases and returns the bytes of the weights file; equal phrases give equal bytes."""
    labels = sorted({label for _, label in phrases})
    rows = [even_row(ngrams_of(phrase), label) for phrase, label in phrases]
    weights = np.mean([learn_weights(rows, labels, seed, _RATE) for seed in _SEEDS], axis=0)
    values, scales = quantise(weights, _STEPS)
    return to_bytes(labels, values.astype(np.int8), scales, digest_of(phrases))
