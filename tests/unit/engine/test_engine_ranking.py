"""The fast ways of choosing questions, against the plain one that works out every number exactly."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.engine.diagnose import diagnose, explain_belief
from services.engine.inference import gain_bounds
from services.engine.inference.bayes import BayesReasoner
from services.engine.inference.evidence import read_answers
from services.engine.inference.gain import prices, product_of
from services.engine.inference.gain_bounds import bound_gains
from services.engine.inference.lookahead import add_answer
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import DiagnoseRequest, Evidence, ExplainRequest, Verdict
from services.engine.results.recommendation import FEWEST_BITS, Ranking, rank
from services.engine.tables.numerics import (
    entropy_bits,
    log2,
    log2_scalar,
    nth_greatest,
    order_descending,
    round_all,
    round_reported,
)
from services.engine.tables.parameters import STRENGTHS
from tests.support.engine_graphs import cases, document, library
from tests.support.examples import examples

Case = tuple[dict[str, Any], list[Evidence]]


def plainly_best(ranking: Ranking, count: int) -> list[tuple[int, float]]:
    """The best questions and their ranks when every phenomenon is worked out exactly."""
    snapshot, redundancy = ranking.reasoner.model.snapshot, ranking.reasoner.model.likelihoods.redundancy
    size = len(snapshot.phenomenon_ids)
    bits = ranking.reasoner.exact_gains(ranking.state, np.arange(size)).bits
    fresh = redundancy.novelty(ranking.state.answer_bits.phenomena)
    scores = bits * np.array([fresh.get(at, 1.0) for at in range(size)]) / prices(snapshot.costs)
    open_ = [at for at in range(size) if bits[at] >= FEWEST_BITS and at not in ranking.closed]
    return [(open_[at], round_reported(scores[open_[at]])) for at in order_descending(scores[open_], count)]


def priced(content: dict[str, Any]) -> dict[str, Any]:
    """The library with costs from 1 to 3."""
    for at, entry in enumerate(content["phenomena"]):
        entry["cost"] = 1 + at % 3
    return content


def looked_at_all(opened: ReasoningModel) -> ReasoningModel:
    return replace(opened, bounds=None, accelerate=None)


def promising(opened: ReasoningModel) -> ReasoningModel:
    return replace(opened, bounds=bound_gains(opened.snapshot, opened.likelihoods, opened.product), accelerate=None)


@settings(max_examples=examples(80), deadline=None)
@given(cases(), st.integers(1, 6))
def test_choosing_by_the_fast_logarithm_finds_what_the_exact_one_finds(case: Case, count: int) -> None:
    """The questions chosen by approximate gains are the best by exact ones, with the exact ranks, ties by id."""
    opened = library(priced(case[0]))
    answers = read_answers(opened.snapshot, case[1])
    reasoner = BayesReasoner(opened)
    ranking = rank(reasoner, answers, reasoner.posterior(answers))
    found = ranking.top(count)
    assert [(item.phenomenon, round_reported(item.score)) for item in found] == plainly_best(ranking, count)
    for at, item in enumerate(found, 1):
        assert ranking.of(item.phenomenon) == item
        if item.bits * 0.5 > FEWEST_BITS:
            assert ranking.place(item.phenomenon) == at


@settings(max_examples=examples(80), deadline=None)
@given(cases(), st.integers(1, 6))
def test_promises_find_what_a_look_at_all_questions_finds(case: Case, count: int) -> None:
    """Looked for by their bounds, questions and ranks are exactly those of a look at all."""
    opened = library(priced(case[0]))
    request = DiagnoseRequest(evidence=tuple(case[1]), max_recommendations=count)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(gain_bounds, "_SHARE_OF_EDGES", 0.01)
        patched.setattr(gain_bounds, "_FIRST_BLOCK", 2)
        found = diagnose(promising(opened), request)
    assert found == diagnose(looked_at_all(opened), request)


@pytest.mark.parametrize("share", [gain_bounds._SHARE_OF_EDGES, 0.01])
def test_promises_hold_on_libraries_of_some_size(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """On hundreds of causes with sparse links most questions are never looked at, and the answer is the same."""
    chance = random.Random(4)
    names = [f"P-{at:04d}" for at in range(1500)]
    links = {f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in chance.sample(names, 12)} for at in range(400)}
    tickets = [(cause, chance.sample(sorted(stated), 4)) for cause, stated in links.items() for _ in range(2)]
    opened = library(priced(document(links, tickets, 1500)))
    monkeypatch.setattr(gain_bounds, "_SHARE_OF_EDGES", share)
    monkeypatch.setattr(gain_bounds, "_FIRST_BLOCK", 16)
    lazily, looked_at = promising(opened), [0]
    plain = BayesReasoner.some_gains
    for length in (0, 1, 2, 4):
        for _, said in tickets[:8]:
            evidence = tuple(Evidence(name, Verdict.CONFIRMED) for name in said[:length])
            request = DiagnoseRequest(evidence=evidence)
            assert diagnose(lazily, request) == diagnose(looked_at_all(opened), request)

    def counted(self: BayesReasoner, state: Any, phenomena: Any) -> Any:
        looked_at[0] += len(phenomena)
        return plain(self, state, phenomena)

    monkeypatch.setattr(BayesReasoner, "some_gains", counted)
    diagnose(lazily, DiagnoseRequest(evidence=tuple(Evidence(name, Verdict.CONFIRMED) for name in tickets[0][1])))
    assert 0 < looked_at[0] < 1000


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_bounds_are_never_below_the_gain(case: Case) -> None:
    """No untouched question tells more than its promise."""
    opened = promising(library(case[0]))
    assert opened.bounds is not None
    reasoner = BayesReasoner(opened)
    state = reasoner.posterior(read_answers(opened.snapshot, case[1]))
    touched = np.unique(state.answer_bits.causes)
    linked = set(opened.snapshot.edge_phenomenon[np.isin(opened.snapshot.edge_cause, touched)].tolist())
    factor = gain_bounds._factor(opened.likelihoods, state, touched)
    bits = reasoner.gains(state).bits
    for phenomenon, most in zip(opened.bounds.phenomena.tolist(), opened.bounds.values.tolist(), strict=True):
        assert phenomenon in linked or bits[phenomenon] <= factor * most + 1e-12


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_outlooks_are_what_diagnosing_again_gives(case: Case) -> None:
    """Beliefs after an answer, whatever redundancy makes of it, are those of a diagnosis with that answer."""
    opened = library(case[0])
    reasoner = BayesReasoner(opened)
    answers = read_answers(opened.snapshot, case[1])
    now = diagnose(opened, DiagnoseRequest(evidence=tuple(case[1]), max_recommendations=50))
    leader = reasoner.posterior(answers).leading(1)[0]
    for asked in now.recommendations:
        phenomenon = opened.snapshot.phenomenon_index[asked.phenomenon_id]
        sides = ((Verdict.CONFIRMED, asked.if_yes, asked.confidence_if_yes),)
        for verdict, outcome, told in (*sides, (Verdict.DENIED, asked.if_no, asked.confidence_if_no)):
            after = reasoner.posterior(add_answer(answers, phenomenon, verdict))
            assert told == pytest.approx(after.of(leader), abs=2e-12)
            expected = [after.of(cause) for cause in after.leading(3)]
            assert [item.confidence for item in outcome.beliefs] == pytest.approx(expected, abs=2e-12)
            for item in outcome.beliefs:
                cause = opened.snapshot.cause_index[item.root_cause_id]
                assert item.confidence == pytest.approx(after.of(cause), abs=2e-12)


@settings(max_examples=examples(40), deadline=None)
@given(cases())
def test_the_compiled_product_is_the_plain_one(case: Case) -> None:
    """Either way of adding up the edges gives the same sums."""
    opened = library(case[0])
    belief = opened.likelihoods.prior[:-1]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("services.engine.inference.gain._BY_PLACE_FROM", 0)
        compiled = product_of(opened.snapshot, opened.likelihoods)(belief)
    assert compiled == pytest.approx(opened.product(belief), abs=1e-15)


@settings(max_examples=examples(60), deadline=None)
@given(cases())
def test_the_entropy_is_that_of_the_belief(case: Case) -> None:
    """The entropy that falls out of the belief's weights is the one of its formula."""
    opened = library(case[0])
    state = BayesReasoner(opened).posterior(read_answers(opened.snapshot, case[1]))
    assert state.entropy_bits == pytest.approx(entropy_bits(state.belief), abs=1e-12)


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=20))
def test_one_logarithm_and_many_have_the_same_bits(values: list[float]) -> None:
    """The scalar logarithm agrees with the array's bit for bit, whatever the array's length."""
    assert [log2_scalar(value) for value in values] == log2(np.array(values)).tolist()


@given(st.lists(st.floats(0.0, 1.0), max_size=20))
def test_what_is_shown_one_by_one_or_together_is_the_same(values: list[float]) -> None:
    """Rounding a number and rounding an array agree bit for bit."""
    assert [round_reported(value) for value in values] == round_all(np.array(values)).tolist()


@given(st.integers(0, 10**6), st.integers(1, 2000), st.integers(1, 9), st.integers(1, 40))
def test_the_nth_greatest_is_that_of_the_sorted_values(seed: int, size: int, different: int, place: int) -> None:
    """Looking at blocks first finds the same value and the same ranking as sorting all, with many ties too."""
    chance = random.Random(seed)
    values = [chance.choice([chance.random(), chance.randrange(different) / different]) for _ in range(size)]
    place = min(place, size)
    assert nth_greatest(np.array(values), place) == sorted(values, reverse=True)[place - 1]
    expected = sorted(range(size), key=lambda at: (-round_reported(values[at]), at))[:place]
    assert order_descending(np.array(values), place) == expected


def test_a_place_counts_what_ranks_higher() -> None:
    """Every open question's place is its position in the whole exact ranking."""
    chance = random.Random(2)
    names = [f"P-{at:04d}" for at in range(30)]
    links = {f"RC-{at:04d}": {name: chance.choice(STRENGTHS) for name in chance.sample(names, 6)} for at in range(12)}
    opened = library(priced(document(links, [], 30)))
    evidence = (Evidence(names[0], Verdict.CONFIRMED),)
    found = diagnose(opened, DiagnoseRequest(evidence=evidence, max_recommendations=50)).recommendations
    for at, asked in enumerate(found, 1):
        told = explain_belief(opened, ExplainRequest(evidence=evidence, phenomenon_id=asked.phenomenon_id))
        assert (told.rank, told.question) == (at, asked)


@given(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.25, 0.25 + 1e-14, 1.0]), max_size=700), st.integers(0, 12))
def test_the_greatest_come_in_the_order_of_a_sort(values: list[float], limit: int) -> None:
    """However few are wanted of however many, they are the first of all of them sorted, ties by position."""
    found = order_descending(np.array(values, dtype=np.float64), limit)
    assert found == sorted(range(len(values)), key=lambda at: -round(max(values[at], -9.0), 12))[:limit]


@pytest.mark.parametrize("as_built", [True, False], ids=["as built", "NumPy"])
def test_a_library_without_phenomena_has_no_questions(as_built: bool) -> None:
    """Causes that nothing is known to show leave nothing to ask, and the prior stands."""
    opened = library(document({"RC-0001": {}, "RC-0002": {}}, [("RC-0001", [])]))
    found = diagnose(opened if as_built else replace(opened, accelerate=None), DiagnoseRequest())
    assert found.recommendations == ()
    assert found.hypotheses[0].root_cause_id == "RC-0001"
