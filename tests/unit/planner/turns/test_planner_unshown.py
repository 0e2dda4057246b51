"""A bare yes or no answers what the last answer asked, and nothing that it did not show."""

from __future__ import annotations

import asyncio

from services.planner.model import FeedbackStep, Item, Language, SessionView, Speaker, Text, Utterance
from services.planner.planner import Planner
from tests.support.cases import for_each

INDEX = Item(1, "P-1", Text("计划里有大表全扫", "The plan scans a large table"))
ASKED = {"zh": "先看 **1. 计划里有大表全扫**", "en": "First look at **1. The plan scans a large table**"}
ELSE = {"zh": "够动手了，要步骤就回“怎么处理”。", "en": "That is enough to act on."}


def answers(said: str, last: str) -> list[FeedbackStep]:
    history = (Utterance(Speaker.USER, "slow"), Utterance(Speaker.ASSISTANT, last))
    view = SessionView(Language.EN, 3, pending=(INDEX,), history=history)
    steps = asyncio.run(Planner().decide(view, said)).plan.steps
    return [step for step in steps if isinstance(step, FeedbackStep)]


@for_each(("language", "said"), [("zh", "是啊，就这么大"), ("zh", "对啊"), ("en", "yeah")])
def test_a_bare_answer_is_of_what_was_shown(language: str, said: str) -> None:
    """The same words answer the check where it was shown, and nothing where it was not."""
    assert answers(said, ASKED[language])
    assert not answers(said, ELSE[language])


def test_a_number_still_points_at_a_check_that_was_shown_before() -> None:
    """Who names the item by its number means it, whatever was said last."""
    assert answers("1 有", ELSE["zh"])
