"""Which action is asked about: the one that the person names, else the remedy's for that verb or value."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import PID
from services.planner.model import ConclusionView
from services.planner.speak.case.remedy_steps import ENDING, HELD, actions_of, specific
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import (
    action_named,
    actions_in,
    actions_of_statements,
    read_actions,
    share_a_verb,
)
from services.planner.treatment.shown_actions import POINTS
from services.planner.treatment.wanted.wants import wants_in

# A value as a setting has it: "16GB", "15min", "300".
_VALUE = re.compile(r"(?<![\w.])\d+\s?(?:[kmgt]i?b?|ms|s|min|h|d)?(?![\w.%])", re.IGNORECASE | re.ASCII)
_PARAMETER = "set_parameter"


def meant(action: str, asked: str, found: ConclusionView | None, voice: Voice) -> str:
    """The action that is asked about, where words of an answer may have been read into the question."""
    of_steps = actions_of(found, voice)
    known = specific(action, of_steps)
    if action == _PARAMETER and (by_value := _of_value(asked, found)):
        return by_value
    special = next((each for each in of_steps if _sets(each) and each != action and share_a_verb(each, action)), known)
    if action == _PARAMETER and "undo" in wants_in(read_actions(asked)):
        return special
    if known in of_steps:
        return known
    if known in ENDING and POINTS.search(asked) and PID not in voice.objects and (held := _of_what_holds(found, voice)):
        return held
    named = [specific(each, of_steps) for each in actions_in(asked)]
    if named and known not in named:
        return next((each for each in named if each in of_steps), known)
    if action == _PARAMETER:
        return special
    return known


def _of_what_holds(found: ConclusionView | None, voice: Voice) -> str:
    """The action of a remedy on the known slot or transaction that holds others up: "kill that thing" drops a slot."""
    known = ((each, action_named(each)) for each in actions_of(found, voice))
    return next((name for name, action in known if action and action.kind in HELD and action.kind in voice.objects), "")


def _sets(action: str) -> bool:
    known = action_named(action)
    return known is not None and any("set " in each for each in known.statements)


def _of_value(asked: str, found: ConclusionView | None) -> str:
    """The action of the step of a remedy whose statement has the value that is asked about."""
    values = {_plain(value[0]) for value in _VALUE.finditer(asked)}
    for step in found.solution if found is not None else ():
        if values & {_plain(value[0]) for value in _VALUE.finditer(step.how)}:
            return next(iter(sorted(actions_of_statements(step.how))), "")
    return ""


def _plain(value: str) -> str:
    return "".join(value.lower().split())
