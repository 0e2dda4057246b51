"""What may become evidence: not things of their own, stray values or guesses; corrections of earlier lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from services.planner.labelled_cases import PlanForm, form_of
from services.planner.model import (
    CorrectionStep,
    EvidenceView,
    Item,
    Language,
    SessionView,
    Speaker,
    Text,
    Utterance,
    Verdict,
)
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.read import understand
from tests.support.cases import for_each

NAMES = {
    "P-0001": Text("连接数达到上限的 90% 或以上", "Connections at 90 % or more of max"),
    "P-0002": Text("DDL 语句运行超过一分钟", "DDL running over a minute"),
    "P-0003": Text("JIT 编译占用大量时间", "JIT compilation takes much of the time"),
    "P-0004": Text("autovacuum 运行很久", "Autovacuum runs for long"),
    "P-0005": Text("大量会话在等待锁", "Many sessions are waiting for locks"),
    "P-0006": Text("checkpoint 过于频繁", "Checkpoints happen too often"),
    "P-0007": Text("索引大小异常增长", "Index size grows abnormally"),
    "P-0008": Text("主机 CPU 使用率高", "Host CPU is high"),
    "P-0009": Text("系统负载高", "Load average is high"),
}
OTHERS = ("P-0005", "P-0006", "P-0007")
YES, NO, UNKNOWN = Verdict.CONFIRMED, Verdict.DENIED, Verdict.UNKNOWN


def items(ids: Sequence[str]) -> tuple[Item, ...]:
    """These phenomena as items, in their order."""
    return tuple(Item(ordinal, phenomenon, NAMES[phenomenon]) for ordinal, phenomenon in enumerate(ids, 1))


def session(*ids: str, before: Sequence[Sequence[str]] = (), said: Mapping[str, Verdict] | None = None) -> SessionView:
    """A session that asks about these now, after rounds that asked about others and were answered so."""
    lists = [found for found in (*before, ids) if found]
    history = tuple(Utterance(Speaker.ASSISTANT, "", items(asked)) for asked in lists)
    evidence = tuple(
        EvidenceView(phenomenon, NAMES[phenomenon], verdict) for phenomenon, verdict in (said or {}).items()
    )
    return SessionView(language=Language.ZH, pending=items(ids), evidence=evidence, history=history)


def plan(message: str, view: SessionView) -> PlanForm:
    """What a message comes to in a session."""
    return form_of(understand(message, view), view, NAMES)


@for_each(
    "message",
    [
        "磁盘正常",
        "cpu 正常",
        "网络没问题",
        "没有死锁",
        "内存也正常",
        "no, cpu is fine",
        "its not the cpu, its fine",
        "the disks are healthy",
        "replication is ok",
        "no disk problem",
        "不是 cpu 高",
        "内存没问题，磁盘也正常，就是 cpu 高",
        "is the plan the same? no, it changed",
    ],
)
def test_a_no_about_another_thing_denies_nothing_that_was_asked(message: str) -> None:
    """A verdict on a thing that names none of the items leaves all of them open."""
    found = plan(message, session(*OTHERS))
    assert (found.confirmed, found.denied) == ([], [])


@for_each(
    "message",
    ["都没有", "都正常", "没有", "no", "none of these", "nothing like that", "everything is fine", "没发现这些问题"],
)
def test_a_no_about_nothing_else_denies_what_was_asked(message: str) -> None:
    """A bare no, or one to all of them, still answers the whole list."""
    assert set(plan(message, session(*OTHERS)).denied) == set(OTHERS)


@for_each(
    "message",
    [
        "it's been idle in transaction for 40 min",
        "the backup took 40 min",
        "备份跑了 40 分钟",
        "idle in transaction 的会话已经 40 分钟",
        "40 min",
    ],
)
def test_a_value_of_another_thing_decides_nothing(message: str) -> None:
    """A duration answers an item about durations only where the clause names that item."""
    found = plan(message, session("P-0002", "P-0004", "P-0003"))
    assert (found.confirmed, found.denied) == ([], [])


@for_each(
    ("message", "verdict"),
    [
        ("the ddl has been running for 40 min", YES),
        ("DDL 跑了 40 分钟了", YES),
        ("the ddl has been running for 20 s", NO),
    ],
)
def test_a_value_of_a_named_item_decides_it(message: str, verdict: Verdict) -> None:
    """Where the clause names the item, its value counts against the item's limit."""
    found = plan(message, session("P-0002", "P-0004", "P-0003"))
    assert (found.confirmed if verdict is YES else found.denied) == ["P-0002"]


@for_each(("value", "verdict"), [("96%", YES), ("12%", NO)])
@for_each("wording", ["1: {}", "1. {}", "1 是 {}", "1 {}", "第一条 {}", "the first is at {}"])
def test_a_value_decides_an_item_whose_limit_comes_before_its_wording(
    wording: str, value: str, verdict: Verdict
) -> None:
    """ "90 % or more" is a limit as "at least 90 %" is."""
    found = plan(wording.format(value), session("P-0001", "P-0005", "P-0006"))
    assert (found.confirmed if verdict is YES else found.denied) == ["P-0001"]


@for_each(
    ("name", "low", "at", "high"),
    [
        (Text("达到 90% 或以上"), NO, YES, YES),
        (Text("90% 以上"), NO, YES, YES),
        (Text(en="90 % or more"), NO, YES, YES),
        (Text(en="90 % or higher"), NO, YES, YES),
        (Text(en=">= 90 %"), NO, YES, YES),
        (Text("不足 90%"), YES, NO, NO),
        (Text("90% 以下"), YES, YES, NO),
        (Text("不超过 90%"), YES, YES, NO),
        (Text(en="90 % or less"), YES, YES, NO),
        (Text(en="<= 90 %"), YES, YES, NO),
        (Text(en="below 90 %"), YES, NO, NO),
    ],
)
def test_limits_are_read_in_both_directions(name: Text, low: Verdict, at: Verdict, high: Verdict) -> None:
    """A value below, at and above a limit, whichever side of its number the wording stands on."""
    assert [verdict_on(value, Item(1, "", name)) for value in ("40%", "90%", "97%")] == [low, at, high]


def test_a_number_of_things_is_no_percentage() -> None:
    """A count says nothing of a limit in percent."""
    assert verdict_on("40 sessions", Item(1, "P-0001", NAMES["P-0001"])) is None


@for_each("pending", [("P-0003", "P-0004", "P-0006"), ("P-0003",), ()])
@for_each(
    "message",
    [
        "could it be jit?",
        "is it jit?",
        "might it be the JIT compilation?",
        "it isn't jit, is it?",
        "it's not the vacuum being slow, right?",
        "会不会是 jit",
        "是不是 JIT 啊",
        "难道是 checkpoint",
        "不会是 autovacuum 的问题吧？",
    ],
)
def test_a_guess_in_question_form_is_a_suggestion(message: str, pending: tuple[str, ...]) -> None:
    """It is never an answer, with items open or none, and never refused."""
    found = plan(message, session(*pending, said={"P-0001": YES}))
    assert found.suggestions
    assert (found.confirmed, found.denied, found.clarify) == ([], [], False)


FIRST, SECOND, THIRD = ("P-0001", "P-0002", "P-0003"), ("P-0005", "P-0004", "P-0006"), ("P-0007", "P-0008")


@for_each(
    ("message", "said", "item", "verdict"),
    [
        ("刚才说错了，第二条其实有", {"P-0001": NO, "P-0002": NO, "P-0003": UNKNOWN, "P-0005": NO}, "P-0002", YES),
        ("第二条刚才看错了，有", {"P-0002": NO, "P-0005": NO}, "P-0002", YES),
        ("1说错了，是没有", {"P-0001": YES, "P-0004": NO}, "P-0001", NO),
        ("scratch that, 1 is yes", {"P-0001": NO, "P-0004": YES}, "P-0001", YES),
        ("1没有，刚才说错了", {"P-0001": YES}, "P-0001", NO),
        ("1 no, I was wrong", {"P-0001": YES}, "P-0001", NO),
        ("sorry 1 is no", {"P-0001": YES}, "P-0001", NO),
        ("抱歉，1没有", {"P-0001": YES}, "P-0001", NO),
        ("I meant 2 yes", {"P-0001": NO, "P-0002": NO, "P-0003": NO}, "P-0002", YES),
        ("刚刚第一条看错了，没有", {"P-0001": YES, "P-0002": YES, "P-0003": NO}, "P-0001", NO),
        ("1说错了，没有", {"P-0001": YES, "P-0005": YES}, "P-0005", NO),
    ],
)
def test_a_correction_that_points_turns_the_item_answered_under_that_ordinal(
    message: str, said: Mapping[str, Verdict], item: str, verdict: Verdict
) -> None:
    """The latest list whose item of that ordinal has an answer is meant, and nothing else is corrected."""
    found = plan(message, session(*THIRD, before=[FIRST, SECOND], said=said))
    [made] = found.corrections
    assert made.original == item
    assert made.corrected in (("yes", "有") if verdict is YES else ("no", "没有"))
    assert (found.confirmed, found.denied) == ([], [])


def test_an_apology_before_an_answer_to_a_new_item_is_no_correction() -> None:
    """What repeats the recorded verdict answers what is asked now."""
    found = plan("sorry, 1 is no", session(*THIRD, before=[FIRST], said={"P-0001": NO}))
    assert found.denied == ["P-0007"]


@pytest.mark.parametrize("pending", [(), OTHERS])
def test_what_is_said_not_to_be_is_never_taken_for_present(pending: tuple[str, ...]) -> None:
    """ "Not X but Y" states Y; X is neither confirmed nor suspected, and a value is no ordinal."""
    found = plan("不是 cpu 高，是负载高，cpu 其实只有 40", session(*pending))
    assert found.suggestions == []
    assert (found.confirmed, found.denied, found.clarify) == ([], [], False)
    assert any("负载高" in said for said in found.observations)


@for_each(
    ("message", "verdicts"),
    [
        ("1. 有 2. 无 3. /", (YES, NO, UNKNOWN)),
        ("1) y 2) n 3) -", (YES, NO, UNKNOWN)),
        ("1. yes\n2. no\n3. -", (YES, NO, UNKNOWN)),
        ("1：无 2：/ 3：有", (NO, UNKNOWN, YES)),
        ("1有 2/ 3没有", (YES, UNKNOWN, NO)),
        ("3. no 1. yes 2. ?", (YES, UNKNOWN, NO)),
        ("y n ?", (YES, NO, UNKNOWN)),
        ("y, n, ?", (YES, NO, UNKNOWN)),
        ("有 没有 ?", (YES, NO, UNKNOWN)),
        ("- y n", (UNKNOWN, YES, NO)),
    ],
)
def test_marks_answer_the_items_under_their_ordinals_or_in_order(message: str, verdicts: tuple[Verdict, ...]) -> None:
    """Numbered marks and marks in a row are whole answers; a slash, a dash and a question mark are "cannot tell"."""
    found = plan(message, session(*OTHERS))
    wanted = {
        verdict: [item for item, said in zip(OTHERS, verdicts, strict=True) if said is verdict]
        for verdict in (YES, NO, UNKNOWN)
    }
    assert (sorted(found.confirmed), sorted(found.denied), sorted(found.unknown)) == (
        wanted[YES],
        wanted[NO],
        wanted[UNKNOWN],
    )
    assert not found.clarify


@for_each("message", ["y n", "有 没有", "yes no"])
def test_marks_of_another_number_than_the_items_are_asked_back(message: str) -> None:
    """Nobody can tell which items they are of, so they decide nothing."""
    found = plan(message, session(*OTHERS))
    assert (found.confirmed, found.denied, found.clarify) == ([], [], True)


@for_each("message", ["/nope", "/clear", "/no", "/yes"])
def test_a_command_that_does_not_exist_is_no_answer(message: str) -> None:
    """It gets the help that names the commands."""
    found = plan(message, session(*OTHERS))
    assert (found.confirmed, found.denied, found.questions) == ([], [], ["help"])


def test_undo_takes_something_back_only_where_something_was_said() -> None:
    """With nothing on record it asks what is on record."""
    assert plan("/undo", session(*OTHERS)).questions == ["history"]
    assert plan("/undo", session(*OTHERS, said={"P-0001": YES})).corrections


@for_each("pending", [(), OTHERS])
@for_each(
    "message",
    [
        "EXPLAIN 里看到 Seq Scan 全表扫描，以前走索引的",
        "explain says sequential scan",
        "explain 看走了全表扫描",
        "explain analyze shows a nested loop",
        "the explain output shows a seq scan now",
    ],
)
def test_what_explain_printed_is_a_fact(message: str, pending: tuple[str, ...]) -> None:
    """The command's name asks for no explanation."""
    found = plan(message, session(*pending))
    assert found.observations
    assert found.questions == []


@for_each("message", ["explain why", "explain the second one", "解释一下为什么", "explain what a seq scan is"])
def test_a_request_to_explain_stays_a_question(message: str) -> None:
    """Explain as a verb still asks."""
    assert plan(message, session(*OTHERS)).questions


@for_each(
    "message",
    [
        "checkout is timing out",
        "死所了",
        "下单失败",
        "nobody can check out",
        "la base de datos está muy lenta",
        "データベースが遅い",
    ],
)
def test_what_may_be_a_symptom_is_never_sent_away(message: str) -> None:
    """It is passed on or asked about, whatever its words."""
    found = plan(message, session())
    assert found.observations or found.clarify
    assert not found.smalltalk


@for_each("pending", [(), OTHERS])
@for_each(
    "message",
    [
        "killed it, everything is back to normal",
        "fixed it, thanks",
        "problem solved",
        "it works again, thank you",
        "杀掉之后恢复正常了，谢谢",
        "解决了，谢谢",
        "已经好了",
    ],
)
def test_good_news_is_talk(message: str, pending: tuple[str, ...]) -> None:
    """That all is well again denies nothing that was asked and is not asked back."""
    found = plan(message, session(*pending))
    assert (found.smalltalk, found.clarify) == (True, False)
    assert (found.confirmed, found.denied) == ([], [])


@for_each(
    "message", ["发版之后报表特别慢", "query went from 10ms to 8s after we upgraded", "升级以后查询从 10ms 变成 8 秒"]
)
def test_a_change_and_what_it_did_reach_the_matcher_together(message: str) -> None:
    """One observation has both halves."""
    assert plan(message, session()).observations == [message]


@pytest.mark.parametrize(
    ("message", "holds"),
    [
        ("之前说负载不高是我看错了，其实负载很高", "负载很高"),
        ("I was wrong that the load is not high, actually load is high", "load is high"),
    ],
)
def test_a_mistake_told_with_what_holds_keeps_what_holds(message: str, holds: str) -> None:
    """What was misread is taken back and what is announced after it is kept, though it was said before."""
    view = session("P-0006", said={"P-0009": NO})
    (step,) = understand(message, view).steps
    assert isinstance(step, CorrectionStep)
    assert (step.words, step.retract) == (holds, None)


@for_each("message", ["1没有 2有 3没有", "1n 2y 3n", "1 no 2 yes 3 no", "没有 有 没有", "1没 2有 3没"])
@for_each("ids", [OTHERS, ("P-0009", "P-0001", "P-0008"), ("P-0002", "P-0003", "P-0004")])
def test_verdicts_of_both_kinds_in_one_clause_each_keep_their_item(message: str, ids: Sequence[str]) -> None:
    """That most of a clause denies takes nothing from the item that it confirms, whatever the items are."""
    first, second, third = ids
    found = plan(message, session(*ids))
    assert (found.confirmed, sorted(found.denied), found.clarify) == ([second], sorted([first, third]), False)
