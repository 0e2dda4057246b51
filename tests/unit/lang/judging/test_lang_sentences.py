"""Labelled sentences in both languages against the shipped PostgreSQL library: floors for what is heard."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from tests.support.shipped_libraries import shipped_library

_SENTENCES = Path(__file__).parents[1] / "sentences.jsonl"
_LIBRARY = Path(__file__).parents[4] / "services/knowledge/library/shipped/postgresql"
_OTHER = {"confirmed": "denied", "denied": "confirmed"}


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[set[tuple[str, str]], set[tuple[str, str]], list[bool]]]:
    """For each sentence its false evidence, that of wrong polarity, and which wanted items were heard."""
    library = shipped_library("postgresql")
    reader = Reader(library.vocabulary)
    judge = Judge({each.id: each.means for each in library.phenomena.values()}, library.vocabulary)
    cases = [json.loads(line) for line in _SENTENCES.read_text("utf-8").splitlines()]
    return [_score(case, reader, judge) for case in cases]


def _score(
    case: dict[str, Any], reader: Reader, judge: Judge
) -> tuple[set[tuple[str, str]], set[tuple[str, str]], list[bool]]:
    findings = judge.judge(reader.read(case["message"]))
    recorded = {(each.phenomenon_id, each.verdict.value) for each in findings if each.standing is Standing.COUNTS}
    wanted = [{(each, verdict) for each in ids} for verdict, ids in _wanted(case)]
    allowed = {tuple(each.split(":")) for each in case["allowed"]}.union(*wanted)
    false = recorded - allowed
    wrong = {(each, verdict) for each, verdict in false if (each, _OTHER[verdict]) in allowed}
    return false, wrong, [bool(each & recorded) for each in wanted]


def _wanted(case: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for verdict in _OTHER:
        yield from ((verdict, ids) for ids in case["want"][verdict])


def test_little_false_evidence_and_most_of_what_is_said_is_heard(
    outcomes: list[tuple[set[tuple[str, str]], set[tuple[str, str]], list[bool]]],
) -> None:
    """False evidence in at most 4 % of the sentences, wrong polarity in 2 %, and three quarters heard."""
    heard = [each for _, _, several in outcomes for each in several]
    assert sum(bool(false) for false, _, _ in outcomes) <= 0.04 * len(outcomes)
    assert sum(bool(wrong) for _, wrong, _ in outcomes) <= 0.02 * len(outcomes)
    assert sum(heard) >= 0.75 * len(heard)
