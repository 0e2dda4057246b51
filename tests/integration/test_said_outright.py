"""What is said outright of what was asked, or is on record, is of that: the right entry changes, and no other does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from dbdiag.planner.v1.planner_types import Item
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk, house

CPU, LOCKS, DISK, ROLLBACKS = "P-0008", "P-0021", "P-0016", "P-0057"
DEADLOCKS, TOP, PEAK = "P-0028", "P-0003", "P-0013"
YES, NO = Verdict.CONFIRMED, Verdict.DENIED
FIRST = {"zh": "没有锁等待，cpu 95%，磁盘满了98%", "en": "no lock waits, cpu is at 95%, disk is 98% full"}
RECORD = {LOCKS: NO, CPU: YES, DISK: YES}
SAID: dict[str, dict[str, list[str]]] = yaml.safe_load(
    (Path(__file__).parent / "said_outright.yaml").read_text("utf-8")
)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all conversations."""
    with house(tmp_path_factory.mktemp("outright")) as opened:
        yield opened


def begun(running: House, language: str) -> Talk:
    """A conversation with a record."""
    talk = running.talk()
    talk.say(FIRST[language])
    return talk


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


def wrong(running: House, kind: str, wanted: dict[str, Verdict], asked: tuple[str, ...] = ()) -> list[str]:
    """The wordings of a kind that leave another record than is wanted. asked: in place of what is asked."""
    found = []
    for language, wordings in SAID[kind].items():
        for words in wordings:
            talk = begun(running, language)
            if asked:
                names = talk.house.catalog.phenomenon_name
                talk.session.pending = tuple(Item(at, each, names(each)) for at, each in enumerate(asked, 1))
            talk.say(words)
            found += [] if record(talk) == wanted else [f"{words}: {record(talk)}"]
    return found


def test_a_disputed_no_is_turned(running: House) -> None:
    """Where somebody says against a "no" that it is so, it is so; the rest of the record stays."""
    assert wrong(running, "disputed", RECORD | {LOCKS: YES}) == []


def test_what_is_asked_back_and_denied_is_denied_alone(running: House) -> None:
    """A "no" to a thing that is named with a question mark is of that thing."""
    assert wrong(running, "denied", RECORD | {CPU: NO}) == []


def test_an_answer_is_taken_back_by_its_name(running: House) -> None:
    """The one "no" on record goes; no yes does."""
    assert wrong(running, "taken_back", {CPU: YES, DISK: YES}) == []


def test_an_answer_in_so_many_words_counts(running: House) -> None:
    """It is of what the clause before it names, of all that is asked."""
    assert wrong(running, "answered", RECORD | {ROLLBACKS: YES}) == []


def test_questions_and_quotations_change_nothing(running: House) -> None:
    """Who asks, supposes, or repeats what was said to them says nothing of the thing."""
    assert wrong(running, "neither", RECORD) == []


def test_a_trend_by_itself_is_of_the_one_thing_that_is_asked_to_move(running: House) -> None:
    """Of several things that are asked only one can rise, so that "it's rising!!" is of that."""
    assert wrong(running, "rising", RECORD | {DEADLOCKS: YES}, (DEADLOCKS, TOP, PEAK)) == []
    assert wrong(running, "not_rising", RECORD, (DEADLOCKS, TOP, PEAK)) == []


SLOTS = (
    'random services keep throwing "FATAL: remaining connection slots are reserved for non-replication superuser '
    'connections" since this morning',
    "superuser? no no, nobody connects as superuser, i never said that. its the app roles that get the error",
    'NO i do get the "remaining connection slots are reserved" error, only the superuser part is nonsense',
)


def test_a_denied_reading_leaves_its_neighbour(running: House) -> None:
    """Of two readings of one message the denied one goes, and the other is on record, then and when insisted on."""
    talk = running.talk()
    for message in SLOTS:
        talk.say(message)
        assert record(talk).get("P-0043") is YES, message
    assert record(talk).get("P-0267") is not YES
