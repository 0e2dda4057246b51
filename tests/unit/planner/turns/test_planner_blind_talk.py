"""Classes of misreading that people met who talked to it without knowing it: what they said is not turned round."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ClarifyStep,
    CorrectionStep,
    EvidenceView,
    FeedbackStep,
    Group,
    Item,
    ItemList,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Status,
    SuggestionStep,
    Text,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

PENDING = (
    Item(1, "P-0069", Text("清理在跑，但死元组移除不了", "Vacuum runs but dead rows cannot be removed")),
    Item(2, "P-0064", Text("所有卡住的语句都涉及同一张表", "All hanging statements concern one table")),
    Item(3, "P-0021", Text("3 个以上会话在等锁", "Three or more sessions wait for locks")),
)
SAID = (
    EvidenceView(
        "P-0044", Text("连接数达到上限的 90%", "Connections at 90 % or more of max"), Verdict.CONFIRMED, "198 of 200", 1
    ),
    EvidenceView(
        "P-0141", Text("报所需 WAL 段已被删除", "Error: requested WAL segment removed"), Verdict.DENIED, "没有", 2
    ),
)


async def steps_of(message: str, status: Status = Status.NARROWING) -> tuple[PlanStep, ...]:
    """The plan of a message in a case with three items pending and two things on record."""
    view = SessionView(turn=4, pending=PENDING, evidence=SAID, status=status)
    return (await Planner().decide(view, message)).plan.steps


DENIED_LINKS = (
    "跟索引没关系",
    "别再索引了，跟索引没关系",
    "我没有怀疑索引",
    "it has nothing to do with the index",
    "i never said it was the disk",
    "not a network thing",
    "我没说过是网络",
)


@for_each("message", DENIED_LINKS)
async def test_a_denied_link_is_no_suspicion(message: str) -> None:
    """Who says that something has nothing to do with it does not suspect it."""
    assert not [step for step in await steps_of(message) if isinstance(step, SuggestionStep)]


NO_ANSWERS = (
    "ok fine. what now",
    "hang on, i'm logging in",
    "hold on a sec",
    "im not deleting files. i asked can i drop the slot",
    "你又没回答我 analyze 锁不锁表",
    "no no, you got it backwards",
    "no, i asked what debezium_old is",
    "i didnt ask how to look",
)


@for_each("message", NO_ANSWERS)
async def test_talk_about_the_talk_answers_no_item(message: str) -> None:
    """A filler, a protest or a repeated question confirms and denies nothing of what is pending."""
    given = [
        step
        for step in await steps_of(message)
        if isinstance(step, FeedbackStep) and step.verdict is not Verdict.UNKNOWN
    ]
    assert not given


KEPT = (
    "confl 全是0 两次都0。 delay 是 -1 当然不会取消查询啊",
    "i cancelled the alter and all 60 went through",
    "我把 30172 cancel 了 lag 开始往下掉了",
    "取消了 alter 才好的",
    "no query was cancelled",
)


@for_each("message", KEPT)
async def test_cancelling_a_query_takes_nothing_back(message: str) -> None:
    """A word for taking back that is said of queries, sessions or jobs retracts nothing that is on record."""
    assert not [step for step in await steps_of(message) if isinstance(step, CorrectionStep)]


TOPICS = {
    "how do i fix it": (QuestionTopic.RELIEF,),
    "steps pls": (QuestionTopic.RELIEF,),
    "怎么修": (QuestionTopic.RELIEF,),
    "那咋整": (QuestionTopic.RELIEF,),
    "what do i do NOW, ppl cant log in": (QuestionTopic.RELIEF,),
    "so was it the leak?": (QuestionTopic.CERTAINTY,),
    "那还不算坐实？": (QuestionTopic.CERTAINTY,),
    "sum it up for my boss in 2 lines": (QuestionTopic.SUMMARY,),
    "原因两句话 给领导": (QuestionTopic.SUMMARY,),
    "总结两句给领导": (QuestionTopic.SUMMARY,),
    "do i kill 18833 or 21907": (QuestionTopic.RISK, QuestionTopic.RELIEF, QuestionTopic.OBJECT),
    "现在我杀 18833 还是杀 21907？": (QuestionTopic.RISK, QuestionTopic.RELIEF, QuestionTopic.OBJECT),
    "can i bounce billing-api yes or no": (QuestionTopic.RISK,),
    "analyze 锁不锁表": (QuestionTopic.RISK,),
    "ok thanks, close it": (QuestionTopic.CLOSING,),
}


@for_each("message", TOPICS)
async def test_what_people_ask_at_night_has_its_topic(message: str) -> None:
    """What is asked about the whole case gets its topic in short and sloppy words, too."""
    asked = [step.topic for step in await steps_of(message) if isinstance(step, QuestionStep)]
    assert any(topic in TOPICS[message] for topic in asked), asked


BOTH = {
    "cancel 21907 了 一下全散了 60个都没了。 总结两句给领导": QuestionTopic.SUMMARY,
    "restarted the pods, logins work now. so was it the leak?": QuestionTopic.CERTAINTY,
    "kill its sessions or restart the pods, whats ok, and sum it up for my boss in 2 lines": QuestionTopic.SUMMARY,
}


@for_each("message", BOTH)
async def test_the_second_question_of_a_message_is_not_lost(message: str) -> None:
    """A message that tells something and asks, or asks two things, has a step for what is asked last."""
    asked = [step.topic for step in await steps_of(message) if isinstance(step, QuestionStep)]
    assert BOTH[message] in asked, asked


@for_each("message", ["那咋整", "怎么修", "要不要紧", "so what now", "then what"])
async def test_a_short_plea_about_the_case_is_never_out_of_scope(message: str) -> None:
    """A question that can only be about the case is not turned away as talk beside it."""
    steps = await steps_of(message)
    assert not [step for step in steps if isinstance(step, SmalltalkStep) and step.kind is SmalltalkKind.OUT_OF_SCOPE]
    assert not [step for step in steps if isinstance(step, ClarifyStep)]


@for_each(
    "message",
    [
        "我们今天早上扩了 pod，从 20 到 60 个",
        "昨晚大促开始的",
        "we went from 20 to 60 pods this morning",
        "autoscaling kicked in at 9",
    ],
)
async def test_what_happened_to_the_system_is_never_out_of_scope(message: str) -> None:
    """A fact about the system is handed on to be noted, also where it is no symptom."""
    steps = await steps_of(message)
    assert [step for step in steps if isinstance(step, ObservationStep)], steps
    assert not [step for step in steps if isinstance(step, SmalltalkStep)]


@for_each("message", ["写首诗", "tell me a joke", "how is the weather"])
async def test_requests_beside_the_case_stay_out_of_scope(message: str) -> None:
    """Nothing of them is handed on as a fact."""
    assert not [step for step in await steps_of(message) if isinstance(step, ObservationStep)]


@for_each(
    "message", ["yes obviously, 150 of them, look. since hours", "是啊，150 个，都好几个小时了", "yes, since hours"]
)
async def test_what_goes_on_after_a_yes_does_not_take_its_place(message: str) -> None:
    """A yes at the beginning stays the answer, whatever words with the same verdict follow it."""
    option = Item(1, "P-0045", Text("大量连接空闲数小时", "Many connections of one application idle for hours"))
    view = SessionView(
        turn=4, pending=PENDING, options=(option,), clarified_words="billing | idle | 150", evidence=SAID
    )
    steps = (await Planner().decide(view, message)).plan.steps
    given = [step for step in steps if isinstance(step, FeedbackStep)]
    assert [step.verdict for step in given] == [Verdict.CONFIRMED]
    assert not any(step.by_name for step in given)


OUTPUT = "\n relation | ddl_pid | waits \n----------+---------+-------\n(0 rows)\n"
LABELS = (
    "3)",
    "2.",
    "for P-0021:",
    "here is what I get, first P-0022 then P-0025:",
    "P-0022 和 P-0025 的结果：",
    "1 和 2：",
)


@for_each("label", LABELS)
@for_each("options", [(), PENDING[2:]])
async def test_what_labels_an_output_answers_nothing(label: str, options: tuple[Item, ...]) -> None:
    """Words that only say of which item a pasted output is leave the answer to the output."""
    view = SessionView(turn=4, pending=PENDING, options=options, evidence=SAID)
    steps = (await Planner().decide(view, label + OUTPUT)).plan.steps
    assert not [step for step in steps if isinstance(step, FeedbackStep | ClarifyStep)]


async def test_a_verdict_beside_an_output_is_still_an_answer() -> None:
    """A number with a yes or no counts, whatever is pasted below it."""
    given = [step for step in await steps_of("1 没有，2 有" + OUTPUT) if isinstance(step, FeedbackStep)]
    assert [step.verdict for step in given] == [Verdict.DENIED, Verdict.CONFIRMED]


@for_each("row", ["8  0      0 16541756  89092 6280284    0    0", "3 4 5 6 7 8 9 10", "1.0 2.5 3 4 5 6"])
async def test_a_row_of_numbers_is_output(row: str) -> None:
    """More numbers than a list of checks has, and no word, answer nothing."""
    assert await steps_of(row) == ()
    assert await steps_of(f"{row}\n{row}") == ()


@for_each("message", ["2?", "2 呢？", "and 2?", "第二个呢", "P-0022 呢", "P-0022?", "怎么看 P-0030", "P-0008 怎么查？"])
async def test_what_only_points_and_asks_is_a_question_about_that(message: str) -> None:
    """An item that is named with a question mark and nothing else is asked about; it is neither a yes nor a topic."""
    (step,) = await steps_of(message)
    assert isinstance(step, QuestionStep)
    assert step.topic is None
    assert step.subject is not None
    assert step.subject.ordinal == 2 or step.subject.id is not None


async def test_an_id_that_is_asked_about_outranks_what_is_open() -> None:
    """How to check an item that is named by its id is never answered with the open question's item."""
    view = SessionView(turn=2, options=PENDING[2:])
    (step,) = (await Planner().decide(view, "how do I check P-0030?")).plan.steps
    assert isinstance(step, QuestionStep)
    assert step.subject is not None
    assert step.subject.id == "P-0030"


@for_each("message", ["so who's the bad guy", "who is blocking them all?", "谁堵的", "罪魁是谁", "到底谁占着锁"])
async def test_who_it_is_asks_for_the_object(message: str) -> None:
    """A question for the culprit is answered with a name, not with causes."""
    asked = [step.topic for step in await steps_of(message) if isinstance(step, QuestionStep)]
    assert asked == [QuestionTopic.OBJECT]


@for_each("message", ["what should i run", "i only have psql. what do i run?", "要跑什么", "我该执行啥"])
async def test_what_to_run_asks_for_the_statement(message: str) -> None:
    """Whoever asks what to run gets a statement, not advice."""
    asked = [step.topic for step in await steps_of(message) if isinstance(step, QuestionStep)]
    assert QuestionTopic.COMMAND in asked


@for_each("message", ["怎么看", "怎么查", "how do i check", "how do I look at that"])
async def test_how_to_look_without_a_number_is_about_what_was_asked_first(message: str) -> None:
    """The check that the last answer put first is shown, not where the case stands."""
    view = SessionView(turn=2, pending=PENDING, evidence=SAID)
    steps = (await Planner().decide(view, message)).plan.steps
    asked = [step for step in steps if isinstance(step, QuestionStep)]
    assert [(step.kind, step.topic) for step in asked] == [(QuestionKind.HELP, None)]
    assert asked[0].subject in (
        Reference(ordinal=PENDING[0].ordinal, list=ItemList.PENDING),
        Reference(group=Group.JUST_MENTIONED),
    )


@pytest.mark.parametrize(
    ("message", "kind"), [("为什么是它", QuestionKind.REASONING), ("什么是复制槽", QuestionKind.HELP)]
)
async def test_why_it_is_that_is_no_question_for_a_meaning(message: str, kind: QuestionKind) -> None:
    """The words of a definition inside those of a reason define nothing."""
    assert [step.kind for step in await steps_of(message) if isinstance(step, QuestionStep)] == [kind]


@for_each("message", ["1 no, 2 yes, 3 no", "1没有，2有", "1有 2没有 3看不了", "1: yes; 2: no"])
async def test_answers_by_number_have_the_words_of_each(message: str) -> None:
    """Each answer is recorded with its own words, and together they leave nothing to read."""
    view = SessionView(turn=2, pending=PENDING, evidence=SAID)
    steps = (await Planner().decide(view, message)).plan.steps
    given = [step for step in steps if isinstance(step, FeedbackStep)]
    assert len(given) == len(steps) >= 2
    left = message
    for step in given:
        assert step.words != message
        left = left.replace(step.words, "", 1)
    assert not any(character.isalpha() for character in left)


@for_each("message", ["1 no, 2 yes, and i killed 4711", "1没有，2有，磁盘 95%", "4 no, 1 yes, what about 2?"])
async def test_answers_with_more_beside_them_are_read_whole(message: str) -> None:
    """What stands beside the answers is read as well."""
    view = SessionView(turn=2, pending=PENDING, evidence=SAID)
    plan = (await Planner().decide(view, message)).plan
    assert plan.treatments or [step for step in plan.steps if not isinstance(step, FeedbackStep)]
