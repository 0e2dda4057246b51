"""Which right an action takes, and whether the person has said to lack it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_of_step
from services.planner.treatment.bearing import ALL, LACKS, SUPERUSER

_FILE = Path(__file__).with_name("rights.yaml")
# Actions of which nothing is known.
ANY = "any"
# The database whose rights these are where none is known.
_USUAL = "postgresql"


@cache
def _content() -> Mapping[str, Any]:
    content: Mapping[str, Any] = yaml.load(_FILE.read_bytes(), yaml.CSafeLoader)
    return content


@cache
def _groups() -> Mapping[str, str]:
    return {action: group for group, actions in _content()["groups"].items() for action in actions}


def group_of(action: str) -> str:
    """The group of actions that take the same right."""
    return _groups().get(action, ANY)


def has_absent(group: str) -> bool:
    """Whether it is known what to do where the owner does not answer."""
    return group in _content()["absent"]


def how_to_see(group: str, engine: str) -> str:
    """The statement that shows a person whether they have this right in a database; empty where none does."""
    see = _content()["see"]
    return str((see.get(engine) or see[_USUAL]).get(group, ""))


def lacking(actions: Iterable[str], voice: Voice) -> str:
    """The group of the first of these actions that the person has no right to; empty where there is none."""
    return _lacking(actions, voice)[0]


def _lacking(actions: Iterable[str], voice: Voice) -> tuple[str, bool]:
    """That group, and whether the right is surely lacking: whoever is no superuser may have it in another way."""
    lacks = voice.choices.get(LACKS, ())
    named = {group_of(each) for each in lacks if each not in (ALL, SUPERUSER)}
    for action in actions:
        group = group_of(action)
        outside = group in _content()["outside"] or group == ANY
        if group in named - {ANY} or action in lacks or (ALL in lacks and not outside):
            return group, True
        if SUPERUSER in lacks and group in _content()["superuser"]:
            return group, not _content()["superuser"][group]
    return "", False


def say_lacking(phrase: str, actions: Iterable[str], voice: Voice, **values: str) -> str:
    """Who has to take the first of these actions that the person has no right to; empty where there is none."""
    group, sure = _lacking(actions, voice)
    who = voice.say(f"rights_by_{group}") if group else ""
    return voice.say(phrase if sure else f"{phrase}_takes", who=who, **values) if group else ""


def who_instead(phrase: str, action: str, how: str, voice: Voice) -> str:
    """Who has to take a step that the person has no right to; empty where nothing of the kind was said."""
    if not voice.choices.get(LACKS):
        return ""
    return say_lacking(phrase, sorted(actions_of_step(action, how)), voice)
