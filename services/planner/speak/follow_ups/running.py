"""How far a vacuum or the build of an index is that runs, how long it still takes, and why that is long."""

from __future__ import annotations

from lang import deferred_re as re
from lang.objects import bind
from services.planner.speak.voice import Voice
from services.planner.treatment.going_on import asks_build, running_in
from services.planner.understand.questions.of_the_cause import asks_why


def tell_running(asked: str, voice: Voice) -> str:
    """How to reckon what is left of what runs, by its row under the question; empty where nothing such is asked."""
    question, _, told = asked.partition("\n")
    row = running_in(told)
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
