"""What is learned from a library: rates, priors, redundancy, and the arithmetic they rest on."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.engine.tables.numerics import binary_entropy, entropy_bits, exp2, log2, order_descending
from services.engine.tables.parameters import DEFAULT_PARAMETERS, STRENGTHS
from tests.support.engine_graphs import document, documents, library, three_causes


@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=50))
def test_log2_agrees_with_the_library_function(values: list[float]) -> None:
    """The portable logarithm is right to 1e-15 of its size."""
    expected = np.array([math.log2(value) for value in values])
    assert log2(np.array(values)) == pytest.approx(expected, rel=4e-16, abs=2e-16)


@given(st.lists(st.floats(-1000.0, 0.0), min_size=1, max_size=50))
def test_exp2_agrees_with_the_library_function(values: list[float]) -> None:
    """The portable power is right to 1e-15 of its size."""
    assert exp2(np.array(values)) == pytest.approx(np.array([2.0**value for value in values]), rel=1e-15)


def test_entropies_at_their_ends() -> None:
    """A sure thing has no entropy, a coin has one bit, eight equal causes have three."""
    assert entropy_bits(np.array([0.0, 1.0])) == 0.0
    assert entropy_bits(np.full(8, 0.125)) == pytest.approx(3.0)
    assert binary_entropy(np.array([0.5]))[0] == pytest.approx(1.0)


@given(st.lists(st.sampled_from([0.1, 0.1 + 1e-14, 0.3, 0.2]), max_size=30), st.integers(1, 40))
def test_ranking_breaks_ties_by_position(values: list[float], limit: int) -> None:
    """A cut ranking is the head of the whole one, and noise in the last digits is no difference."""
    rounded = [round(value, 12) for value in values]
    expected = sorted(range(len(values)), key=lambda at: (-rounded[at], at))
    assert order_descending(np.array(values), limit) == expected[:limit]


@given(documents())
def test_rates_are_probabilities(content: dict[str, object]) -> None:
    """Every rate lies strictly between 0 and 1, and the prior sums to 1 with OTHER in it."""
    opened = library(content)
    tables, edges = opened.likelihoods, np.arange(len(opened.snapshot.edge_cause))
    theta = tables.fact_rates(opened.snapshot, edges)
    noisy = tables.answer_leak[opened.snapshot.edge_phenomenon] + tables.surplus.real
    for rates in (theta, noisy, tables.base, tables.answer_leak, tables.answer_base):
        assert np.all((rates > 0.0) & (rates < 1.0))
    assert float(np.add.reduce(tables.prior)) == pytest.approx(1.0)
    assert tables.prior[-1] > 0.0


def test_stronger_words_mean_higher_likelihoods() -> None:
    """always > usually > sometimes > rarely, without any ticket, and unlinked causes show it less than sometimes."""
    links = {f"RC-000{at}": {"P-0001": strength} for at, strength in enumerate(STRENGTHS, 1)}
    opened = library(document({**links, "RC-0005": {"P-0002": "always"}}, []))
    rates = [opened.likelihoods.answer_rate(opened.snapshot, 0, cause) for cause in range(5)]
    assert rates[:4] == sorted(rates[:4], reverse=True)
    assert 0.0 < rates[4] < rates[2]


def test_a_phenomenon_no_ticket_recorded_has_the_base_rate_of_its_links() -> None:
    """Where only experts speak, the base rate is the mean of what they state over all causes."""
    opened = library(document({"RC-0001": {"P-0001": "always"}, "RC-0002": {"P-0002": "usually"}}, []))
    rates = DEFAULT_PARAMETERS.expert_rates
    expected = (rates["always"] + DEFAULT_PARAMETERS.unstated_rate) / 2
    assert opened.likelihoods.base[0] == pytest.approx(expected)


def test_tickets_move_a_likelihood_from_the_stated_rate_to_the_counted_one() -> None:
    """theta = (k + m e) / (n + m)."""
    tickets = [("RC-0001", ["P-0001"])] * 2 + [("RC-0001", ["P-0002"])] * 6
    opened = library(document({"RC-0001": {"P-0001": "always"}, "RC-0002": {"P-0001": "rarely"}}, tickets))
    weight, rate = DEFAULT_PARAMETERS.expert_weight, DEFAULT_PARAMETERS.expert_rates["always"]
    expected = (2 + weight * rate) / (8 + weight)
    assert opened.likelihoods.fact_rates(opened.snapshot, np.array([0]))[0] == pytest.approx(expected)


def test_what_is_recorded_together_beyond_its_cause_counts_less() -> None:
    """Two phenomena that always come together share their weight; independent ones keep it."""
    together = [("RC-0001", ["P-0001", "P-0002", "P-0003"]), ("RC-0001", ["P-0004"])] * 10
    apart = [("RC-0001", ["P-0003"]), ("RC-0001", ["P-0001", "P-0002"])] * 10
    redundancy = library(document({"RC-0001": {}, "RC-0002": {}}, together + apart)).likelihoods.redundancy
    first, second = redundancy.weights([0, 1])
    assert first == second < 0.6
    assert redundancy.weights([0, 2]) == [1.0, 1.0]
    assert redundancy.novelty([0])[1] < 0.4


def test_a_ticket_left_out_leaves_the_library_without_it() -> None:
    """Leaving a ticket out equals compiling a library that never had it."""
    content = three_causes()
    opened = library(content).snapshot.without(1)
    content["tickets"] = content["tickets"][:1] + content["tickets"][2:]
    rebuilt = library(content).snapshot
    assert np.array_equal(opened.edge_hits, rebuilt.edge_hits)
    assert np.array_equal(opened.edge_cause, rebuilt.edge_cause)
    assert np.array_equal(opened.ticket_counts, rebuilt.ticket_counts)
