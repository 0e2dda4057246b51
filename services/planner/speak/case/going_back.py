"""Going back to the version before: the quickest relief of what began with a release, whatever the cause."""

from __future__ import annotations

from services.planner.model import ConclusionView, TurnResults
from services.planner.speak.case.in_case import on_record, rulings
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import BEARING, RELEASE

ROLLBACK = "roll_back_release"
# From this belief on the lasting cure is that of the leading cause.
_NAMED = 0.5


def began_with_release(results: TurnResults, voice: Voice) -> bool:
    """Whether the trouble began with a release: by what is on record, or as the person said it."""
    said = RELEASE in voice.choices.get(BEARING, ())
    return said or on_record(rulings()[ROLLBACK].fits, results) is not None


def tell_rollback(found: ConclusionView | None, results: TurnResults, voice: Voice) -> list[str]:
    """Yes, what to make sure of before, what it does, and the lasting cure of the cause."""
    lines = [voice.say("leave_release"), voice.say("act_roll_back_release")]
    lasting = next((step for step in found.solution if step.prevents), None) if found is not None else None
    if found is None or lasting is None or found.confidence < _NAMED:
        return lines
    name = voice.name(found.name, found.root_cause_id)
    return [*lines, voice.say("leave_release_then", name=name, action=voice.name(lasting.action, lasting.how))]
