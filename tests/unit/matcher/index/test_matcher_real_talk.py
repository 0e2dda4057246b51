"""What people on call told in real talks, in their own words, and what is heard of it; nothing learned from them.

A line of `recognised/talk_*.jsonl` has the words; `want`, each a list of alternatives; `allowed`, what may be recorded
beside; `asked`, what was being asked when they came; and the library, if it is not that of PostgreSQL.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from lang import embedding
from lang.concepts import glossary
from services.knowledge.library.shipped_libraries import locate
from services.knowledge.snapshots.compile import compile_libraries
from services.matcher.index.entries import name_of, read_snapshot
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import Interpretation, MatchPhenomenaRequest, Observation, Standing, Verdict
from services.matcher.training import recogniser_weights

pytestmark = pytest.mark.slow

TALKS = Path(__file__).parents[1] / "recognised"
FLOORS: dict[str, dict[str, float]] = yaml.safe_load((TALKS / "talk_floors.yaml").read_text(encoding="utf-8"))
_OPPOSITE = (Verdict.CONFIRMED, Verdict.DENIED)
Told = dict[str, Any]


@pytest.fixture(scope="session")
def mysql_matcher(kept_in: Path) -> Matcher:
    """A matcher over MySQL's library."""
    content = compile_libraries([locate("mysql")])
    library = FixedSource(read_snapshot(content, name_of(content)))
    words, embedder = glossary.load(), embedding.load()
    return Matcher(Snapshots(library, Store(None, 5.0), words, embedder, kept_in=kept_in / "mysql"), words, embedder)


@cache
def told(name: str) -> list[Told]:
    return [json.loads(line) for line in (TALKS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def hear(matcher: Matcher, each: Told) -> Interpretation:
    """What words say where they answer what was asked."""
    asked = tuple(each.get("asked", ()))
    words = (Observation(each["message"], start=0),)
    request = MatchPhenomenaRequest("", words, message=each["message"], pending_phenomenon_ids=asked)
    return asyncio.run(matcher.match(request)).interpretations[0]


def said(meaning: Interpretation, *standings: Standing) -> frozenset[str]:
    """The readings of these standings, as `P-0001:confirmed`."""
    found = [each for each in meaning.readings if each.standing in standings and each.verdict in _OPPOSITE]
    return frozenset(f"{each.phenomenon_id}:{each.verdict.name.lower()}" for each in found if each.verdict)


def wanted_of(each: Told) -> list[frozenset[str]]:
    wanted = [(claim, names) for claim, several in each["want"].items() for names in several]
    return [frozenset(f"{name}:{claim}" for name in names) for claim, names in wanted]


@pytest.fixture(params=FLOORS)
def heard(request: pytest.FixtureRequest, curated_matcher: Matcher, mysql_matcher: Matcher) -> list[Any]:
    """The floors of a file of talks, its lines, and how each is heard."""
    lines = told(request.param)
    found = [hear(mysql_matcher if each.get("library") == "mysql" else curated_matcher, each) for each in lines]
    return [FLOORS[request.param], lines, found]


def test_what_was_told_is_recorded_or_at_least_asked_back(heard: list[Any]) -> None:
    """Of the facts told in real talks no fewer are recorded, and no fewer recorded or asked back, than was reached."""
    floors, lines, found = heard
    wanted = [
        (alternatives, meaning) for each, meaning in zip(lines, found, strict=True) for alternatives in wanted_of(each)
    ]
    recorded = sum(bool(alternatives & said(meaning, Standing.COUNTS)) for alternatives, meaning in wanted)
    either = sum(
        bool(alternatives & said(meaning, Standing.COUNTS, Standing.PROPOSED)) for alternatives, meaning in wanted
    )
    assert recorded / len(wanted) >= floors["recorded"]
    assert either / len(wanted) >= floors["either"]


def test_little_is_recorded_that_was_not_told(heard: list[Any]) -> None:
    """Of the lines of real talks no more are recorded as what they do not say than was reached."""
    floors, lines, found = heard
    wrong = {
        each["message"]: extra
        for each, meaning in zip(lines, found, strict=True)
        if (extra := said(meaning, Standing.COUNTS) - frozenset(each["allowed"]).union(*wanted_of(each)))
    }
    assert len(wrong) / len(lines) <= floors["wrong"], wrong


def test_the_recogniser_learned_from_none_of_it() -> None:
    """What measures is none of what teaches."""
    learned = {sentence.text for sentence in recogniser_weights.load_sentences()}
    assert not learned & {each["message"] for name in FLOORS for each in told(name)}
