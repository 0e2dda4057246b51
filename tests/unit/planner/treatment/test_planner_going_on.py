"""What goes on from the last answer, why something of one's own is so, and what is asked of things said before."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Aftermath,
    EvidenceView,
    HypothesisView,
    Item,
    ItemList,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Status,
    Text,
    Treatment,
    Verdict,
)
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.going_on import asked_by, going_on, with_cure
from tests.support.cases import for_each

CAUSE = HypothesisView("RC-1", Text("索引膨胀", "Index bloat"), 0.9)
SEEN = (EvidenceView("P-1", Text("死元组很多", "Many dead rows"), Verdict.CONFIRMED),)
ITEMS = (Item(1, "P-2", Text("空闲事务", "Idle transaction")), Item(2, "P-3", Text("吞吐骤降", "Fewer transactions")))
OPEN = SessionView(status=Status.NARROWING, evidence=SEEN, hypotheses=(CAUSE,), pending=ITEMS)
DONE = SessionView(
    status=Status.CONCLUDED, evidence=SEEN, hypotheses=(CAUSE,), treatments=(Treatment("vacuum", "ran vacuum"),)
)


@for_each("said", ["what then", "and now", "ok so what now?", "那咋整", "然后呢"])
def test_what_goes_on_from_an_answer_is_the_next_step(said: str) -> None:
    """It is no supposition, and once a cause is known no recap: what is left to do is told."""
    supposed = QuestionStep(QuestionKind.WHAT_IF, text=said)
    opened, concluded = going_on(supposed, OPEN), going_on(supposed, DONE)
    assert isinstance(opened, QuestionStep)
    assert opened.kind is QuestionKind.PROGRESS
    assert isinstance(concluded, QuestionStep)
    assert concluded.topic is QuestionTopic.REMAINING


@for_each("said", ["where are we", "what do we know so far", "现在进度到哪了", "/status"])
def test_where_things_stand_stays_what_it_is(said: str) -> None:
    """After a conclusion as before it."""
    step = QuestionStep(QuestionKind.PROGRESS, text=said)
    assert going_on(step, DONE) == step


@for_each(
    ("said", "of_cause"),
    [
        ("how can one lookup by email take half a second", True),
        ("why is my checkout so slow", True),
        ("why would the second one drop", False),
        ("why is 2 like that", False),
    ],
)
def test_why_something_of_ones_own_is_so_is_asked_of_the_cause(said: str, of_cause: bool) -> None:
    """A number that is no place of an item makes it no question of that item."""
    step = QuestionStep(QuestionKind.RELATIONS, Reference(ordinal=2, list=ItemList.PENDING), said)
    found = going_on(step, OPEN)
    assert isinstance(found, QuestionStep)
    assert (found.topic is QuestionTopic.RELATED) is of_cause


@for_each(
    ("said", "matter"),
    [
        ("did u catch the orders thing? and does that change anything", "orders thing"),
        ("did you see what i said about the standby?", "i said about the standby"),
        ("从库那个事你记下了吗", "从库那个事"),
    ],
)
def test_whether_something_was_heard_is_asked_of_the_record(said: str, matter: str) -> None:
    """One question with the words for what it was; that it changed anything is answered with it."""
    steps = [step for _, steps in asked_by(said, OPEN) for step in steps]
    assert [step.kind for step in steps] == [QuestionKind.HISTORY]
    assert steps[0].subject is not None
    assert steps[0].subject.words == matter


@for_each(
    "said",
    ["did you even read that we loaded 20 million rows last night", "did you see 92 %", "刚才那个案例的结论还能看到吗"],
)
def test_a_fact_that_is_told_again_is_no_question_of_the_record(said: str) -> None:
    """Who repeats what happened tells it, and who asks if the case can still be seen asks for its place."""
    assert all(step.kind is not QuestionKind.HISTORY for _, steps in asked_by(said, OPEN) for step in steps)


@pytest.mark.parametrize("said", ["但表还是那么大，du看没变小", "but the table is still as big, du shows no change"])
def test_a_size_that_a_step_leaves_is_no_failure_of_it(said: str) -> None:
    """After a vacuum the file is as big as before; after another step the same words tell of no effect."""
    assert aftermath_in(said, DONE) is not Aftermath.UNCHANGED


@pytest.mark.parametrize(
    "said", ["怎么处理 把max_connections直接调到1000行不行", "现在到底怎么弄 导数还在跑 要不要重启"]
)
def test_of_two_questions_parted_by_a_space_both_are_asked(said: str) -> None:
    """The cure is asked for beside whether something may be done."""
    concluded = SessionView(status=Status.CONCLUDED, evidence=SEEN, hypotheses=(CAUSE,))
    asked: list[PlanStep] = [step for _, steps in asked_by(said, concluded) for step in steps]
    both = [step for step in with_cure(asked, said, concluded) if isinstance(step, QuestionStep)]
    assert [step.topic for step in both] == [QuestionTopic.RISK, None]
