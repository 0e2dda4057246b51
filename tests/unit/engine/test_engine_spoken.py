"""What the words of an incident as a whole do to the belief."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.chassis.errors import InvalidInput
from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.model import (
    DiagnoseRequest,
    Evidence,
    ExplainRequest,
    Likeness,
    ScoringRule,
    Verdict,
    WhatIfRequest,
)
from tests.support.engine_graphs import library, three_causes

YES = Verdict.CONFIRMED
CAUSES = ("RC-0001", "RC-0002", "RC-0003")
BITS = st.floats(-16, 16)


def _beliefs(request: DiagnoseRequest) -> dict[str, float]:
    found = diagnose(library(three_causes()), request)
    return {each.root_cause_id: each.confidence for each in found.hypotheses} | {"OTHER": found.other_confidence}


@given(BITS, BITS)
def test_bits_are_odds(first: float, second: float) -> None:
    """Words move the odds of a cause against "something else" by exactly their bits, whatever else is known."""
    request = DiagnoseRequest(evidence=(Evidence("P-0001", YES),))
    before = _beliefs(request)
    after = _beliefs(replace(request, likeness=(Likeness("RC-0001", first), Likeness("RC-0003", second))))
    for name, bits in (("RC-0001", first), ("RC-0002", 0.0), ("RC-0003", second)):
        moved = math.log2(after[name] / after["OTHER"]) - math.log2(before[name] / before["OTHER"])
        assert moved == pytest.approx(bits, abs=1e-6)


def test_an_explanation_with_words_adds_up() -> None:
    """Prior, words and answers add up to the odds that are shown, and the prior is that of the library."""
    model, evidence = library(three_causes()), (Evidence("P-0001", YES), Evidence("P-0002", YES))
    plain = explain_belief(model, ExplainRequest(evidence=evidence, root_cause_id="RC-0002"))
    heard = explain_belief(
        model, ExplainRequest(evidence=evidence, root_cause_id="RC-0002", likeness=(Likeness("RC-0002", 2.5),))
    )
    assert (plain.prior_odds_bits, plain.likeness_bits) == (heard.prior_odds_bits, 0.0)
    assert heard.likeness_bits == pytest.approx(2.5)
    total = heard.prior_odds_bits + heard.likeness_bits + sum(item.bits for item in heard.contributions)
    assert total == pytest.approx(heard.posterior_odds_bits)
    assert math.log2(heard.confidence / heard.other_confidence) == pytest.approx(total)


def test_words_alone_conclude_nothing() -> None:
    """What is concluded with words is concluded without them as well, and words against it hold it back."""
    model = library(three_causes())
    for cause in CAUSES:
        assert diagnose(model, DiagnoseRequest(likeness=(Likeness(cause, 16.0),))).conclusion is None
    answers = (Evidence("P-0001", YES), Evidence("P-0002", YES), Evidence("P-0003", Verdict.DENIED))
    plain = DiagnoseRequest(evidence=answers, threshold=0.6)
    concluded = diagnose(model, plain).conclusion
    assert concluded is not None
    for cause in CAUSES:
        found = diagnose(model, replace(plain, likeness=(Likeness(cause, 12.0),))).conclusion
        assert found is None or found.root_cause_id == concluded.root_cause_id


def test_what_words_alone_make_sure_is_asked_about() -> None:
    """While words make sure of a cause and the answers do not, the questions are those that would be asked without."""
    model, answers = library(three_causes()), (Evidence("P-0001", YES),)
    plain = diagnose(model, DiagnoseRequest(evidence=answers))
    heard = diagnose(model, DiagnoseRequest(evidence=answers, likeness=(Likeness("RC-0001", 16.0),)))
    assert heard.hypotheses[0].confidence > 0.99
    assert plain.recommendations
    assert [each.phenomenon_id for each in heard.recommendations] == [e.phenomenon_id for e in plain.recommendations]


def test_the_baseline_knows_no_words() -> None:
    """The rule of counted shares answers the same with and without the likeness of words."""
    model, request = library(three_causes()), DiagnoseRequest(rule=ScoringRule.SEED)
    assert diagnose(model, request) == diagnose(model, replace(request, likeness=(Likeness("RC-0001", 5.0),)))


def test_an_edit_is_compared_under_the_same_words() -> None:
    """What-if starts from the belief that the words leave."""
    request = WhatIfRequest(replace=(Evidence("P-0002", YES),), likeness=(Likeness("RC-0003", 16.0),))
    assert what_if(library(three_causes()), request).leader_before == "RC-0003"


def test_bad_likeness_is_refused() -> None:
    """Unknown causes, causes named twice and bits out of range are refused by name."""
    bad = (
        ("unknown_root_cause", (Likeness("RC-9999", 1.0),)),
        ("likeness_out_of_range", (Likeness("RC-0001", 1.0), Likeness("RC-0001", 2.0))),
        ("likeness_out_of_range", (Likeness("RC-0001", 17.0),)),
        ("likeness_out_of_range", (Likeness("RC-0001", float("nan")),)),
    )
    for reason, likeness in bad:
        with pytest.raises(InvalidInput) as caught:
            diagnose(library(three_causes()), DiagnoseRequest(likeness=likeness))
        assert caught.value.reason == reason
