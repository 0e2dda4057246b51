"""Values are compared by the limit of a predicate, in every unit, form and order of words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.judging.judge import Context, Judge
from lang.numbers.values import read_values
from lang.statements import Reader
from lang.tokens import read_text
from lang.vocabulary import Unit
from tests.support.cases import for_each
from tests.support.hearing import Judged

pytestmark = pytest.mark.sampled

PERCENT_FORMS = [
    "disk {}%",
    "disk usage is at {} percent",
    "{}% disk",
    "磁盘使用率 {}%",
    "磁盘 {}%",
    "磁盘已经百分之{}了",
    "数据盘用了{}%",
]
LATENCY_FORMS = [
    ("io latency {} ms", 1e-3),
    ("磁盘延迟{}毫秒", 1e-3),
    ("disk latency {}us", 1e-6),
    ("disk latency is {} s", 1.0),
]
LAG_FORMS = [
    ("备库延迟{}秒", 1),
    ("replica lag {}s", 1),
    ("replication lag is {} minutes", 60),
    ("主从延迟 {} 小时", 3600),
]
COUNT_FORMS = [
    "{} sessions are waiting for locks",
    "lock waits: {}",
    "有{}个会话在等锁",
    "锁等待 {} 个",
    "等锁的有{}个",
]
PAIR_FORMS = [
    "{} of {} connections",
    "connections {}/{}",
    "connections {} out of {}",
    "连接数 {}/{}",
    "{}/{} connection slots in use",
]
CHINESE = {4: "四", 40: "四十", 12: "十二", 2: "两", 300: "三百", 1: "一"}


@pytest.mark.parametrize("form", PERCENT_FORMS)
@given(value=st.integers(0, 83) | st.integers(90, 100))
def test_a_percentage_decides_by_its_limit_in_every_form(form: str, value: int, evidence: Judged) -> None:
    """A value on the bad side of a limit confirms, one on the good side denies, and nothing else is recorded."""
    assert evidence(form.format(value)) == {"DISK": "confirmed" if value >= 90 else "denied"}


@pytest.mark.parametrize(("form", "scale"), LATENCY_FORMS)
@given(value=st.floats(0.001, 900).map(lambda each: round(each, 3)))
def test_a_time_decides_in_every_unit(form: str, scale: float, value: float, evidence: Judged) -> None:
    """A latency confirms above 10 ms and denies well below, in every unit."""
    seconds = value * scale
    if seconds > 0.01:
        assert evidence(form.format(value)) == {"LATENCY": "confirmed"}
    elif seconds < 0.009:
        assert evidence(form.format(value)) == {"LATENCY": "denied"}


@pytest.mark.parametrize(("form", "scale"), LAG_FORMS)
@given(value=st.integers(1, 50) | st.integers(61, 5000))
def test_a_lag_decides_in_every_unit(form: str, scale: int, value: int, evidence: Judged) -> None:
    """A lag confirms above its limit and denies below it, in seconds, minutes and hours."""
    if value * scale != 60:
        assert evidence(form.format(value))["LAGS"] == ("confirmed" if value * scale > 60 else "denied")


@pytest.mark.parametrize("form", COUNT_FORMS)
@given(value=st.integers(0, 2) | st.integers(3, 5000))
def test_a_count_decides_in_every_order_of_words(form: str, value: int, evidence: Judged) -> None:
    """A count confirms from its limit on and denies below, before and after its subject."""
    assert evidence(form.format(value)) == {"LOCKS": "confirmed" if value >= 3 else "denied"}


@for_each("value", sorted(CHINESE))
def test_chinese_numerals_are_numbers(value: int, evidence: Judged) -> None:
    """A Chinese numeral says the same as its digits."""
    assert evidence(f"备库延迟{CHINESE[value]}分钟") == evidence(f"备库延迟{value}分钟")


@for_each("words", ["12亿", "1.2 billion", "1,200,000,000", "十二亿", "1200 million", "120000万"])
def test_large_numbers_have_one_value_in_every_form(words: str, evidence: Judged) -> None:
    """Magnitudes, separators and numerals write the same number."""
    assert evidence(f"xid age {words}") == {"XID": "confirmed"}
    assert evidence(f"事务号年龄{words}") == {"XID": "confirmed"}


@pytest.mark.parametrize("form", PAIR_FORMS)
@given(part=st.integers(1, 800), whole=st.integers(100, 800))
def test_a_part_of_a_whole_is_a_percentage(form: str, part: int, whole: int, evidence: Judged) -> None:
    """A part and its whole decide as the percentage does."""
    share = 100 * part / whole
    if share >= 90:
        assert evidence(form.format(part, whole)) == {"CONNECTIONS": "confirmed"}
    elif share < 83:
        assert evidence(form.format(part, whole)) == {"CONNECTIONS": "denied"}


@for_each(
    "message", ["最大连接 500，现在 487 个", "max_connections is 500, 487 connections", "连接数 487，最大连接 500"]
)
def test_a_part_and_a_whole_said_apart_are_compared(message: str, evidence: Judged) -> None:
    """A whole said elsewhere in the message is what the part is compared with."""
    assert evidence(message) == {"CONNECTIONS": "confirmed"}


def test_a_part_without_a_whole_asks_for_it_and_finds_it_in_the_context(standings: Judged) -> None:
    """400 connections are nothing until max_connections is known."""
    assert standings("连接数现在400") == {"CONNECTIONS": "needs_base"}
    assert standings("连接数现在400", Context(amounts={"max_connections": 410.0})) == {"CONNECTIONS": "counts"}


@pytest.mark.parametrize(
    ("rest", "whole"),
    [
        ("disk {}% free", "disk {}% full"),
        ("磁盘还剩{}%", "磁盘用了{}%"),
        ("内存可用{}%", "内存用了{}%"),
        ("cpu {}% idle", "cpu {}%"),
        ("cache miss {}%", "cache hit {}%"),
        ("未命中的缓存命中率{}%", "缓存命中率{}%"),
    ],
)
@given(value=st.integers(0, 100))
def test_the_rest_and_the_used_part_agree(rest: str, whole: str, value: int, evidence: Judged) -> None:
    """What is free decides as its complement does."""
    assert evidence(rest.format(value)) == evidence(whole.format(100 - value))


@given(free=st.integers(1, 499))
def test_the_free_part_of_a_size_agrees_with_its_share(free: int, evidence: Judged) -> None:
    """A size that is left of a size decides as the percentage does."""
    share = 100 - 100 * free / 500
    if share >= 90 or share < 83:
        assert evidence(f"500G的盘就剩{free}G了") == {"DISK": "confirmed" if share >= 90 else "denied"}


@given(before=st.integers(1, 50), factor=st.sampled_from([0.5, 1, 1.5, 4, 10, 40]))
@pytest.mark.parametrize(
    "form",
    [
        "this query went from {0} to {1} ms",
        "这条sql从{0}ms变成{1}ms",
        "这条sql以前{0}ms现在{1}ms",
        "this query took {0} ms before, {1} ms now",
        "这条sql平时{0}毫秒，现在{1}毫秒",
        "这条sql昨天{0}ms 今天{1}ms",
        "这条sql现在要{1}ms，以前{0}ms",
        "this query takes {1} ms, it was {0} ms",
    ],
)
def test_before_and_after_are_compared_as_a_multiple(form: str, before: int, factor: float, evidence: Judged) -> None:
    """A value and what it was before decide a test of times the usual."""
    after = round(before * factor, 1)
    expected = "confirmed" if factor >= 3 else "denied"
    assert evidence(form.format(before, after)) == {"STATEMENT": expected}


@for_each(
    "message", ["wal 量是平时的 5 倍", "主库wal每秒80M平时10M", "wal rate is 5x the usual", "wal 从每秒 10M 涨到 80M"]
)
def test_multiples_of_the_usual_need_no_unit(message: str, evidence: Judged) -> None:
    """Five times the usual is a value of its own."""
    assert evidence(message) == {"WAL_RATE": "confirmed"}


@for_each(
    ("message", "verdict"),
    [
        ("tps从3000掉到200", "confirmed"),
        ("tps 只有平时的三成", "confirmed"),
        ("tps 只有平时三成", "confirmed"),
        ("tps 掉到原来三分之一", "confirmed"),
        ("throughput is 30% of normal", "confirmed"),
        ("throughput is the same as usual", "denied"),
        ("tps 没变", "denied"),
    ],
)
def test_a_fall_is_a_multiple_below_one(message: str, verdict: str, evidence: Judged) -> None:
    """A drop to less than half confirms, the usual denies."""
    assert evidence(message) == {"TPS": verdict}


@for_each(
    ("message", "verdict"),
    [
        ("临时文件一分钟写了 0.6G", "confirmed"),
        ("temp files 900MB a minute", "confirmed"),
        ("每分钟 900 MB 临时文件", "confirmed"),
        ("临时文件每秒 100 kB", "denied"),
        ("temp files 5 MB/s", "confirmed"),
        ("temporary files: 1 MB per minute", "denied"),
    ],
)
def test_rates_are_compared_a_second(message: str, verdict: str, evidence: Judged) -> None:
    """A rate has one value whatever its period and its place."""
    assert evidence(message) == {"TEMP": verdict}


@for_each(
    "message",
    [
        "disk 42%, alert threshold 90%",
        "磁盘 42%，阈值 90%",
        "磁盘 42% (告警线 90%)",
        "disk usage 42% < 90%",
        "磁盘 42%，不能超过 90%",
        "cpu 20%, limit 95%",
        "postgres 16.2, cpu 20%",
        "pg-95 cpu 20%",
        "cpu 20% at 9:35",
        "cpu 20%，9点95分看的",
        "pid 995 cpu 20%",
    ],
)
def test_a_limit_a_time_or_a_name_is_never_the_value(message: str, evidence: Judged) -> None:
    """Thresholds, versions, clock times, host names and process ids are not what a subject measures."""
    assert set(evidence(message).values()) == {"denied"}


@for_each("message", ["disk 88%", "cpu 88%", "磁盘 89%", "内存用了93%"])
def test_a_value_close_below_a_limit_is_proposed(message: str, standings: Judged) -> None:
    """A value just on the good side of a limit waits for a yes."""
    assert set(standings(message).values()) == {"proposed"}


@for_each(
    "message", ["disk latency 40", "备库延迟 40", "p95 is 300ms", "磁盘 42 ms", "cpu 3 GB", "max_connections 42%"]
)
def test_a_number_in_another_dimension_or_without_unit_is_not_compared(message: str, evidence: Judged) -> None:
    """A number that is no value of the subject decides nothing."""
    assert evidence(message) == {}


def test_cores_are_what_sessions_are_compared_with(evidence: Judged) -> None:
    """A ratio to another quantity uses the value said for it."""
    assert evidence("active sessions 6, 32 cores") == {"ACTIVE": "denied"}
    assert evidence("活动会话 200 个，16 核") == {"ACTIVE": "confirmed"}
    assert evidence("pg_wal 610G，max_wal_size 才 16G") == {"WAL_DIR": "confirmed"}


def test_spans_quote_the_message(reader: Reader, judge: Judge) -> None:
    """The words of a finding stand in the message at its span, as they were typed."""
    message = "【告警】 ＣＰＵ　使用率９５％，disk\u200b 97 %；連接數 3/300"
    findings = judge.judge(reader.read(message))
    assert {each.phenomenon_id for each in findings} == {"CPU", "DISK", "CONNECTIONS"}
    assert all(message[each.span[0] : each.span[1]] == each.words for each in findings)


@for_each(("part", "verdict"), [(20, "confirmed"), (1200, "denied")])
@for_each("form", ["磁盘还剩 {} GB，总共 2 TB", "the disk has {} GB free, 2 TB in total", "磁盘剩{}G，一共 2T"])
def test_the_whole_may_follow_in_a_clause_of_its_own(form: str, part: int, verdict: str, evidence: Judged) -> None:
    """What a value is a part of is found in the next clause too."""
    assert evidence(form.format(part)) == {"DISK": verdict}


@for_each(
    ("words", "number"),
    [("twenty-five", 25), ("thirty five", 35), ("two hundred", 200), ("3 hundred thousand", 300_000), ("1.5e3", 1500)],
)
def test_a_number_is_read_whole(words: str, number: int) -> None:
    """Tens take the ones after them, hundreds multiply, and an exponent is part of its number."""
    (value,) = read_values(read_text(f"{words} sessions"))
    assert value.readings[Unit.COUNT] == (number, number)


@for_each("words", ["pod app-7f-5e9", "twenty five-minute jobs", "commit 5e9f"])
def test_what_only_looks_like_a_longer_number_is_none(words: str) -> None:
    """A name with digits is no number in the power of ten, and "twenty five-minute jobs" are not 25 of anything."""
    counts = [value.readings.get(Unit.COUNT, (0.0, 0.0))[0] for value in read_values(read_text(words))]
    assert not {25.0, 5e9} & set(counts)
