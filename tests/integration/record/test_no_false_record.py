"""What asks, protests or speaks of other things puts nothing on record."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

FIRST = {"en": "disk /data is 91% full", "zh": "数据盘用了 91%"}
DISK, SPEED, CRASH, ECC, TOOL = "P-0016", "P-0001", "P-0152", "P-0360", "P-0288"


def recorded(talk: Talk) -> dict[str, Verdict]:
    """What the last message put on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active() if each.turn == talk.session.turn}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "signal 11, seriously? nothing crashed"),
        ("en", "how long on 80 mio rows and does it hurt the disks more"),
        ("en", "not all pages are fast"),
        ("zh", "signal 11，真的假的？没崩过"),
        ("zh", "不是所有页面都飞快"),
        ("zh", "刚群里有人说2点把node2关机去换内存条了"),
        ("zh", "妈的又是dbeaver"),
    ],
)
def test_what_asks_or_names_a_thing_in_passing_confirms_nothing(running: House, language: str, words: str) -> None:
    """Questions, doubts, a thing that is denied of all, and a word that only sounds like a fault."""
    talk = running.talk()
    talk.say(FIRST[language])
    talk.say(words)
    assert not recorded(talk).keys() & {CRASH, DISK, SPEED, ECC, TOOL}


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "correction, i said 300 gone up to disk 91, its 93 now"),
        ("zh", "更正一下，磁盘不是 91，现在 93 了"),
    ],
)
def test_a_corrected_figure_is_judged_by_the_limit(running: House, language: str, words: str) -> None:
    """93 % in the place of 91 % is still above 90 %."""
    talk = running.talk()
    talk.say(FIRST[language])
    talk.say(words)
    entry = talk.session.active_for(DISK)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "you got it backwards. i mean one more page hangs, the rest is quick"),
        ("zh", "你听反了。我是说多了一个页面也卡，其他还是快的"),
    ],
)
def test_a_protest_that_goes_on_confirms_nothing_by_itself(running: House, language: str, words: str) -> None:
    """What is so is told by the words after it, and not by the protest."""
    talk = running.talk()
    talk.say({"en": "the database is fast", "zh": "数据库很快"}[language])
    talk.say(words)
    assert recorded(talk).get(SPEED) is not Verdict.CONFIRMED
