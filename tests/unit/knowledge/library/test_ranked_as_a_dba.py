"""The ranking of the shipped causes is the one a DBA would give, also after a no that a DBA would shrug at."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from services.engine.diagnose import diagnose
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import DiagnoseRequest, Evidence, Hypothesis, Verdict
from services.engine.tables.parameters import STRENGTHS
from services.engine.tables.snapshot import NO_STRENGTH
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.compile import compile_libraries
from tests.support.cases import for_each
from tests.support.engine_graphs import library

# told: the facts in the order in which they are learned, a minus before a denied one; `!` stands after the decisive
# sign, `?` before it: what was told up to there many causes show. belief: the least belief in the cause at the end.
SCENARIOS = [json.loads(line) for line in Path(__file__).with_suffix(".jsonl").read_text("utf-8").splitlines()]
DECISIVE = "!"
UNSPECIFIC = "?"
# No cause may be believed more on what many causes show.
MOST_BELIEVED = 0.9
# Complaints, a busy host and circumstances: they come with most causes, so they are the proof of none.
_NUMBERS = (1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 16, 17, 18, 101, 102, 109, 119, 125, 180, 297)
OF_MANY_CAUSES = [f"P-{number:04d}" for number in _NUMBERS]
# By how much the absence of what shows usually or sometimes may lower the odds of its cause.
MOST_LOWERED = {"usually": 10.0, "sometimes": 4.0}


@pytest.fixture(scope="module")
def model() -> ReasoningModel:
    """The shipped knowledge of PostgreSQL."""
    return library(json.loads(compile_libraries([POSTGRESQL])))


def rankings(model: ReasoningModel, told: str) -> Iterator[tuple[list[str], tuple[Hypothesis, ...]]]:
    """What was told so far and the ranking, with the decisive sign and after each later fact."""
    before, after = told.replace(UNSPECIFIC, "").split(DECISIVE)
    later = after.split()
    for count in range(len(later) + 1):
        said = before.split() + later[:count]
        yield said, ranking_of(model, said)


def ranking_of(model: ReasoningModel, said: Sequence[str]) -> tuple[Hypothesis, ...]:
    """The causes after these facts, best first."""
    answers = (Evidence(word.lstrip("-"), Verdict.DENIED if word[0] == "-" else Verdict.CONFIRMED) for word in said)
    return tuple(diagnose(model, DiagnoseRequest(evidence=tuple(answers))).hypotheses)


@for_each("scenario", SCENARIOS, ids=[f"{each['cause']}: {each['told']}" for each in SCENARIOS], every=4)
def test_the_decisive_sign_puts_its_cause_first_and_side_effects_leave_it_there(
    model: ReasoningModel, scenario: dict[str, Any]
) -> None:
    """The cause leads from its decisive sign on: the absence of a possible effect or variant throws down nothing."""
    ranking: tuple[Hypothesis, ...] = ()
    for said, ranking in rankings(model, scenario["told"]):
        assert ranking[0].root_cause_id == scenario["cause"], (said, scenario["why"])
    assert ranking[0].confidence >= scenario.get("belief", 0.0), scenario["why"]


@for_each("told", [each["told"] for each in SCENARIOS if UNSPECIFIC in each["told"]])
def test_no_cause_is_as_good_as_certain_before_a_sign_of_its_own(model: ReasoningModel, told: str) -> None:
    """What many causes show singles out none, in whatever order it is learned and however much of it there is."""
    said = told.split(UNSPECIFIC)[0].split()
    for count in range(1, len(said) + 1):
        leader = ranking_of(model, said[:count])[0]
        assert leader.confidence <= MOST_BELIEVED, (said[:count], leader.root_cause_id)


def test_three_signs_of_many_causes_prove_none(model: ReasoningModel) -> None:
    """Slow, busy and since a release or a job is how most faults look: no three such signs make one cause certain."""
    for said in combinations(OF_MANY_CAUSES, 3):
        leader = ranking_of(model, said)[0]
        assert leader.confidence <= MOST_BELIEVED, (said, leader.root_cause_id)


def test_only_the_absence_of_what_always_shows_nearly_rules_out_a_cause(model: ReasoningModel) -> None:
    """What shows usually or sometimes may be absent, however many tickets recorded it."""
    snapshot, rates = model.snapshot, model.likelihoods
    for edge, phenomenon in enumerate(snapshot.edge_phenomenon):
        strength, cause = int(snapshot.edge_strength[edge]), int(snapshot.edge_cause[edge])
        most = None if strength == NO_STRENGTH else MOST_LOWERED.get(STRENGTHS[strength])
        absent = 1.0 - rates.answer_rate(snapshot, int(phenomenon), cause)
        if most is not None:
            lowered = (1.0 - float(rates.answer_base[phenomenon])) / absent
            assert lowered <= most, (snapshot.cause_ids[cause], snapshot.phenomenon_ids[phenomenon])
