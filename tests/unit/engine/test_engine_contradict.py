"""Answers that do not go together, and a second cause beside the concluded one."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings

from services.engine.diagnose import diagnose
from services.engine.kernel.binding import ACCELERATE
from services.engine.model import DiagnoseRequest, Diagnosis, Evidence, ScoringRule, Verdict
from tests.support.engine_graphs import cases, document, library, theta
from tests.support.examples import examples

YES, NO = Verdict.CONFIRMED, Verdict.DENIED


@pytest.fixture(autouse=True, params=[False, True], ids=["NumPy", "as built"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What contradicts is the same with the kernel, where there is one, and without."""
    monkeypatch.setattr("tests.support.engine_graphs.ACCELERATE", ACCELERATE if request.param else None)


def two_faults() -> dict[str, Any]:
    """Ten causes with three signs each, of which nobody shares any."""
    signs = {f"RC-{cause:04d}": [f"P-{3 * cause + sign:04d}" for sign in range(3)] for cause in range(10)}
    links = {cause: dict.fromkeys(names, "always") for cause, names in signs.items()}
    return document(links, [(cause, names) for cause, names in signs.items() for _ in range(3)])


def ask(*answers: tuple[str, Verdict], rule: ScoringRule = ScoringRule.BAYES) -> Diagnosis:
    evidence = tuple(Evidence(name, verdict) for name, verdict in answers)
    return diagnose(library(two_faults()), DiagnoseRequest(evidence=evidence, rule=rule))


def test_signs_of_different_causes_contradict_each_other() -> None:
    """Two signs that no cause shows together are named, in id order, with what no cause explains."""
    found = ask(("P-0003", YES), ("P-0000", YES)).contradiction
    assert found is not None
    assert (found.first_phenomenon_id, found.second_phenomenon_id) == ("P-0000", "P-0003")
    assert found.bits >= 3.0


def test_agreeing_answers_do_not_contradict() -> None:
    """Two signs of one cause, one answer, and no answer contradict nothing."""
    assert ask(("P-0000", YES), ("P-0001", YES)).contradiction is None
    assert ask(("P-0000", YES)).contradiction is None
    assert ask().contradiction is None


def test_the_absence_of_what_always_comes_along_contradicts() -> None:
    """A cause's sign and the denial of another that always comes with it do not go together."""
    found = ask(("P-0000", YES), ("P-0001", NO), ("P-0004", NO)).contradiction
    assert found is not None
    assert {found.first_phenomenon_id, found.second_phenomenon_id} == {"P-0000", "P-0001"}


@settings(max_examples=examples(40), deadline=None)
@given(cases())
def test_bits_are_those_of_the_formula(case: tuple[dict[str, Any], list[Evidence]]) -> None:
    """The named pair has the bits of the formula, and no pair of up to twelve answers has more."""
    content, evidence = case
    opened = library(content)
    found = diagnose(opened, DiagnoseRequest(evidence=tuple(evidence))).contradiction
    counting = [item for item in evidence if item.verdict is not Verdict.UNKNOWN and item.score > 0.0]
    pairs = [
        _bits(opened, left, right)
        for at, left in enumerate(counting)
        for right in counting[at + 1 :]
    ]  # fmt: skip
    if found is None:
        assert max(pairs, default=0.0) < 3.0 + 1e-9
    else:
        assert found.bits == pytest.approx(max(pairs), abs=1e-9)


def _bits(opened: Any, left: Evidence, right: Evidence) -> float:
    def factor(item: Evidence, cause: int) -> float:
        phenomenon = opened.snapshot.phenomenon_index[item.phenomenon_id]
        base = float(opened.likelihoods.answer_base[phenomenon])
        yes = item.score * theta(opened, phenomenon, cause) + (1 - item.score) * base
        return yes if item.verdict is YES else 1 - yes

    causes = range(len(opened.likelihoods.prior))
    best = [max(factor(item, cause) for cause in causes) for item in (left, right)]
    both = max(factor(left, cause) * factor(right, cause) for cause in causes)
    return math.log2(best[0] * best[1] / both)


def test_a_second_cause_is_named_for_what_the_first_leaves_unexplained() -> None:
    """With every sign of one cause and one of another, the first is concluded and the second named."""
    found = ask(("P-0000", YES), ("P-0001", YES), ("P-0002", YES), ("P-0003", YES)).conclusion
    assert found is not None
    assert (found.root_cause_id, found.unexplained_phenomenon_ids) == ("RC-0000", ("P-0003",))
    assert found.second_root_cause_id == "RC-0001"
    assert found.second_confidence == ask(("P-0003", YES)).hypotheses[0].confidence


@pytest.mark.parametrize("rule", [ScoringRule.BAYES, ScoringRule.SEED])
def test_nothing_unexplained_needs_no_second_cause(rule: ScoringRule) -> None:
    """A conclusion that explains all that was confirmed names no second cause."""
    found = ask(("P-0000", YES), ("P-0001", YES), ("P-0002", YES), rule=rule).conclusion
    assert found is not None
    assert (found.second_root_cause_id, found.second_confidence) == (None, None)
