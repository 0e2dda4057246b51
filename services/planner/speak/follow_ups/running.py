"""What runs and how long it still takes, and whether a change of a table that waited in vain may run again."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import PID, Seen, bind
from services.planner.model import HelpAnswer, TurnResults
from services.planner.speak.objects import is_idle, objects_known
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.going_on import RUNNING, asks_build, ends_before_ddl, running_in
from services.planner.treatment.wanted.wants import wants_in
from services.planner.understand.questions.of_the_cause import asks_why

# What is known to run where no row tells it.
_A_VACUUM = "autovacuum: VACUUM"
_ENDS = ("terminate", "stop")


def tell_running(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """How to reckon what is left of what runs, by its row as it was shown; empty where nothing such is asked."""
    question, _, told = answer.text.partition("\n")
    kept = [each.name for each in results.objects if each.kind == RUNNING]
    rows = (told, *reversed(kept), _A_VACUUM)
    row = next(found for each in rows if (found := running_in(each))) if answer.action == RUNNING else None
    if row is None:
        return bind(voice.say("effect_index_build"), voice.objects) if asks_build(question) else ""
    lines = [_progress(row, voice), _why(row, voice)]
    return "\n".join(reversed(lines) if asks_why(question) else lines)


def _progress(row: re.Match[str], voice: Voice) -> str:
    where = f" WHERE pid = {row['pid']}" if row["pid"] else ""
    return voice.say("running_vacuum" if row["vacuum"] else "running_build", where=where)


def _why(row: re.Match[str], voice: Voice) -> str:
    table = row["vacuumed"] or row["built"] or "<table>"
    return voice.say("running_why_vacuum" if row["vacuum"] else "running_why_build", table=table)


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
