"""The eight laws of the engine on random libraries."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.inference.bayes import bind_bayes
from services.engine.inference.evidence import read_answers
from services.engine.kernel.binding import ACCELERATE
from services.engine.model import DiagnoseRequest, Evidence, ExplainRequest, Verdict, WhatIfRequest
from tests.support.engine_graphs import INDEPENDENT, brute_force, cases, document, documents, entropy, library, theta
from tests.support.examples import examples

Case = tuple[dict[str, Any], list[Evidence]]


@pytest.fixture(autouse=True, params=[False, True], ids=["NumPy", "as built"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every law holds with the kernel, where there is one, and without."""
    monkeypatch.setattr("tests.support.engine_graphs.ACCELERATE", ACCELERATE if request.param else None)


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_beliefs_are_a_distribution(case: Case) -> None:
    """Beliefs are at least 0, finite and sum to 1 within 1e-9, whatever the evidence."""
    opened = library(case[0])
    belief = bind_bayes(opened).posterior(read_answers(opened.snapshot, case[1])).belief
    assert np.all(np.isfinite(belief))
    assert np.all(belief >= 0.0)
    assert float(np.add.reduce(belief)) == pytest.approx(1.0, abs=1e-9)


def test_beliefs_are_a_distribution_under_very_long_evidence() -> None:
    """A hundred thousand answers, all against all, still leave a distribution."""
    names = [f"P-{index:04d}" for index in range(3000)]
    opened = library(document({"RC-0001": dict.fromkeys(names, "always"), "RC-0002": {}}, [], 3000))
    evidence = [Evidence(name, Verdict.DENIED if at % 2 else Verdict.CONFIRMED) for at, name in enumerate(names)] * 34
    found = diagnose(opened, DiagnoseRequest(evidence=tuple(evidence)))
    total = sum(item.confidence for item in found.hypotheses) + found.other_confidence
    assert total == pytest.approx(1.0, abs=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(cases(), st.randoms(use_true_random=False))
def test_the_order_of_evidence_never_matters(case: Case, shuffler: random.Random) -> None:
    """Shuffled and repeated evidence gives exactly the same diagnosis."""
    opened = library(case[0])
    shuffled = case[1] * 2
    shuffler.shuffle(shuffled)
    given_order = diagnose(opened, DiagnoseRequest(evidence=tuple(case[1])))
    assert diagnose(opened, DiagnoseRequest(evidence=tuple(shuffled))) == given_order


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_retracted_equals_never_said_and_corrected_equals_said_so_at_first(case: Case) -> None:
    """Evidence taken out or replaced by WhatIf gives exactly the belief of evidence that never had it."""
    content, evidence = case
    assume(evidence)
    opened = library(content)
    first, rest = evidence[0], evidence[1:]
    corrected = Evidence(first.phenomenon_id, Verdict.DENIED, 0.7)
    without = what_if(opened, WhatIfRequest(evidence=tuple(evidence), retract_phenomenon_ids=(first.phenomenon_id,)))
    fixed = what_if(opened, WhatIfRequest(evidence=tuple(evidence), replace=(corrected,)))
    plain = diagnose(opened, DiagnoseRequest(evidence=tuple(rest))).hypotheses[0]
    said = diagnose(opened, DiagnoseRequest(evidence=(corrected, *rest))).hypotheses[0]
    assert (without.leader_after, without.leader_confidence_after) == (plain.root_cause_id, plain.confidence)
    assert (fixed.leader_after, fixed.leader_confidence_after) == (said.root_cause_id, said.confidence)


@settings(max_examples=examples(60), deadline=None)
@given(cases(), st.integers(0, 7))
def test_prior_odds_and_contributions_make_posterior_odds(case: Case, choice: int) -> None:
    """Prior odds plus the contributions' bits are the posterior odds, and those are the beliefs' own, within 1e-9."""
    opened = library(case[0])
    cause = opened.snapshot.cause_ids[choice % len(opened.snapshot.cause_ids)]
    told = explain_belief(opened, ExplainRequest(evidence=tuple(case[1]), root_cause_id=cause))
    summed = told.prior_odds_bits + sum(item.bits for item in told.contributions)
    assert summed == pytest.approx(told.posterior_odds_bits, abs=1e-9)
    assert told.posterior_odds_bits == pytest.approx(math.log2(told.confidence / told.other_confidence), abs=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_gain_is_the_expected_fall_of_entropy(case: Case) -> None:
    """Each gain is entropy before less expected entropy after, by brute force, and in [0, min(1, H)]."""
    opened = library(case[0], INDEPENDENT)
    reasoner = bind_bayes(opened)
    state = reasoner.posterior(read_answers(opened.snapshot, case[1]))
    size = len(opened.snapshot.phenomenon_ids)
    found, chosen_by = reasoner.exact_gains(state, np.arange(size)), reasoner.gains(state)
    assert found.bits == pytest.approx(chosen_by.bits, abs=1e-13)
    assert found.yes == pytest.approx(chosen_by.yes, abs=1e-13)
    belief = [float(share) for share in state.belief]
    for phenomenon in range(size):
        yes = [share * theta(opened, phenomenon, cause) for cause, share in enumerate(belief)]
        no = [share - part for share, part in zip(belief, yes, strict=True)]
        after = sum(sum(part) * entropy([share / sum(part) for share in part]) for part in (yes, no))
        assert found.bits[phenomenon] == pytest.approx(entropy(belief) - after, abs=1e-13)
        assert 0.0 <= found.bits[phenomenon] <= min(1.0, entropy(belief) + 1e-12)
        assert found.yes[phenomenon] == pytest.approx(sum(yes), abs=1e-12)


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_recommended_gains_hold_when_the_answers_are_given(case: Case) -> None:
    """Asking and then diagnosing again, the expected entropy falls by what was announced."""
    opened = library(case[0], INDEPENDENT)
    now = diagnose(opened, DiagnoseRequest(evidence=tuple(case[1])))
    for asked in now.recommendations:
        expected = 0.0
        for verdict, outcome in ((Verdict.CONFIRMED, asked.if_yes), (Verdict.DENIED, asked.if_no)):
            evidence = (*case[1], Evidence(asked.phenomenon_id, verdict))
            then = diagnose(opened, DiagnoseRequest(evidence=evidence))
            expected += outcome.probability * then.entropy_bits
            announced = [item.confidence for item in outcome.beliefs]
            assert announced == pytest.approx([item.confidence for item in then.hypotheses[:3]], abs=2e-12)
        assert asked.information_gain_bits == pytest.approx(now.entropy_bits - expected, abs=1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(documents())
def test_gain_is_zero_where_all_causes_answer_alike(content: dict[str, Any]) -> None:
    """A phenomenon that every cause shows equally often tells nothing."""
    opened = library(content, replace(INDEPENDENT, answer_noise=0.5))
    reasoner = bind_bayes(opened)
    state = reasoner.posterior(())
    assert np.max(reasoner.gains(state).bits) <= 1e-12
    assert np.max(reasoner.exact_gains(state, np.arange(len(content["phenomena"]))).bits) <= 1e-12


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_unknown_and_score_zero_leave_the_belief_unchanged(case: Case) -> None:
    """An answer of unknown, or a score of 0, is exactly as if nothing was said."""
    opened = library(case[0])
    reasoner = bind_bayes(opened)
    silent = [
        item._replace(verdict=Verdict.UNKNOWN) if at % 2 else item._replace(score=0.0)
        for at, item in enumerate(case[1])
    ]
    for said in (silent, [*silent[1:], *case[1][:1]]):
        counting = [item for item in said if item.verdict is not Verdict.UNKNOWN and item.score > 0.0]
        left = reasoner.posterior(read_answers(opened.snapshot, said)).belief
        right = reasoner.posterior(read_answers(opened.snapshot, counting)).belief
        assert left.tobytes() == right.tobytes()


@settings(max_examples=examples(60), deadline=None)
@given(cases(), st.floats(0.01, 1.0), st.floats(0.01, 1.0))
def test_a_surer_yes_never_favours_causes_that_show_it_less(case: Case, one: float, other: float) -> None:
    """Raising the score of a yes never lowers causes above the base rate relative to those below it."""
    content, evidence = case
    assume(evidence)
    opened = library(content)
    low, high = sorted((one, other))
    name = evidence[0].phenomenon_id
    phenomenon = opened.snapshot.phenomenon_index[name]
    base = opened.likelihoods.answer_base[phenomenon]

    def odds(score: float) -> Any:
        said = [Evidence(name, Verdict.CONFIRMED, score), *evidence[1:]]
        belief = bind_bayes(opened).posterior(read_answers(opened.snapshot, said)).belief
        return np.log2(belief[:-1] / belief[-1])

    moved = odds(high) - odds(low)
    rates = np.array([theta(opened, phenomenon, cause) for cause in range(len(moved))])
    assert np.all(moved[rates > base] >= -1e-9)
    assert np.all(moved[rates < base] <= 1e-9)


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_the_vectorised_engine_equals_brute_force(case: Case) -> None:
    """Beliefs equal a reference that walks cause by cause, within 1e-9."""
    opened = library(case[0])
    answers = read_answers(opened.snapshot, case[1])
    ids = opened.snapshot.phenomenon_ids
    state = bind_bayes(opened).posterior(answers)
    weights = {
        ids[answer.phenomenon]: weight
        for answer, weight in zip(state.answer_bits.answers, state.answer_bits.weights, strict=True)
    }
    assert state.belief == pytest.approx(np.array(brute_force(opened, case[1], weights)), abs=1e-9)
