"""A small library written out in full, against the same library by its links alone."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.engine import table
from services.engine.answers import read_answers
from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.model import DiagnoseRequest, Evidence, ExplainRequest, Verdict, WhatIfRequest
from services.engine.parameters import DEFAULT_PARAMETERS, Parameters
from services.engine.reasoner import BayesReasoner, TableReasoner
from tests.unit.engine.graphs import cases, library, three_causes

Case = tuple[dict[str, Any], list[Evidence]]
# Redundancy as it is, and a great deal of it.
MODELS = (DEFAULT_PARAMETERS, replace(DEFAULT_PARAMETERS, redundancy_floor=0.01, redundancy_shrinkage=0.1))


def assert_alike(left: object, right: object) -> None:
    """The same shape, ids and order; numbers as near as rounding leaves them."""
    if is_dataclass(left):
        assert type(left) is type(right)
        for field in fields(left):
            assert_alike(getattr(left, field.name), getattr(right, field.name))
    elif isinstance(left, tuple):
        assert isinstance(right, tuple)
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_alike(one, other)
    elif isinstance(left, float):
        # Reported numbers are rounded to twelve decimals, so two that hardly differ may differ by one of these.
        assert left == pytest.approx(right, rel=1e-11, abs=2e-12)
    else:
        assert left == right


@settings(max_examples=80, deadline=None)
@given(cases(), st.sampled_from(MODELS))
def test_diagnosed_in_full_or_by_links_is_the_same(case: Case, model: Parameters) -> None:
    """Both ways give the same ids in the same order, and the same numbers, hypotheses, questions and conclusion."""
    opened = library(case[0], model)
    assert opened.table is not None
    request = DiagnoseRequest(
        evidence=tuple(case[1]), max_hypotheses=50, max_recommendations=50, threshold=0.6 if case[1] else None
    )
    assert_alike(diagnose(opened, request), diagnose(replace(opened, table=None), request))


@settings(max_examples=40, deadline=None)
@given(cases(), st.sampled_from(MODELS))
def test_explained_and_edited_in_full_or_by_links_is_the_same(case: Case, model: Parameters) -> None:
    """Explanations, overturns and what-ifs agree as well."""
    opened = library(case[0], model)
    links = replace(opened, table=None)
    asked = case[0]["phenomena"][0]["id"]
    explained = ExplainRequest(evidence=tuple(case[1]), phenomenon_id=asked)
    assert_alike(explain_belief(opened, explained), explain_belief(links, explained))
    edited = WhatIfRequest(evidence=tuple(case[1]), replace=(Evidence(asked, Verdict.DENIED),))
    assert_alike(what_if(opened, edited), what_if(links, edited))


@settings(max_examples=60, deadline=None)
@given(cases(), st.sampled_from(MODELS))
def test_what_answers_say_is_the_same_either_way(case: Case, model: Parameters) -> None:
    """Beliefs, gains, rates, bits, surprises, pairs and the belief had without an answer agree within 1e-12."""
    opened = library(case[0], model)
    assert opened.table is not None
    answers = read_answers(opened.snapshot, case[1])
    full, links = TableReasoner(opened, opened.table), BayesReasoner(opened)
    left, right = full.posterior(answers), links.posterior(answers)
    causes, every = list(range(len(left.causes)))[::-1], np.arange(len(opened.snapshot.phenomenon_ids))
    assert set(np.unique(right.told.causes)) <= set(left.told.causes)
    for one, other in (
        (left.belief, right.belief),
        (left.told.base, right.told.base),
        (left.told.rates_of(causes), right.told.rates_of(causes)),
        (left.told.bits_of(causes), right.told.bits_of(causes)),
        (left.told.best_bits(), right.told.best_bits()),
        (full.exact_gains(left, every).bits, links.exact_gains(right, every).bits),
        (full.gains(left).yes, links.gains(right).yes),
        *zip(left.told.unexpected(0), right.told.unexpected(0), strict=True),
    ):
        assert one == pytest.approx(other, abs=1e-12)
    for at in range(len(left.told.answers)):
        for given_ in (0.0, 1.0):
            one, other = left.told.had(left.belief, at, given_), right.told.had(right.belief, at, given_)
            assert one / np.add.reduce(one) == pytest.approx(other / np.add.reduce(other), abs=1e-12)


def test_a_library_is_written_out_up_to_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written out depends on the numbers of causes and phenomena alone."""
    content = three_causes()
    monkeypatch.setattr(table, "_MOST", 5 * 4)
    assert library(content).table is not None
    monkeypatch.setattr(table, "_MOST", 5 * 4 - 1)
    assert library(content).table is None
