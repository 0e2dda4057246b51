"""What is asked of the case at hand: the kind and topic that each question is answered by."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from services.planner.model import PlanStep, QuestionKind, QuestionStep, QuestionTopic, Reference, SessionView
from services.planner.understand.items.item_names import named
from services.planner.understand.items.references import open_list
from services.planner.understand.questions.questions import last_asked, subject_of
from services.planner.understand.text.messages import read


class About(Enum):
    """What a question is about beside the case as a whole."""

    CASE = "case"
    # What its own words name.
    WORDS = "words"
    # The item that its words point at, else the one that was asked last.
    ITEM = "item"
    LEADER = "leader"


class CaseQuestion(NamedTuple):
    """How a question of the case is answered; kind: None where its own words tell more than what is asked."""

    kind: QuestionKind | None = QuestionKind.HELP
    topic: QuestionTopic | None = None
    about: About = About.CASE


_AS_WORDED = CaseQuestion(None)
# What is asked of the case in general, whatever else the words name.
GENERAL = ("case_what_now", "case_what_next", "case_all_steps", "case_left", "case_how_sure", "case_when_again")
# What asks how something is seen or done, or which one it is.
LOOKS = (
    "case_all_steps",
    "case_check_the_one",
    "case_command",
    "case_how_to_check",
    "case_verify_fixed",
    "case_what_next",
    "case_what_now",
    "case_which_one",
)
CASE_QUESTIONS: Mapping[str, CaseQuestion] = {
    "case_all_steps": CaseQuestion(),
    "case_check_the_one": CaseQuestion(topic=QuestionTopic.IDENTIFICATION),
    "case_close": CaseQuestion(topic=QuestionTopic.CLOSING),
    "case_command": CaseQuestion(topic=QuestionTopic.COMMAND),
    "case_confirm_cause": CaseQuestion(topic=QuestionTopic.CONFIRMATION),
    "case_did_you_see": CaseQuestion(QuestionKind.HISTORY, None, About.WORDS),
    "case_difference": CaseQuestion(topic=QuestionTopic.COMPARISON),
    "case_fits_symptom": CaseQuestion(QuestionKind.HELP, QuestionTopic.RELATED, About.WORDS),
    "case_has_tickets": _AS_WORDED,
    "case_how_it_works": CaseQuestion(topic=QuestionTopic.MECHANISM),
    "case_how_long": CaseQuestion(topic=QuestionTopic.EFFECT),
    "case_how_sure": CaseQuestion(topic=QuestionTopic.CERTAINTY),
    "case_how_to_check": CaseQuestion(about=About.ITEM),
    "case_left": CaseQuestion(topic=QuestionTopic.REMAINING),
    "case_may_i": CaseQuestion(topic=QuestionTopic.RISK),
    "case_meaning": _AS_WORDED,
    "case_no_effect": CaseQuestion(topic=QuestionTopic.EFFECT),
    "case_no_rights": CaseQuestion(topic=QuestionTopic.RIGHTS),
    "case_other_check": CaseQuestion(topic=QuestionTopic.ALTERNATIVE),
    "case_prevent": CaseQuestion(topic=QuestionTopic.PREVENTION),
    "case_ruled_out": CaseQuestion(topic=QuestionTopic.RULED_OUT),
    "case_share": CaseQuestion(topic=QuestionTopic.SHARING),
    "case_summary": CaseQuestion(topic=QuestionTopic.SUMMARY),
    "case_undo": CaseQuestion(topic=QuestionTopic.RISK),
    "case_urgency": CaseQuestion(topic=QuestionTopic.URGENCY),
    "case_verify_fixed": CaseQuestion(topic=QuestionTopic.EFFECT),
    "case_what_is_lost": CaseQuestion(topic=QuestionTopic.RISK),
    "case_what_next": CaseQuestion(QuestionKind.PROGRESS),
    "case_what_now": CaseQuestion(topic=QuestionTopic.RELIEF),
    "case_when_again": CaseQuestion(topic=QuestionTopic.RESUMING),
    "case_where_read": CaseQuestion(topic=QuestionTopic.SOURCE),
    "case_where_to_run": CaseQuestion(topic=QuestionTopic.RUNNING),
    "case_which_one": CaseQuestion(topic=QuestionTopic.OBJECT),
    "case_who_to_call": _AS_WORDED,
    "case_why_ask": CaseQuestion(QuestionKind.REASONING, None, About.ITEM),
    "case_why_not_other": CaseQuestion(QuestionKind.REASONING, None, About.WORDS),
    "case_why_percent": CaseQuestion(QuestionKind.REASONING, None, About.LEADER),
    "case_why_this": CaseQuestion(QuestionKind.REASONING, None, About.LEADER),
}


def subject(asked: CaseQuestion, words: str, view: SessionView) -> Reference | None:
    """What a question of the case is about."""
    match asked.about:
        case About.WORDS:
            return Reference(words=words)
        case About.ITEM:
            return _item_meant(read(words).normal, view) or last_asked(view)
        case About.LEADER if view.hypotheses:
            return Reference(id=view.hypotheses[0].root_cause_id)
    return None


def _item_meant(words: str, view: SessionView) -> Reference | None:
    """What words point at: the item whose number or name they have, else what they name."""
    about, asked = subject_of(words, view), open_list(view)
    found = named(words, asked) if about is not None and about.words is not None else None
    return asked.at(found.item.ordinal) if found is not None else about


def questions_as(step: PlanStep) -> frozenset[str]:
    """The questions of the case that a step answers."""
    if not isinstance(step, QuestionStep):
        return frozenset()
    return frozenset(
        key
        for key, (kind, topic, about) in CASE_QUESTIONS.items()
        if (kind, topic) == (step.kind, step.topic) and (topic or about is not About.ITEM or step.subject is not None)
    )
