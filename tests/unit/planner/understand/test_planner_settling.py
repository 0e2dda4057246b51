"""Answers to an open contradiction, or with the value that was asked for."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ClarifyKind,
    ClarifyStep,
    EvidenceView,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    Language,
    ObservationStep,
    PlanStep,
    Reference,
    SessionView,
    Text,
    Verdict,
)
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

CPU = Text("数据库主机 CPU 超过 90%", "Database host CPU above 90 %")
NO_CPU = Text("没有“数据库主机 CPU 超过 90%”", 'no "Database host CPU above 90 %"')
PENDING = (Item(1, "P-0005", Text("锁等待多", "Many lock waits")), Item(2, "P-0006", Text("磁盘满", "Disk full")))
STANDS = (EvidenceView("P-0001", CPU, Verdict.CONFIRMED, "CPU 95%", 1),)
CONTESTED = SessionView(
    language=Language.ZH,
    turn=2,
    pending=PENDING,
    options=(Item(1, "P-0001", CPU), Item(2, "P-0001", NO_CPU)),
    clarified_words="CPU 不高",
    evidence=STANDS,
)
ASKED_VALUE = SessionView(turn=2, pending=PENDING, options=(Item(1, "P-0001", CPU),), clarified_words="CPU 变了")


def steps(message: str, view: SessionView) -> tuple[PlanStep, ...]:
    """The steps of a message."""
    return read_answering(message, view)[0].steps


@for_each("words", ["之前的对", "以之前的为准", "前面说的是对的", "the earlier one was right", "keep the old one"])
def test_the_earlier_side_by_words(words: str) -> None:
    """It is the first option, confirmed."""
    assert steps(words, CONTESTED) == (
        FeedbackStep(Reference(ordinal=1, list=ItemList.OPTIONS), Verdict.CONFIRMED, words),
    )


@for_each(
    "words",
    ["现在的为准", "以刚才说的为准", "之前说错了", "the new one", "the latest is right", "the earlier one was wrong"],
)
def test_the_later_side_by_words(words: str) -> None:
    """It is the second option, confirmed."""
    assert steps(words, CONTESTED) == (
        FeedbackStep(Reference(ordinal=2, list=ItemList.OPTIONS), Verdict.CONFIRMED, words),
    )


@for_each(("words", "verdict"), [("有", Verdict.CONFIRMED), ("yes", Verdict.CONFIRMED), ("没有", Verdict.DENIED)])
def test_a_bare_yes_or_no_is_about_the_phenomenon(words: str, verdict: Verdict) -> None:
    """Both sides are about the same, so it needs no number."""
    (step,) = steps(words, CONTESTED)
    assert isinstance(step, FeedbackStep)
    assert (step.reference, step.verdict) == (Reference(id="P-0001"), verdict)


def test_what_follows_the_choice_is_read_as_well() -> None:
    """The rest of the message is a message of its own."""
    chosen, *rest = steps("现在的对，另外复制延迟有 30 分钟", CONTESTED)
    assert isinstance(chosen, FeedbackStep)
    assert chosen.reference.ordinal == 2
    assert [type(step) for step in rest] == [ObservationStep]


@for_each("words", ["现在 CPU 降下来了", "before lunch it was fine", "之前说过 IO 高"])
def test_a_statement_is_no_choice(words: str) -> None:
    """Words that only begin like a choice choose nothing."""
    chosen = [step for step in steps(words, CONTESTED) if isinstance(step, FeedbackStep)]
    assert not [step for step in chosen if step.reference.ordinal is not None]


@pytest.mark.parametrize("words", ["之前的对", "the new one"])
def test_without_a_contradiction_nothing_is_settled(words: str) -> None:
    """The same words mean nothing of the kind when no contradiction is open."""
    view = SessionView(turn=2, pending=PENDING, evidence=STANDS)
    assert not [step for step in steps(words, view) if isinstance(step, FeedbackStep) and step.reference.ordinal == 2]


@pytest.mark.parametrize(("words", "verdict"), [("95%", Verdict.CONFIRMED), ("大概 40%", Verdict.DENIED)])
def test_a_bare_value_answers_the_one_open_option(words: str, verdict: Verdict) -> None:
    """It is compared with the limit in the option's name."""
    assert steps(words, ASKED_VALUE) == (FeedbackStep(Reference(ordinal=1, list=ItemList.OPTIONS), verdict, words),)


@for_each("words", ["看了一下 CPU 使用率", "CPU 有点变化", "CPU usage changed", "checked the WAL rate"])
def test_what_is_named_without_how_it_is_lacks_a_value(words: str) -> None:
    """To have looked at something, or that it changed, confirms nothing: the value is asked for."""
    assert steps(words, SessionView(turn=1)) == (ClarifyStep(ClarifyKind.MISSING_VALUE, words),)


@for_each("words", ["看了一下 CPU 使用率很高", "CPU 95%", "checked the disk, it is full", "the plan changed"])
def test_what_says_how_it_is_lacks_nothing(words: str) -> None:
    """A degree, a number or a thing that simply changes is a statement."""
    assert not [step for step in steps(words, SessionView(turn=1)) if isinstance(step, ClarifyStep)]


@pytest.mark.parametrize("words", ["CPU 使用率很低", "CPU usage is very low"])
def test_a_statement_about_one_thing_does_not_answer_every_item(words: str) -> None:
    """What names something of its own says nothing of the items that were asked."""
    given = steps(words, SessionView(language=Language.ZH, turn=2, pending=PENDING, evidence=STANDS))
    assert not [step for step in given if isinstance(step, FeedbackStep)]


@for_each("words", ["都没有", "一个都没有", "none of them", "没有异常"])
def test_a_denial_of_all_stays_one(words: str) -> None:
    """What denies every item still does."""
    (step,) = steps(words, SessionView(language=Language.ZH, turn=2, pending=PENDING))
    assert isinstance(step, FeedbackStep)
    assert (step.reference.group, step.verdict) == (Group.ALL, Verdict.DENIED)


@for_each(
    "message",
    ["是啊是seq scan", "对，索引还在", "yes its a seq scan. last_analyze was 9 days ago", "yeah obviously, what now?"],
)
def test_a_yes_at_the_beginning_answers_the_one_question(message: str) -> None:
    """A message that begins with yes answers the one thing that is asked, whatever it goes on with."""
    item = Item(1, "P-0077", Text("计划里有 Seq Scan", "Plan has a Seq Scan with a selective filter"))
    steps = read_answering(message, SessionView(options=(item,), clarified_words="seq scan"))[0].steps
    answers = [step for step in steps if isinstance(step, FeedbackStep)]
    assert [(step.verdict, step.reference.ordinal, step.by_name) for step in answers] == [(Verdict.CONFIRMED, 1, False)]


@for_each("message", ["是不是锁的问题", "right now cpu is 97%", "对了 cpu 97%", "yes 2"])
def test_other_openings_are_no_yes(message: str) -> None:
    """Words that only begin like a yes answer nothing."""
    item = Item(1, "P-0077", Text("计划里有 Seq Scan", "Plan has a Seq Scan with a selective filter"))
    steps = read_answering(message, SessionView(options=(item,), clarified_words="seq scan"))[0].steps
    assert not any(isinstance(step, FeedbackStep) and step.verdict is Verdict.CONFIRMED for step in steps)


@pytest.mark.parametrize("message", ["1. there is no such thing, I told you", "1，我说了没有这回事啊，看清楚"])
def test_a_number_with_the_statement_itself_chooses_it(message: str) -> None:
    """Of two opposite statements a number chooses its own, also where the words repeat a denial."""
    answers = [step for step in steps(message, CONTESTED) if isinstance(step, FeedbackStep)]
    assert (Verdict.CONFIRMED, 1) in [(step.verdict, step.reference.ordinal) for step in answers]
