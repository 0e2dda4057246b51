"""What is told beside what was well before, what comes again, and what is asked of it counts all the same."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
BEGAN, BULK, SLOW, REGULAR, DISK = "P-0014", "P-0018", "P-0001", "P-0012", "P-0016"
INVALID, AUTOVACUUM = "P-0096", "P-0066"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counts(reader: MessageReader, message: str) -> dict[str, Verdict | None]:
    """What a message puts on record."""
    found = [item.reading for item in reader.read(message).readings]
    return {each.phenomenon_id: each.verdict for each in found if each.standing is Standing.COUNTS}


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("昨天夜里没上线", BEGAN, NO),
        ("昨晚十点还正常，没人发版", BEGAN, NO),
        ("nobody released anything yesterday", BEGAN, NO),
        ("下午发布之后才开始这样", BEGAN, YES),
        ("每隔几分钟所有接口都卡死，过一会自己恢复了", REGULAR, YES),
        ("every few minutes everything hangs, then it recovered by itself", REGULAR, YES),
        ("数据盘才用了 35% io 也不高", DISK, NO),
        ("user_idx 的 indisvalid 是 f 这算不算坏了", INVALID, YES),
        ("autovacuum 明明在跑啊", AUTOVACUUM, NO),
    ],
)
def test_a_fact_told_in_passing_counts(reader: MessageReader, message: str, phenomenon: str, verdict: Verdict) -> None:
    """A denial of the day before, a stall that comes again, and a value before a question are facts."""
    assert counts(reader, message).get(phenomenon) is verdict


@for_each(
    ("message", "phenomenon"),
    [
        ("重启应用之后才恢复", BEGAN),
        ("所有接口卡了十分钟，后来自己恢复了", SLOW),
        ("everything hung for ten minutes, then it recovered by itself", SLOW),
        ("idx_a 的 indisvalid 是 t", INVALID),
        ("正在跑 autovacuum (to prevent wraparound)", AUTOVACUUM),
    ],
)
def test_what_is_over_or_fine_counts_for_nothing(reader: MessageReader, message: str, phenomenon: str) -> None:
    """What is over for good, a valid index, and one autovacuum at work say none of it."""
    assert phenomenon not in counts(reader, message)


@for_each(
    ("before", "message", "phenomenon", "heard"),
    [
        ("昨天还好好的，今早开始慢", "昨晚发了个版", BEGAN, True),
        ("page is slow since this morning", "we deployed last night", BEGAN, True),
        ("今天上午开始卡", "昨晚数据组灌了一大批数据进去", BULK, True),
        ("页面很慢", "昨晚发了个版", BEGAN, False),
        ("今天上午开始卡", "上周发过一个版", BEGAN, False),
        ("今天上午开始卡吗", "昨晚发了个版", BEGAN, False),
    ],
)
def test_what_was_done_shortly_before_the_onset_began_it(
    reader: MessageReader, before: str, message: str, phenomenon: str, heard: bool
) -> None:
    """A release of last night counts where it was told since when things are bad, and is asked about elsewhere."""
    found = [item.reading for item in reader.read(message, Topics(before=(before,))).readings]
    counted = any(each.phenomenon_id == phenomenon and each.standing is Standing.COUNTS for each in found)
    assert counted is heard
