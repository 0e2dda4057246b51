"""A protest against what was heard: the entry goes at once, and the words of the protest are no evidence for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk, house

CPU, LOCKS, DISK, QUEUE = "P-0008", "P-0021", "P-0016", "P-0381"
FIRST = {"zh": "没有锁等待，cpu 95%，磁盘满了98%", "en": "no lock waits, cpu is at 95%, disk is 98% full"}
RECORD = {LOCKS: Verdict.DENIED, CPU: Verdict.CONFIRMED, DISK: Verdict.CONFIRMED}
SORRY = {"zh": "听错了", "en": "misheard"}
LANGUAGES = sorted(FIRST)
SAID: dict[str, dict[str, list[str]]] = yaml.safe_load((Path(__file__).parent / "protests.yaml").read_text("utf-8"))
PASTED = (
    "  pid  | usename | state  | wait_event_type | wait_event |       age       | query\n"
    "-------+---------+--------+-----------------+------------+-----------------+--------\n"
    " 21984 | app     | active | IPC             | SyncRep    | 00:15:12.480113 | COMMIT\n"
    " 22010 | app     | active | IPC             | SyncRep    | 00:15:03.991245 | COMMIT\n"
    " 22119 | app     | active | IPC             | SyncRep    | 00:13:58.730014 | COMMIT\n"
)
SYNC = "P-0139"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all conversations."""
    with house(tmp_path_factory.mktemp("protests")) as opened:
        yield opened


def told(running: House, *messages: str) -> Talk:
    """A conversation of these messages."""
    talk = running.talk()
    for message in messages:
        talk.say(message)
    return talk


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


def wrong(running: House, kind: str, wanted: dict[str, Verdict]) -> list[str]:
    """The wordings of a kind that leave another record than is wanted, ask, or do not say what was misheard."""
    found = []
    for language in LANGUAGES:
        for words in SAID[kind][language]:
            talk = told(running, FIRST[language], words)
            asked = talk.turns[-1].clarification
            right = record(talk) == wanted and asked is None and SORRY[language] in talk.replies[-1]
            found += [] if right else [words]
    return found


def test_a_protest_that_names_an_entry_takes_that_one_back(running: House) -> None:
    """At once, without a question; the others stay, and the reply says in a line what is off the record."""
    assert wrong(running, "named", {LOCKS: Verdict.DENIED, DISK: Verdict.CONFIRMED}) == []


def test_a_protest_that_says_the_opposite_records_it(running: House) -> None:
    """What it names is not so from now on."""
    assert wrong(running, "opposed", RECORD | {CPU: Verdict.DENIED}) == []


def test_a_protest_without_a_name_is_of_the_last_reply(running: House) -> None:
    """All that was heard last goes."""
    assert wrong(running, "unnamed", {}) == []


def test_a_protest_without_a_name_leaves_answers_and_pastes(running: House) -> None:
    """What a system showed was never said, and earlier replies are not meant."""
    for language in LANGUAGES:
        for words in SAID["unnamed"][language]:
            assert record(told(running, PASTED, words)) == {SYNC: Verdict.CONFIRMED}, words


def test_facts_questions_and_deeds_protest_against_nothing(running: House) -> None:
    """The record holds at least what it held, and nothing is said to be misheard."""
    missed = []
    for language in LANGUAGES:
        for words in SAID["untouched"][language]:
            talk = told(running, FIRST[language], words)
            kept = record(talk).items() >= RECORD.items() and SORRY[language] not in talk.replies[-1]
            missed += [] if kept else [words]
    assert missed == []


def test_a_name_beside_a_question_is_not_asked_about(running: House) -> None:
    """The check of what was never said is not shown, and the rest of the message is heard."""
    talk = told(running, FIRST["en"], "cpu?? never said that, no shell on that box")
    assert CPU not in record(talk)
    assert "vmstat" not in talk.replies[-1]


REST = [
    (FIRST["zh"], "我没说cpu高!! 连接数满了", "连接"),
    (FIRST["en"], "i never said cpu is high!! we get too many connections errors", "onnections"),
]


@pytest.mark.parametrize(("first", "words", "heard"), REST)
def test_the_rest_of_a_protest_is_heard(running: House, first: str, words: str, heard: str) -> None:
    """What the message says beside its protest is evidence as in any other."""
    talk = told(running, first, words)
    assert CPU not in record(talk)
    assert heard in talk.replies[-1].split("\n\n", 1)[1]
