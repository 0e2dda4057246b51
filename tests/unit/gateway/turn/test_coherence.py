"""Readings weighed by how they fit all that was told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.turn.tools.coherence import probability_of

OWN, FIT, LENGTH = st.floats(0.5, 1.0), st.floats(-10, 10), st.floats(1, 1000)


@given(OWN, FIT, LENGTH, st.floats(0, 5))
def test_what_fits_better_is_likelier(own: float, fit: float, length: float, more: float) -> None:
    """The same words are never less likely read right where they fit better."""
    assert probability_of(own, fit + more, length) >= probability_of(own, fit, length)


@given(OWN, FIT, LENGTH, st.floats(1, 10))
def test_what_is_said_in_passing_is_less_likely(own: float, fit: float, length: float, times: float) -> None:
    """The same words are never likelier read right in a longer message."""
    assert probability_of(own, fit, length * times) <= probability_of(own, fit, length)


@given(OWN, FIT, LENGTH)
def test_a_probability_stays_one(own: float, fit: float, length: float) -> None:
    """No fit makes sure, and none rules out."""
    assert 0.0 < probability_of(own, fit, length) < 1.0


def test_sure_words_outweigh_a_poor_fit() -> None:
    """Words that say a thing plainly count although little else speaks for it, vague ones of a long story do not."""
    assert probability_of(0.99, 0.0, 100) >= 0.59
    assert probability_of(0.99, -3.0, 8) >= 0.59
    assert probability_of(0.9, -3.0, 100) < 0.3
    assert probability_of(0.9, 4.0, 100) == pytest.approx(0.93, abs=0.05)
