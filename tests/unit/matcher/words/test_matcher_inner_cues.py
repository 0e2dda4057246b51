"""Words in which those for a question or a condition stand by chance are plain statements."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SLOW_WRITES, BUSY_DISK, CPU, LOCKS, DISK = "P-0004", "P-0011", "P-0008", "P-0021", "P-0016"


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
        ("主要是提交特别慢", SLOW_WRITES, YES),
        ("提交不怎么慢", SLOW_WRITES, NO),
        ("磁盘不怎么忙", BUSY_DISK, NO),
        ("cpu 怎么看都是 97%", CPU, YES),
        ("问题主要是数据盘满了", DISK, YES),
        ("不知道为什么就有四十多个会话在等锁", LOCKS, YES),
    ],
)
def test_a_cue_within_a_longer_word_asks_and_supposes_nothing(
    reader: MessageReader, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """主要是 supposes nothing, and 不怎么 says that it is hardly so."""
    assert counts(reader, message).get(phenomenon) is verdict


@for_each(
    ("message", "phenomenon"),
    [("要是提交特别慢呢", SLOW_WRITES), ("磁盘怎么看忙不忙", BUSY_DISK), ("为什么有四十多个会话在等锁", "P-0027")],
)
def test_questions_and_conditions_claim_nothing(reader: MessageReader, message: str, phenomenon: str) -> None:
    """The same cues by themselves still ask and suppose."""
    assert phenomenon not in counts(reader, message)


@for_each("message", ["all 16 cores", "cpu has 32 cores", "16 核", "cpu 一共 8 个核"])
def test_how_many_cores_there_are_is_no_share_of_the_cpu(reader: MessageReader, message: str) -> None:
    """A number of cores neither fills nor frees the CPU."""
    assert CPU not in counts(reader, message)


@pytest.mark.parametrize(
    ("message", "heard"), [("cpu at 97 on all 16 cores", (YES, None)), ("16 核全打满，cpu 97%", (YES,))]
)
def test_the_number_of_cores_beside_a_share_denies_nothing(
    reader: MessageReader, message: str, heard: tuple[Verdict | None, ...]
) -> None:
    """A busy CPU is not idle for how many cores it has."""
    assert counts(reader, message).get(CPU) in heard
