"""How far a vacuum or the build of an index is that runs, how long it still takes, and why that is long."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import bind
from services.planner.model import HelpAnswer, TurnResults
from services.planner.speak.voice import Voice
from services.planner.treatment.going_on import RUNNING, asks_build, running_in
from services.planner.understand.questions.of_the_cause import asks_why

# What is known to run where no row tells it.
_A_VACUUM = "autovacuum: VACUUM"


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
