"""Example values of a statement beside what the person told of the same setting."""

from __future__ import annotations

import math

from lang import deferred_re as re
from lang.numbers.filling import GIB, Measure
from lang.objects.settings_said import CONNECTIONS, SETTING
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import BEARING, FIGURE, PATRONI, RUNTIME

_SET = re.compile(r"\bset (?P<name>\w+)\s*(?:=|to)\s*'?(?P<value>\d[\w.]*)'?", re.IGNORECASE | re.ASCII)
_LIMIT = re.compile(r"\bconnection limit (?P<value>\d+)", re.IGNORECASE | re.ASCII)
_OPEN = "<value>"
# A change of a setting of the server, with the reload behind it.
_ALTERED = re.compile(
    r"ALTER SYSTEM (?:SET|RESET) (?P<name>\w+)(?:\s*(?:=|TO)\s*(?P<value>'[^']*'|[^\s;`]+))?"
    r"(?:;?\s*SELECT pg_reload_conf\(\))?",
    re.IGNORECASE | re.ASCII,
)
_SYNC_NAMES, _NONE = "synchronous_standby_names", ("", "null")
# How long a standby waits for its queries: somewhat longer than the longest of them takes, in minutes.
_WAITS = re.compile(r"(?P<name>max_standby_\w+_delay) = '(?P<value>\d+)min'", re.ASCII)
_LONGER = 1.25
# How much of the disk of pg_wal, or of what is free on it, the WAL may take.
_OF_WAL = re.compile(r"max_wal_size = '(?P<value>\d+)GB'", re.ASCII)
_SHARES = {Measure.SIZE: 0.4, Measure.FREE: 0.5}


def beside_told(how: str, voice: Voice) -> tuple[str, str]:
    """A statement whose values the person has not already, and what is told of its settings now."""
    how, fitted = _small_enough(_long_enough(how, voice), voice)
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
    return by_patroni(how, voice), fitted + "".join(reversed(notes))


def by_patroni(how: str, voice: Voice) -> str:
    """A change of the server's settings as Patroni takes it, where Patroni runs the servers."""
    if PATRONI not in voice.choices.get(BEARING, ()):
        return how
    return _ALTERED.sub(lambda found: f"patronictl edit-config {_option(found)}", how)


def _option(altered: re.Match[str]) -> str:
    """The option for a setting; the names of synchronous standbys Patroni sets itself, by its mode."""
    name, value = altered["name"], altered["value"] or "null"
    if name != _SYNC_NAMES:
        return f"-p {name}={value}"
    return f"-s synchronous_mode=false -p {name}=null" if value.strip("'") in _NONE else "-s synchronous_mode=true"


def _small_enough(how: str, voice: Voice) -> tuple[str, str]:
    """A statement whose amount of WAL fits the disk that the person told of last, and what is told of that."""
    told = [each.split() for each in voice.choices.get(FIGURE, ())]
    told = [each for each in told if each[1] in _SHARES]
    found = _OF_WAL.search(how)
    if not told or found is None:
        return how, ""
    _, measure, amount = max(told, key=lambda each: int(each[0]))
    gib = float(amount) / GIB
    fits = max(math.floor(gib * _SHARES[Measure(measure)]), 1)
    if fits >= int(found["value"]):
        return how, ""
    start, end = found.span("value")
    return f"{how[:start]}{fits}{how[end:]}", voice.say(
        f"setting_fits_{measure}", value=f"{fits}GB", amount=f"{gib:.3g}"
    )


def _long_enough(how: str, voice: Voice) -> str:
    """A statement whose delay is as long as the longest report that the person told of."""
    longest = max((int(each) for each in voice.choices.get(RUNTIME, ())), default=0)

    def at_least(found: re.Match[str]) -> str:
        minutes = max(int(found["value"]), math.ceil(longest * _LONGER))
        return f"{found['name']} = '{minutes}min'"

    return _WAITS.sub(at_least, how)


def _opened(how: str, found: re.Match[str]) -> str:
    """A statement with a blank in the place of its value."""
    start, end = found.span("value")
    return how[:start] + _OPEN + how[end:]
