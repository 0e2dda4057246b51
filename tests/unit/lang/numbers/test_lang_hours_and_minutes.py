"""Durations in which the minutes stand behind an h: "1h32", "17h25m"."""

from __future__ import annotations

from lang.numbers.values import read_values
from lang.tokens import read_text
from lang.vocabulary import Unit
from tests.support.cases import for_each


@for_each(
    ("text", "minutes"),
    [("open since 1h32", 92), ("1h32m", 92), ("17h25", 1045), ("挂了1h32m了", 92), ("3h59min", 239), ("1h 5m", 65)],
)
def test_hours_and_minutes_add_up(text: str, minutes: int) -> None:
    """A number behind the h of a duration has its minutes, with or without a unit of its own."""
    spans = [value.readings.get(Unit.SECONDS, (0.0, 0.0)) for value in read_values(read_text(text))]
    assert sum(low for low, _ in spans) == minutes * 60


@for_each("text", ["h264 codec", "node1h2x", "1h 20 sessions"])
def test_what_only_looks_like_it_has_no_minutes(text: str) -> None:
    """A name with an h in it is no duration, and a number apart from the hours counts something else."""
    spans = [value.readings.get(Unit.SECONDS) for value in read_values(read_text(text))]
    assert [span for span in spans if span] in ([], [(3600.0, 3600.0)])
