"""Results that are told in words: that nothing came is the answer of the check that was run, and of nothing else."""

from __future__ import annotations

import pytest

from lang.pastes import Check, CheckIndex, RowRule, judge_paste
from tests.support.cases import for_each

CHECKS = {
    "P-0001": ("SELECT pid, xact_age FROM x", RowRule(confirmed="n() >= 1")),
    "P-0002": ("SELECT standby, missing FROM y", RowRule(confirmed="any(missing == True)", empty="confirmed")),
    "P-0003": ("SELECT a, b FROM z", RowRule(confirmed="a > 1", empty="unknown")),
    "P-0004": ("SELECT c, d FROM z", None),
    "P-0005": ("Ask the people when it began.", RowRule(confirmed="n() >= 1")),
}
INDEX = CheckIndex.of(Check(phenomenon_id=name, how=(how,), rows=rule) for name, (how, rule) in CHECKS.items())
EMPTY = [
    "你那个sql我跑了 空的",
    "0行",
    "查了 没有 0行",
    "跑了，一条记录都没",
    "那条sql跑出来啥也没有",
    "查出来 0 条记录",
    "执行了，没数据",
    "返回空",
    "ran it, nothing came back",
    "no rows",
    "(0 rows)",
    "the query returned no rows",
    "ok ran it - empty",
    "query gives me nothing",
    "hmm 0 rows returned",
    "grep gave nothing",
    "grep 没有匹配",
]
NOT_EMPTY = [
    *[
        "没有",
        "no",
        "nothing",
        "死锁 0 条",
        "deadlocks: 0 rows",
        "磁盘空的",
        "the queue is empty",
        "no rows are locked",
    ],
    *[
        "没有长事务，查了",
        "2 空的",
        "第二个 0行",
        "nothing changed",
        "ran vacuum, nothing changed",
        "表里 0 行",
        "都是空的",
    ],
    *[
        "orders table has 0 rows",
        "no rows in orders after the crash",
        "空闲的",
        "一条都没有阻塞",
        "restarted it, nothing",
    ],
]


def said_by(message: str, *asked: str) -> list[tuple[str, str, str]]:
    return [(one.phenomenon_id, one.verdict, one.standing) for one in judge_paste(message, INDEX, asked).findings]


@for_each("message", EMPTY)
def test_words_for_no_rows_are_the_result_of_the_check_given_last(message: str) -> None:
    """An empty result, told or pasted, has the verdict of the first check in what was asked, and leaves no words."""
    assert said_by(message, "P-0001", "P-0002") == [("P-0001", "denied", "counts")]
    assert said_by(message, "P-0002", "P-0001") == [("P-0002", "confirmed", "counts")]
    assert said_by(message) == []
    assert judge_paste(message, INDEX, ["P-0001"]).prose == ()


@pytest.mark.parametrize("asked", ["P-0003", "P-0004"])
def test_no_rows_that_decide_nothing_are_asked_about(asked: str) -> None:
    """Where no rule tells what an empty result means, the person is asked whether it is the absence."""
    assert said_by("跑了 空的", asked) == [(asked, "denied", "proposed")]


def test_what_is_asked_of_people_has_no_empty_result() -> None:
    """Instructions to a person print nothing that could be empty."""
    assert said_by("no rows", "P-0005") == []


@for_each("message", NOT_EMPTY)
def test_other_words_of_none_are_no_result(message: str) -> None:
    """What is none of something that is named, or a bare no, is a statement of the person's."""
    assert said_by(message, "P-0001") == []
    assert " ".join(span.words for span in judge_paste(message, INDEX, ["P-0001"]).prose)


@for_each(
    ("message", "rest"),
    [
        ("跑了，空的，下一步呢？", "下一步呢？"),
        ("ran your query. 0 rows. what now?", " what now?"),
        ("disk is at 97%. no rows from your query.", "disk is at 97%"),
        ("磁盘 97% 了。你的sql返回空", "磁盘 97% 了"),
    ],
)
def test_what_stands_beside_an_empty_result_stays_said(message: str, rest: str) -> None:
    """The rest of the message is the person's words, at its place."""
    reading = judge_paste(message, INDEX, ["P-0001"])
    assert [(one.phenomenon_id, one.verdict) for one in reading.findings] == [("P-0001", "denied")]
    assert [span.words for span in reading.prose] == [rest]
    assert [message[span.start : span.end] for span in reading.prose] == [rest]


@for_each(
    "message",
    [
        "我没问参数的事。。 跑了你那个查询,有一行,autovacuum在events上,pid 9120,跑了5小时了",
        "查了，返回一行",
        "你那条sql出来 3 条",
        "ran your query, it gave one row: pid 9120",
        "it returned 2 rows",
        "ok ran that, got a row back",
    ],
)
def test_a_number_of_rows_is_the_result_of_a_check_that_counts_them(message: str) -> None:
    """Rows told in words answer the check given last, where any row decides it, and no other check."""
    assert said_by(message, "P-0001", "P-0002") == [("P-0001", "confirmed", "counts")]
    assert said_by(message, "P-0003") == said_by(message, "P-0002") == []


@for_each(
    "message",
    [
        "the query locks a row",
        "orders table has 3 rows",
        "每条语句都慢",
        "表里有一行被锁",
        "it returned 2 rows?",
        "there is one thing",
    ],
)
def test_other_rows_are_no_result(message: str) -> None:
    """Rows of a table, or asked about, tell nothing of a check."""
    assert said_by(message, "P-0001") == []


def test_many_words_are_read_in_bounded_time() -> None:
    """A line of nothing but such words, and a long one, are no trouble."""
    assert said_by("没有返回" * 20 + "x", "P-0001") == []
    assert said_by("returned nothing " * 5000 + "x", "P-0001") == []
