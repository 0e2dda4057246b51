"""Example values of a statement beside what the person told of the same setting."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects.settings_said import CONNECTIONS, SETTING
from services.planner.speak.voice import Voice

_SET = re.compile(r"\bset (?P<name>\w+)\s*(?:=|to)\s*'?(?P<value>\d[\w.]*)'?", re.IGNORECASE | re.ASCII)
_LIMIT = re.compile(r"\bconnection limit (?P<value>\d+)", re.IGNORECASE | re.ASCII)
_OPEN = "<value>"


def beside_told(how: str, voice: Voice) -> tuple[str, str]:
    """A statement whose values the person has not already, and what is told of its settings now."""
    told = dict(each.split("=", 1) for each in voice.choices.get(SETTING, ()))
    notes: list[str] = []
    for found in reversed(list(_SET.finditer(how))):
        value = told.get(found["name"].lower())
        if value is not None:
            same = value.lower() == found["value"].lower()
            notes.append(voice.say("setting_same" if same else "setting_now", name=found["name"], value=value))
            how = _opened(how, found) if same else how
    for found in reversed(list(_LIMIT.finditer(how))):
        if int(told.get(CONNECTIONS, 0)) >= int(found["value"]):
            notes.append(voice.say("setting_below", value=told[CONNECTIONS]))
            how = _opened(how, found)
    return how, "".join(reversed(notes))


def _opened(how: str, found: re.Match[str]) -> str:
    """A statement with a blank in the place of its value."""
    start, end = found.span("value")
    return how[:start] + _OPEN + how[end:]
