"""What somebody denies of the case beside a question, no general answer heeds: the case answers, or nothing does."""

from __future__ import annotations

import pytest

from services.planner.model import EvidenceView, Language, QuestionStep, QuestionTopic, SessionView, Text, Verdict
from services.planner.planner import Planner
from tests.support.cases import for_each

SEEN = EvidenceView("P-0063", Text("死元组超过 20%", "Dead tuples above 20 %"), Verdict.CONFIRMED, "x", 1)


@for_each(
    ("said", "language"),
    [
        ("我要知道统计信息够不够新：last_autoanalyze 是三月的，导入之后没有收集", Language.ZH),
        ("没有重启过，缓存不冷，怎么还说缓存冷", Language.ZH),
        ("we have no standby and no slot so what holds it", Language.EN),
        ("no slots, pg_replication_slots is empty, what else keeps the wal", Language.EN),
    ],
)
async def test_a_denial_beside_a_question_gets_no_general_answer(said: str, language: Language) -> None:
    """Words that deny something are of this case, so that no answer of the field in general fits them."""
    view = SessionView(turn=4, language=language, evidence=(SEEN,))
    steps = (await Planner().decide(view, said)).plan.steps
    assert QuestionTopic.COMMON not in [each.topic for each in steps if isinstance(each, QuestionStep)]


@pytest.mark.parametrize(
    "said", ["why did autoanalyze not run by itself after the load?", "为什么自动 analyze 没有跑？"]
)
async def test_why_something_does_not_happen_is_still_answered(said: str) -> None:
    """A why of what does not happen denies nothing: it asks."""
    view = SessionView(turn=4, language=Language.EN, evidence=(SEEN,))
    steps = (await Planner().decide(view, said)).plan.steps
    assert any(isinstance(each, QuestionStep) for each in steps)
