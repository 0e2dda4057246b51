"""Fits how often each kind of reading is right (reading_probabilities.json), from labelled sentences.

A kind's probability is the mean of a Beta distribution: a prior (reading_priors.yaml) worth `PRIOR_SENTENCES`, updated
by the sentences that were read so. Being hedged, misspelt or only proposed never makes a kind surer.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from services.matcher.probabilities import WEAKER, group_of, kind_of
from services.matcher.training.texts import load_shipped_library

_TESTS = Path(__file__).parents[3] / "tests/unit"
# Those of `spoken` were written to be read once, before any of their words was in the vocabulary.
SENTENCES = (
    _TESTS / "lang/sentences.jsonl",
    *sorted(path for path in (_TESTS / "matcher/spoken").glob("*_fresh.jsonl") if not path.name.startswith("host")),
)
_PRIORS = Path(__file__).with_name("reading_priors.yaml")
# Many, for the sentences are known to those who wrote the rules.
PRIOR_SENTENCES = 12.0


class Judged(NamedTuple):
    """One reading of a labelled sentence: its kind, and whether phenomenon and verdict are right together."""

    sentence: str
    kind: str
    is_right: bool


def judge_sentences() -> list[Judged]:
    """What the shipped library reads in every labelled sentence that counts or is proposed."""
    library = load_shipped_library()
    reader = Reader(library.vocabulary)
    judge = Judge({entry.id: entry.means for entry in library.phenomena}, library.vocabulary)
    lines = (line for path in SENTENCES for line in path.read_text(encoding="utf-8").splitlines())
    rows = [json.loads(line) for line in lines]
    return [found for row in rows for found in _judged(row, reader, judge)]


def _judged(row: dict[str, Any], reader: Reader, judge: Judge) -> Iterator[Judged]:
    right = {tuple(allowed.split(":")) for allowed in row["allowed"]}
    for verdict in ("confirmed", "denied"):
        right |= {(name, verdict) for several in row["want"].get(verdict, ()) for name in several}
    for finding in judge.judge(reader.read(row["message"])):
        if finding.standing in (Standing.COUNTS, Standing.PROPOSED):
            yield Judged(row["id"], kind_of(finding), (finding.phenomenon_id, finding.verdict.value) in right)


def fit(judged: Iterable[Judged]) -> dict[str, float]:
    """The probability of each kind, to two decimals, in the order of their names."""
    found: dict[str, float] = dict(yaml.load(_PRIORS.read_text(encoding="utf-8"), yaml.CSafeLoader))
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for item in judged:
        every[item.kind] += 1
        right[item.kind] += item.is_right
    found |= {kind: _mean(right[kind], every[kind], found.get(kind, found[group_of(kind)])) for kind in every}
    return {kind: round(min(found[kind], *_stronger(kind, found)), 2) for kind in sorted(found)}


def _mean(right: int, every: int, prior: float) -> float:
    return (right + PRIOR_SENTENCES * prior) / (every + PRIOR_SENTENCES)


def _stronger(kind: str, found: dict[str, float]) -> Iterator[float]:
    """The probabilities of the kinds that this one is a weaker form of; 1 at the end."""
    for prefix in WEAKER:
        if kind.startswith(prefix):
            kind = kind.removeprefix(prefix)
            if kind in found:
                yield found[kind]
    yield 1.0


def to_json(probabilities: dict[str, float]) -> str:
    """The content of reading_probabilities.json."""
    return json.dumps(probabilities, indent=1) + "\n"
