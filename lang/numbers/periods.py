"""How a calendar period is written: 2026, 2026-H1, 2026-Q2, 2026-05."""

from __future__ import annotations

_MONTHS = {"half": (6, "H"), "quarter": (3, "Q")}
_DAY = "0000-00-00"


def period_label(first_day: str, granularity: str) -> str:
    """The period that begins on a day (ISO date, a time may follow); weeks, days and anything else stay as they are."""
    day = first_day[: len(_DAY)]
    if len(day) < len(_DAY) or not day[5:7].isdigit():
        return first_day
    if granularity in _MONTHS:
        months, letter = _MONTHS[granularity]
        return f"{day[:4]}-{letter}{(int(day[5:7]) - 1) // months + 1}"
    return {"year": day[:4], "month": day[:7], "week": day, "day": day}.get(granularity, first_day)
