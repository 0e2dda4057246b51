"""Sentences as people say them, labelled with what they say of a shipped library: the host's, or PostgreSQL's.

A line of `spoken/*.jsonl` has `want` (each a list of alternatives that are recorded), `allowed` (what may be recorded
beside) and, where the reading is still wrong, `known_wrong`: exactly what it records that nobody said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.knowledge.library.shipped_libraries import locate
from services.knowledge.snapshots.compile import compile_libraries
from services.matcher.index.entries import read_world
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.examples import every
from tests.support.matching import shipped_reader

SPOKEN = Path(__file__).parents[1] / "spoken"
FLOORS: dict[str, float] = yaml.safe_load((SPOKEN / "floors.yaml").read_text(encoding="utf-8"))
Sentence = dict[str, Any]


def sentences_of(name: str) -> list[Sentence]:
    lines = (SPOKEN / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


@cache
def reader_of(library: str) -> MessageReader:
    """The reader of a shipped library, made once for all files about it."""
    return MessageReader(read_world(compile_libraries([locate("host")]))) if library == "host" else shipped_reader()


def wanted_of(sentence: Sentence) -> Iterator[frozenset[str]]:
    for verdict, several in sentence["want"].items():
        yield from (frozenset(f"{name}:{verdict}" for name in names) for names in several)


@cache
def recorded(name: str, message: str) -> frozenset[str]:
    """What a sentence of a file records, as `P-0001:confirmed`."""
    reader = reader_of("host" if name.startswith("host") else "postgresql")
    readings = [item.reading for item in reader.read(message).readings]
    counted = [each for each in readings if each.standing is Standing.COUNTS]
    return frozenset(
        f"{each.phenomenon_id}:{each.verdict.name.lower()}"
        for each in counted
        if each.verdict in (Verdict.CONFIRMED, Verdict.DENIED)
    )


def heard(name: str, every: int = 1) -> list[bool]:
    """Whether each thing that one sentence of a file in so many says is recorded."""
    said = [(each["message"], wanted) for each in sentences_of(name)[::every] for wanted in wanted_of(each)]
    return [bool(wanted & recorded(name, message)) for message, wanted in said]


def test_every_file_has_a_floor() -> None:
    """A file of sentences without a floor would be tested for nothing."""
    assert {path.stem for path in SPOKEN.glob("*.jsonl")} == FLOORS.keys()


@pytest.mark.slow
@every(4)
@pytest.mark.parametrize("name", FLOORS)
def test_nothing_is_recorded_that_was_not_said(name: str, every: int) -> None:
    """A sentence records what was said and what that implies; errors that are known are exactly the ones listed."""
    for sentence in sentences_of(name)[::every]:
        rightful = frozenset(sentence["allowed"]).union(*wanted_of(sentence))
        wrong = recorded(name, sentence["message"]) - rightful
        assert wrong == frozenset(sentence.get("known_wrong", [])), sentence["message"]


@pytest.mark.slow
def test_most_of_what_a_fourth_of_the_sentences_say_is_recorded() -> None:
    """Over all files, as much as their floors ask for, but for what chance may take away."""
    found = {name: heard(name, every=4) for name in FLOORS}
    asked = sum(FLOORS[name] * len(each) for name, each in found.items())
    assert sum(map(sum, found.values())) >= 0.97 * asked


@pytest.mark.slow
@pytest.mark.parametrize("name", FLOORS)
def test_recall_stays_at_what_was_reached(name: str) -> None:
    """Of what the sentences say no less is recorded than the floor of their file."""
    found = heard(name)
    assert sum(found) / len(found) >= FLOORS[name]
