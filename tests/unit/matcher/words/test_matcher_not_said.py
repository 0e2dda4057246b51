"""What a person asks, waves aside or says of something else is no fact, against the shipped PostgreSQL library."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
SYNCREP, DEADLOCK, INDEX, RELEASE, REPORTS, SOME_VALUES = "P-0139", "P-0027", "P-0205", "P-0014", "P-0003", "P-0203"
POOLS = "P-0049"


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
    ("message", "phenomenon"),
    [
        ("stop with the syncrep thing", SYNCREP),
        ("enough about deadlocks please", DEADLOCK),
        ("quit asking about syncrep", SYNCREP),
        ("别再提死锁了", DEADLOCK),
        ("so dont ask about deadlocks", DEADLOCK),
        ("别问 syncrep 了", SYNCREP),
        ("i was only asking about deadlocks", DEADLOCK),
        ("我只是问死锁", DEADLOCK),
        ("so: create index on invoices (customer_id)? does that block inserts?", INDEX),
        ("created an index on (a, b)?", INDEX),
        ("I did NOT roll back any release", RELEASE),
        ("我没有回滚发布", RELEASE),
        ("ONLY delete from customers", SOME_VALUES),
        ("only update customers set x is affected", SOME_VALUES),
    ],
)
def test_what_is_waved_aside_asked_or_of_something_else_is_no_fact(
    reader: MessageReader, message: str, phenomenon: str
) -> None:
    """Neither a yes nor a no counts of a thing that words wave aside, ask about, or only have in a name."""
    assert phenomenon not in counted(reader, message)


@for_each(
    ("message", "phenomenon", "verdict"),
    [
        ("its not forgotten its some dashboard running since 8:20", REPORTS, None),
        ("not stuck just slow reports", REPORTS, YES),
        ("it's not a lock it's deadlocks", DEADLOCK, YES),
        ("no deadlocks", DEADLOCK, NO),
        ("现在有3个报表会话跑了快20分钟", REPORTS, None),
        ("报表跑了快半小时", REPORTS, None),
        ("报表快了", REPORTS, NO),
        ("only customers of one region are slow", SOME_VALUES, YES),
        ("someone created an index (ix_a) yesterday", INDEX, YES),
        ("started right after the release", RELEASE, YES),
    ],
)
def test_a_negation_and_a_word_of_speed_reach_only_their_own(
    reader: MessageReader, message: str, phenomenon: str, verdict: Verdict | None
) -> None:
    """A no ends where a statement of its own begins, and 快 before an amount says how nearly, not how fast."""
    assert counted(reader, message).get(phenomenon) is verdict


@pytest.mark.parametrize(
    ("message", "denied"),
    [
        ("nobody added an index", {INDEX}),
        ("没人动过索引", {INDEX}),
    ],
)
def test_what_a_fault_needs_and_is_not_there_rules_it_out(
    reader: MessageReader, message: str, denied: set[str]
) -> None:
    """Without a change nothing of it can be the trouble."""
    assert {name for name, verdict in counted(reader, message).items() if verdict is NO} == denied


@pytest.mark.parametrize("message", ["归档没开的，archive_mode = off", "archiving is off here"])
def test_without_a_facility_nothing_of_it_is_the_trouble(reader: MessageReader, message: str) -> None:
    """Archiving that is off rules out all that needs it."""
    lacks = [each.phenomena for each in reader.read(message).facilities if not each.there]
    assert set(lacks) == {("P-0130", "P-0131", "P-0321", "P-0421")}


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("20 pods to 60, hikari maximumPoolSize is 30 in each, max_connections is 1000", YES),
        ("20 pods, hikari maximumPoolSize is 30 in each, max_connections is 1000", NO),
    ],
)
def test_a_count_that_changed_is_what_it_is_now(reader: MessageReader, message: str, verdict: Verdict) -> None:
    """Of "20 pods to 60" there are sixty."""
    assert counted(reader, message).get(POOLS) is verdict
