"""Questions, conclusions and explanations on small libraries that a person can follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from services.chassis.errors import DbdiagError, InvalidInput
from services.engine.diagnose import diagnose, explain_belief, what_if
from services.engine.model import (
    DiagnoseRequest,
    Diagnosis,
    Evidence,
    ExplainRequest,
    Hint,
    ScoringRule,
    Verdict,
    WhatIfRequest,
)
from tests.support.cases import for_each
from tests.support.engine_graphs import cases, document, library, three_causes

YES, NO, UNKNOWN = Verdict.CONFIRMED, Verdict.DENIED, Verdict.UNKNOWN


def ask(*answers: tuple[str, Verdict], **changes: Any) -> Diagnosis:
    evidence = tuple(Evidence(name, verdict) for name, verdict in answers)
    return diagnose(library(three_causes()), replace(DiagnoseRequest(evidence=evidence), **changes))


def refused(**changes: Any) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        ask(**changes)
    return caught.value


def test_the_question_that_tells_the_leaders_apart_comes_first() -> None:
    """After a complaint all causes share, what splits them is asked, and what was said is not asked again."""
    found = ask(("P-0001", YES))
    assert found.recommendations[0].phenomenon_id in {"P-0002", "P-0003", "P-0004"}
    assert "P-0001" not in [item.phenomenon_id for item in found.recommendations]
    assert set(found.recommendations[0].related_root_cause_ids) <= {"RC-0001", "RC-0002", "RC-0003"}


def test_unknown_and_excluded_phenomena_are_not_asked_for() -> None:
    """What cannot be checked, and what the caller excludes, is never recommended."""
    found = ask(("P-0002", UNKNOWN), excluded_phenomenon_ids=("P-0003",), max_recommendations=50)
    assert {item.phenomenon_id for item in found.recommendations} == {"P-0001", "P-0004", "P-0005"}


def test_dear_questions_come_after_equally_good_cheap_ones() -> None:
    """Of two phenomena that tell the same, the one that needs an outage is asked last."""
    content = document({"RC-0001": {"P-0001": "always", "P-0002": "always"}, "RC-0002": {}}, [])
    content["phenomena"][0]["cost"] = 5
    found = diagnose(library(content), DiagnoseRequest())
    assert [item.phenomenon_id for item in found.recommendations] == ["P-0002", "P-0001"]
    assert found.recommendations[1].rank_score < found.recommendations[1].information_gain_bits


def test_one_answer_is_no_conclusion() -> None:
    """However telling, a single answer concludes nothing."""
    content = document({"RC-0001": {"P-0001": "always"}, **{f"RC-01{at:02d}": {} for at in range(9)}}, [])
    for cause in content["root_causes"][1:]:
        cause["links"] = [{"phenomenon": "P-0001", "strength": "rarely", "why": {"zh": "", "en": ""}}]
    assert (
        diagnose(library(content), DiagnoseRequest(evidence=(Evidence("P-0001", YES),), threshold=0.51)).conclusion
        is None
    )


def test_a_conclusion_names_what_supports_conflicts_and_stays_open() -> None:
    """Answers that fit one cause conclude it, with its tickets and what was not checked."""
    found = ask(("P-0002", YES), ("P-0001", YES), ("P-0003", NO), ("P-0005", YES), threshold=0.9)
    assert found.conclusion is not None
    assert found.conclusion.root_cause_id == "RC-0001"
    assert found.conclusion.supporting_phenomenon_ids[0] == "P-0002"
    assert found.conclusion.ticket_ids[0] == "TK-0001"


def test_contradicted_typical_phenomena_are_conflicts() -> None:
    """A typical phenomenon that was denied is named against the conclusion."""
    found = ask(("P-0002", YES), ("P-0001", NO), ("P-0003", NO), ("P-0004", NO), threshold=0.6)
    assert found.conclusion is not None
    assert "P-0001" in found.conclusion.conflicting_phenomenon_ids


def test_evidence_that_fits_nothing_raises_other_and_surprise() -> None:
    """When all that is typical is denied, something else becomes likelier and the evidence surprises."""
    fitting = ask(("P-0001", YES), ("P-0002", YES))
    unfitting = ask(("P-0001", NO), ("P-0002", NO), ("P-0003", NO), ("P-0004", NO))
    assert unfitting.other_confidence > ask().other_confidence > fitting.other_confidence
    assert unfitting.surprise_bits > fitting.surprise_bits
    assert ask().surprise_bits == 0.0


def test_a_hint_lifts_what_is_shown_and_never_the_belief() -> None:
    """The boost stands apart from the confidence, is capped at 1, and brings its cause into the list."""
    plain = ask(("P-0002", YES))
    hinted = ask(("P-0002", YES), hints=(Hint("RC-0003", 0.2),), max_hypotheses=2)
    shown = {item.root_cause_id: item for item in hinted.hypotheses}
    before = {item.root_cause_id: item for item in plain.hypotheses}
    assert set(shown) == {plain.hypotheses[0].root_cause_id, "RC-0003"}
    assert shown["RC-0003"].confidence == before["RC-0003"].confidence
    assert shown["RC-0003"].effective_confidence == pytest.approx(before["RC-0003"].confidence + 0.2)


@for_each(
    ("changes", "reason"),
    [
        ({"evidence": (Evidence("P-9999", YES),)}, "unknown_phenomenon"),
        ({"evidence": (Evidence("P-0001", YES), Evidence("P-0001", NO))}, "contradictory_evidence"),
        ({"evidence": (Evidence("P-0001", YES, 0.5), Evidence("P-0001", YES))}, "contradictory_evidence"),
        ({"evidence": (Evidence("P-0001", YES, float("nan")),)}, "score_out_of_range"),
        ({"evidence": (Evidence("P-0001", YES, float("inf")),)}, "score_out_of_range"),
        ({"evidence": (Evidence("P-0001", YES, -0.1),)}, "score_out_of_range"),
        ({"evidence": (Evidence("P-0001", Verdict.UNSPECIFIED),)}, "invalid_request"),
        ({"hints": (Hint("RC-9999", 0.1),)}, "unknown_root_cause"),
        ({"hints": (Hint("RC-0001", 0.3),)}, "boost_out_of_range"),
        ({"hints": (Hint("RC-0001", float("nan")),)}, "boost_out_of_range"),
        ({"threshold": 0.5}, "threshold_out_of_range"),
        ({"threshold": float("nan")}, "threshold_out_of_range"),
        ({"max_hypotheses": 101}, "invalid_request"),
        ({"max_recommendations": 51}, "invalid_request"),
        ({"excluded_phenomenon_ids": ("P-9999",)}, "unknown_phenomenon"),
    ],
)
def test_wrong_input_is_refused_with_its_reason(changes: dict[str, object], reason: str) -> None:
    """Each kind of wrong input has its own reason."""
    assert refused(**changes).reason == reason


def test_refusals_name_the_ids() -> None:
    """Unknown ids come back in the details, in order and together."""
    evidence = (Evidence("P-9999", YES), Evidence("P-0001", YES), Evidence("P-8888", NO))
    assert refused(evidence=evidence).details["ids"] == "P-8888,P-9999"


def test_an_explanation_shows_what_would_overturn_the_leader() -> None:
    """Each overturning answer, once given, really puts the cause it names in the lead."""
    evidence = (Evidence("P-0001", YES), Evidence("P-0002", YES))
    opened = library(three_causes())
    told = explain_belief(opened, ExplainRequest(evidence=evidence, phenomenon_id="P-0003"))
    assert told.root_cause_id == "RC-0001"
    assert told.question is not None
    assert told.rank >= 1
    assert told.overturns
    for overturn in told.overturns:
        kept = tuple(item for item in evidence if item.phenomenon_id != overturn.phenomenon_id)
        changed = (*kept, Evidence(overturn.phenomenon_id, overturn.verdict_then))
        leader = diagnose(opened, DiagnoseRequest(evidence=changed)).hypotheses[0]
        assert (leader.root_cause_id, leader.confidence) == (overturn.leader_then, overturn.confidence_then)
        assert leader.root_cause_id != told.root_cause_id


def test_no_unlikely_answer_is_said_to_overturn_the_leader() -> None:
    """An answer to an open question is named only where it may well come."""
    opened, named = library(three_causes()), 0
    for evidence in ((), (Evidence("P-0001", YES),), (Evidence("P-0001", YES), Evidence("P-0002", YES))):
        for overturn in explain_belief(opened, ExplainRequest(evidence=evidence)).overturns:
            if overturn.verdict_now is Verdict.UNSPECIFIED:
                asked = ExplainRequest(evidence=evidence, phenomenon_id=overturn.phenomenon_id)
                question = explain_belief(opened, asked).question
                assert question is not None
                came = question.if_yes if overturn.verdict_then is YES else question.if_no
                assert came.probability >= 0.05
                named += 1
    assert named


def test_an_answered_question_is_explained_as_it_was_worth_asking() -> None:
    """Why a question was asked can be told after it was answered, with its rank at that time."""
    opened = library(three_causes())
    before = diagnose(opened, DiagnoseRequest(evidence=(Evidence("P-0001", YES),)))
    first = before.recommendations[0]
    evidence = (Evidence("P-0001", YES), Evidence(first.phenomenon_id, NO))
    told = explain_belief(opened, ExplainRequest(evidence=evidence, phenomenon_id=first.phenomenon_id))
    assert told.question == first
    assert told.rank == 1


def test_what_if_orders_changes_by_size() -> None:
    """The causes that moved most come first."""
    request = WhatIfRequest(evidence=(Evidence("P-0001", YES),), replace=(Evidence("P-0002", YES),), max_changes=3)
    changes = what_if(library(three_causes()), request).changes
    sizes = [abs(item.confidence_after - item.confidence_before) for item in changes]
    assert sizes == sorted(sizes, reverse=True)
    assert changes[0].root_cause_id == "RC-0001"


@given(cases())
def test_the_seed_rule_never_fails(case: tuple[dict[str, object], list[Evidence]]) -> None:
    """The baseline answers any evidence with a distribution, also where every weight is zero."""
    request = DiagnoseRequest(evidence=tuple(case[1]), rule=ScoringRule.SEED, max_hypotheses=100)
    found = diagnose(library(case[0]), request)
    assert sum(item.confidence for item in found.hypotheses) == pytest.approx(1.0, abs=1e-9)
    assert found.other_confidence == 0.0


def test_the_seed_rule_follows_its_formulas() -> None:
    """prior n/N, a yes times 1 + (k/n - 1) s, a no times 1 - k/n above one half."""
    tickets = (
        [("RC-0001", ["P-0001"])] * 3 + [("RC-0001", [])] + [("RC-0002", ["P-0001", "P-0002"]), ("RC-0002", ["P-0002"])]
    )
    opened = library(document({"RC-0001": {}, "RC-0002": {}}, tickets))
    evidence = (Evidence("P-0001", YES, 0.8), Evidence("P-0002", NO))
    found = diagnose(opened, DiagnoseRequest(evidence=evidence, rule=ScoringRule.SEED)).hypotheses
    weights = {"RC-0001": 4 / 6 * (1 + (3 / 4 - 1) * 0.8), "RC-0002": 2 / 6 * (1 + (1 / 2 - 1) * 0.8) * (1 - 1.0)}
    total = sum(weights.values())
    assert {item.root_cause_id: item.confidence for item in found} == pytest.approx(
        {k: v / total for k, v in weights.items()}
    )


def test_a_library_without_causes_is_refused() -> None:
    """There is nothing to reason over without a root cause."""
    with pytest.raises(DbdiagError, match="no root causes"):
        diagnose(library(document({}, [], 2)), DiagnoseRequest())


def one_telling_answer() -> dict[str, Any]:
    """Two causes that share a complaint; P-0002 tells them apart at once, P-0003 and P-0004 a little."""
    links = {
        "RC-0001": {"P-0001": "usually", "P-0002": "usually", "P-0003": "usually", "P-0004": "sometimes"},
        "RC-0002": {"P-0001": "always", "P-0002": "rarely", "P-0003": "sometimes", "P-0004": "usually"},
    }
    return document(links, [("RC-0001", ["P-0001", "P-0002", "P-0003"])] * 12 + [("RC-0002", ["P-0001"])] * 20)


def test_a_conclusion_that_hangs_on_one_answer_waits_for_another() -> None:
    """At the threshold by one strong answer alone nothing is concluded; one more answer that fits concludes it."""
    opened = library(one_telling_answer())
    said = (Evidence("P-0001", YES), Evidence("P-0002", YES))
    leaning = diagnose(opened, DiagnoseRequest(evidence=said, threshold=0.9))
    assert leaning.hypotheses[0].confidence >= 0.9
    assert leaning.conclusion is None
    more = (*said, Evidence("P-0003", YES), Evidence("P-0004", NO))
    assert diagnose(opened, DiagnoseRequest(evidence=more, threshold=0.9)).conclusion is not None


@given(cases())
def test_conclusions_can_do_without_their_strongest_supporter(case: tuple[dict[str, Any], list[Evidence]]) -> None:
    """What is concluded is well above the threshold, likely without its best support, or past confirming."""
    content, evidence = case
    opened = library(content)
    found = diagnose(opened, DiagnoseRequest(evidence=tuple(evidence), threshold=0.6, max_recommendations=50))
    if found.conclusion is None or found.hypotheses[0].confidence >= 1.0 - 0.4 * (1.0 - 0.6):
        return
    leader, strongest = found.hypotheses[0].root_cause_id, found.conclusion.supporting_phenomenon_ids[:1]
    rest = tuple(item for item in evidence if item.phenomenon_id not in strongest)
    without = diagnose(opened, DiagnoseRequest(evidence=rest, max_hypotheses=50))
    belief = {item.root_cause_id: item.confidence for item in without.hypotheses}
    telling = [item for item in found.recommendations if item.information_gain_bits >= 0.03]
    after = [
        diagnose(
            opened, DiagnoseRequest(evidence=(*evidence, Evidence(item.phenomenon_id, verdict)), max_hypotheses=50)
        )
        for item in telling
        for verdict in (YES, NO)
    ]
    lowest = [item.confidence for each in after for item in each.hypotheses if item.root_cause_id == leader]
    assert belief[leader] >= 0.5 - 1e-9 or min(lowest, default=1.0) >= 0.6 - 1e-9
