"""A thing that is gone is missed; only trouble that is gone is over."""

from __future__ import annotations

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import Aftermath, QuestionTopic, SessionView, Status
from tests.support.cases import for_each
from tests.unit.planner.turns.test_planner_deeds import plan_of, topics_of, view

CONCLUDED = view(status=Status.CONCLUDED)
THINGS = [
    "那个槽应该就是 BI 的, 那边机器都没了. 我能直接删掉它吗? 现在该咋办",
    "备库没了",
    "机器消失了",
    "人都没了",
    "the box is gone now",
    "that old replica is gone, can i drop the slot?",
]
TROUBLE = ["报错没了", "告警都没了", "异常消失了", "the errors are gone", "the lag is gone now", "the waits are gone"]


@for_each("message", THINGS)
@for_each("seen", [CONCLUDED, view()])
async def test_a_thing_that_is_gone_tells_no_recovery(message: str, seen: SessionView) -> None:
    """Whoever misses a machine, a standby or people has not said that the trouble is over."""
    plan = await plan_of(message, seen)
    assert plan.aftermath is not Aftermath.WELL
    assert QuestionTopic.RECOVERED not in topics_of(plan)
    assert not tells_recovery(read_text(message))


@for_each("message", TROUBLE)
async def test_trouble_that_is_gone_is_over(message: str) -> None:
    """Errors, alerts and waits that are gone are good news."""
    assert (await plan_of(message, CONCLUDED)).aftermath is Aftermath.WELL
