"""Since when the trouble is there, as a message tells it: a day and a time of it, in neither language."""

from __future__ import annotations

from services.planner.model import Aftermath, SessionView
from services.planner.understand.text.word_lists import listed

_BEGAN, _DAYS, _CORRECTS = listed("briefs.began"), listed("briefs.days"), listed("briefs.corrects")
_NOW = listed("briefs.now")
_CLOCK, _CLOCK_PARTS = listed("briefs.clock"), listed("briefs.clock_parts")
# From the afternoon on a clock of twelve hours is ahead by these.
_HALF_DAY, _HALF_HOUR = 12, "半"
_LATE = ("afternoon", "evening", "last_night")
_EARLIEST_NIGHT = 5


def began_in(said: str, aftermath: Aftermath | None, view: SessionView) -> str:
    """Since when: "14:00", "last_night", "last_night 23:10"; empty where it is not told, or of what is over.

    Once something is on record, a time is that of something else unless it corrects what was said.
    """
    meant = aftermath is not Aftermath.WELL and (not view.evidence or _CORRECTS.search(said.lower()))
    found = _BEGAN.search(said.lower()) if meant else None
    if found is None:
        return ""
    told = found[0]
    days = [each.lastgroup or "" for each in _DAYS.finditer(told)]
    clock = _CLOCK.search(told)
    time = _time(clock[0], days) if clock is not None else ""
    return " ".join(part for part in (*days[:1], time) if part)


def now_in(said: str) -> str:
    """The time of the day that a message tells it is: "3am here", "现在凌晨3点"; empty where it tells none."""
    found = _NOW.search(said.lower())
    if found is None:
        return ""
    days = [each.lastgroup or "" for each in _DAYS.finditer(found[0])]
    clock = _CLOCK.search(found[0])
    return _time(clock[0], days) if clock is not None else ""


def _time(words: str, days: list[str]) -> str:
    """A time as HH:MM; empty where there is none such."""
    parts = _CLOCK_PARTS.search(words)
    if parts is None:
        return ""
    hour, minute = int(parts["hour"]), 30 if parts["minute"] == _HALF_HOUR else int(parts["minute"] or 0)
    night = "last_night" in days and hour <= _EARLIEST_NIGHT
    late = parts["half"] == "pm" or (not night and any(day in _LATE for day in days))
    hour += _HALF_DAY if late and hour < _HALF_DAY else 0
    return f"{hour:02}:{minute:02}" if hour < 2 * _HALF_DAY and minute < 60 else ""
