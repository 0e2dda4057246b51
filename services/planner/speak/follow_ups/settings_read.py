"""What settings that were shown mean for the leading cause: by what the library says of how it works and is cured."""

from __future__ import annotations

from collections.abc import Iterator

from lang.objects.settings_said import SETTING
from services.planner.model import ConclusionView, HelpAnswer, TurnResults
from services.planner.speak import diagnosis
from services.planner.speak.follow_ups.source import stands_in
from services.planner.speak.voice import Voice, sentences_in


def tell_settings(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """A line a setting: its value, what the leading cause makes of it, and the step that changes it.

    A conclusion of this very turn has all of it.
    """
    concluded = results.diagnosis.conclusion if results.diagnosis is not None else None
    if concluded is not None and not concluded.repeated_conclusion:
        return ""
    values = dict(each.name.split("=", 1) for each in results.objects if each.kind == SETTING and "=" in each.name)
    found = answer.conclusion or answer.leading
    named = [name for name in answer.text.split() if name in values]
    told = [line for name in named if (line := _of_setting(name, values[name], found, voice))]
    aside = [name for name in named if found is not None and not _bears(name, found, voice)]
    if found is not None and aside and diagnosis.asks_only(results):
        names = voice.listed(f"`{name}` ({values[name]})" for name in aside)
        told.append(voice.say("setting_aside", names=names, cause=voice.name(found.name, found.root_cause_id)))
    return "\n".join(told)


def _of_setting(name: str, value: str, found: ConclusionView | None, voice: Voice) -> str:
    if found is None or not _bears(name, found, voice):
        return ""
    steps = [voice.name(each.action, each.how) for each in found.solution if stands_in(name, each.how)]
    parts = [*_sentences(name, found, voice), *(voice.say("setting_step", action=each) for each in steps[:1])]
    new = [each for each in parts if not voice.was_told(each)] or parts
    return voice.say("setting_read", name=name, value=value, told=voice.stop.join(new))


def _bears(name: str, found: ConclusionView, voice: Voice) -> bool:
    return any(_sentences(name, found, voice)) or any(stands_in(name, each.how) for each in found.solution)


def _sentences(name: str, found: ConclusionView, voice: Voice) -> Iterator[str]:
    """The sentence on how the cause works that names a setting."""
    yield from (each for each in sentences_in(found.mechanism.say(voice.language)) if stands_in(name, each))
