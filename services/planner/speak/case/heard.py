"""Whether something that was said is on record, and whether it changed the ranking."""

from __future__ import annotations

from services.planner.model import BeliefChange, HistoryAnswer, HistoryEntry
from services.planner.speak.voice import Voice, verdict

_MOST = 3


def tell_if_heard(answer: HistoryAnswer, noted: bool, voice: Voice) -> str:
    """The entries of what is asked about, or that it is none and what else counts; what a message left of the belief.

    noted: something is put on record in this turn, which is told anyway: nothing of before stands beside it.
    """
    if answer.turns and not answer.entries and answer.left.root_cause_id:
        return _left(answer.left, voice)
    unsure = [each for each in answer.entries[:_MOST] if each.needs.say(voice.language)]
    if unsure:
        return "\n".join(_open(each, voice) for each in unsure)
    if noted:
        return ""
    names = voice.listed(_entry(each, voice) for each in answer.entries[-_MOST:])
    if not names:
        return voice.once("heard_nothing")
    return voice.say("heard_else" if answer.turns else "heard_yes", names=names)


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
