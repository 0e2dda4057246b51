"""Words that point at an output below them confirm nothing: what the output shows does."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    FeedbackStep,
    HelpAnswer,
    Item,
    Language,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.understand.answers.plan_checks import drop_labels
from services.planner.understand.read import understand
from tests.support.cases import for_each

CHECKS = (
    Item(1, "P-0024", Text("有事务开启超过 1 小时", "Transaction open for more than an hour")),
    Item(2, "P-0025", Text("所有等锁会话的源头是同一个会话", "One constant session blocks all waiters")),
)
VIEW = SessionView(turn=2, language=Language.EN, pending=CHECKS)
ROWS = "\n\n| 911 | web | shop | Query | 77 | Waiting |\n| 912 | web | shop | Query | 76 | Waiting |"


@for_each("words", ["我看了眼列表，全是这个：", "列表里都是这样的：", "looked at the list, its all this one:"])
@for_each("below", [ROWS, ""])
def test_pointing_at_an_output_answers_no_check(words: str, below: str) -> None:
    """Neither where the rows stand in the message nor where they were taken out of it as an output."""
    plan = understand(words + below, VIEW)
    plan = plan if below else drop_labels(plan, words)
    assert not any(isinstance(step, FeedbackStep) for step in plan.steps)


@for_each(
    ("asked", "language"),
    [
        ("这啥意思?", Language.ZH),
        ("这说明啥", Language.ZH),
        ("what does that mean for us?", Language.EN),
        ("what does this mean?", Language.EN),
    ],
)
async def test_what_an_output_means_is_told_by_the_cause_that_it_bears_on(asked: str, language: Language) -> None:
    """ "This" beside rows is what they show, and no check of the list that stands first."""
    seen = EvidenceView("P-0024", CHECKS[0].name, Verdict.CONFIRMED, "x", 1)
    view = SessionView(turn=3, language=language, pending=CHECKS, evidence=(seen,))
    steps = (await Planner().decide(view, f" timeline | is_standby\n---+---\n 12 | t\n{asked}")).plan.steps
    assert [each.topic for each in steps if isinstance(each, QuestionStep)] == [QuestionTopic.MECHANISM]


@pytest.mark.parametrize("asked", ["啥叫不算？余额早上就归零了", "what do you mean no? the balance is 0 since nine"])
async def test_a_verdict_that_is_protested_against_is_no_term(asked: str) -> None:
    """Who repeats a yes or no with a question mark, and tells how it is, asks for no explanation of the word."""
    seen = EvidenceView("P-0024", CHECKS[0].name, Verdict.CONFIRMED, "x", 1)
    view = SessionView(turn=3, language=Language.EN, pending=CHECKS, evidence=(seen,))
    steps = (await Planner().decide(view, asked)).plan.steps
    topics = {each.topic for each in steps if isinstance(each, QuestionStep)}
    assert not topics & {QuestionTopic.MECHANISM, QuestionTopic.MEANING}


@pytest.mark.parametrize("language", list(Language))
def test_how_a_cause_works_is_not_told_of_one_that_hardly_leads(language: Language) -> None:
    """What nothing points at yet explains nothing: that is said instead."""
    works = Text("成本参数与硬件不符。", "Cost settings do not fit the hardware.")
    cause = ConclusionView("RC-1", Text("成本参数", "Cost settings"), 0.08, mechanism=works)
    answer = HelpAnswer(text="?", topic=QuestionTopic.MECHANISM, leading=cause)
    text = compose(TurnResults(answers=(answer,)), language)
    assert works.say(language) not in text
    assert str(load_phrases(language)["nothing_yet"]) in text
