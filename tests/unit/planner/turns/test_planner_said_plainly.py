"""Plain words settle what was asked: a yes with an aside, a yes by name, a refusal, a number before a question."""

from __future__ import annotations

import pytest

from services.planner.model import (
    EvidenceView,
    FeedbackStep,
    Item,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Text,
    Treatment,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

DDL = Text("DDL 等排他锁，后面查询排队", "DDL waits for exclusive lock, queries queue behind")
CALLS = Text("一条短语句每秒被调用上千次", "One short statement runs a thousand times a second")
POOLS = Text("各应用连接池之和超过上限", "Pool sizes add up beyond max_connections")
ADDED = Text("出问题前一周内加过或删过索引", "An index was added or dropped in the week before")
DENIED = Text("没有加过索引", "no index was added or dropped")
LOCKS = EvidenceView("P-0021", Text("等锁", "Three or more sessions wait for locks"), Verdict.CONFIRMED, "x", 1)
NO_POOLS = EvidenceView("P-0049", POOLS, Verdict.DENIED, "30 in each", 2)
PENDING = (Item(1, "P-0022", DDL), Item(2, "P-0058", CALLS))
SHOWN = "**1. DDL**\n```sql\nSELECT calls FROM pg_stat_statements\n```\nCounts as yes: one row or more."
OPEN = SessionView(
    turn=4,
    evidence=(LOCKS, NO_POOLS),
    pending=PENDING,
    history=(Utterance(Speaker.USER, "writes hang"), Utterance(Speaker.ASSISTANT, SHOWN)),
)
ONE_ASKED = SessionView(turn=4, evidence=(LOCKS,), pending=PENDING, options=PENDING[:1], clarified_words="the ALTER")
SIDES = (Item(1, "P-0205", ADDED), Item(2, "P-0205", DENIED))
CONTESTED = SessionView(turn=4, evidence=(LOCKS,), options=SIDES, clarified_words="no index was added")


async def plan_of(message: str, view: SessionView) -> TurnPlan:
    """The plan of a message in this case."""
    return (await Planner().decide(view, message)).plan


def answers(plan: TurnPlan) -> list[tuple[str | int | None, Verdict | None]]:
    """What a plan answers: the id or the number of each item, and the verdict."""
    steps = (step for step in plan.steps if isinstance(step, FeedbackStep))
    return [(step.reference.id or step.reference.ordinal, step.verdict) for step in steps]


@for_each(
    ("message", "verdict"),
    [
        ("yes obviously, the ALTER waits. (i never said reports are slow, no idea about that.)", Verdict.CONFIRMED),
        ("对，就是这样。报表我不知道", Verdict.CONFIRMED),
        ("no, obviously not", Verdict.DENIED),
        ("没有，别的我不清楚", Verdict.DENIED),
        ("no idea", Verdict.UNKNOWN),
        ("不知道", Verdict.UNKNOWN),
    ],
)
async def test_an_aside_leaves_the_answer_before_it(message: str, verdict: Verdict) -> None:
    """What nobody knows of something else is no answer to what was just answered."""
    assert answers(await plan_of(message, ONE_ASKED)) == [(1, verdict)]


@for_each(
    ("message", "item"),
    [
        ("I already answered that. YES the ALTER was waiting for an exclusive lock and the queries queued", "P-0022"),
        ("是的，DDL 在等排他锁，后面的查询都排队", "P-0022"),
        ("what?? no. 60 x 30 = 1800. so yes, it does add up beyond max", "P-0049"),
        ("对，各应用连接池之和就是超过上限了", "P-0049"),
    ],
)
async def test_a_yes_before_the_words_of_an_item_affirms_it(message: str, item: str) -> None:
    """Whether it is asked or was answered otherwise: a yes and nothing but its name settle it."""
    assert answers(await plan_of(message, OPEN)) == [(item, Verdict.CONFIRMED)]


@for_each(
    "message",
    ["yes. the disk is fine", "yes, but how do I add up pools", "是的，磁盘满了", "DDL waits for an exclusive lock?"],
)
async def test_a_yes_before_something_else_affirms_no_item(message: str) -> None:
    """A question, another thing and a missing yes name no item as there."""
    assert not [step for step in answers(await plan_of(message, OPEN)) if isinstance(step[0], str)]


@for_each(
    ("message", "item"),
    [
        ("I'm not waiting 10 minutes, users are down", "P-0022"),
        ("都说了，不跑", "P-0022"),
        ("i won't run that", "P-0022"),
        ("stop with the exclusive lock queue thing", "P-0022"),
        ("没装 pg_stat_statements", "P-0022"),
        ("we don't have pg_stat_statements here", "P-0022"),
    ],
)
async def test_what_is_refused_or_not_installed_cannot_be_told(message: str, item: str) -> None:
    """A check that will not or cannot be run is answered, so that it is not asked again, and denies nothing."""
    assert answers(await plan_of(message, OPEN)) == [(item, Verdict.UNKNOWN)]


@for_each(
    "message", ["定时任务不跑了", "autovacuum 不跑", "the sessions are not waiting", "没装监控", "why won't it run?"]
)
async def test_what_does_not_run_by_itself_is_no_refusal(message: str) -> None:
    """A job that does not run, and something else that is not installed, refuse no check."""
    assert (("P-0022", Verdict.UNKNOWN)) not in answers(await plan_of(message, OPEN))


@for_each("message", ["yes it counts", "所以算有", "public | a | b | 3\n public | c | d | 4\nso yes."])
async def test_an_output_that_counts_answers_the_check_that_was_shown(message: str) -> None:
    """A yes below an output, or to what counts, is of the check whose command was given."""
    assert ("P-0022", Verdict.CONFIRMED) in answers(await plan_of(message, OPEN))


@for_each("message", ["2. so how do I fix it", "2 so how do i fix it", "2，那怎么修"])
async def test_a_number_before_a_question_chooses_a_side(message: str) -> None:
    """The number settles the contradiction, and the rest is a question of its own."""
    plan = await plan_of(message, CONTESTED)
    assert answers(plan) == [(2, Verdict.CONFIRMED)]
    assert any(isinstance(step, QuestionStep) and step.subject is None for step in plan.steps)


async def test_how_to_check_a_side_is_still_a_question() -> None:
    """ "2 how do I check" asks of the second."""
    assert answers(await plan_of("2 how do I check", CONTESTED)) == []


async def test_a_doubtful_number_with_a_question_mark_chooses() -> None:
    """ "2 i guess?" points at an option, and asks nothing."""
    view = SessionView(turn=4, evidence=(LOCKS,), options=(*PENDING, Item(3, "P-0049", POOLS)), clarified_words="idle")
    (step,) = (await plan_of("2 i guess?", view)).steps
    assert isinstance(step, FeedbackStep)
    assert (step.reference.ordinal, step.verdict) == (2, Verdict.CONFIRMED)


@for_each(
    "message", ["算结了吧", "现在插入 2 毫秒了。可以关单了吧", "跑完了。可以结案了吧？", "done. can we close it?"]
)
async def test_who_wants_to_close_after_a_deed_finds_it_well(message: str) -> None:
    """Nobody is asked whether it is better who asks to close the case."""
    view = SessionView(turn=4, evidence=(LOCKS,), treatments=(Treatment("drop_slot", "删了", turn=3),))
    plan = await plan_of(message, view)
    assert plan.aftermath is not None
    assert plan.aftermath.value == "well"


@pytest.mark.parametrize("message", ["what? the disk is at 95%", "I was ASKING if I should create it"])
async def test_what_supposes_nothing_is_not_played_through(message: str) -> None:
    """A cry of surprise and the mention of a question are no what-if."""
    steps = (await plan_of(message, OPEN)).steps
    assert not [step for step in steps if isinstance(step, QuestionStep) and step.kind is QuestionKind.WHAT_IF]
    assert not [step for step in steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.TREATED]


@pytest.mark.parametrize(("message", "verdicts"), [("就报表慢，别的还行", 0), ("1有，别的都正常", 2)])
async def test_all_else_is_the_rest_of_a_list_only_beside_an_item_of_it(message: str, verdicts: int) -> None:
    """Beside a statement "the rest is fine" is of everything else in the world."""
    assert len(answers(await plan_of(message, OPEN))) == verdicts


@for_each(
    "message",
    [
        "yeah, 3 nodes in that cluster. and the vendor rebooted a switch",
        "no, not moving it, it has moved already. when do we move back",
        "YOU asked me about the rack. yes it was. and the fans are loud",
        "the workers: 2 of 5 up, mostly asleep, not loud at all. they were here at 9",
        "huh? no. why that one",
        "对，就40台机器。另外机房搬过一次",
        "不是那个！我问的是刚才那条怎么看",
        "我说的是机房搬家。没有。你看错了",
    ],
)
async def test_a_verdict_beside_a_statement_of_something_else_answers_no_check(message: str) -> None:
    """A yes or no that points at nothing is talk beside a protest, or a statement of something else."""
    one = SessionView(turn=4, evidence=(LOCKS,), pending=PENDING[1:], history=OPEN.history)
    assert [answers(await plan_of(message, view)) for view in (OPEN, one)] == [[], []]


@for_each(
    ("message", "verdict"),
    [
        ("no. what else can I look at", Verdict.DENIED),
        ("yes, a short statement thousands of times", Verdict.CONFIRMED),
        ("没有。那怎么办", Verdict.DENIED),
        ("yes. what now?", Verdict.CONFIRMED),
    ],
)
async def test_a_verdict_that_opens_a_message_answers_the_one_check(message: str, verdict: Verdict) -> None:
    """Beside a question, or the words of what was asked, a yes or no is the answer."""
    shown = Utterance(Speaker.ASSISTANT, f"**1. {CALLS.en}**")
    one = SessionView(turn=4, evidence=(LOCKS,), pending=PENDING[1:], history=(shown,))
    assert [said for _, said in answers(await plan_of(message, one))] == [verdict]
