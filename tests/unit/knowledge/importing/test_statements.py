"""General statements: what the numbers of a case say stays, the numbers themselves go."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.knowledge.importing.matching.features import compatible, sizes_differ, text_features
from services.knowledge.importing.matching.statement import generalise, normalise
from tests.support.cases import for_each


@for_each(
    ("words", "statement"),
    [
        ("io_wait 类等待占了 72%，远超平时 15% 的水平", "io_wait 类等待占了一半以上"),
        ("复制延迟超过 3 小时", "复制延迟超过阈值"),
        ("索引 order_idx 的体积从 3GB 增长到 11GB", "索引的体积增长"),
        ("执行 VACUUM 后耗时从 40 秒降至 2 秒", "执行 VACUUM 后耗时下降"),
        ("表空间利用率仅 30%", "表空间利用率低于阈值"),
        ("deadlock_timeout 设置为 0", "deadlock_timeout 设置为 0"),
        ("maintenance_work_mem 设置为 16MB，对大索引明显不足", "maintenance_work_mem 设置过小,对大索引明显不足"),
        ("有 120 个会话在排队", "有数百个会话在排队"),
        ("2024-05-06 07:08:09 起 10.0.0.7 连接失败", "起连接失败"),
        ("replay lag exceeds 40 minutes", "replay lag above the limit"),
        ("CPU at 97%", "CPU at above nine tenths"),
        ("errors every 5 minutes", "errors periodically"),
        ("pg_stat_activity 里 P99 与 utf8 不是数字", "pg_stat_activity 里 P99 与 utf8 不是数字"),
    ],
)
def test_a_statement_keeps_the_direction_and_drops_the_numbers(words: str, statement: str) -> None:
    """Amounts become their direction or size; a setting's state, versions and names of views stay."""
    assert generalise(words).text == statement


def test_the_reason_tells_which_way_a_setting_is_off() -> None:
    """The same value is too small or too large by what the ticket says about it."""
    assert generalise("wal_buffers 设置为 64kB", "wal_buffers 过小").text == "wal_buffers 设置过小"
    assert generalise("wal_buffers 设置为 64kB", "wal_buffers 过大").text == "wal_buffers 设置过大"
    assert generalise("wal_buffers 设置为 64kB").text == "wal_buffers 设置为 64kB"


@for_each(
    ("one", "other"),
    [
        ("ＣＰＵ 使用率　很高", "cpu使用率很高"),
        ("等待锁的会话很多。", "等待锁的会话很多"),
        ("复制延迟 2 小时以上", "复制延迟 5 小时以上"),
        ("Temp files: 40 GB", "temp files 70 GB"),
    ],
)
def test_width_case_spacing_and_numbers_make_no_difference(one: str, other: str) -> None:
    """What differs only in writing or in the case's numbers has one key."""
    assert generalise(one).key == generalise(other).key


@for_each(
    ("one", "other"),
    [
        ("autovacuum 被关闭", "autovacuum 很慢"),
        ("执行 ANALYZE 后恢复正常", "ANALYZE 很久没有执行"),
        ("work_mem 设置为 0", "temp_buffers 设置为 0"),
        ("磁盘 IO 使用率很低", "磁盘 IO 使用率过高"),
        ("查询耗时不稳定", "查询耗时过高"),
    ],
)
def test_different_claims_are_never_one(one: str, other: str) -> None:
    """A remedy's effect, a setting, a qualifying state and the opposite direction keep statements apart."""
    assert not compatible(generalise(one).text, generalise(other).text)
    assert compatible(generalise(one).text, generalise(one).text)


def test_a_few_is_not_hundreds() -> None:
    """Statements that both say how many, and not the same, are told apart."""
    assert sizes_differ(generalise("有 3 个会话").text, generalise("有 300 个会话").text)
    assert not sizes_differ(generalise("有 3 个会话").text, generalise("有会话").text)


def test_chinese_and_english_meet_in_concepts() -> None:
    """The same fault in two languages shares its concepts."""
    one, other = text_features("备库的复制延迟很高"), text_features("replication lag of the standby is high")
    assert {"thing:standby", "thing:replay_lag", "state:high"} <= one.keys() & other.keys()


@pytest.mark.slow
@given(st.text(max_size=200))
def test_any_text_has_a_statement(words: str) -> None:
    """No text breaks it; the statement is never empty and its key is stable."""
    statement = generalise(words)
    assert statement.text
    assert normalise(statement.text) == statement.key
    assert "\n" not in statement.text


@pytest.mark.slow
@for_each("piece", ["1,", "9", "a_", "(1", "从 1 ", "from 1 to ", "1 ", "设置为", "a", "执行 词 ", "\ue000"])
def test_a_hostile_text_takes_no_time(piece: str) -> None:
    """The longest text that an import accepts is read in well under a second, whatever is in it."""
    words = (piece * 4_000)[:4_000]
    started = time.process_time()
    text_features(generalise(words).text)
    assert time.process_time() - started < 1.0
