"""What people say in passing is heard of what they say it of, against the shipped PostgreSQL library."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

pytestmark = pytest.mark.sampled

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SURE = (Standing.COUNTS, Standing.PROPOSED)


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def heard(reader: MessageReader, message: str, *before: str) -> set[tuple[str, Verdict | None]]:
    """What a message says of phenomena, counted or proposed; before: the person's messages before it."""
    found = reader.read(message, Topics(before=before)).readings
    return {(item.reading.phenomenon_id, item.reading.verdict) for item in found if item.reading.standing in SURE}


@for_each(
    "message",
    [
        "no the standby is there",
        "nope the replica is connected",
        "no they all stream",
        "yes the standby is fine i think",
        "没有 备库在的",
    ],
)
def test_a_no_before_a_statement_denies_nothing_of_it(reader: MessageReader, message: str) -> None:
    """A yes or no before a statement is no word of it: a standby that is there is not missing, and that is all."""
    assert {each for each in heard(reader, message) if each[1] is NO} <= {("P-0140", NO)}


@for_each(
    ("message", "denied"),
    [
        ("no lag on the standby", "P-0134"),
        ("no deadlocks", "P-0027"),
        ("没有死锁", "P-0027"),
        ("备库没有延迟", "P-0134"),
        ("no lag everything is fine", "P-0134"),
        ("no archiving is fine", "P-0130"),
    ],
)
def test_a_no_before_a_noun_denies_it(reader: MessageReader, message: str, denied: str) -> None:
    """A no right before what it denies is still one, and none before what is fine: the trouble is denied once."""
    assert (denied, NO) in heard(reader, message)


@for_each("message", ["no the standby is there", "nope the replica is connected", "没有 备库在的"])
def test_a_standby_that_is_there_is_not_missing(reader: MessageReader, message: str) -> None:
    """What follows a no is read as what it says."""
    assert heard(reader, message) == {("P-0140", NO)}


@for_each(
    "message",
    [
        "别的select update都正常",
        "其他写入都没问题",
        "everything else is fine, reads and writes",
        "点保存就转圈圈 查询倒是没问题",
        "saving an order hangs, the search is fine",
        "our biggest customer can't open his dashboard, small ones are ok",
        "明明有索引它不走 全表扫",
        "autovacuum 跑了一整天还没跑完",
    ],
)
def test_what_is_fine_is_what_the_words_name(reader: MessageReader, message: str) -> None:
    """A fine, a not or a not yet said of something else denies no complaint beside it."""
    assert not {each for each in heard(reader, message) if each[1] is NO}


@for_each(
    ("message", "denied"),
    [
        ("写入都正常", "P-0004"),
        ("writes are fine", "P-0004"),
        ("reports: fine", "P-0003"),
        ("没走全表扫描, 没有 seq scan", "P-0077"),
    ],
)
def test_fine_of_the_thing_itself_denies(reader: MessageReader, message: str, denied: str) -> None:
    """A fine said of the very thing still denies its trouble."""
    assert (denied, NO) in heard(reader, message)


@for_each(
    "message",
    [
        "删客户贼慢 一条要几十秒 别的都还行",
        "deleting a customer takes forever, everything else is fine",
        "one report is killing us, the rest is ok",
        "就订单列表那个查询慢 其他都挺快",
    ],
)
def test_one_slow_thing_beside_others_that_are_fine(reader: MessageReader, message: str) -> None:
    """One kind of statement slow and the others fine is one statement that became slow, in one message or in two."""
    assert ("P-0002", YES) in heard(reader, message)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("删客户慢得要死", "别的select update都正常"),
        ("the delete of a customer takes forever", "everything else is fine"),
    ],
)
def test_two_messages_say_it_together(reader: MessageReader, before: str, message: str) -> None:
    """What needs two statements is heard where they stand in two messages."""
    assert ("P-0002", YES) in heard(reader, message, before)
    assert ("P-0002", YES) not in heard(reader, message)


@for_each(
    "message", ["cpu 95% 其他都正常", "disk 97 %, everything else is fine", "别的客户都正常", "other apps are fine"]
)
def test_others_alone_tell_of_no_statement(reader: MessageReader, message: str) -> None:
    """That all else is fine says nothing of a statement where nothing slow is named."""
    assert ("P-0002", YES) not in heard(reader, message)


@for_each(
    ("message", "phenomenon"),
    [
        ("everything just sits there when it saves stuff", "P-0004"),
        ("点保存就一直转圈", "P-0004"),
        ("pg keeps giving me a scary warning about vacuum and transactions", "P-0072"),
        ("一直警告说事务号快用完了", "P-0072"),
        ("active也是f啊", "P-0132"),
        ("that slot nobody uses, active is false", "P-0132"),
        ("a whole bunch of rows vanished from customers", "P-0283"),
        ("only slow between 9 and 11 in the morning", "P-0013"),
        ("删客户慢得要死", "P-0004"),
    ],
)
def test_everyday_words_name_the_phenomenon(reader: MessageReader, message: str, phenomenon: str) -> None:
    """A complaint in everyday words is read or proposed as what it means, and denies nothing."""
    found = heard(reader, message)
    assert (phenomenon, YES) in found
    assert not {each for each in found if each[1] is NO}


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("flush lag is 400ms", "P-0135", YES),
        ("flush lag is 3 s", "P-0135", YES),
        ("flush lag is 20ms", "P-0135", NO),
        ("flush_lag 大概 20ms", "P-0135", NO),
        ("autovac 20 min", "P-0068", NO),
        ("autovac 3 h", "P-0068", YES),
    ],
)
def test_a_value_short_of_a_limit(reader: MessageReader, message: str, phenomenon: str, verdict: Verdict) -> None:
    """A value denies by the limit of its item; where the item tells what is clear, what lies between is asked about."""
    assert (phenomenon, verdict) in heard(reader, message)


@for_each("words", ["customer_id没索引", "no index on customer_id", "那个列没建索引"])
def test_what_was_asked_settles_what_words_mean(reader: MessageReader, words: str) -> None:
    """Words that several phenomena share are of the one that was asked about."""
    asked = {item.reading.phenomenon_id for item in reader.read(words, Topics(pending=("P-0091", "P-0004"))).readings}
    assert asked == {"P-0091"}
    assert {name for name, _ in heard(reader, words)} == {"P-0078"}


@for_each(
    "message", ["once the report was slow", "once it was slow on inserts", "not as bad as yesterday", "没昨天那么慢"]
)
def test_what_was_once_or_is_less_bad_says_nothing_for_sure(reader: MessageReader, message: str) -> None:
    """What happened once, and a comparison with another day, neither confirms nor denies."""
    assert not [item for item in reader.read(message).readings if item.reading.standing is Standing.COUNTS]


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("somebody ran an update without where and all prices are 0 now", "P-0287", YES),
        ("deadlocks: 0", "P-0027", NO),
        ("deadlocks are 0", "P-0027", NO),
        ("half of the invoices are gone", "P-0283", YES),
        ("someone forgot to commit in dbeaver and everybody is stuck", "P-0023", YES),
        ("load is low, cpu idle, but the app crawls", "P-0009", YES),
        ("应用很慢 但是cpu很低", "P-0009", YES),
        ("应用很慢 cpu 12%", "P-0009", YES),
    ],
)
def test_words_and_numbers_are_of_their_own_noun(
    reader: MessageReader, message: str, phenomenon: str, verdict: Verdict
) -> None:
    """A zero of another noun counts nothing of an event; what is gone, forgotten or idle is told, and not fine."""
    assert (phenomenon, verdict) in heard(reader, message)
