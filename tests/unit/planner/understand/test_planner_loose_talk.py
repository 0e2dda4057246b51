"""Loose talk: soft choices from a menu, statements that are only a bit so, sighs and shrugs."""

from __future__ import annotations

from services.planner.model import (
    ClarifyStep,
    FeedbackStep,
    Item,
    Language,
    ObservationStep,
    PlanStep,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Text,
    Verdict,
)
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

NAMES = (
    Text("写入或提交很慢", "Writes or commits are slow"),
    Text("大多数语句都比平时慢", "Most statements are slower than usual"),
    Text("只有某一条语句变慢，其他正常", "One statement became slow, others are fine"),
)
ITEMS = tuple(Item(ordinal, f"P-000{ordinal}", name) for ordinal, name in enumerate(NAMES, 1))
MENU = SessionView(language=Language.EN, options=ITEMS)
CHECKS = SessionView(language=Language.EN, pending=ITEMS)


def steps(message: str, view: SessionView) -> tuple[PlanStep, ...]:
    return read_answering(message, view)[0].steps


@for_each(
    ("message", "ordinal"),
    [
        ("3吧", 3),
        ("3吧 就是 delete from customers where id=5 这种", 3),
        ("第二个吧", 2),
        ("1吧，保存的时候", 1),
        ("2", 2),
    ],
)
def test_a_soft_number_chooses(message: str, ordinal: int) -> None:
    """The number of an option with a softening 吧 chooses it, whatever is told beside it."""
    chosen = [step for step in steps(message, MENU) if isinstance(step, FeedbackStep)]
    assert [(step.reference.ordinal, step.verdict) for step in chosen] == [(ordinal, Verdict.CONFIRMED)]


@for_each(("message", "ordinal"), [("the second one i guess", 2), ("i guess 2", 2), ("1吧应该", 1), ("3 maybe", 3)])
def test_a_hedged_number_chooses(message: str, ordinal: int) -> None:
    """Who chooses with a doubt in words is not asked whether that was meant; a doubt never weighs more than a yes."""
    (step,) = steps(message, MENU)
    assert isinstance(step, FeedbackStep)
    assert (step.reference.ordinal, step.verdict) == (ordinal, Verdict.CONFIRMED)
    assert (step.certainty or 1.0) <= 1.0


def test_a_number_that_nobody_is_sure_of_denies_nothing() -> None:
    """ "The first, not sure" is never a no."""
    assert not [step for step in steps("第一个吧 不确定", MENU) if getattr(step, "verdict", None) is Verdict.DENIED]


@for_each("message", ["writes thing forget it", "scratch the writes", "写入那个别记了，作废"])
def test_what_is_taken_back_chooses_nothing(message: str) -> None:
    """Words that take back or drop something choose no option that they name."""
    assert not [step for step in steps(message, MENU) if isinstance(step, FeedbackStep)]


@for_each("message", ["a bit slow maybe", "kind of sluggish i think", "有点慢可能"])
def test_a_weak_statement_is_one(message: str) -> None:
    """What is only a bit so and names none of several checks is a statement, and no answer to all of them."""
    assert not [step for step in steps(message, CHECKS) if isinstance(step, ClarifyStep) and len(step.references) > 1]


@for_each(
    "message",
    [
        "烦死了",
        "ok whatever",
        "ugh",
        "累死了我",
        "this is useless",
        "随便吧",
        "not as bad as yesterday",
        "比昨天好点",
        "better now",
    ],
)
def test_a_sigh_is_a_remark(message: str) -> None:
    """Anger, a shrug or a bare comparison is talk, and no symptom."""
    assert [step.kind for step in steps(message, CHECKS) if isinstance(step, SmalltalkStep)] in (
        [SmalltalkKind.REMARK],
        [SmalltalkKind.THANKS],
    )


@for_each(
    "message",
    ["stupid lock waits again", "烦死了 又死锁了", "useless index on orders", "比昨天慢", "tired of these deadlocks"],
)
def test_a_sigh_about_a_thing_is_more(message: str) -> None:
    """A sigh with a thing of the field in it is no mere remark."""
    assert any(isinstance(step, ObservationStep | FeedbackStep | ClarifyStep) for step in steps(message, CHECKS))


@for_each("message", ["half of the invoices are gone", "my customers are gone", "the indexes are gone"])
def test_a_thing_that_is_gone_is_no_recovery(message: str) -> None:
    """What is gone is over only where it was trouble."""
    assert not [step for step in steps(message, SessionView(language=Language.EN)) if isinstance(step, SmalltalkStep)]


@for_each("message", ["wal disk? dunno", "could it be the disk? no idea", "是不是磁盘的问题？不知道"])
def test_not_knowing_a_guess_leaves_the_checks_open(message: str) -> None:
    """Not knowing about a guess of one's own is no answer to what was asked."""
    assert not [step for step in steps(message, CHECKS) if isinstance(step, FeedbackStep)]


@for_each("message", ["dunno", "no idea about any of them", "都不知道"])
def test_not_knowing_answers_the_checks(message: str) -> None:
    """Not knowing, by itself, is of what was asked."""
    assert [step for step in steps(message, CHECKS) if isinstance(step, FeedbackStep)]
