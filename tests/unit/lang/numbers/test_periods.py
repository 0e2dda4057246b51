"""How a calendar period is written."""

from __future__ import annotations

from lang.numbers.periods import period_label
from tests.support.cases import for_each


@for_each(
    ("first_day", "granularity", "written"),
    [
        ("2026-05-01", "month", "2026-05"),
        ("2026-05-01 00:00:00", "month", "2026-05"),
        ("2026-04-01", "quarter", "2026-Q2"),
        ("2026-10-01", "quarter", "2026-Q4"),
        ("2026-07-01", "half", "2026-H2"),
        ("2026-01-01", "year", "2026"),
        ("2026-05-04", "week", "2026-05-04"),
        ("2026-05-04 13:00:00", "hour", "2026-05-04 13:00:00"),
        ("nothing", "month", "nothing"),
    ],
)
def test_a_period_is_written_as_people_name_it(first_day: str, granularity: str, written: str) -> None:
    """Months, quarters and years by their names; anything else as it stands."""
    assert period_label(first_day, granularity) == written
