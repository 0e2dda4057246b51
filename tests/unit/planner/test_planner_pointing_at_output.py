"""Words that point at an output below them confirm nothing: what the output shows does."""

from __future__ import annotations

import pytest

from services.planner.model import FeedbackStep, Item, Language, SessionView, Text
from services.planner.understand.answers.plan_checks import drop_labels
from services.planner.understand.read import understand

CHECKS = (
    Item(1, "P-0024", Text("有事务开启超过 1 小时", "Transaction open for more than an hour")),
    Item(2, "P-0025", Text("所有等锁会话的源头是同一个会话", "One constant session blocks all waiters")),
)
VIEW = SessionView(turn=2, language=Language.EN, pending=CHECKS)
ROWS = "\n\n| 911 | web | shop | Query | 77 | Waiting |\n| 912 | web | shop | Query | 76 | Waiting |"


@pytest.mark.parametrize(
    "words", ["我看了眼列表，全是这个：", "列表里都是这样的：", "looked at the list, its all this one:"]
)
@pytest.mark.parametrize("below", [ROWS, ""])
def test_pointing_at_an_output_answers_no_check(words: str, below: str) -> None:
    """Neither where the rows stand in the message nor where they were taken out of it as an output."""
    plan = understand(words + below, VIEW)
    plan = plan if below else drop_labels(plan, words)
    assert not any(isinstance(step, FeedbackStep) for step in plan.steps)
