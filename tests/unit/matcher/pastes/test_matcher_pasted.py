"""Outputs as people paste them, labelled with what they show of the shipped PostgreSQL library.

A line of `pasted/*.jsonl` has `want` (each a list of alternatives that are recorded), `allowed` (what may be recorded
beside), `why` and, where the reading is still wrong, `known_wrong`: exactly what it records that is not there. About a
third are of healthy systems.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lang.judging.dialogue import Topics
from services.matcher.message_reader import NO_TOPICS
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

PASTED = Path(__file__).parents[1] / "pasted"
FLOORS: dict[str, float] = yaml.safe_load((PASTED / "floors.yaml").read_text(encoding="utf-8"))
# 24 November 2026, 06:00 UTC: an hour or two after the times in the pastes.
NOW = 1795500000.0
Paste = dict[str, Any]


def pastes_of(name: str) -> list[Paste]:
    lines = (PASTED / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def wanted_of(paste: Paste) -> Iterator[frozenset[str]]:
    for verdict, several in paste["want"].items():
        yield from (frozenset(f"{name}:{verdict}" for name in names) for names in several)


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, frozenset[str]]]:
    """For each file what each of its pastes records, as `P-0001:confirmed`."""
    reader = shipped_reader()

    def record(message: str) -> frozenset[str]:
        readings = [item.reading for item in reader.read(message, NO_TOPICS, NOW).readings]
        counted = [each for each in readings if each.standing is Standing.COUNTS]
        return frozenset(
            f"{each.phenomenon_id}:{each.verdict.name.lower()}"
            for each in counted
            if each.verdict in (Verdict.CONFIRMED, Verdict.DENIED)
        )

    return {name: {each["id"]: record(each["message"]) for each in pastes_of(name)} for name in FLOORS}


def test_every_file_has_a_floor() -> None:
    """A file of pastes without a floor would be tested for nothing."""
    assert {path.stem for path in PASTED.glob("*.jsonl")} == FLOORS.keys()


@for_each("name", FLOORS)
def test_nothing_is_recorded_that_is_not_shown(name: str, recorded: dict[str, dict[str, frozenset[str]]]) -> None:
    """A paste records what it shows and nothing else; errors that are known are exactly the ones listed."""
    for paste in pastes_of(name):
        rightful = frozenset(paste["allowed"]).union(*wanted_of(paste))
        wrong = recorded[name][paste["id"]] - rightful
        assert wrong == frozenset(paste.get("known_wrong", [])), paste["message"]


@pytest.mark.slow
@for_each("name", FLOORS)
def test_recall_stays_at_what_was_reached(name: str, recorded: dict[str, dict[str, frozenset[str]]]) -> None:
    """Of what the pastes show no less is recorded than the floor of their file."""
    wanted = [(each["id"], alternatives) for each in pastes_of(name) for alternatives in wanted_of(each)]
    shown = sum(bool(alternatives & recorded[name][paste]) for paste, alternatives in wanted)
    assert shown / len(wanted) >= FLOORS[name]


@pytest.mark.sampled
@for_each("name", FLOORS, every=3)
def test_the_age_of_what_is_dated_needs_a_clock(name: str) -> None:
    """Without the time of the message no dated paste records more than with it."""
    reader = shipped_reader()
    for paste in pastes_of(name):
        with_clock, without = (
            {
                item.reading.phenomenon_id
                for item in reader.read(paste["message"], NO_TOPICS, now).readings
                if item.reading.standing is Standing.COUNTS and item.reading.verdict is Verdict.CONFIRMED
            }
            for now in (NOW, 0.0)
        )
        assert without <= with_clock, paste["message"]


def test_an_output_alone_is_no_answer_in_words() -> None:
    """A message that is all output says nothing in words, whatever was asked before it."""
    topics = Topics(asked="P-0021", words="update on stock hangs", said="P-0004", pending=("P-0091",))
    rows = " pid  | wait_event_type | query\n------+-----------------+--------\n 3301 | Client          | COMMIT"
    found = shipped_reader().read(rows, topics)
    assert all(item.reading.pasted for item in found.readings)
