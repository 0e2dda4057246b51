"""Whether a change is it: by the times, by what is on record of it, and by the settings that the cause is about."""

from __future__ import annotations

from lang.objects.settings_said import settings_named
from services.planner.model import ConclusionView, HelpAnswer, MatterView, Timing
from services.planner.speak.settings_now import values_set
from services.planner.speak.verdicts.verdict import tell_times, tell_verdict
from services.planner.speak.voice import Voice, brief

# From this belief on the leading cause is what a change is held against; and from this weight on a sign speaks for it.
_HALF, _SPEAKS = 0.5, 0.3


def tell_change(matter: MatterView, answer: HelpAnswer, voice: Voice) -> str:
    """The verdict on a change that is asked about: yes where the leading cause is about just what was changed."""
    found = answer.conclusion or answer.leading
    setting = _setting_of(found, matter) if found is not None and found.confidence >= _HALF else ""
    if found is not None and setting:
        told = {"name": voice.name(found.name, found.root_cause_id), "percent": voice.percent(found.confidence)}
        later = voice.say("change_later", onset=_quoted(matter.onset, voice)) if matter.timing is Timing.APART else ""
        said = voice.say("change_of_cause", change=_quoted(matter.change, voice), setting=setting, **told)
        return voice.stop.join(filter(None, (said, later)))
    if matter.phenomenon_id and matter.bits >= _SPEAKS:
        leader, sign = matter.leader, voice.name(matter.name)
        told = {"name": voice.name(leader.name, leader.root_cause_id), "percent": voice.percent(leader.confidence)}
        return voice.stop.join((tell_times(matter, voice), voice.say("change_speaks", sign=sign, **told)))
    return tell_verdict(matter, voice)


def _setting_of(found: ConclusionView, matter: MatterView) -> str:
    """The setting that was changed and that the steps against the cause set; empty where there is none."""
    statements = [*(each.how for each in found.relief), *(each.how for each in found.solution)]
    set_by_it = {name for how in statements for name, _ in values_set(how)}
    return next((name for name in settings_named(matter.change) if name in set_by_it), "")


def _quoted(words: str, voice: Voice) -> str:
    return voice.say("quoted", words=brief(" ".join(words.split())))
