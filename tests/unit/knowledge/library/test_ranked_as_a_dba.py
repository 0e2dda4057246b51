"""The ranking of the shipped causes is the one a DBA would give, also after a no that a DBA would shrug at."""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from tests.support.engine_graphs import library

# told: the facts in the order in which they are learned, a minus before a denied one; `!` stands after the decisive
# sign. belief: the least belief in the cause at the end.
SCENARIOS = [json.loads(line) for line in Path(__file__).with_suffix(".jsonl").read_text("utf-8").splitlines()]
DECISIVE = "!"
# By how much the absence of what shows usually or sometimes may lower the odds of its cause.
MOST_LOWERED = {"usually": 10.0, "sometimes": 4.0}


@pytest.fixture(scope="module")
def model() -> ReasoningModel:
    """The shipped knowledge of PostgreSQL."""
    return library(json.loads(compile_libraries([POSTGRESQL])))


def rankings(model: ReasoningModel, told: str) -> Iterator[tuple[list[str], tuple[Hypothesis, ...]]]:
    """What was told so far and the ranking, with the decisive sign and after each later fact."""
    before, after = told.split(DECISIVE)
    later = after.split()
    for count in range(len(later) + 1):
        said = before.split() + later[:count]
        answers = (Evidence(word.lstrip("-"), Verdict.DENIED if word[0] == "-" else Verdict.CONFIRMED) for word in said)
        yield said, tuple(diagnose(model, DiagnoseRequest(evidence=tuple(answers))).hypotheses)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[f"{each['cause']}: {each['told']}" for each in SCENARIOS])
def test_the_decisive_sign_puts_its_cause_first_and_side_effects_leave_it_there(
    model: ReasoningModel, scenario: dict[str, Any]
) -> None:
    """The cause leads from its decisive sign on: the absence of a possible effect or variant throws down nothing."""
    ranking: tuple[Hypothesis, ...] = ()
    for said, ranking in rankings(model, scenario["told"]):
        assert ranking[0].root_cause_id == scenario["cause"], (said, scenario["why"])
    assert ranking[0].confidence >= scenario.get("belief", 0.0), scenario["why"]


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
