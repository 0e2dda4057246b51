"""What people tell of an output and of amounts, in their own words, is read as what it is."""

from __future__ import annotations

import pytest

from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def counted(reader: MessageReader, message: str) -> dict[str, str]:
    readings = [item.reading for item in reader.read(message).readings]
    return {each.phenomenon_id: str(each.verdict) for each in readings if each.standing is Standing.COUNTS}


@for_each(
    ("message", "phenomenon"),
    [
        ("df -h shows /pgdata at 96%", "P-0016"),
        ("iostat -x says sdb util 99 %", "P-0011"),
        ("SHOW POOLS 里 cl_waiting 40，maxwait 7 秒", "P-0048"),
        ("SHOW POOLS gives cl_waiting 12", "P-0048"),
    ],
)
def test_a_sentence_may_begin_with_the_command_it_tells_of(
    message: str, phenomenon: str, reader: MessageReader
) -> None:
    """What a person tells of a command's output is said, though it begins like the command."""
    assert counted(reader, message)[phenomenon] == "confirmed"


@for_each("command", ["df -h /pgdata", "SHOW POOLS", "iostat -x 1 5", "SHOW max_connections"])
def test_a_command_alone_says_nothing(command: str, reader: MessageReader) -> None:
    """The command itself is no statement about anything."""
    assert counted(reader, command) == {}


@for_each(
    ("message", "says"),
    [
        ("three hundred sessions wait for locks", {"P-0021": "confirmed"}),
        ("one transaction holds three hundred relation locks", {"P-0032": "confirmed"}),
        ("twelve hundred connections of fifteen hundred", {"P-0044": "denied"}),
        ("we have 1200 connections of 1500", {"P-0044": "denied"}),
        ("pg_dump aside, a transaction has been open for half an hour", {"P-0024": "denied"}),
    ],
)
def test_hundreds_and_half_hours_are_numbers(message: str, says: dict[str, str], reader: MessageReader) -> None:
    """ "Three hundred" is 300 and "half an hour" is 30 minutes, not 3 and not a half."""
    assert says.items() <= counted(reader, message).items()


@for_each(
    "message",
    ["120 active sessions on an 8-core machine", "120 active sessions on 8 cores", "8 核的机器上 active 有 120 个"],
)
def test_the_cores_of_a_machine_are_no_sessions(message: str, reader: MessageReader) -> None:
    """A number before a hyphen and a noun belongs to the noun, not to what was counted before."""
    assert counted(reader, message) == {"P-0046": "confirmed"}


@for_each(
    ("message", "says"),
    [
        ("死锁数从 132 变 139", "confirmed"),
        ("deadlocks went from 132 to 139", "confirmed"),
        ("死锁数一直是 132", None),
    ],
)
def test_from_one_number_to_another_is_a_change(message: str, says: str | None, reader: MessageReader) -> None:
    """ "从 132 变 139" grew, however short the word for the change is; a number that stays did not."""
    assert counted(reader, message).get("P-0028") in ((says,) if says else (None, "denied"))


@for_each("event", ["DataFileRead", "WALWrite", "BufferContent", "LockManager"])
def test_a_wait_event_is_one_word_however_it_is_written(event: str, reader: MessageReader) -> None:
    """A term written as one word finds the same word in CamelCase."""
    said = {item.reading.phenomenon_id for item in reader.read(f"80 % of the sessions wait on {event}").readings}
    assert said
    assert said == {
        item.reading.phenomenon_id for item in reader.read(f"80 % of the sessions wait on {event.lower()}").readings
    }
