"""Texts of a case set right: what is wrong in the last one, what it lacks, and what stays for every later one."""

from __future__ import annotations

from dataclasses import replace

from services.planner.account.rewriting import began_set_right, with_changes, with_news
from services.planner.model import (
    Brief,
    EvidenceView,
    Language,
    PlanSource,
    QuestionKind,
    QuestionStep,
    Reader,
    SessionView,
    Speaker,
    Text,
    Treatment,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.treatment.going_on import asked_by
from services.planner.treatment.wanted.briefs import read_order
from tests.support.cases import for_each

RELEASE = EvidenceView("P-1", Text("重启之后开始", "Began right after a restart"), Verdict.CONFIRMED, "NO RESTART", 2)


def view_after(text: str) -> SessionView:
    """A session whose last turn gave this summary."""
    return SessionView(
        turn=5, brief=Brief(reader=Reader.PLAIN), briefed=4, history=(Utterance(Speaker.ASSISTANT, text),)
    )


def brief_by(said: str, view: SessionView) -> Brief:
    """How a text is to be written by a message."""
    order = with_changes(read_order(said, view), said, view)
    assert order is not None
    assert order.step.brief is not None
    return order.step.brief


@for_each(
    ("said", "cleared"),
    [
        ("three sentences for my boss, and say it wasn't the firewall", ("firewall",)),
        ("he thinks it's the network. 3 sentences for my boss, say it wasnt", ("network",)),
        ("给老板写三句话，顺便说不是磁盘也不是攻击", ("磁盘", "攻击")),
        ("给老板写三句话，现在不是高峰", ()),
    ],
)
def test_what_it_was_not_is_said_where_that_is_asked(said: str, cleared: tuple[str, ...]) -> None:
    """An order that wants said what it was not has it in the brief, word for word."""
    order = with_changes(read_order(said, SessionView()), said, SessionView())
    assert order is not None
    assert order.step.brief is not None
    assert order.step.brief.cleared == cleared


@for_each(
    ("text", "said", "unsaid", "added"),
    [
        (
            "The index was broken; all pages failed. Done so far: deleting rows.",
            "not all pages failed, only billing. rewrite it, the index was rebuilt at 10:25",
            "all pages failed",
            "the index was rebuilt at 10:25",
        ),
        (
            "The index was broken. It has not recovered yet.",
            '"it has not recovered yet" is wrong! fix the summary please, and put in that support found it at nine',
            "it has not recovered yet",
            "support found it at nine",
        ),
        (
            "原因查清了：索引坏了，全站打不开。",
            "没有全站打不开，只是账单页。重写一遍，索引10:25重建好的",
            "全站打不开",
            "只是账单页",
        ),
    ],
)
def test_a_text_is_set_right_by_what_is_said_of_it(text: str, said: str, unsaid: str, added: str) -> None:
    """A denial takes out the words that it denies, and what is told beside is added in its own words."""
    view = view_after(text)
    order = with_changes(read_order(said, view), said, view)
    assert order is not None
    assert order.step.brief is not None
    assert unsaid in order.step.brief.unsaid
    assert any(added in each for each in order.step.brief.added)
    assert not any(unsaid in each for each in order.step.brief.added)
    assert not order.rest


@for_each(
    "said",
    [
        "so what did I tell you so far?",
        "list what i told you, for the ticket",
        "what did we change tonight, in what order?",
        "我到现在都跟你说过什么？",
        "我们今晚都做了哪些？",
    ],
)
def test_looking_back_asks_for_the_record(said: str) -> None:
    """What was told and what was done is a question of the record, in either language, and orders no text."""
    view = SessionView(evidence=(RELEASE,))
    steps = [step for _, asked in asked_by(said, view) for step in asked]
    assert QuestionKind.HISTORY in [step.kind for step in steps if isinstance(step, QuestionStep)]
    assert with_changes(read_order(said, view), said, view) is None


@for_each(
    ("said", "cause"),
    [
        ("the import is the cause, not what we did. again please", "import"),
        ("no, the purge was the root cause and not the fix, rewrite it", "purge"),
        ("不对，导入是数据组跑的，不是我们做的，重写", "导入"),
        ("清空那张表是原因，不是处理，改一下", "清空那张表"),
    ],
)
def test_what_is_the_cause_is_no_treatment(said: str, cause: str) -> None:
    """It becomes the cause of the text, nothing is added, and what was on record as done by these words leaves it."""
    view = replace(view_after("It was slow. Done so far: deleting data."), treatments=(Treatment("drop_data", cause),))
    order = with_changes(read_order(said, view), said, view)
    assert order is not None
    assert order.step.brief is not None
    assert order.step.brief.cause.endswith(cause)
    assert not order.step.brief.added
    plan = with_news(TurnPlan((), Language.EN, PlanSource.RULES), order, said, view)
    assert [each.action for each in plan.treatments if each.undone] == ["drop_data"]


@for_each(
    ("said", "began"),
    [
        ("it started at 8:20, not at 9:00", "08:20"),
        ("the start time is wrong, it began yesterday at 22:10", "yesterday 22:10"),
        ("开始时间写错了，是六点半，不是七点", "06:30"),
        ("不是14点开始的，是13点", "13:00"),
        ("shorter please", ""),
        ("重写一遍", ""),
    ],
)
def test_the_beginning_is_set_right_by_its_time(said: str, began: str) -> None:
    """The time that is meant replaces the one that is denied."""
    assert began_set_right(said) == began


@for_each(
    ("said", "added"),
    [("add that no invoice was lost", "no invoice was lost"), ("加一句：没丢发票", "没丢发票")],
)
def test_what_is_to_be_added_is_added_once(said: str, added: str) -> None:
    """A sentence that the person dictates stands in the text once, also where it denies something."""
    brief = brief_by(said, view_after("发票页慢。The invoice page was slow."))
    assert brief.added == (added,)
    assert not brief.unsaid


@for_each(
    "said",
    ["now a summary for the customers please", "give me a recap for my boss", "再给客户写个说明", "给老板写个总结"],
)
def test_what_was_set_right_holds_for_every_later_text(said: str) -> None:
    """A new text, many turns later, keeps the facts of the last one, and not its form."""
    told = Brief(sentences=2, cause="the import", unsaid=("all pages",), added=("no invoice was lost",))
    brief = brief_by(said, SessionView(turn=15, brief=told, briefed=4))
    assert (brief.cause, brief.unsaid, brief.added) == (told.cause, told.unsaid, told.added)
    assert brief.sentences == 0
