"""How long a vacuum or the build of an index still runs is told by its progress, and why it takes long by its size."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.treatment.case_talk import add_case_talk
from tests.support.cases import for_each

DELAY = SolutionStep(
    Text("快一点", "Let it go faster"),
    "ALTER SYSTEM SET autovacuum_vacuum_cost_delay = 0;",
    "low",
    helps="within hours",
)
CAUSE = ConclusionView("RC-1", Text("清理挡住 DDL", "A vacuum blocks DDL"), 0.97, solution=(DELAY,))
VACUUM = " 9120 | prod | 05:07:12 | autovacuum: VACUUM public.events (to prevent wraparound)"
BUILD = " 4410 | app | active | 02:11:40 | CREATE INDEX CONCURRENTLY i ON public.orders (a)"


def asked_of(said: str, row: str) -> list[QuestionStep]:
    """What a message asks after a row was shown."""
    history = (Utterance(Speaker.USER, row), Utterance(Speaker.ASSISTANT, DELAY.how))
    plan = add_case_talk(TurnPlan(), said, said, SessionView(status=Status.CONCLUDED, turn=3, history=history))
    return [step for step in plan.steps if isinstance(step, QuestionStep)]


def answered(said: str, row: str, language: Language) -> str:
    """The answers to a message after a row was shown."""
    steps = [step for step in asked_of(said, row) if step.topic is QuestionTopic.EFFECT]
    answers = tuple(HelpAnswer((), CAUSE, step.text, step.topic, action=step.action) for step in steps)
    return compose(TurnResults(answers=answers), language, "")


@for_each(
    ("said", "language"),
    [
        ("所以要等9120跑完才能跑迁移？怎么知道它还要多久", Language.ZH),
        ("能不能估 还要多久跑完", Language.ZH),
        ("我是问它为什么跑这么久", Language.ZH),
        ("那9120为啥要跑5个小时", Language.ZH),
        ("how long will 9120 take", Language.EN),
        ("why is that vacuum taking so long", Language.EN),
        ("when will it be done running", Language.EN),
    ],
)
def test_what_is_left_of_a_vacuum_is_told_by_its_progress(said: str, language: Language) -> None:
    """Whoever asks how long a vacuum runs gets its progress by its session, and why it is slow; no step's effect."""
    text = answered(said, VACUUM, language)
    assert "pg_stat_progress_vacuum WHERE pid = 9120" in text
    assert "cost_delay" in text
    assert "pg_table_size('public.events')" in text
    assert "ALTER SYSTEM" not in text
    assert not any(each.action == "set_parameter" for each in asked_of(said, VACUUM))


@for_each(
    ("said", "language"),
    [
        ("索引还要多久建完", Language.ZH),
        ("how long will the index build take", Language.EN),
        ("4410还要跑多久", Language.ZH),
    ],
)
def test_what_is_left_of_a_build_is_told_by_its_progress(said: str, language: Language) -> None:
    """Whoever asks how long the build of an index runs gets its progress, by its session and table."""
    text = answered(said, BUILD, language)
    assert "pg_stat_progress_create_index WHERE pid = 4410" in text
    assert "public.orders" in text


@for_each("said", ["改了以后多久见效", "how long until the setting takes effect", "how long does a reload take"])
def test_how_long_a_step_takes_is_another_question(said: str) -> None:
    """A question of the effect of a step is not taken for one of what runs."""
    assert "pg_stat_progress" not in answered(said, VACUUM, Language.EN)


@pytest.mark.parametrize(
    ("said", "language"), [("它还要跑多久", Language.ZH), ("how long will it still run", Language.EN)]
)
def test_a_row_of_long_before_is_remembered(said: str, language: Language) -> None:
    """The session that was shown many messages ago is filled in, as what it runs is on record."""
    seen = EvidenceView("P-1", Text("正在清理", "Anti-wraparound autovacuum running"), Verdict.CONFIRMED)
    before = add_case_talk(TurnPlan(), VACUUM, VACUUM, SessionView())
    view = SessionView(turn=9, evidence=(seen,), history=(Utterance(Speaker.ASSISTANT, "ok"),))
    steps = add_case_talk(TurnPlan(), said, said, view).steps
    asked = next(step for step in steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.EFFECT)
    answer = HelpAnswer((), CAUSE, asked.text, asked.topic, action=asked.action)
    text = compose(TurnResults(answers=(answer,), objects=before.objects), language, "")
    assert "pg_stat_progress_vacuum WHERE pid = 9120" in text
