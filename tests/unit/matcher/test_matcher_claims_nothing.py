"""Words that repeat, wish, cannot tell or speak of a part claim nothing of the whole, against the shipped library."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
OVERALL, REPORTS, WRITES, LOCKS, DEADLOCK, DISK, WAL_LIMIT = (
    "P-0001", "P-0003", "P-0004", "P-0021", "P-0027", "P-0016", "P-0123",
)  # fmt: skip
RUN_QUEUE, STATISTICS, COUNTING, CONNECTIONS = "P-0381", "P-0081", "P-0227", "P-0044"


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
        "you said the report is fine",
        "you told me there are no lock waits",
        "you noted no deadlocks",
        "i asked about max_wal_size 16GB",
        "my question was about max_wal_size 16GB",
        "你说统计和索引都没问题",
        "你刚才说没有锁等待",
        "你前面说磁盘没问题",
        "我问的是 max_wal_size 16GB",
    ],
)
def test_what_the_assistant_said_or_the_person_asked_about_is_no_fact(reader: MessageReader, message: str) -> None:
    """Words that repeat what the other one said, or a question, state nothing."""
    assert not counted(reader, message)


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("as you said, the disk is full", DISK, YES),
        ("like you said there are no lock waits", LOCKS, NO),
        ("跟你说了磁盘满了", DISK, YES),
        ("you told me to run df: disk 97%", DISK, YES),
        ("you said to check: no deadlocks", DEADLOCK, NO),
        ("你说看一下磁盘 97%了", DISK, YES),
        ("你说得对 没有死锁", DEADLOCK, NO),
        ("you said the disk is fine but the report is slow", REPORTS, YES),
    ],
)
def test_what_the_person_agrees_to_or_goes_on_to_say_is_a_fact(
    reader: MessageReader, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """To agree with what was said, or to report what one was told to look at, states it; so does what follows a but."""
    assert counted(reader, message)[phenomenon] is verdict


@for_each(
    "message",
    [
        "cant see the report's progress from here",
        "can't see the report from my side",
        "i couldn't tell if there are lock waits",
        "hard to say if there are no deadlocks",
        "看不到月报的进度",
        "说不好有没有死锁",
        "我不想月报再被杀",
        "I want the report not to be killed",
        "i dont want the report to be killed again",
        "we don't want any deadlocks",
        "不希望再有死锁",
        "我可不要锁等待",
    ],
)
def test_a_wish_and_what_nobody_can_look_at_deny_nothing(reader: MessageReader, message: str) -> None:
    """Neither a wish nor that something is out of sight tells that it is not there."""
    assert NO not in counted(reader, message).values()


@for_each(
    ("message", "phenomenon"),
    [
        ("can't see any deadlocks", DEADLOCK),
        ("看不到死锁", DEADLOCK),
        ("we don't have any deadlocks", DEADLOCK),
        ("没有死锁", DEADLOCK),
    ],
)
def test_what_is_not_seen_where_one_looked_is_not_there(reader: MessageReader, message: str, phenomenon: str) -> None:
    """Not to see any of a thing denies it."""
    assert counted(reader, message)[phenomenon] is NO


@for_each(
    "message",
    [
        "postgres超管进去了 看到大部分都是idle",
        "most sessions in the db are idle",
        "数据库里都是idle",
        "白天还好短查询都没事",
        "short queries are fine",
        "during the day all queries are fine",
        "平时所有查询都正常",
        "at night everything is fine",
    ],
)
def test_a_part_that_is_fine_denies_nothing_of_the_whole(reader: MessageReader, message: str) -> None:
    """What is idle is not fast; short statements, and another time of the day, are a part."""
    assert OVERALL not in counted(reader, message)


@for_each(
    ("message", "verdict"),
    [
        ("everything is fine", NO),
        ("数据库正常", NO),
        ("all queries are fast", NO),
        ("during the day everything is slow", YES),
        ("白天所有查询都慢", YES),
    ],
)
def test_the_whole_is_as_it_is_told(reader: MessageReader, message: str, verdict: Verdict) -> None:
    """Without such a limit the same words count, and trouble counts at whatever time of the day."""
    assert counted(reader, message)[OVERALL] is verdict


@for_each(
    "message", ["writes are constant, not in bursts", "writes are steady all night", "commits go at a constant level"]
)
def test_what_is_even_may_be_slow(reader: MessageReader, message: str) -> None:
    """How evenly something goes says nothing of how long it takes."""
    assert WRITES not in counted(reader, message)


@for_each(
    ("message", "phenomenon"),
    [
        ("other tables r fine", RUN_QUEUE),
        ("all r ok", RUN_QUEUE),
        ("ok select count(*) state active = 41", STATISTICS),
        ("ok select count(*) state active = 41", COUNTING),
        ("ok count(*) gives 41", COUNTING),
        ("okay i looked at the report", REPORTS),
    ],
)
def test_letters_and_words_of_assent_name_and_judge_nothing(
    reader: MessageReader, message: str, phenomenon: str
) -> None:
    """ "r" is short for "are", and an ok that opens a message answers the one before it."""
    assert phenomenon not in counted(reader, message)


@for_each(
    ("message", "verdict"),
    [
        ("max_connections 300, in use 281+16", YES),
        ("上限300 连接数281+16", YES),
        ("max_connections 300, in use 80+16", NO),
    ],
)
def test_numbers_that_are_added_are_their_sum(reader: MessageReader, message: str, verdict: Verdict) -> None:
    """Two counts with a plus between them are one amount."""
    assert counted(reader, message)[CONNECTIONS] is verdict
