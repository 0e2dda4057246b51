"""A question is of the act that its own words name, and of no other that stands somewhere near."""

from __future__ import annotations

import pytest

from services.planner.glossary.asking import meanings_in
from services.planner.model import QuestionKind, QuestionStep, QuestionTopic, SessionView, Speaker, Treatment, Utterance
from services.planner.treatment.actions import actions_in, actions_of_step
from services.planner.treatment.wanted.requests import with_action
from tests.support.cases import for_each

SHOWN = "Step 1: (risk: low)\n   `ALTER SYSTEM SET work_mem = '64MB';`"
DONE = (Treatment("drop", "dropped it"),)


@for_each(
    "asked",
    [
        "also what about the payments, could some have been charged twice?",
        "do i have to do something about the replica or just wait?",
        "还有要是跑到一半断了，表里会留下什么垃圾吗，磁盘会不会被占满？",
    ],
)
def test_words_that_point_at_nothing_take_no_act_from_elsewhere(asked: str) -> None:
    """Neither what was shown nor what was done before is what such a question is about."""
    view = SessionView(turn=3, history=(Utterance(Speaker.ASSISTANT, SHOWN),), treatments=DONE)
    step = with_action(QuestionStep(QuestionKind.HELP, None, asked, topic=QuestionTopic.RISK), asked, view)
    assert isinstance(step, QuestionStep)
    assert step.action == ""


@pytest.mark.parametrize("asked", ["is that safe in the middle of the day?", "白天做这个会不会有问题？"])
def test_words_that_point_are_of_what_was_shown(asked: str) -> None:
    """Words that point back are about the statement of the last answer."""
    view = SessionView(turn=3, history=(Utterance(Speaker.ASSISTANT, SHOWN),))
    step = with_action(QuestionStep(QuestionKind.HELP, None, asked, topic=QuestionTopic.RISK), asked, view)
    assert isinstance(step, QuestionStep)
    assert step.action == "set_parameter"


def test_a_word_inside_of_a_statement_is_no_act() -> None:
    """RESTART of a sequence restarts nothing, and EXPLAIN ANALYZE collects no statistics."""
    assert actions_of_step("", "ALTER SEQUENCE s RESTART WITH 1;") == frozenset()
    assert actions_in("EXPLAIN 在生产上跑 ANALYZE 安全吗") == ()
    assert actions_in("do i need a restart of the db?", ("the report job",)) == ("restart",)


@pytest.mark.parametrize(("said", "asks"), [("i know what undo is", False), ("i don't know what undo is", True)])
def test_what_is_known_asks_for_no_meaning(said: str, asks: bool) -> None:
    """Whoever says to know a term asks for no explanation of it."""
    assert bool(meanings_in(said)) is asks
