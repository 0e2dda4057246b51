"""Settings that were shown are told with what they mean for the leading cause, and so are questions of them."""

from __future__ import annotations

import asyncio

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.treatment.bearing import bearing_on_treatment
from tests.support.cases import for_each

ROWS = """ name | setting | unit
---+---+---
 hot_standby_feedback | off |
 max_standby_streaming_delay | 30000 | ms
(2 rows)
"""
SEEN = EvidenceView("P-0137", Text("冲突", "Conflict"), Verdict.CONFIRMED, "conflict with recovery", 1)
CAUSE = ConclusionView(
    "RC-1",
    Text("备库冲突", "Conflicts with replay"),
    0.97,
    Text(
        "备库先等 max_standby_streaming_delay；到时就取消查询。别的。",
        "It waits up to max_standby_streaming_delay; then it cancels. More.",
    ),
    solution=(SolutionStep(Text("打开反馈", "Turn it on"), "ALTER SYSTEM SET hot_standby_feedback = on;", "medium"),),
)
OBJECTS = (
    NamedObject("setting", "hot_standby_feedback=off"),
    NamedObject("setting", "max_standby_streaming_delay=30000ms"),
    NamedObject("setting", "work_mem=4MB"),
)


def decide(message: str, before: str = "slow") -> TurnPlan:
    history = (Utterance(Speaker.USER, before), Utterance(Speaker.ASSISTANT, "Noted."))
    seen = SessionView(language=Language.EN, turn=3, history=history, evidence=(SEEN,))
    return asyncio.run(Planner().decide(seen, message)).plan


def settings(plan: TurnPlan) -> list[str]:
    steps = [step for step in plan.steps if isinstance(step, QuestionStep)]
    return [step.text for step in steps if step.topic is QuestionTopic.IDENTIFICATION and step.action == "settings"]


@for_each(
    "question",
    ["are these two settings ok?", "我问的是30秒和off这俩设置算不算有问题，能不能改", "这俩正常吗"],
)
def test_what_was_shown_is_asked_about_without_its_names(question: str) -> None:
    """Settings that an output shows are told of, and so they are where they are asked about later."""
    both = "hot_standby_feedback max_standby_streaming_delay"
    assert (
        settings(decide(ROWS)) == settings(decide(f"{ROWS}\n{question}")) == settings(decide(question, ROWS)) == [both]
    )


def test_a_setting_is_asked_about_by_its_name() -> None:
    """A question that names one of the settings shown is about that one; other questions are about none."""
    asked = "max_standby_streaming_delay=30s 是不是就是我被砍的原因？"
    assert settings(decide(asked, ROWS)) == ["max_standby_streaming_delay"]
    assert settings(decide("what do i do now?", ROWS)) == settings(decide(asked)) == []


@pytest.mark.parametrize("language", [Language.EN, Language.ZH])
def test_a_setting_is_told_with_its_bearing(language: Language) -> None:
    """The value, the sentence of the mechanism that names the setting, and its step; what has no bearing is said so."""
    names = "hot_standby_feedback max_standby_streaming_delay work_mem"
    answer = HelpAnswer(text=names, topic=QuestionTopic.IDENTIFICATION, action="settings", leading=CAUSE)
    told = compose(TurnResults(turn=4, answers=(answer,), objects=OBJECTS), language).split("\n")
    assert len(told) == 3
    assert "off" in told[0]
    assert CAUSE.solution[0].action.say(language) in told[0]
    first = CAUSE.mechanism.say(language).split("。" if language is Language.ZH else ". ")[0]
    assert "30000ms" in told[1]
    assert first in told[1]
    assert "别的" not in told[1]
    assert "More" not in told[1]
    assert "work_mem" in told[2]


@for_each("language", [Language.ZH, Language.EN])
@for_each(
    ("said", "value"),
    [
        (("the wal sits on its own lil 20gb volume",), "8GB"),
        (("the disk has 40 gigs free i think", "no, the wal sits on its own 20gb volume"), "8GB"),
        (("pg_wal 单独一块盘，总共 20G",), "8GB"),
        (("the disk has 40 gigs free i think",), "16GB"),
        (("12 GB free on that disk",), "6GB"),
        (("the box has 16gb of ram in total",), "16GB"),
    ],
)
def test_an_amount_of_wal_in_a_command_fits_the_disk_that_was_told(
    said: tuple[str, ...], value: str, language: Language
) -> None:
    """No command sets more WAL than the disk of it takes, by the size or the free space that was told last."""
    step = SolutionStep(Text("调大", "Raise it"), "ALTER SYSTEM SET max_wal_size = '16GB';", "low")
    cause = ConclusionView("RC-2", Text("太小", "Too small"), 0.99, solution=(step,))
    objects: tuple[NamedObject, ...] = ()
    for turn, words in enumerate(said):
        objects += bearing_on_treatment(words, SessionView(turn=turn))
    text = compose(TurnResults(answers=(HelpAnswer((), cause, "how do i fix it"),), objects=objects), language, "")
    assert f"max_wal_size = '{value}'" in text
