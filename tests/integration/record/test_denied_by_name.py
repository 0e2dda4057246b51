"""What the person names as not so goes off the record, stays off, and what they say once more stays."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

CPU, DISK, LOCKS, RELEASE = "P-0008", "P-0016", "P-0021", "P-0014"
FIRST = {"zh": "没有锁等待，cpu 95%，磁盘满了98%", "en": "no lock waits, cpu is at 95%, disk is 98% full"}
RELEASED = {"zh": "八点二十发版之后就开始慢", "en": "it is slow since the release at 8:20"}


def verdicts(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active()}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "there is nothing wrong with the disk, take that out"),
        ("en", "the disk was another box. take that off the record please"),
        ("en", '"disk is 98% full" was me reading your text, drop that'),
        ("zh", "磁盘那是另一台的。麻烦从记录里去掉"),
        ("zh", "磁盘满我没说过，别乱记"),
        ("zh", "磁盘满了这句我可从来没讲过"),
    ],
)
def test_what_stands_before_an_order_is_what_goes(running: House, language: str, words: str) -> None:
    """An order that only points is of the words before it: that entry goes, and no other."""
    talk = running.told(FIRST[language], words)
    assert verdicts(talk) == {LOCKS: Verdict.DENIED, CPU: Verdict.CONFIRMED}
    assert talk.turns[-1].clarification is None


@pytest.mark.parametrize(
    ("language", "words"), [("zh", "“磁盘满了”：没有，我说了三遍了"), ("en", '"disk 98% full": no, third time')]
)
def test_what_is_quoted_and_denied_is_not_so(running: House, language: str, words: str) -> None:
    """Whoever quotes an entry by its name and says no has answered it."""
    talk = running.told(FIRST[language], words)
    assert verdicts(talk) == {LOCKS: Verdict.DENIED, CPU: Verdict.CONFIRMED, DISK: Verdict.DENIED}


@pytest.mark.parametrize(
    ("language", "never", "like"),
    [
        ("en", "i never said there was a release", "the dev's migration tool is still asleep, can it retry?"),
        ("zh", "我没说过发版", "开发那边的发布工具我也看不到"),
    ],
)
def test_what_was_disowned_is_not_heard_in_other_words(running: House, language: str, never: str, like: str) -> None:
    """Nor is it put back by words on something else that is not to be taken back."""
    talk = running.told(RELEASED[language], never)
    assert RELEASE not in verdicts(talk)
    talk.say(like)
    talk.say("the hang IS over, don't take that back" if language == "en" else "卡住的确实好了，别撤")
    assert verdicts(talk).get(RELEASE) is not Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("language", "never", "named"),
    [
        ("en", "i never said the cpu is high", "ok i looked: database host cpu is at 97%"),
        ("zh", "我没说过cpu高", "我看了下，数据库主机 cpu 97%"),
    ],
)
def test_what_is_named_later_is_heard(running: House, language: str, never: str, named: str) -> None:
    """Whoever names outright what they had not said before says it now."""
    talk = running.told(FIRST[language], never)
    assert CPU not in verdicts(talk)
    talk.say(named)
    assert verdicts(talk)[CPU] is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("zh", "你看错了吧？我说了没有锁等待，你让我查锁干嘛"),
        ("en", "you misread that. i told you there are no lock waits, why do you ask for locks"),
        ("zh", "你听岔了，我说过没有锁等待的"),
    ],
)
def test_what_the_person_says_once_more_stays(running: House, language: str, words: str) -> None:
    """A complaint that repeats a fact withdraws nothing of it, and says of it neither that it was wrong nor a guess."""
    talk = running.told(FIRST[language], words)
    assert verdicts(talk)[LOCKS] is Verdict.DENIED
    assert not any(each in talk.replies[-1] for each in ("不算", "was wrong"))
    assert talk.turns[-1].suggestions == []
