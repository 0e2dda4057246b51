"""What answers the opening question: the words of a message go before a number beside them, and before a refusal."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk

HANGS = {"zh": "库又抽风了 一阵一阵的卡 卡个几十秒又好了", "en": "checkout is stuck since like 20 min"}
ONE_TABLE, WRITES, ALL, POOL = "P-0248", "P-0004", "P-0001", "P-0005"
IN_WORDS = [
    (
        "en",
        ONE_TABLE,
        "none of those. just anyhting that selects from customers sits there forever, other tables r fine",
    ),
    ("en", ONE_TABLE, "neither. everything on customers hangs, the other tables work"),
    ("en", ONE_TABLE, "only the orders table is stuck"),
    ("en", WRITES, "none of them really, updates just hang but reads are ok"),
    ("en", ALL, "everything is stuck, reads too"),
    ("en", POOL, "hm, psql gets in without trouble, the app waits for its pool"),
    ("zh", ONE_TABLE, "都不是，就查 orders 表的卡，别的表没事"),
    ("zh", ONE_TABLE, "凡是碰订单表的都卡住，其他表正常"),
    ("zh", WRITES, "都不像 写入卡死 读倒还行"),
    ("zh", ALL, "什么都卡 读也卡"),
    ("zh", POOL, "psql 能连上，是应用拿不到连接"),
]  # fmt: skip
AGAINST_A_NUMBER = [
    ("zh", WRITES, "1啊 我不是说了写入卡么。。读倒还行"),
    ("zh", WRITES, "1 写入卡 读没事"),
    ("en", WRITES, "1!! i said writes hang, reads are fine"),
    ("en", ONE_TABLE, "2 obviously, only the orders table is stuck"),
]
TURNED = [
    ("zh", "你记反了吧?? 写入就是卡 我说的是1! 读没事"),
    ("zh", "你搞反了 是写入卡 读没事"),
    ("en", "you got that backwards, writes hang, reads are fine"),
    ("en", "no you mixed that up. i said 1! inserts hang, reads are fine"),
]


def record(talk: Talk) -> dict[str, Verdict]:
    """What is on record."""
    return {entry.phenomenon_id: entry.verdict for entry in talk.session.active()}


@pytest.mark.parametrize(("language", "wanted", "words"), IN_WORDS)
def test_words_that_describe_a_choice_take_it(running: House, language: str, wanted: str, words: str) -> None:
    """The choice is on record whatever the message says of the list; of the other choices only denials are."""
    found = record(running.told(HANGS[language], words))
    assert found.pop(wanted) is Verdict.CONFIRMED
    assert set(found.values()) <= {Verdict.DENIED}


@pytest.mark.parametrize(("language", "wanted", "words"), AGAINST_A_NUMBER)
def test_words_go_before_the_number_beside_them(running: House, language: str, wanted: str, words: str) -> None:
    """A number that means another choice than the words puts nothing on record."""
    assert record(running.told(HANGS[language], words)) == {wanted: Verdict.CONFIRMED}


@pytest.mark.parametrize(("language", "words"), TURNED)
def test_a_choice_taken_wrongly_is_set_right_by_words(running: House, language: str, words: str) -> None:
    """Told that it got the choice wrong, dbdiag takes back what the number put on record and goes by the words."""
    assert record(running.told(HANGS[language], "1", words)) == {WRITES: Verdict.CONFIRMED}


@pytest.mark.parametrize(("language", "words"), [("zh", "你记反了吧"), ("en", "you got that backwards")])
def test_a_choice_called_wrong_without_more_holds_no_longer(running: House, language: str, words: str) -> None:
    """Where nobody says which choice it was, none is on record."""
    assert Verdict.CONFIRMED not in record(running.told(HANGS[language], "1", words)).values()


@pytest.mark.parametrize(
    "message",
    [
        "dunno, the product pages load fine. so everything that writes i guess",
        "不清楚，反正凡是写入的操作都不行，看没事",
    ],
)
def test_facts_told_for_an_answer_choose_the_choice_that_they_fit(running: House, message: str) -> None:
    """What works and what does not is read for the choices, also behind a "dunno"."""
    talk = running.told(HANGS["en" if message.isascii() else "zh"], message)
    entry = talk.session.active_for(WRITES)
    assert entry is not None
    assert entry.verdict is Verdict.CONFIRMED
