"""What a part of a longer message asks for beside all that the message tells."""

from __future__ import annotations

from services.planner.case_questions.finder import find_case_question
from services.planner.model import QuestionKind, QuestionStep, QuestionTopic
from services.planner.understand.acts.case_topics import OTHER, likely_topic
from services.planner.understand.text.word_lists import listed

# Where a part of a message ends that may ask for something of its own.
_PART_END = listed("asking.part_end")
_BESIDE_OTHERS = ("summary", "certainty", "prevention", "sharing", "closing")
# A summary, and the question of the case that orders one.
_SUMMARY, _ORDER = "summary", "case_summary"
# How sure a part has to ask so, and how long it is at least.
_TO_ADD, _LEAST_ASKED = 0.85, 4


def asked_beside(message: str) -> list[QuestionStep]:
    """What a part of a longer message surely asks for beside all that it tells: a sentence for somebody, how sure it is."""
    parts = [part.strip() for part in _PART_END.split(message)]
    if len(parts) < 2:
        return []
    found: dict[str, QuestionStep] = {}
    for part in parts:
        wanted, share = likely_topic(part) if len(part) >= _LEAST_ASKED else (OTHER, 0.0)
        if wanted in _BESIDE_OTHERS and share >= _TO_ADD and _is_no_aside(wanted, part):
            found.setdefault(wanted, QuestionStep(QuestionKind.HELP, text=part, topic=QuestionTopic(wanted)))
    return list(found.values())


def _is_no_aside(wanted: str, part: str) -> bool:
    """Whether words for a summary order one by the model of the case's questions as well."""
    if wanted != _SUMMARY:
        return True
    found = find_case_question(part)
    return found is not None and found.key == _ORDER
