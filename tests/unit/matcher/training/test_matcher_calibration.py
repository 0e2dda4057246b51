"""The probabilities of readings are fitted to labelled sentences."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.matcher.probabilities import PROBABILITIES
from services.matcher.training import calibration
from services.matcher.training.calibration import Judged
from tests.benchmarks.hearing_calibration import held_out_error

KINDS = st.sampled_from(["value", "hedged_value", "misspelt_value", "proposed_value", "proposed_hedged_value"])
JUDGED = st.lists(st.builds(Judged, st.text("ab", max_size=3), KINDS, st.booleans()), max_size=60)


@pytest.fixture(scope="module")
def judged() -> Sequence[Judged]:
    return calibration.judge_sentences()


@pytest.mark.slow
def test_the_probabilities_were_fitted_to_these_sentences(judged: Sequence[Judged]) -> None:
    """reading_probabilities.json is what `make train` writes, byte for byte."""
    assert PROBABILITIES.read_text(encoding="utf-8") == calibration.to_json(calibration.fit(judged))


@pytest.mark.slow
def test_readings_know_how_sure_they_are() -> None:
    """On sentences that the probabilities were not fitted to, the calibration error is at most .06."""
    assert held_out_error() <= 0.06


@given(JUDGED)
def test_weaker_forms_are_never_surer(judged: list[Judged]) -> None:
    """A hedge, a misspelt word and a proposal are at most as sure as the kind they are a form of."""
    found = calibration.fit(judged)
    for kind in found:
        for prefix in ("proposed_", "hedged_", "misspelt_"):
            if kind.startswith(prefix) and kind.removeprefix(prefix) in found:
                assert found[kind] <= found[kind.removeprefix(prefix)]
    assert all(0 < probability < 1 for probability in found.values())


@given(JUDGED, st.booleans())
def test_each_sentence_moves_its_kind(judged: list[Judged], is_right: bool) -> None:
    """One more right reading makes a kind surer, or as sure; a wrong one less, or as sure."""
    before = calibration.fit([*judged, Judged("x", "value", not is_right)])["value"]
    after = calibration.fit([*judged, Judged("x", "value", is_right)])["value"]
    assert (after >= before) if is_right else (after <= before)
