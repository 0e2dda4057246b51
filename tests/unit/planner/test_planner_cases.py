"""Whole plans by rules against labelled messages."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.planner.plan_scoring import Case, is_right, planned, read_cases

HERE = Path(__file__).parent
SAMPLE = HERE.parents[2].parent / "shared" / "data" / "utterances_dev.jsonl"


def wrong(cases: list[Case]) -> list[str]:
    """The ids of the cases whose plan is not right."""
    return [case.id for case in cases if not is_right(case, planned(case)[1])]


@pytest.mark.parametrize(("name", "floor"), [("dev", 0.98), ("held_out", 0.97), ("fresh", 0.9)])
def test_labelled_messages_get_their_whole_plan(name: str, floor: float) -> None:
    """The share of messages whose whole plan is right stays at what was reached."""
    cases = read_cases(HERE / "cases" / f"{name}.jsonl")
    missed = wrong(cases)
    print(f"{name}: {len(cases) - len(missed)} of {len(cases)} right; wrong: {missed}")
    assert len(cases) - len(missed) >= floor * len(cases), missed


def test_the_sample_messages_get_their_whole_plan() -> None:
    """At least 27 of the 30 sample messages get the plan that is right for them, compared as their page says."""
    if not SAMPLE.exists():
        pytest.skip(f"the sample messages are not there: {SAMPLE.name}")
    cases = read_cases(SAMPLE)
    missed = wrong(cases)
    print(f"sample: {len(cases) - len(missed)} of {len(cases)} right; wrong: {missed}")
    assert len(cases) - len(missed) >= 27, missed
