"""What is not so at all times, what a server says in quotes, what nobody knows: none is heard as its opposite."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SLOTS, DEADLOCK, TIMEOUT, LOCKS, WRITES, SYNCREP = "P-0043", "P-0027", "P-0017", "P-0021", "P-0004", "P-0139"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def heard(reader: MessageReader, message: str) -> dict[str, Verdict | None]:
    """What a message says of each phenomenon, whether it counts or is asked about."""
    lacking = (Standing.COUNTS, Standing.PROPOSED)
    found = (item.reading for item in reader.read(message).readings)
    return {each.phenomenon_id: each.verdict for each in found if each.standing in lacking}


@for_each(
    ("message", "phenomenon"),
    [
        ('orders throws "FATAL: remaining connection slots are reserved" now and then, not constantly', SLOTS),
        ("应用偶尔报“remaining connection slots are reserved”，不是一直报", SLOTS),
        ("we get too many clients, but not always", SLOTS),
        ("we get deadlock detected, but not all the time", DEADLOCK),
        ("deadlock detected, it doesn't happen every time", DEADLOCK),
        ("报 deadlock detected，不过不是每次", DEADLOCK),
        ("不是每次都死锁", DEADLOCK),
    ],
)
def test_what_is_not_so_at_all_times_is_not_denied(reader: MessageReader, message: str, phenomenon: str) -> None:
    """A "not" that is of how often something comes denies nothing of it."""
    assert heard(reader, message).get(phenomenon) is not NO


@for_each(
    ("message", "phenomenon"),
    [
        ("there are no deadlocks", DEADLOCK),
        ("never had a deadlock", DEADLOCK),
        ("一直没有死锁", DEADLOCK),
        ("always fine, no lock waits", LOCKS),
    ],
)
def test_what_is_never_so_is_denied_still(reader: MessageReader, message: str, phenomenon: str) -> None:
    """A word for how often that stands before the "not" leaves it as it is."""
    assert heard(reader, message)[phenomenon] is NO


@for_each(
    ("message", "phenomenon"),
    [
        ('"canceling statement due to statement timeout" thats what the php guys see', TIMEOUT),
        ('"canceling statement due to statement timeout" is what they get', TIMEOUT),
        ('what they get is "deadlock detected"', DEADLOCK),
        ('"too many clients", that\'s what the app logs', SLOTS),
        ("“canceling statement due to statement timeout”，php那边看到的就是这个", TIMEOUT),
    ],
)
def test_an_error_in_quotes_that_somebody_sees_is_there(reader: MessageReader, message: str, phenomenon: str) -> None:
    """A server's message is no name of an item, and "that's what they see" asks nothing."""
    assert heard(reader, message).get(phenomenon) is YES


@for_each(
    "message",
    [
        'what does "canceling statement due to statement timeout" mean?',
        'is "too many clients" what they see?',
        "“deadlock detected”是什么意思",
        'the question is what "deadlock detected" means',
    ],
)
def test_an_error_that_is_asked_about_is_not_there(reader: MessageReader, message: str) -> None:
    """A question about an error states none."""
    assert YES not in heard(reader, message).values()
