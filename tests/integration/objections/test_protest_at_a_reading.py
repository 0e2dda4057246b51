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


@pytest.mark.parametrize(
    ("told", "correction"),
    [
        (
            "my ALTER TABLE on users hangs, all queries on it pile up behind it",
            "what i said about it being me who ran the alter was wrong, the pipeline ran it",
        ),
        ("我执行了ALTER TABLE users 一直卡着，后面查users的全堵住了", "刚才说ALTER是我执行的说错了，是流水线执行的"),
    ],
)
def test_who_did_it_is_corrected_and_what_came_of_it_stands(running: House, told: str, correction: str) -> None:
    """A correction of the doer touches no symptom, and is answered."""
    talk = running.told(told)
    before = verdicts(talk)
    assert before
    talk.say(correction)
    assert before.items() <= verdicts(talk).items()


@pytest.mark.parametrize(
    ("told", "denied", "correction"),
    [
        ("app times out since 8", "no release today", "they did deploy a new build at 8, i was wrong before"),
        ("八点起接口全超时", "没发版", "刚问了，八点其实上过一个新包，我前面说错了"),
    ],
)
def test_a_release_after_all_replaces_the_no(running: House, told: str, denied: str, correction: str) -> None:
    """Who was wrong about there being no release says so, and that is what holds or is asked about."""
    talk = running.told(told, denied)
    assert verdicts(talk)[RELEASE] is Verdict.DENIED
    talk.say(correction)
    asked = {each.phenomenon_id for each in talk.session.proposed if each.verdict is Verdict.CONFIRMED}
    assert verdicts(talk).get(RELEASE) is Verdict.CONFIRMED or RELEASE in asked


@pytest.mark.parametrize(
    ("told", "correction"),
    [
        ("disk is at 95 percent on the db box", 'correction, "since this morning" was bs, its like that for two weeks'),
        ("数据库主机磁盘 95%", "更正一下，我说早上没事不太准，九点四十就这样了"),
    ],
)
def test_a_correction_of_nothing_on_record_is_answered(running: House, told: str, correction: str) -> None:
    """It changes nothing, and the reply says in a line what holds in place of what."""
    talk = running.told(told)
    before = verdicts(talk)
    talk.say(correction)
    assert verdicts(talk) == before
    reply = talk.replies[-1]
    assert 'Corrected: "its like that for two weeks"' in reply or "以“九点四十就这样了”为准" in reply


def test_where_nobody_sees_what_is_not_there_it_stays_denied(running: House) -> None:
    """Who asks where an hour is seen, after a transaction of an hour was denied, takes nothing back."""
    talk = running.told("every query is slow, pg14", "the oldest transaction is 20 seconds old")
    before = {each.phenomenon_id: each.verdict for each in talk.session.active()}
    talk.say("where do you see an hour?? the oldest is 9 SECONDS")
    assert before.items() <= {each.phenomenon_id: each.verdict for each in talk.session.active()}.items()


def test_nothing_is_corrected_by_a_curse_or_a_question(running: House) -> None:
    """A thing that "is crap" was never told, and a question stands in the place of nothing."""
    talk = running.told(
        "every query is slow, pg14, the box has been up for 3 months", "the wifi is crap. no locks here"
    )
    talk.say("scratch that about the box being up for 3 months. does that change anything?")
    assert not [each for turn in talk.turns for each in turn.corrections if "change" in each.corrected]
    assert not [each for turn in talk.turns for each in turn.corrections if "wifi" in each.original]
