"""Whether something that was said is on record, and whether it changed the ranking."""

from __future__ import annotations

from services.planner.model import BeliefChange, HistoryAnswer, HistoryEntry, TurnResults
from services.planner.speak import checks
from services.planner.speak.voice import Voice, verdict

_MOST = 3


def tell_if_heard(answer: HistoryAnswer, results: TurnResults, voice: Voice) -> str:
    """The entries of what is asked about; else that it was not used, what is on record, and the check to go on with.

    What a message left of the belief, where that is asked. What this turn puts on record is told beside it anyway.
    """
    if answer.turns and not answer.entries and answer.left.root_cause_id:
        return _left(answer.left, voice)
    unsure = [each for each in answer.entries if each.needs.say(voice.language)]
    if len(unsure) == 1:
        return _open(unsure[0], voice)
    noted = [each.name for each in results.noted if not each.facility]
    told_now = [*noted, *(each.name for each in results.corrections)]
    names = [_entry(each, voice) for each in answer.entries[-_MOST:] if not unsure and each.name not in told_now]
    if noted and (answer.turns or not names):
        return ""
    if names and not answer.turns:
        return voice.say("heard_yes", names=voice.listed(names))
    said = voice.say("heard_else", names=voice.listed(names)) if names else voice.once("heard_nothing")
    return "\n".join(filter(None, (said, _going_on(results, voice))))


def _going_on(results: TurnResults, voice: Voice) -> str:
    """The check that was shown before, which nothing else of the reply names."""
    found = results.diagnosis
    if found is None or found.conclusion is not None or found.first_look or found.look_waits:
        return ""
    return next(
        (checks.unchanged(each, voice) for each in found.recommendations[:1] if checks.was_shown(each, voice)), ""
    )


def _left(left: BeliefChange, voice: Voice) -> str:
    """What it left of the belief in the leading cause."""
    name = voice.name(left.name, left.root_cause_id)
    before, after = voice.percent(left.confidence_before), voice.percent(left.confidence_after)
    return voice.say("heard_unmoved" if before == after else "heard_moved", name=name, before=before, after=after)


def _open(entry: HistoryEntry, voice: Voice) -> str:
    """What was read but does not count yet, with what it takes."""
    return voice.say("heard_open", name=voice.name(entry.name), needs=entry.needs.say(voice.language))


def _entry(entry: HistoryEntry, voice: Voice) -> str:
    return voice.say("with_verdict", name=voice.name(entry.name), verdict=verdict(entry.verdict, voice))
