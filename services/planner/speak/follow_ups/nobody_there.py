"""What is told where nobody answers who has the right: whom else to wake, how long there is, and what is left to do."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import PID
from services.planner.model import HelpAnswer, TurnResults
from services.planner.speak.follow_ups.rights import step_to_ask_for, tell_meanwhile
from services.planner.speak.follow_ups.time_left import time_in_words
from services.planner.speak.follow_ups.who_may import ANY, group_of
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import actions_of_step

_ADMIN = r"(?:dbas?|(?:db |sys)?admins?|on-?call|ops|superusers?)"
_AWAY = (
    r"(?:asleep|sleeping|unreachable|gone|away|on (?:leave|holiday|vacation)|(?:not|n'?t|never|nt)\s+(?:\w+\s+)?"
    r"(?:pick\w*|answer\w*|respond\w*|repl\w*|there|around|reachable|available|awake|in))"
)
_NOBODY = re.compile(
    rf"\b{_ADMIN}\b[^.?!]{{0,30}}\b{_AWAY}\b"
    r"|\b(?:can'?t|cannot|couldn'?t)\s+(?:reach|get hold of|wake|find|get)\b"
    rf"[^.?!]{{0,16}}\b(?:{_ADMIN}|anybody|anyone)\b"
    rf"|\b(?:nobody|no one|no)\b[^.?!]{{0,12}}(?:\b{_ADMIN}\b[^.?!]{{0,12}})?"
    r"\b(?:answers|picks? up|reachable|awake|around|available)\b"
    r"|(?:dba|管理员|运维|管库的|有权限的)[^，。？！]{0,6}(?:睡|不接|没接|联系不上|找不到|不在|请假|休假|不回|没回|打不通)"
    r"|(?:联系不上|找不到|打不通)[^，。？！]{0,4}(?:dba|管理员|运维|管库的)",
    re.IGNORECASE,
)
# Settings of one's own do not help where a setting of the server is to be changed.
_NO_HELP = ("setting", ANY)


def tell_nobody(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Whom else to wake, how long there is, and what the person can do alone; empty where somebody is there."""
    step = step_to_ask_for(answer, results, voice)
    if step is None or not _NOBODY.search(answer.text.replace("’", "'")):
        return ""
    group = group_of(step.action)
    left = time_in_words(results, voice)
    lines = [
        voice.say("nobody_there", who=voice.say(f"rights_by_{group}")),
        voice.say("nobody_time", time=left) if left else "",
        _alone(group, answer, results, voice),
    ]
    return "\n".join(line for line in lines if line)


def _alone(group: str, answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """What helps without the right: for the step itself, else for another one against the cause."""
    found = answer.conclusion or answer.leading
    steps = (*found.relief, *found.solution) if found is not None else ()
    actions = (each for step in steps for each in sorted(actions_of_step(voice.name(step.action, step.how), step.how)))
    groups = [group, *map(group_of, actions)]
    helping = next((each for each in groups if each not in _NO_HELP), "")
    return tell_meanwhile(helping, voice.objects.get(PID, ""), results, voice) if helping else ""
