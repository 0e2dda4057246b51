"""Readings weighed by how they fit all that was told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.turn.tools.coherence import probability_of

OWN, FIT = st.floats(0.5, 1.0), st.floats(-10, 10)


@given(OWN, FIT, st.floats(0, 5))
def test_what_fits_better_is_likelier(own: float, fit: float, more: float) -> None:
    """The same words are never less likely read right where they fit better."""
    assert probability_of(own, fit + more) >= probability_of(own, fit)


@given(OWN, FIT)
def test_a_probability_stays_one(own: float, fit: float) -> None:
    """No fit makes sure, and none rules out."""
    assert 0.0 < probability_of(own, fit) < 1.0


def test_sure_words_outweigh_a_poor_fit() -> None:
    """Words that say a thing plainly count although little else speaks for it, vague ones do not."""
    assert probability_of(0.99, 0.0) >= 0.59
    assert probability_of(0.9, -3.0) < 0.3
    assert probability_of(0.9, 4.0) == pytest.approx(0.71, abs=0.05)
