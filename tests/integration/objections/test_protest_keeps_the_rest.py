"""A protest, or a correction, takes back no more than it is about."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

RELEASE, CONFLICT, ONE_STATEMENT, INVALID = "P-0014", "P-0138", "P-0002", "P-0096"
BROKEN_INDEX = "indisvalid that you asked for:\n indisvalid\n------------\n f\n(1 row)"


def verdicts(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active()}


@pytest.mark.parametrize(
    "words", ["没错，我不是讲过了嘛。", "对啊 我之前不是提过了嘛，是那个新接口", "我前面不是说了嘛…"]
)
def test_who_has_said_so_before_says_it_again(running: House, words: str) -> None:
    """ "Didn't I say so" ends in no question mark, and takes nothing back."""
    talk = running.told("八点二十发版之后就开始慢")
    before = verdicts(talk)
    assert before[RELEASE] is Verdict.CONFIRMED
    talk.say(words)
    assert before.items() <= verdicts(talk).items()


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("我们单机，没有备库", "谁说已经恢复了，还堵着呢"),
        ("there is no standby", "who said recovery is done? its stuck"),
    ],
)
def test_what_came_of_one_statement_is_named_by_its_words(running: House, told: str, words: str) -> None:
    """Nobody was told the names of the dozens of things that no standby rules out: a protest names none of them."""
    talk = running.told(told)
    assert verdicts(talk)[CONFLICT] is Verdict.DENIED
    talk.say(words)
    assert verdicts(talk)[CONFLICT] is Verdict.DENIED


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ("没有锁等待，cpu 7%", "你听错了，就对账页那条语句慢，别的语句都正常"),
        ("only the ledger page is slow, the other pages are fine. cpu is at 7%",
         "you misheard, only the one statement of the ledger page is slow, all the others are fine"),
    ],
)  # fmt: skip
def test_who_tells_what_is_so_takes_back_nothing_else(running: House, told: str, words: str) -> None:
    """Beside a protest that names nothing stands what is so: of several things heard, the others stay."""
    talk = running.told(told)
    before = verdicts(talk)
    assert len(before) > 1
    talk.say(words)
    assert before.items() <= verdicts(talk).items()


@pytest.mark.parametrize("words", ["更正：索引不能算有，它是无效的，跟没有一样", "纠正下 别当索引能用 它是invalid的"])
def test_what_an_output_showed_stands_where_it_is_named_again(running: House, words: str) -> None:
    """A correction that names what a paste showed says it once more."""
    talk = running.told("orders is slow today", BROKEN_INDEX)
    assert verdicts(talk)[INVALID] is Verdict.CONFIRMED
    talk.say(words)
    assert verdicts(talk)[INVALID] is Verdict.CONFIRMED
