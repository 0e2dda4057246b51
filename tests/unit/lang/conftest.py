"""The small vocabulary, and a way to say what a message is evidence of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from lang.judging.judge import Context, Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Predicate, Vocabulary
from tests.support.hearing import Evidence, Judged


@pytest.fixture(scope="session")
def library() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "vocabulary.yaml").read_text("utf-8"))
    return loaded


@pytest.fixture(scope="session")
def vocabulary(library: dict[str, Any]) -> Vocabulary:
    return Vocabulary(**library["vocabulary"])


@pytest.fixture(scope="session")
def reader(vocabulary: Vocabulary) -> Reader:
    return Reader(vocabulary)


@pytest.fixture(scope="session")
def judge(library: dict[str, Any], vocabulary: Vocabulary) -> Judge:
    predicates = {name: [Predicate(**each) for each in several] for name, several in library["predicates"].items()}
    return Judge(predicates, vocabulary)


@pytest.fixture(scope="session")
def evidence(reader: Reader, judge: Judge) -> Judged:
    """What counts at once of a message: verdicts by phenomenon."""

    def evidence_of(message: str, context: Context | None = None) -> Evidence:
        findings = judge.judge(reader.read(message), context)
        return {each.phenomenon_id: each.verdict.value for each in findings if each.standing is Standing.COUNTS}

    return evidence_of


@pytest.fixture(scope="session")
def standings(reader: Reader, judge: Judge) -> Judged:
    """The standing of each finding of a message by phenomenon."""

    def standings_of(message: str, context: Context | None = None) -> Evidence:
        return {each.phenomenon_id: each.standing.value for each in judge.judge(reader.read(message), context)}

    return standings_of
