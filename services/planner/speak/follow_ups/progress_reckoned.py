"""How long the rest takes at the pace so far, with its figures, and whether a reckoned time is right."""

from __future__ import annotations

from services.planner.model import HelpAnswer, TurnResults
from services.planner.sizing.share_done import Progress, progress_of
from services.planner.speak.follow_ups.time_left import time_of
from services.planner.speak.voice import Voice

_HOUR, _ALL = 3600.0, 100.0
# What the person reckoned is right where it is no farther off than this part.
_NEAR = 0.25
_SCALES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def tell_progress(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The time for the rest, what it is from, and that it only holds at an even pace."""
    found = progress_of(answer.text)
    if found is None:
        return ""
    right = abs(found.said - found.left) <= _NEAR * found.left
    opening = [voice.say("progress_right" if right else "progress_other")] if found.said else []
    share = f"{found.done / found.whole * _ALL:.0f}"
    done, whole = (_written(found, amount) for amount in (found.done, found.whole))
    parts = "" if found.whole == _ALL else voice.say("progress_parts", done=done, whole=whole)
    said = voice.say(
        "progress_left",
        time=time_of(found.left / _HOUR, voice),
        share=share,
        parts=parts,
        took=time_of(found.seconds / _HOUR, voice).lower(),
    )
    return voice.stop.join([*opening, said, voice.say("progress_even")])


def _written(found: Progress, amount: float) -> str:
    scale, suffix = next((each for each in _SCALES if found.whole >= each[0]), (1.0, ""))
    return f"{amount / scale:.3g}{suffix}"
