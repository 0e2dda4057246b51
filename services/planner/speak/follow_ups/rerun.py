"""Whether a change of a table that waited in vain may run again: not while what it waited for is still there."""

from __future__ import annotations

from lang.objects import PID, Seen
from services.planner.model import HelpAnswer, TurnResults
from services.planner.speak.objects import is_idle, objects_known
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.going_on import ends_before_ddl
from services.planner.treatment.wants import wants_in

_ENDS = ("terminate", "stop")


def tell_rerun(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Yes or no first, then what has to be over before, and how the change runs so that nobody queues behind it."""
    wants, first = wants_in(read_actions(answer.text)), ends_before_ddl(answer.text)
    blocker = _still_there(results)
    how = voice.say("rerun_how")
    if "in_order" in wants and first is not None:
        ruling = voice.say("rerun_in_order" if first else "rerun_other_order")
    elif blocker is None:
        ruling = voice.say("rerun_go")
    else:
        ruling = voice.say("rerun_same" if "same_again" in wants else "rerun_no", name=blocker.name)
    if blocker is None:
        return "\n".join([ruling, how])
    end = "rerun_idle" if is_idle(blocker.name, results) else "rerun_root"
    return "\n".join([ruling, voice.say(end, name=blocker.name), how])


def _still_there(results: TurnResults) -> Seen | None:
    """The session in the way that nobody is known to have ended."""
    gone = {name for each in results.treatments if each.action in _ENDS for name in each.objects}
    held = (each for each in objects_known(results) if each.kind == PID and each.culprit)
    return next((each for each in held if each.name not in gone), None)
