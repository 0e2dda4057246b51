"""How a thing is seen in this database and on this platform and by whom, and what is known of an act that is named."""

from __future__ import annotations

from collections.abc import Mapping

from lang.objects.settings_said import VERSION
from services.planner.model import HelpAnswer, Text, TurnResults
from services.planner.sizing.known import known_numbers
from services.planner.speak.case.action_facts import say_blank
from services.planner.speak.steps.as_code import code
from services.planner.speak.voice import Voice
from services.planner.ways.acts import facts_of_act
from services.planner.ways.looks import PLATFORM, Way, looks, way_to, who_may
from services.planner.ways.looks_asked import LOOK
from services.planner.ways.planned import ACT, ANYTHING

_USUAL = "postgresql"
# What is told of an act where what is asked of it is not known.
_FIRST = "may"


def tells_way(answer: HelpAnswer) -> bool:
    """Whether an answer is on a way or an act."""
    return answer.common_question.startswith((f"{LOOK} ", f"{ACT} "))


def tell_way(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The way to a thing, or what was asked of an act."""
    what, key, *aspects = answer.common_question.split(" ")
    platform = next((each.name for each in reversed(results.objects) if each.kind == PLATFORM), "")
    engine = voice.engine or _USUAL
    if what == ACT:
        told = _of_act(facts_of_act(key, engine, platform), aspects, voice)
        return filled(told or voice.say("ways_act_unknown"), answer)
    if key == ANYTHING:
        return voice.say("rights_look")
    look = looks()[key]
    way = way_to(look, engine, platform)
    if way is None:
        return voice.say("ways_none", thing=look.is_.say(voice.language))
    return "\n".join([voice.say("ways_thing", thing=look.is_.say(voice.language)), *_of_way(way, answer, voice)])


def _of_act(facts: Mapping[str, Text], aspects: list[str], voice: Voice) -> str:
    """What is known of the aspects that are asked, each once; whether it may be done goes before the rest."""
    known = [each for each in aspects if each in facts] or [each for each in (_FIRST, "how") if each in facts][:1]
    return "\n".join(facts[each].say(voice.language) for each in known)


def _of_way(way: Way, answer: HelpAnswer, voice: Voice) -> list[str]:
    if told := way.told.say(voice.language):
        return [told]
    run = filled(_of_version(way, voice), answer)
    lines = [code(run, way.kind), *(filter(None, [say_blank(run, voice).strip()]))]
    who = who_may()[way.who].say(voice.language)
    return [*lines, voice.stop.join(filter(None, [way.read.say(voice.language), who]))]


def _of_version(way: Way, voice: Voice) -> str:
    """The statement of the version that was told; of the newest where none was."""
    told = known_numbers(voice.choices).get(VERSION, 0.0)
    until = ((version, run) for version, run in way.until.items() if told and told < _number(version))
    return next((run for _, run in until), way.run)


def _number(version: str) -> float:
    major, *minor = version.split(".")
    return float(".".join((major, *minor[:1])))


def filled(text: str, answer: HelpAnswer) -> str:
    """A text with the names in its blanks that the question brought."""
    _, _, told = answer.text.partition("\n")
    for kind, name in (each.split("=", 1) for each in told.split() if "=" in each):
        text = text.replace(f"<{kind}>", name)
    return text
