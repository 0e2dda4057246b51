"""Questions about data that the rules were not made for: dbdiag's own, a hospital's, a carrier's, hotels'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pytest

from tests.benchmarks.analyst import figures
from tests.support.data import hand_warehouses, own_questions
from tests.support.data.warehouse.scoring import Score

# Least share of right answers, and most of wrong ones among the answered.
_FLOORS: dict[str, tuple[Callable[[], Sequence[Score]], float, float]] = {
    "own data in Chinese": (partial(own_questions.score, "zh"), 0.93, 0.03),
    "own data in English": (partial(own_questions.score, "en"), 0.93, 0.05),
    "own data, asked by others in Chinese": (partial(own_questions.score, "asked_zh"), 0.82, 0.08),
    "own data, asked by others in English": (partial(own_questions.score, "asked_en"), 0.82, 0.12),
    "own data, asked blind in Chinese": (partial(own_questions.score, "blind_zh"), 0.92, 0.02),
    "own data, asked blind in English": (partial(own_questions.score, "blind_en"), 0.92, 0.02),
    "own data, asked blind again in Chinese": (partial(own_questions.score, "blind_two_zh"), 0.9, 0.02),
    "own data, asked blind again in English": (partial(own_questions.score, "blind_two_en"), 0.93, 0.02),
    "hospital": (partial(hand_warehouses.score, "hospital", 0.1), 0.86, 0.06),
    "logistics": (partial(hand_warehouses.score, "logistics", 0.1), 0.92, 0.04),
    "hotels": (partial(hand_warehouses.score, "hotels", 0.1), 0.85, 0.06),
}


_FAST = ("own data in Chinese", "hospital")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [*_FAST, *(pytest.param(name, marks=pytest.mark.slow) for name in _FLOORS if name not in _FAST)]
)
def test_answers_agree_with_gold_queries(name: str) -> None:
    """The shares of right and of wrong answers keep their bounds, and each unanswerable question is refused."""
    score, right, wrong = _FLOORS[name]
    scores = score()
    found = figures(scores)
    bad = [f"{one.verdict} {one.case.question}" for one in scores if one.verdict != "right"]
    assert found["right"] >= right, bad
    assert found["wrong_of_answered"] <= wrong, bad
    assert sum(one.verdict == "wrong" for one in scores if one.case.kind == "refuse") == 0, bad
