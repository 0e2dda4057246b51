"""Learns what incidents of each cause sound like, from `incidents/<library>-<hands>.jsonl`, tickets and libraries.

A line has the id of a `cause`, what it is (`story`: the first messages of somebody on call; `clue`: one observation;
`paste`: what they were shown), its `lang` and its `text`. Each file is by other hands. How sure the model may be is
measured on `incidents_in_turns.jsonl`, which it does not learn from: whole talks, of one person each.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from lang.concepts import glossary, weighted_terms
from lang.linear import learning
from services.matcher.recognition import incident_likeness
from services.matcher.recognition.incident_likeness import Floats, Model, bits_of, score
from services.matcher.recognition.recogniser import digest_names

FOLDER = Path(__file__).parent / "incidents"
TALKS = Path(__file__).with_name("incidents_in_turns.jsonl")
LIBRARIES = Path(__file__).parents[2] / "knowledge/library/shipped"
# Increment if the same texts yield other weights.
VERSION = 1
PASSES = 10
# What the ids of a library's causes begin with.
_HOST = "RC-3"
# What is tried for the two numbers that are measured.
_SHARPNESS = tuple(round(0.5 * 1.15**step, 3) for step in range(30))
_DOUBTS = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)


@dataclass(frozen=True)
class Told:
    """What was told of an incident, and its cause."""

    text: str
    cause: str


@dataclass(frozen=True)
class Talk:
    """All messages of a person about one incident, in order, and its cause."""

    messages: tuple[str, ...]
    cause: str


@cache
def load_causes() -> Mapping[str, dict[str, Any]]:
    """The causes of the shipped libraries, by id."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    paths = sorted(LIBRARIES.glob("*/root_causes/*.yaml"))
    found = (yaml.load(path.read_bytes(), Loader=loader) for path in paths)
    return {each["id"]: each for each in sorted(found, key=lambda each: str(each["id"]))}


@cache
def load_told() -> tuple[Told, ...]:
    """All texts, each once: by hands, of the tickets, and how the libraries describe a cause."""
    written = (Told(row["text"], row["cause"]) for row in load_rows())
    found = (*written, *_of_tickets(), *_of_libraries())
    return tuple({each.text: each for each in found if each.cause in load_causes()}.values())


@cache
def load_talks() -> tuple[Talk, ...]:
    """The talks that are measured on."""
    rows = map(json.loads, TALKS.read_text("utf-8").splitlines())
    return tuple(Talk(tuple(row["messages"]), row["cause"]) for row in rows)


def load_rows() -> Iterator[dict[str, str]]:
    """The lines of all hands."""
    for path in sorted(FOLDER.glob("*.jsonl")):
        yield from map(json.loads, path.read_text("utf-8").splitlines())


def _of_tickets() -> Iterator[Told]:
    for path in sorted(LIBRARIES.glob("*/tickets/*.jsonl")):
        for row in map(json.loads, path.read_text("utf-8").splitlines()):
            texts = [row["description"], *(each["description"] for each in row["anomalies"])]
            yield from (Told(text, row["root_cause_id"]) for text in texts)


def _of_libraries() -> Iterator[Told]:
    for name, cause in load_causes().items():
        texts: Iterable[str] = (text for key in ("name", "mechanism", "plain") for text in cause.get(key, {}).values())
        aliases = (text for some in cause.get("aliases", {}).values() for text in some)
        yield from (Told(text, name) for text in (*texts, *aliases))


def digest_inputs() -> str:
    """Digest of all that the weights depend on."""
    constants = VERSION, PASSES, learning.LARGEST_STEP, learning.LEAST, _SHARPNESS, _DOUBTS
    rules = Path(weighted_terms.__file__).read_bytes() + glossary.FILE.read_bytes()
    return hashlib.sha256(repr((constants, _digests(), load_told(), load_talks())).encode() + rules).hexdigest()


def _digests() -> dict[str, str]:
    return {name: digest_names(**cause["name"]) for name, cause in load_causes().items()}


def train() -> bytes:
    """The file of the model that all texts teach, with the numbers that the talks measure."""
    model = learn(load_told())
    sharpness, doubt = measure(model, load_talks())
    return incident_likeness.to_bytes(replace(model, sharpness=sharpness, doubt=doubt, digest=digest_inputs()))


def learn(told: Sequence[Told]) -> Model:
    """A model that is not measured yet. Each cause is told from those that it may stand beside."""
    causes = tuple(sorted({each.cause for each in told}))
    place = {name: at for at, name in enumerate(causes)}
    rivals = np.array([[_may_stand_beside(one, other) for other in causes] for one in causes])
    texts = [each.text for each in told]
    question = learning.Question([place[each.cause] for each in told], len(causes), rivals)
    linear = learning.learn(texts, (question,), learning.count_rarity(texts), PASSES)
    digests = _digests()
    return Model(causes, tuple(digests[name] for name in causes), linear, 1.0, 0.0, "")


def _may_stand_beside(one: str, other: str) -> bool:
    """Whether causes may be of one case: no case is on two databases, and either may run on the host."""
    return _HOST in (one[:4], other[:4]) or one[:4] == other[:4]


def measure(model: Model, talks: Iterable[Talk]) -> tuple[float, float]:
    """Sharpness and doubt under which the causes of the talks are likeliest, after each of their messages."""
    told = [row for talk in talks for row in _after_each(model, talk)]

    def loss(chosen: tuple[float, float]) -> float:
        tried = replace(model, sharpness=chosen[0], doubt=chosen[1])
        return -sum(float(bits_of(scores, tried)[at]) for scores, at in told)

    return min(((one, other) for one in _SHARPNESS for other in _DOUBTS), key=loss)


def _after_each(model: Model, talk: Talk) -> Iterator[tuple[Floats, int]]:
    """The scores of the causes of one library by the messages up to each, and the place of the right one."""
    beside = [at for at, name in enumerate(model.causes) if name[:4] == talk.cause[:4]]
    scores = np.array([score(model, message, glossary.load())[beside] for message in talk.messages])
    right = [model.causes[at] for at in beside].index(talk.cause)
    yield from ((scores[: count + 1], right) for count in range(len(scores)))
