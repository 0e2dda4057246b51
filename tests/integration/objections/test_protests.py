"""A protest against what was heard: the entry goes at once, and the words of the protest are no evidence for it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

CPU, LOCKS, DISK, QUEUE = "P-0008", "P-0021", "P-0016", "P-0381"
FIRST = {"zh": "没有锁等待，cpu 95%，磁盘满了98%", "en": "no lock waits, cpu is at 95%, disk is 98% full"}
RECORD = {LOCKS: Verdict.DENIED, CPU: Verdict.CONFIRMED, DISK: Verdict.CONFIRMED}
SORRY = {"zh": "听错了", "en": "misheard"}
LANGUAGES = sorted(FIRST)
Said = dict[str, dict[str, list[str]]]
SAID: Said = yaml.load(Path(__file__).with_name("protests.yaml").read_bytes(), yaml.CSafeLoader)
PASTED = (
    "  pid  | usename | state  | wait_event_type | wait_event |       age       | query\n"
    "-------+---------+--------+-----------------+------------+-----------------+--------\n"
    " 21984 | app     | active | IPC             | SyncRep    | 00:15:12.480113 | COMMIT\n"
    " 22010 | app     | active | IPC             | SyncRep    | 00:15:03.991245 | COMMIT\n"
    " 22119 | app     | active | IPC             | SyncRep    | 00:13:58.730014 | COMMIT\n"
)
SYNC = "P-0139"
# That a table grows though its rows do not.
GROWS = "P-0064"


@pytest.fixture(params=[4, pytest.param(1, marks=pytest.mark.slow)])
def said(request: pytest.FixtureRequest) -> Said:
    """One wording in so many of each kind."""
    return {kind: {of: words[:: request.param] for of, words in found.items()} for kind, found in SAID.items()}


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


def wrong(running: House, wordings: dict[str, list[str]], wanted: dict[str, Verdict]) -> list[str]:
    """The wordings that leave another record than is wanted, ask, or do not say what was misheard."""
    found = []
    for language in LANGUAGES:
        for words in wordings[language]:
            talk = running.told(FIRST[language], words)
            asked = talk.turns[-1].clarification
            right = record(talk) == wanted and asked is None and SORRY[language] in talk.replies[-1]
            found += [] if right else [words]
    return found


def test_a_protest_that_names_an_entry_takes_that_one_back(running: House, said: Said) -> None:
    """At once, without a question; the others stay, and the reply says in a line what is off the record."""
    assert wrong(running, said["named"], {LOCKS: Verdict.DENIED, DISK: Verdict.CONFIRMED}) == []


def test_a_protest_that_says_the_opposite_records_it(running: House, said: Said) -> None:
    """What it names is not so from now on."""
    assert wrong(running, said["opposed"], RECORD | {CPU: Verdict.DENIED}) == []


def test_a_protest_without_a_name_is_of_the_last_reply(running: House, said: Said) -> None:
    """All that was heard last goes."""
    assert wrong(running, said["unnamed"], {}) == []


def test_a_protest_without_a_name_leaves_answers_and_pastes(running: House, said: Said) -> None:
    """What a system showed was never said, and earlier replies are not meant."""
    for language in LANGUAGES:
        for words in said["unnamed"][language]:
            assert record(running.told(PASTED, words)) == {SYNC: Verdict.CONFIRMED}, words


def test_facts_questions_and_deeds_protest_against_nothing(running: House, said: Said) -> None:
    """The record holds at least what it held, and nothing is said to be misheard."""
    missed = []
    for language in LANGUAGES:
        for words in said["untouched"][language]:
            talk = running.told(FIRST[language], words)
            kept = record(talk).items() >= RECORD.items() and SORRY[language] not in talk.replies[-1]
            missed += [] if kept else [words]
    assert missed == []


def test_a_name_beside_a_question_is_not_asked_about(running: House) -> None:
    """The check of what was never said is not shown, and the rest of the message is heard."""
    talk = running.told(FIRST["en"], "cpu?? never said that, no shell on that box")
    assert CPU not in record(talk)
    assert "vmstat" not in talk.replies[-1]


REST = [
    (FIRST["zh"], "我没说cpu高!! 连接数满了", "连接"),
    (FIRST["en"], "i never said cpu is high!! we get too many connections errors", "onnections"),
]


@pytest.mark.parametrize(("first", "words", "heard"), REST)
def test_the_rest_of_a_protest_is_heard(running: House, first: str, words: str, heard: str) -> None:
    """What the message says beside its protest is evidence as in any other."""
    talk = running.told(first, words)
    assert CPU not in record(talk)
    assert heard in talk.replies[-1].split("\n\n", 1)[1]


WAL, SLOT, ROWS = "P-0129", "P-0132", "P-0004"


def test_a_mere_figure_is_of_nothing_new(running: House) -> None:
    """A figure in the place of another is no evidence for what was asked last."""
    for first, words in (
        ("max_wal_size 8G，pg_wal 目录388G", "前面那个wal上限我记错了,不是8G是4G"),
        ("max_wal_size is 8GB, the pg_wal directory has 388GB", "i mixed up the limit, its not 8GB but 4GB"),
    ):
        talk = running.told(first, words)
        assert SLOT not in record(talk), words
        assert record(talk).get(WAL) is Verdict.CONFIRMED


def test_a_correction_of_one_thing_leaves_what_was_pasted(running: House) -> None:
    """Which machine a figure is of takes nothing back that a system showed."""
    words = (
        "zero. and fwiw that bored processor i told u about was the app server, wrong tab. the pg host is at 11 or so"
    )
    talk = running.told("cpu of the db box is bored, 4%", PASTED, words)
    assert record(talk).get(SYNC) is Verdict.CONFIRMED


def test_a_quote_tells_nothing_that_it_does_not_name(running: House) -> None:
    """Its opposite is recorded only of what is on record or named; the entry that it is of goes."""
    first = "orders and products pages load fine, selects on customers just sit there"
    words = "correction, i said orders loads fine, thats bs, the orders list times out as well. products still ok tho"
    talk = running.told(first, words)
    assert QUEUE not in record(talk)
    assert "P-0001" not in record(talk)


BESIDE = [
    (
        "no lock waits, cpu is at 95%",
        "wait i told you crap before, the orders page isnt fine either",
        'Noted: "the orders page isnt fine either"',
    ),
    ("没有锁等待，cpu 95%", "前面我乱说的，订单页也不正常", "记下了：“订单页也不正常”"),
]


@pytest.mark.parametrize(("first", "words", "line"), BESIDE)
def test_a_correction_of_nothing_on_record_is_acknowledged(running: House, first: str, words: str, line: str) -> None:
    """In one line that tells of no change, and the record stays."""
    talk = running.told(first)
    before = record(talk)
    talk.say(words)
    assert record(talk) == before
    assert line in talk.replies[-1]
    assert "→" not in talk.replies[-1]


WAVERED = [
    (("报表变慢，CPU 使用率 95%", PASTED), "你刚才说{}%，现在怎么变了", "你说得对"),
    (
        ("reports are slow and cpu is at 95%", PASTED),
        "you said {}% two minutes ago, now its something else",
        "You are right",
    ),
]
PLAIN = {
    "zh": (
        ["前后矛盾", "你刚才说不建议，现在又说先确认，自相矛盾"],
        ["你刚才说跑这个，结果在这", "不矛盾"],
        "你说得对",
    ),
    "en": (
        ["you contradict yourself", "make up your mind"],
        ["you said to run this", "my boss made up his mind"],
        "You are right",
    ),
}


@pytest.mark.parametrize(("first", "words", "line"), WAVERED)
def test_a_belief_that_moved_is_owned_up_to(running: House, first: tuple[str, ...], words: str, line: str) -> None:
    """Who quotes an earlier figure is told that it was said, and what it is now."""
    talk = running.told(first[0])
    leader = talk.session.beliefs()[0]
    for message in first[1:]:
        talk.say(message)
    now = {each.root_cause_id: each.confidence for each in talk.session.beliefs()}[leader.root_cause_id]
    assert round(now * 100) != round(leader.confidence * 100)
    talk.say(words.format(round(leader.confidence * 100)))
    assert line in talk.replies[-1]
    assert f"{round(now * 100)} %" in talk.replies[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_contradiction_that_is_pointed_out_is_owned_up_to(running: House, language: str) -> None:
    """In one honest line, and nobody else gets it."""
    said, near, line = PLAIN[language]
    for words in said:
        assert line in running.told(FIRST[language], words).replies[-1], words
    for words in near:
        assert line not in running.told(FIRST[language], words).replies[-1], words


def test_an_answer_that_points_back_is_no_answer_to_the_list(running: House) -> None:
    """ "That one counts" is of what the message said just before it."""
    talk = running.told("查events表越来越慢", "就events，其他表都正常的。机器cpu也不高")
    asked = {item.phenomenon_id for item in talk.session.pending} - {GROWS}
    talk.say("表体积一直涨，行数没变，这条算有！")
    assert asked.isdisjoint(record(talk))


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("1 no 2 no 3 no", "wtf, i never said no"),
        ("1没有 2没有 3没有", "我没说过没有啊"),
    ],
)
def test_all_that_was_misheard_is_told_in_one_line(running: House, first: str, words: str) -> None:
    """However many entries go, the reply says so once, with the two largest moves at most."""
    language = "zh" if "没" in first else "en"
    talk = running.told(FIRST[language], first, words)
    gone = [each for each in talk.turns[-1].corrections if each.misheard]
    lines = [line for line in talk.replies[-1].splitlines() if SORRY[language] in line]
    assert len(gone) > 1
    assert len(lines) == 1
    assert lines[0].count("→") <= 2
