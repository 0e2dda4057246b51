"""Questions that were guessed at: of what comes with something, and whether something counts."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Item,
    Language,
    ObservationStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    Utterance,
)
from services.planner.understand.answers.asked_if_it_counts import with_counts_asked
from services.planner.understand.questions.of_the_state import without_guesses
from tests.support.cases import for_each


@for_each(
    ("words", "asked"),
    [
        ("idx_users_mail 这个索引是不是废了", False),
        ("我啥时候说过临时文件的事", False),
        ("is that unique index broken?", False),
        ("复制槽不活动会引起什么", True),
        ("what does a full disk lead to?", True),
    ],
)
def test_what_comes_with_something_is_told_where_that_is_asked(words: str, asked: bool) -> None:
    """The relations of the library answer only who asks what something leads to or comes from."""
    step = QuestionStep(QuestionKind.RELATIONS, Reference(words=words), words)
    assert (step in without_guesses([step])) is asked


@pytest.mark.parametrize("said", ["2 翻了一下,只有个别几次超过。这算有还是没有", "2 saw it twice. does that count?"])
def test_a_number_in_front_names_what_may_count(said: str) -> None:
    """Whether it counts is asked of the item whose number opens the message, whatever was said last."""
    items = (Item(1, "P-0901", Text("缺纸", "Out of paper")), Item(2, "P-0902", Text("墨少", "Little ink")))
    history = (Utterance(Speaker.ASSISTANT, "好。"),)
    told = TurnPlan((ObservationStep(said.split("。")[-1]),))
    plan = with_counts_asked(told, said, SessionView(Language.ZH, 3, items, history=history))
    (asked,) = [each for each in plan.steps if isinstance(each, QuestionStep)]
    assert asked.topic is QuestionTopic.MEANING
    assert asked.subject is not None
    assert asked.subject.ordinal == 2
