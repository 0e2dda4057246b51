"""Values without a subject, in a dialogue that is about something."""

from __future__ import annotations

from typing import Any

import pytest

from lang.judging.dialogue import DialogueReader, Topics
from lang.judging.judge import Judge
from lang.statements import Reader
from lang.vocabulary import Predicate, Vocabulary
from tests.support.cases import for_each

Readings = dict[str, tuple[str, str]]


@pytest.fixture(scope="module")
def dialogue(library: dict[str, Any], vocabulary: Vocabulary, reader: Reader, judge: Judge) -> DialogueReader:
    predicates = {name: [Predicate(**each) for each in several] for name, several in library["predicates"].items()}
    return DialogueReader(reader, judge, predicates, {subject.id: subject for subject in vocabulary.subjects})


def go_on(dialogue: DialogueReader, reader: Reader, message: str, topics: Topics) -> Readings:
    found = dialogue.go_on(message, reader.read(message), topics)
    return {item.phenomenon_id: (item.verdict.value, item.standing.value) for item in found}


PENDING = ("CONNECTIONS", "LOCKS", "LONG_TX", "CPU")


@for_each(
    ("message", "expected"),
    [
        ("max is 200, we have 198 right now", {"CONNECTIONS": ("confirmed", "counts")}),
        ("198/200", {"CONNECTIONS": ("confirmed", "counts")}),
        ("一共 200，用了 198", {"CONNECTIONS": ("confirmed", "counts")}),
        ("一共 200，现在才 40", {"CONNECTIONS": ("denied", "counts")}),
        ("已经 3 个小时了", {"LONG_TX": ("confirmed", "counts")}),
        ("it has been 3 hours", {"LONG_TX": ("confirmed", "counts")}),
    ],
)
def test_a_value_that_fits_one_thing_asked_about_is_of_it(
    dialogue: DialogueReader, reader: Reader, message: str, expected: Readings
) -> None:
    """A value that fits, by its unit or as a part of a whole, a single thing that was asked about, counts for it."""
    assert go_on(dialogue, reader, message, Topics(pending=PENDING)) == expected


@for_each("message", ["it's 97%", "现在 97% 了", "大概 97%"])
def test_a_value_that_fits_several_things_is_only_proposed(
    dialogue: DialogueReader, reader: Reader, message: str
) -> None:
    """Of several things that a value fits, none is taken for granted."""
    found = go_on(dialogue, reader, message, Topics(pending=PENDING))
    assert set(found) == {"CONNECTIONS", "CPU"}
    assert {standing for _, standing in found.values()} == {"proposed"}


@for_each(
    "message",
    [
        "no, I misread it, it's 30%",
        "wait sorry that's the replica. primary is at 30%",
        "看错了，是 30%",
        "不对，只有 30%",
        "sorry, 30 percent",
    ],
)
def test_a_correction_with_a_value_is_of_what_was_said_last(
    dialogue: DialogueReader, reader: Reader, message: str
) -> None:
    """A value after words that correct is about what was reported last, whatever else it would fit."""
    topics = Topics(said="DISK", pending=PENDING)
    assert go_on(dialogue, reader, message, topics) == {"DISK": ("denied", "counts")}


@for_each(
    "message",
    [
        "1有 2没有",
        "1 yes 2 no",
        "2",
        "we have 3 servers and 200 users",
        "I'm back in 10 minutes, ok?",
        "what if it were 97%?",
        "昨天是 97%",
        "测试环境 97%",
        "how do I see which app",
        "97%  /var/lib/postgresql",
        "410G\t/data/pg16/pg_wal",
    ],
)
def test_other_numbers_are_of_nothing_that_was_asked(dialogue: DialogueReader, reader: Reader, message: str) -> None:
    """Numbers of items, of other things, of other times and systems, and in questions are about none of the topics."""
    assert go_on(dialogue, reader, message, Topics(said="DISK", pending=PENDING)) == {}


@for_each("message", ["cpu is at 20%", "磁盘 97%", "连接数 198，最大连接 200"])
def test_a_named_value_is_not_read_a_second_time(dialogue: DialogueReader, reader: Reader, message: str) -> None:
    """A value with a subject of its own is no one else's."""
    assert go_on(dialogue, reader, message, Topics(said="DISK", pending=("CPU", "CONNECTIONS", "MEMORY"))) == {}


@for_each(
    ("asked", "words", "message", "verdict"),
    [
        ("CONNECTIONS", "现在连接 198 个", "200", "confirmed"),
        ("CONNECTIONS", "we have 198 connections", "max is 400", "denied"),
        ("LONG_TX", "有个最老事务一直没提交", "2 个多小时", "confirmed"),
        ("CPU", "cpu is busy", "about 40", "denied"),
    ],
)
def test_a_value_asked_for_completes_what_was_said(
    dialogue: DialogueReader, asked: str, words: str, message: str, verdict: str
) -> None:
    """The answer with a value, or with the whole that a value is a part of, decides with the words before it."""
    found = dialogue.answer(message, Topics(asked=asked, words=words))
    assert [(item.phenomenon_id, item.verdict.value) for item in found] == [(asked, verdict)]


@for_each(
    ("before", "message", "expected"),
    [
        (["连接 487 个"], "最大连接 500", {"CONNECTIONS": "confirmed"}),
        (["connections are at 120"], "max_connections is 500", {"CONNECTIONS": "denied"}),
        (["报表慢", "pg_wal 410GB"], "max_wal_size 8GB", {"WAL_DIR": "confirmed"}),
        (["max_wal_size 才 8GB"], "pg_wal 有 410GB 了", {"WAL_DIR": "confirmed"}),
        (["pg_wal 410GB"], "报表慢", {}),
        (["pg_wal 410GB"], "为什么问这个", {}),
        (["scratch the pg_wal number", "pg_wal 410GB"], "max_wal_size 8GB", {}),
        (["撤销", "pg_wal 410GB"], "max_wal_size 8GB", {}),
        (["看错了", "pg_wal 410GB"], "max_wal_size 8GB", {}),
        ([], "max_wal_size 8GB", {}),
    ],
)
def test_a_value_and_its_base_may_come_in_two_messages(
    dialogue: DialogueReader, reader: Reader, judge: Judge, before: list[str], message: str, expected: dict[str, str]
) -> None:
    """What one message says of a thing and another of what it is a part or a multiple of is compared."""
    found = dialogue.complete(message, judge.judge(reader.read(message)), Topics(before=before))
    assert {item.phenomenon_id: item.verdict.value for item in found} == expected


@pytest.mark.parametrize("rest", ["我说了三遍，先停今晚的任务", "give me a sentence for the manager"])
def test_a_value_beside_another_thought_is_of_nothing_asked(
    dialogue: DialogueReader, reader: Reader, rest: str
) -> None:
    """A message that tells more than a value does not answer what was asked about before."""
    assert go_on(dialogue, reader, f"88%. {rest}", Topics(pending=("CPU",))) == {}
    assert "CPU" in go_on(dialogue, reader, "88%", Topics(pending=("CPU",)))


@for_each("message", ["410GB", "我说的是 410 个 GB", "it is 410 GB, i said"])
def test_a_value_told_again_is_not_what_it_is_compared_with(dialogue: DialogueReader, message: str) -> None:
    """Who only repeats a value has not told its base: nothing is decided by the value and itself."""
    assert dialogue.answer(message, Topics(asked="WAL_DIR", words="pg_wal 410GB")) == []


def test_a_sum_of_two_counts_is_one_value(dialogue: DialogueReader) -> None:
    """ "480+12" of 500 are 492, not 480 and not 12."""
    found = dialogue.answer("480+12", Topics(asked="CONNECTIONS", words="max_connections is 500"))
    assert {item.verdict.value for item in found} == {"confirmed"}
