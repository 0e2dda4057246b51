"""Learns to recognise phenomena from labelled sentences: `sentences/<hands>.jsonl`, the libraries' aliases, the tests'.

A line of `sentences` has the id of a phenomenon and what people said: `zh` and `en`, that it is there now; `no_zh` and
`no_en`, that it is not; `not_zh` and `not_en`, words about it that say neither; without an id, words about no
phenomenon. Each file is by other hands.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import yaml

from lang.concepts import glossary, weighted_terms
from lang.linear import learning
from lang.linear.linear_model import fit_logistic
from services.matcher.recognition import recogniser
from services.matcher.recognition.recogniser import (
    ABSENT,
    CLAIM_GROUNDS,
    CLAIMS,
    GROUNDS,
    NEITHER,
    NOTHING,
    PRESENT,
    Model,
)
from services.matcher.training.texts import load_outside_texts

FOLDER = Path(__file__).parent / "sentences"
SPOKEN = Path(__file__).parents[3] / "tests/unit/matcher/spoken"
LIBRARIES = Path(__file__).parents[2] / "knowledge/library/shipped"
# Increment if the same sentences yield other weights.
VERSION = 2
# The share of each claim in what people say of a phenomenon.
SHARES = {PRESENT: 0.7, ABSENT: 0.2, NEITHER: 0.1}
# What the sentences under each key of a line claim.
_CLAIMED = {"zh": PRESENT, "en": PRESENT, "no_zh": ABSENT, "no_en": ABSENT, "not_zh": NEITHER, "not_en": NEITHER}


@dataclass(frozen=True)
class Sentence:
    """A sentence, the label of what it is about (ids of one phenomenon in all libraries, or NOTHING), and its claim."""

    text: str
    label: str
    claim: str
    hands: str


@cache
def load_names() -> Mapping[str, str]:
    """The digest of the names of each phenomenon of the shipped libraries, by id."""
    return {found["id"]: recogniser.digest_names(**found["name"]) for found in _phenomena()}


@cache
def load_labels() -> Mapping[str, str]:
    """The label of each phenomenon: the ids under which it stands in the shipped libraries, rising."""
    groups = {found["id"]: {found["id"]} for found in _phenomena()}
    for found in _phenomena():
        for other in found.get("same_as", ()):
            joined = groups[found["id"]] | groups[other]
            groups |= dict.fromkeys(joined, joined)
    return {name: " ".join(sorted(ids)) for name, ids in groups.items()}


@cache
def _phenomena() -> tuple[dict[str, Any], ...]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted(LIBRARIES.glob("*/phenomena/*.yaml"))
    return tuple(yaml.load(path.read_bytes(), Loader=loader) for path in paths)


def _hands() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.jsonl"))


@cache
def load_sentences() -> tuple[Sentence, ...]:
    """All labelled sentences, each once: of the training, of the tests, the aliases, and those of other matters."""
    outside = (Sentence(text, NOTHING, NEITHER, "outside") for text in load_outside_texts())
    found = [*load_written(FOLDER), *_spoken(), *_named(), *outside]
    return tuple({each.text: each for each in reversed(found)}.values())[::-1]


def load_written(folder: Path) -> Iterator[Sentence]:
    """The sentences of a folder; its files have the name of the hands that wrote them."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            label = load_labels()[row["id"]] if row["id"] else NOTHING
            for key, claim in _CLAIMED.items():
                yield from (Sentence(text, label, claim, path.stem) for text in row.get(key, ()))


def _spoken() -> Iterator[Sentence]:
    for path in sorted(SPOKEN.glob("*.jsonl")):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            claimed = {
                name: claim
                for claim, key in ((PRESENT, "confirmed"), (ABSENT, "denied"))
                for name, *_ in row["want"].get(key, ())
            }
            if len(claimed) == 1:
                name, claim = next(iter(claimed.items()))
                yield Sentence(row["message"], load_labels()[name], claim, "spoken")


def _named() -> Iterator[Sentence]:
    for entry in _phenomena():
        for aliases in entry.get("aliases", {}).values():
            yield from (Sentence(alias, load_labels()[entry["id"]], PRESENT, "library") for alias in aliases)


def digest_inputs() -> str:
    """Digest of all that the weights depend on."""
    constants = (VERSION, learning.PASSES, learning.LARGEST_STEP, learning.LEAST, GROUNDS, CLAIM_GROUNDS, SHARES)
    learned = sorted(load_names().items()), load_sentences()
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    return hashlib.sha256(repr((constants, learned)).encode() + rules).hexdigest()


def train() -> bytes:
    """The file of the model that all sentences teach, with the probabilities that other hands' sentences measure."""
    sentences = load_sentences()
    model = learn(sentences)
    found = calibrate(sentences)
    calibrated = replace(model, grounds=found.grounds, claim_grounds=found.claim_grounds, decline=found.decline)
    return recogniser.to_bytes(replace(calibrated, digest=digest_inputs()))


def learn(sentences: Sequence[Sentence]) -> Model:
    """A model without probabilities. Raises ValueError if a label is unknown."""
    labels = (*sorted({each.label for each in sentences if each.label}), NOTHING)
    texts = [each.text for each in sentences]
    rivals = np.asarray([_beside(labels, label) for label in labels])
    subjects = learning.Question([labels.index(each.label) for each in sentences], len(labels), rivals)
    claims = learning.Question([CLAIMS.index(each.claim) for each in sentences], len(CLAIMS))
    linear = learning.learn(texts, (subjects, claims), learning.count_rarity(texts))
    names = tuple(" ".join(load_names()[name] for name in label.split()) for label in labels)
    return Model(labels, names, linear, np.zeros(len(GROUNDS)), np.zeros((2, len(CLAIM_GROUNDS))), 1.0, "")


@cache
def _beside(labels: tuple[str, ...], label: str) -> npt.NDArray[np.bool_]:
    """True for the labels that stand in a library with a label, and for NOTHING, which is told from all.

    What two libraries know, each under an id of its own, is said in the same words: no case is of both.
    """
    own = _libraries_of(label)
    return np.array([not (label and other) or not own.isdisjoint(_libraries_of(other)) for other in labels])


@cache
def _libraries_of(label: str) -> frozenset[str]:
    """What the ids of a label begin with, one beginning a library: "P-2" for P-2009."""
    return frozenset(name[:3] for name in label.split())


@dataclass(frozen=True)
class Calibration:
    """The coefficients of a model's grounds, and how fast its options lose."""

    grounds: npt.NDArray[np.float64]
    claim_grounds: npt.NDArray[np.float64]
    decline: float


def calibrate(sentences: Sequence[Sentence]) -> Calibration:
    """What the probabilities follow from, measured on sentences by hands that the measured model did not learn from."""
    known, left = leave_out(sentences)
    model = learn(known)
    found = [(each, *examine(model, each)) for each in left]
    first = [model.labels[order[0]] == each.label for each, _, _, order, _ in found]
    falls = [fall for each, _, _, order, scores in found for fall in _falls(model, each, order, scores)]
    right = [row for row, hit in zip(found, first, strict=True) if hit]
    weight = _even_claims([each for each, *_ in right])
    grounds = np.asarray([grounds for _, grounds, *_ in found])
    claimed = np.asarray([claims for _, _, claims, *_ in right])
    of_claims = [
        fit_logistic(claimed[:, at], np.array([float(each.claim == claim) for each, *_ in right]), weight, 0.0005)
        for at, claim in enumerate((PRESENT, ABSENT))
    ]
    subject = fit_logistic(grounds, np.asarray(first, dtype=float), np.ones(len(found)), 0.0005)
    return Calibration(subject, np.asarray(of_claims), round(float(1 / np.mean(falls)), 3))


def leave_out(sentences: Sequence[Sentence]) -> tuple[list[Sentence], list[Sentence]]:
    """The sentences without those of one hands for each phenomenon that several wrote about; and those."""
    hands: dict[str, set[str]] = {}
    for each in sentences:
        if each.hands in _hands():
            hands.setdefault(each.label, set()).add(each.hands)
    left_out = {
        label: sorted(found)[zlib.crc32(label.encode()) % len(found)]
        for label, found in hands.items()
        if len(found) > 1
    }
    left = [each for each in sentences if left_out.get(each.label) == each.hands]
    return [each for each in sentences if left_out.get(each.label) != each.hands], left


def _falls(model: Model, each: Sentence, order: Sequence[int], scores: npt.NDArray[np.float64]) -> list[float]:
    """By how much the right phenomenon is behind the first one, where it is among the best and not the first."""
    return [float(scores[order[0]] - scores[at]) for at in order[1:] if model.labels[at] == each.label]


def _even_claims(sentences: Sequence[Sentence]) -> npt.NDArray[np.float64]:
    """Weights by which each claim has the share that it has in what people say."""
    counts = Counter(each.claim for each in sentences)
    return np.array([SHARES[each.claim] * len(sentences) / counts[each.claim] for each in sentences])


def examine(
    model: Model, each: Sentence
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], list[int], npt.NDArray[np.float64]]:
    """The grounds of the best phenomenon of a sentence and of the claims, the order of the best eight, all scores."""
    text = each.text
    places, weights = model.linear.vector(text, glossary.load())
    scores, claims = recogniser.split(model.linear.scores(places, weights))
    scores = np.where(_beside(model.labels, each.label), scores, -np.inf)
    order = [int(at) for at in np.argsort(-scores[:-1], kind="stable")[:8]]
    known = model.linear.known_share(places, weights)
    grounds = recogniser.grounds_of(text, scores[order].tolist(), float(scores[-1]), known)
    return grounds, recogniser.claim_grounds_of(text, claims), order, scores
