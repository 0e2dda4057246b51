"""What words of another thing, of a name or of half a thought confirm: nothing but their own."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SPACE, BUSY, INDEX, OR_COLUMNS, SWAPPING, DEAD_ROWS = "P-0016", "P-0011", "P-0078", "P-0213", "P-0146", "P-0063"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, message: str) -> dict[str, Verdict | None]:
    """What counts at once of a message."""
    found = reader.read(message).readings
    return {
        item.reading.phenomenon_id: item.reading.verdict for item in found if item.reading.standing is Standing.COUNTS
    }


@for_each(
    "message",
    [
        "box itself: iostat for the data disk sits at 100% in those waves",
        "disk on the box is pegged",
        "the data disk is pegged at 100 %",
        "data volume is pegged, iostat says",
        "iostat 里数据盘 100%",
        "磁盘忙到 100%",
        "数据盘读写 100%",
    ],
)
def test_how_busy_a_disk_is_says_nothing_of_how_full_it_is(reader: MessageReader, message: str) -> None:
    """What iostat measures, and a disk that is pegged, are of its utilisation."""
    assert SPACE not in counted(reader, message)


@for_each("message", ["disk on the box is pegged", "the data disk is pegged", "iostat 里数据盘 100%"])
def test_a_pegged_disk_is_busy(reader: MessageReader, message: str) -> None:
    """The same words tell that the disk is as busy as it can be."""
    assert counted(reader, message)[BUSY] is YES


@for_each("message", ["the data disk is at 97 %", "disk on the box is full", "数据盘 97%", "磁盘满了"])
def test_a_full_disk_is_full(reader: MessageReader, message: str) -> None:
    """Without such words a share of a disk is of its space."""
    assert counted(reader, message)[SPACE] is YES


@for_each(
    "message",
    [
        "No index on the filter or join column: yes",
        "no index on the filter or join column is true",
        "1. No index on the filter or join column - yes, we have that",
    ],
)
def test_the_name_of_an_item_is_of_that_item_alone(reader: MessageReader, message: str) -> None:
    """The words of a name that is quoted are no words about another item."""
    assert OR_COLUMNS not in counted(reader, message)


@for_each(
    ("message", "phenomenon"),
    [
        ("the filter has OR across columns", OR_COLUMNS),
        ("no index on customer_id", INDEX),
        ("customer_id is not indexed", INDEX),
    ],
)
def test_words_of_ones_own_count(reader: MessageReader, message: str, phenomenon: str) -> None:
    """What is no item's name is read as before."""
    assert counted(reader, message)[phenomenon] is YES


@pytest.mark.parametrize(
    "message",
    [
        "%Cpu(s): 12.1 us,  3.0 sy,  0.0 ni, 39.0 id, 45.0 wa,  0.0 hi,  0.9 si,  0.0 st",
        "top: 12.1 us, 3.0 sy, 0.0 ni, 39.0 id, 45.0 wa, 0.0 hi, 0.9 si, 0.0 st",
    ],
)
def test_soft_interrupts_are_no_swapping(reader: MessageReader, message: str) -> None:
    """In the CPU line of top "si" is the share of soft interrupts."""
    assert SWAPPING not in counted(reader, message)


@for_each(
    "message",
    [
        "no. the DDL one. 'DDL waits for exclusive lock'. and did u get that im readonly?",
        'how do I look at "DDL waits for exclusive lock"',
        "我说的是“DDL 等排他锁”那条",
    ],
)
def test_a_name_in_quotation_marks_points_at_its_item_and_claims_nothing(reader: MessageReader, message: str) -> None:
    """Whoever quotes an item means it, and has not answered it."""
    assert "P-0022" not in counted(reader, message)


@pytest.mark.parametrize("message", ["'DDL waits for exclusive lock': yes", 'log: "deadlock detected" all over'])
def test_an_answer_behind_a_quoted_name_and_a_quoted_log_count(reader: MessageReader, message: str) -> None:
    """A quotation with an answer, or from what a server wrote, says that it is so."""
    assert counted(reader, message)


@pytest.mark.parametrize("message", ["只有一台哪来的主备切换", "哪有主备切换"])
def test_a_denial_put_as_a_question_is_a_denial(reader: MessageReader, message: str) -> None:
    """哪来的 and 哪有 say that there is none."""
    assert counted(reader, message)["P-0170"] is NO
