"""What is told where nobody answers who has the right: whom else to wake, how long there is, and what is left to do."""

from __future__ import annotations

from lang.judging.out_of_reach import nobody_in
from services.planner.model import HelpAnswer, QuestionTopic, TurnResults
from services.planner.speak.follow_ups.time_left import time_in_words
from services.planner.speak.rights.rights import left_to_do, step_to_ask_for
from services.planner.speak.rights.who_may import group_of
from services.planner.speak.voice import Voice
from services.planner.treatment.bearing import NOBODY, lacks_right

# What is answered by whoever may, and what is left without the right.
_OF_RIGHTS = QuestionTopic.RIGHTS


def tell_nobody(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """Whom else to wake, how long there is, and what the person can do alone; empty where somebody is there."""
    heard = any(each.kind == NOBODY and each.name == str(results.turn) for each in results.objects)
    step = step_to_ask_for(answer, results, voice)
    if step is None or not (heard or nobody_in(answer.text)):
        return ""
    left = time_in_words(results, voice)
    told_there = answer.topic is _OF_RIGHTS or lacks_right(answer.text)
    lines = [
        voice.say("nobody_there", who=voice.say(f"rights_by_{group_of(step.action)}")),
        voice.say("nobody_time", time=left) if left else "",
        "" if told_there else left_to_do(step, answer, results, voice),
    ]
    return "\n".join(line for line in lines if line)
