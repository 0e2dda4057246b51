"""What is told beside what was well before, what comes again, and what is asked of it counts all the same."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
BEGAN, SLOW, REGULAR, DISK, INVALID, AUTOVACUUM = "P-0014", "P-0001", "P-0012", "P-0016", "P-0096", "P-0066"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counts(reader: MessageReader, message: str) -> dict[str, Verdict | None]:
    """What a message puts on record."""
    found = [item.reading for item in reader.read(message).readings]
    return {each.phenomenon_id: each.verdict for each in found if each.standing is Standing.COUNTS}


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
