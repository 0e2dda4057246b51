"""A protest at what the last reply read is of that entry, and gives way to what the person says now."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

DISK, ERRORS, RELEASE = "P-0016", "P-0043", "P-0014"


def verdicts(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active()}


@pytest.mark.parametrize(
    ("told", "protest"),
    [
        ("no deadlocks. disk /data is not full", "what do you mean no?? that disk has been at 0 bytes free since 10"),
        ("数据盘没满", "什么叫没有？那块盘从十点起就满了"),
        ("数据盘没满", "怎么就没有？盘早写满了"),
    ],
)
def test_what_do_you_mean_no_makes_it_a_yes(running: House, told: str, protest: str) -> None:
    """Who asks back what a "no" means says that it is so."""
    talk = running.told("writes fail since 10" if told.isascii() else "十点起写入报错", told)
    assert verdicts(talk)[DISK] is Verdict.DENIED
    talk.say(protest)
    assert verdicts(talk)[DISK] is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("told", "protest"),
    [
        ("disk is at 95 percent on the db box", "where do you see a full disk?? its the app server that is at 95"),
        ("数据库主机磁盘 95%", "你哪看出来磁盘满了？95% 那个是应用服务器的"),
    ],
)
def test_where_do_you_see_that_takes_it_off_the_record(running: House, told: str, protest: str) -> None:
    """Who asks where a thing was seen did not say it; a line admits that."""
    talk = running.told(told)
    assert verdicts(talk)[DISK] is Verdict.CONFIRMED
    talk.say(protest)
    assert DISK not in verdicts(talk)
    assert "misheard" in talk.replies[-1] or "听错" in talk.replies[-1]


@pytest.mark.parametrize("words", ["什么叫死锁？", "what do you mean by dead tuples?", "什么叫没有索引？"])
def test_a_question_for_a_word_protests_nothing(running: House, words: str) -> None:
    """Who asks what a term means leaves the record as it is."""
    talk = running.told("数据库主机磁盘 95%" if not words.isascii() else "disk is at 95 percent on the db box")
    before = verdicts(talk)
    talk.say(words)
    assert verdicts(talk) == before
