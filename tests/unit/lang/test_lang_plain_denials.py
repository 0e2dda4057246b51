"""Denials and half-said numbers as tired people type them: what is turned round, a mere sign, or missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.cases import for_each
from tests.support.hearing import Judged

CONTRACTIONS = ["isn't", "aren't", "wasn't", "hasn't", "doesn't", "don't", "didn't", "can't", "won't"]


@for_each("negation", CONTRACTIONS)
def test_an_apostrophe_left_out_changes_nothing(negation: str, evidence: Judged) -> None:
    """A contraction without its apostrophe denies like the one with it."""
    messages = [f"the slot {negation} inactive", f"stats {negation} stale"]
    for message in messages:
        assert evidence(message) == evidence(message.replace("'", "")) != {}


@for_each("denied", ["归档没报错", "archive也没报错", "archiver failed count = 0", "archiver: 0 errors"])
def test_a_state_is_turned_by_what_reaches_into_its_word(denied: str, evidence: Judged) -> None:
    """A negation that shares characters with the word of a state turns it, and so does a count of nothing."""
    assert evidence(denied) == {"ARCHIVING": "denied"}


@for_each("said", ["归档报错", "archiver failed count = 7", "archiver has errors, disk 0"])
def test_a_state_stands_beside_other_counts(said: str, evidence: Judged) -> None:
    """A count of something, or a nothing of something else, leaves the state as it is."""
    assert evidence(said)["ARCHIVING"] == "confirmed"


@for_each("said", ["everything hangs a lot", "多查几列就卡死", "everything hangs"])
def test_a_sign_is_asked_about(said: str, evidence: Judged, standings: Judged) -> None:
    """What is only a sign of a phenomenon is proposed, however much of it there is."""
    assert evidence(said) == {}
    assert standings(said) == {"LOCKS": "proposed"}


@for_each("said", ["we have no pgbouncer", "我们没 pgbouncer", "没有 pgbouncer 这个东西"])
def test_what_is_not_there_rules_out_what_needs_it(said: str, evidence: Judged) -> None:
    """That a part does not exist denies what is about it, and its mention alone says nothing."""
    assert evidence(said) == {"QUEUE": "denied"}
    assert evidence("pgbouncer") == {}


@given(number=st.integers(0, 90))
def test_a_number_before_another_noun_counts_no_event(number: int, evidence: Judged) -> None:
    """A number behind an event that counts something else neither denies nor counts it."""
    assert evidence(f"statement timeout after {number} retries") == evidence("statement timeout after some retries")


@given(percent=st.integers(11, 100))
def test_below_one_limit_is_no_denial_while_the_usual_is_unknown(percent: int, standings: Judged) -> None:
    """A value short of an absolute limit leaves open what a limit on multiples of the usual would say."""
    assert standings(f"commits take {percent * 10 - 1} ms") == {"WRITES": "needs_base"}


@given(before=st.integers(1, 400), now=st.integers(1, 999))
def test_a_base_without_a_unit_has_that_of_its_value(before: int, now: int, evidence: Judged) -> None:
    """ "It used to be 2" is two of the unit in which the value was told."""
    plain, exact = f"commits take {now} ms. it used to be {before}", f"commits take {now} ms. it used to be {before} ms"
    assert evidence(plain) == evidence(exact)


@for_each("said", ["no release", "we did no deploy", "没发版"])
def test_nothing_began_with_what_was_not_done(said: str, evidence: Judged) -> None:
    """An action that was not taken is nothing the trouble began with."""
    assert evidence(said) == {"AFTER_RELEASE": "denied"}


@pytest.mark.parametrize("said", ["谁说有死锁", "who says deadlocks"])
def test_who_says_so_denies(said: str, evidence: Judged) -> None:
    """A protest against what somebody is taken to have said denies it."""
    assert evidence(said)["DEADLOCK"] == "denied"


@given(count=st.integers(1, 9))
def test_a_measure_word_may_stand_before_a_magnitude(count: int, evidence: Judged) -> None:
    """3个亿 is 3亿."""
    assert evidence(f"事务号年龄 {count}个亿") == evidence(f"事务号年龄 {count}亿")


@given(used=st.integers(1, 499))
def test_a_ratio_beside_its_whole_is_the_part(used: int, evidence: Judged) -> None:
    """ "480/500" beside the name of the whole tells how much of it is in use."""
    for message in (f"{used}/500 了 max_connections 500", f"{used}/500, max_connections 500", f"{used}/500 最大连接数"):
        assert evidence(message) == evidence(f"connections {used}/500")


@for_each("nobody", ["nobody", "no one", "没人"])
def test_what_nobody_does_is_no_short_time(nobody: str, evidence: Judged) -> None:
    """That nobody does something says nothing of how long it takes; that nobody waits is a count of none."""
    assert evidence(f"{nobody} commits") == {}
    assert evidence(f"{nobody} waiting for locks") == {"LOCKS": "denied"}


@given(before=st.integers(91, 99), now=st.integers(1, 80))
def test_both_ends_of_a_change_share_the_unit_of_the_first(before: int, now: int, evidence: Judged) -> None:
    """What it changed to is told in the unit of what it was."""
    assert evidence(f"disk went from {before}% to {now}") == evidence(f"disk went from {before}% to {now}%")


def test_what_no_longer_helps_did_help_once_only(evidence: Judged) -> None:
    """A relief that lasted for a while once, and now does nothing, is no relief for a while."""
    assert evidence("以前重启应用能顶一小时，现在没用了") == {"RESTART_HELPS": "denied"}
    assert evidence("重启应用能顶一小时，然后又不行了") == {"RESTART_HELPS": "confirmed"}


@pytest.mark.parametrize("habit", ["nobody ever does a release", "we never release"])
def test_what_is_never_done_was_not_left_undone_lately(habit: str, evidence: Judged) -> None:
    """A habit of not doing something is no word on whether the trouble began with it."""
    assert evidence(habit) == {}


@for_each("often", ["all the time", "constantly", "一直有"])
def test_how_often_is_not_how_many(often: str, evidence: Judged) -> None:
    """That something is there all the time is no word on how many of it there are."""
    assert "LOCKS" not in evidence(f"lock waits {often}")
    assert evidence("lots of lock waits") == {"LOCKS": "confirmed"}


@pytest.mark.parametrize("asked", ["会不会有锁等待?200个", "will there be lock waits? 200 of them"])
def test_a_number_after_a_question_of_what_may_come_is_no_answer(asked: str, evidence: Judged) -> None:
    """A question whether something will happen is not answered by the number after it; one of an amount is."""
    assert "LOCKS" not in evidence(asked)
    assert evidence("锁等待有多少？30个") == {"LOCKS": "confirmed"}


def test_fine_is_no_way_of_a_state_that_has_no_good_one(evidence: Judged) -> None:
    """That something is fine denies a state only where its other way is the good one."""
    assert evidence("the slot is fine") == {}
    assert evidence("statistics are fine") == {"STALE": "denied"}
