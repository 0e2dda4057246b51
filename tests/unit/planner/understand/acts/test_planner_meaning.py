"""Items named by what they speak of, values against an item's test, exceptions, choices, revisions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from services.planner.labelled_cases import PlanForm, form_of
from services.planner.model import EvidenceView, Item, QuestionStep, SessionView, Speaker, Text, Utterance, Verdict
from services.planner.understand.items.amounts import verdict_on
from services.planner.understand.read import understand
from services.planner.understand.text.messages import read
from tests.support.cases import for_each

NAMES = {
    "P-0001": Text("大量会话在等待锁", "Many sessions are waiting for locks"),
    "P-0002": Text("存在长事务", "A transaction has been open for long"),
    "P-0003": Text("大量 idle in transaction 会话", "Many sessions idle in transaction"),
    "P-0004": Text("磁盘 IO 利用率接近 100%", "Disk IO utilisation near 100 %"),
    "P-0005": Text("磁盘空间使用率超过 90%", "Disk space more than 90 % full"),
    "P-0006": Text("连接数接近上限", "Connections near the limit"),
    "P-0007": Text("新建连接很慢", "Opening a new connection is slow"),
    "P-0008": Text("备库复制延迟大", "Replication lag on the standby is large"),
    "P-0009": Text("写入延迟高（INSERT/COMMIT 慢）", "High write latency (slow INSERT or COMMIT)"),
    "P-0010": Text("慢查询数量激增", "The number of slow queries surges"),
    "P-0011": Text("WAL 目录异常增大", "The WAL directory grows abnormally"),
}
TESTS = {
    "P-0001": Text("超过 10 个", "more than 10"),
    "P-0002": Text("age > 1 小时", "age > 1 hour"),
    "P-0003": Text("超过 20 个", "more than 20"),
    "P-0006": Text("连接数 / max_connections > 0.9", "connections / max_connections > 0.9"),
    "P-0007": Text("超过 1 秒", "more than one second"),
    "P-0008": Text("replay_lag > 60 秒", "replay_lag > 60 s"),
    "P-0009": Text("平均超过 100 毫秒", "100 ms or more on average"),
    "P-0011": Text("超过 max_wal_size 的 3 倍", "more than three times max_wal_size"),
}
LOCKS, DISKS = ("P-0001", "P-0002", "P-0003"), ("P-0004", "P-0005")
YES, NO = Verdict.CONFIRMED, Verdict.DENIED


def items(ids: Sequence[str]) -> tuple[Item, ...]:
    """These phenomena as items, in their order."""
    return tuple(Item(ordinal, found, NAMES[found], TESTS.get(found, Text())) for ordinal, found in enumerate(ids, 1))


def plan(message: str, *asked: str, options: Sequence[str] = (), said: Sequence[tuple[str, Verdict]] = ()) -> PlanForm:
    """What a message comes to with these items asked, these options open and this said of the list before."""
    shown = tuple(Utterance(Speaker.ASSISTANT, "", items(ids)) for ids in ([found for found, _ in said], asked) if ids)
    evidence = tuple(EvidenceView(found, NAMES[found], verdict) for found, verdict in said)
    view = SessionView(pending=items(asked), options=items(options), evidence=evidence, history=shown)
    return form_of(understand(message, view), view, NAMES)


@for_each(
    ("phenomenon", "said", "verdict"),
    [
        ("P-0006", "189/200", YES),
        ("P-0006", "41 out of 300", NO),
        ("P-0006", "连接数 193，max 200", YES),
        ("P-0003", "7 of them idle", NO),
        ("P-0003", "63 个", YES),
        ("P-0008", "2h lag", YES),
        ("P-0008", "落后四秒", NO),
        ("P-0009", "800ms a pop", YES),
        ("P-0009", "3 ms", NO),
        ("P-0011", "limit 4G, it is at 57G", YES),
        ("P-0011", "grew 5x", YES),
        ("P-0011", "900MB", None),
        ("P-0005", "just 3% left", YES),
        ("P-0005", "还剩 60%", NO),
    ],
)
def test_a_value_decides_by_the_test_of_an_item(phenomenon: str, said: str, verdict: Verdict | None) -> None:
    """Counts, shares, durations, sizes and what is left compare with the test of presence, and with nothing else."""
    assert verdict_on(read(said).normal, items([phenomenon])[0]) is verdict


@for_each(
    ("message", "confirmed", "denied"),
    [
        ("all of them except the middle one", ["P-0001", "P-0003"], ["P-0002"]),
        ("except 1, no", ["P-0001"], ["P-0002", "P-0003"]),
        ("除2以外都有", ["P-0001", "P-0003"], ["P-0002"]),
        ("除开2都正常", ["P-0002"], ["P-0001", "P-0003"]),
        ("除开最后一条确有其事，别的都没有", ["P-0003"], ["P-0001", "P-0002"]),
        ("only 2 and 3", ["P-0002", "P-0003"], ["P-0001"]),
        ("三条都不成立", [], ["P-0001", "P-0002", "P-0003"]),
        ("1 yes, 2 same, 3 no", ["P-0001", "P-0002"], ["P-0003"]),
    ],
)
def test_groups_and_exceptions_are_told_apart(message: str, confirmed: list[str], denied: list[str]) -> None:
    """What is taken out of a group gets the other verdict, whichever comes first."""
    found = plan(message, *LOCKS)
    assert (sorted(found.confirmed), sorted(found.denied)) == (confirmed, denied)


@for_each(
    ("message", "asked", "confirmed", "denied"),
    [
        ("the disk is full, but not busy", DISKS, ["P-0005"], ["P-0004"]),
        ("盘没满，就是忙得不行", DISKS, ["P-0004"], ["P-0005"]),
        ("yep on the lock thing", LOCKS, ["P-0001"], []),
        ("replica is keeping up fine", ("P-0008", "P-0011"), [], ["P-0008"]),
        ("wal folder is huge", ("P-0008", "P-0011"), ["P-0011"], []),
    ],
)
def test_an_item_is_named_by_what_it_speaks_of(
    message: str, asked: tuple[str, ...], confirmed: list[str], denied: list[str]
) -> None:
    """Words for a thing that are not in an item's name mean it all the same."""
    found = plan(message, *asked)
    assert (found.confirmed, found.denied) == (confirmed, denied)


@for_each(
    ("message", "options", "chosen"),
    [
        ("when we commit", ("P-0010", "P-0009"), "P-0009"),
        ("写的时候", ("P-0010", "P-0009"), "P-0009"),
        ("the writing side", ("P-0010", "P-0009"), "P-0009"),
        ("the full one", DISKS, "P-0005"),
        ("满的那个", DISKS, "P-0005"),
        ("the getting-through-the-door part", ("P-0006", "P-0007"), "P-0007"),
    ],
)
def test_an_option_is_chosen_in_own_words(message: str, options: tuple[str, ...], chosen: str) -> None:
    """A choice need not use the words of the option; the others are left alone."""
    found = plan(message, options=options)
    assert (found.confirmed, found.denied, found.clarify) == ([chosen], [], False)


@for_each(
    "message",
    ["I had 1 and 2 backwards", "刚才两条说反了", "之前的 1 和 2 都弄反了，1 没有，2 有"],
)
def test_several_answers_are_revised_at_once(message: str) -> None:
    """Two answers that were the wrong way round are both corrected, and nothing is answered anew."""
    found = plan(message, "P-0008", "P-0011", said=(("P-0004", YES), ("P-0005", NO)))
    told = sorted((made.original, made.corrected) for made in found.corrections)
    assert told in ([("P-0004", "no"), ("P-0005", "yes")], [("P-0004", "没有"), ("P-0005", "有")])
    assert (found.confirmed, found.denied) == ([], [])


@pytest.mark.parametrize(
    "message",
    [
        "no. you got that backwards. nobody upgraded anything before it broke",
        "你搞反了。切换之前就这样了，跟切换没关系",
    ],
)
def test_a_thing_the_wrong_way_round_is_the_one_that_is_told(message: str) -> None:
    """Where a message goes on, what was the wrong way round is what it goes on about, not what was recorded last."""
    found = plan(message, "P-0008", said=(("P-0004", YES), ("P-0005", NO)))
    assert not [made for made in found.corrections if made.corrected in ("yes", "no", "有", "没有")]


@for_each(
    "message",
    [
        "磁盘空间那条我先收回，翻的是昨天的日志",
        "之前的磁盘空间我撤回，看的是测试机",
        "scratch my answer on disk space, I looked at the wrong box",
    ],
)
def test_a_retraction_keeps_its_reason_out(message: str) -> None:
    """Why something is taken back is nothing that holds instead."""
    found = plan(message, "P-0008", said=(("P-0005", YES),))
    assert [(made.original, made.corrected) for made in found.corrections] == [("P-0005", None)]
    assert not found.observations


@for_each("message", ["2 isn't missing", "can't say we're short of 2", "2 不是没有"])
def test_two_negations_affirm(message: str) -> None:
    """A denied lack is a yes, or is asked back, and never a no."""
    assert not plan(message, *LOCKS).denied


@for_each(
    "message", ["yes", "2 might be it, hard to say", "第三个嘛，说有也行说没有也行", "I can't rule out 2", "7 yes"]
)
def test_what_is_not_clear_is_asked_back(message: str) -> None:
    """A bare or weak yes, both at once, and an item that is not there make no evidence."""
    found = plan(message, *LOCKS)
    assert (found.confirmed, found.denied, found.clarify) == ([], [], True)


@for_each(
    ("asked", "points"),
    [
        ("那我现在该怎么办", False),
        ("那接下来怎么处理", False),
        ("那怎么办", False),
        ("这下怎么办", False),
        ("那怎么解决", False),
        ("那个怎么看", True),
        ("这个怎么查", True),
        ("那怎么看", True),
        ("how do I check that", True),
        ("so what do I do now", False),
    ],
)
def test_what_goes_on_from_what_was_said_points_at_nothing_in_it(asked: str, points: bool) -> None:
    """A question for what to do is about the case, not about the item last named; one that points is about that."""
    item = Item(1, "P-0001", Text("复制槽失效", "Slot wal_status is lost"))
    plan = understand(
        asked, SessionView(pending=(item,), evidence=(EvidenceView("P-0009", item.name, Verdict.DENIED),))
    )
    assert [step.subject is not None for step in plan.steps if isinstance(step, QuestionStep)] == [points]
