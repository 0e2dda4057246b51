"""Saying which thing is meant says nothing of it, and who said no yes takes back the one that was heard."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

DDL = "P-0022"
FIRST = {
    "zh": "所有碰customers表的语句都卡住，其他表正常",
    "en": "half the shop is down, everything that touches customers just spins, rest is fine",
}
COMMAND = "AccessExclusiveLock"
POINTING = {
    "zh": [
        "我说的是“DDL 等排他锁”那个",
        "不是，DDL 等排他锁那条",
        "DDL 等排他锁那条怎么查？",
        "我问的是DDL 等排他锁那一项",
    ],
    "en": [
        'no. the DDL one. "DDL waits for exclusive lock". and did u get that im readonly?',
        'the one with "DDL waits for exclusive lock"',
        "i mean the DDL waits one",
        "how do i look at that DDL waits thing?",
    ],
}
ANSWERING = {
    "zh": ["DDL 等排他锁，有", "DDL 等排他锁，确实有"],
    "en": ["the one with DDL waits for exclusive lock: yes", "a DDL waits for an exclusive lock"],
}
UNSAID = {
    ("1有", "1 yes"): [
        "我没说有啊，我问的是怎么看",
        "谁说有了",
        "我什么都没说啊",
        "NO i didnt say yes",
        "i never said yes to the DDL one",
    ],
    ("1没有", "1 no"): [
        "我可没说没有",
        "我没说“没有”啊",
        "i never said no!",
        'who said "no"??',
        "i said nothing of the sort",
    ],
}
SORRY = ("听错了", "misheard")


@pytest.mark.parametrize("language", FIRST)
def test_which_thing_is_meant_is_no_answer(running: House, language: str) -> None:
    """Nothing is recorded of what is pointed at; how it is looked at is shown."""
    for words in POINTING[language]:
        talk = running.told(FIRST[language], words)
        assert talk.session.active_for(DDL) is None, words
        assert "DDL" in talk.replies[-1], words
        later = running.told(FIRST[language], "2 no 3 no", words)
        assert later.session.active_for(DDL) is None, words


@pytest.mark.parametrize("language", FIRST)
def test_an_answer_by_name_still_answers(running: House, language: str) -> None:
    """A name with a yes, or the thing told in words, is recorded."""
    for words in ANSWERING[language]:
        entry = running.told(FIRST[language], words).session.active_for(DDL)
        assert entry is not None, words
        assert entry.verdict is Verdict.CONFIRMED, words


@pytest.mark.parametrize("answers", UNSAID)
def test_who_gave_no_such_answer_takes_it_back(running: House, answers: tuple[str, str]) -> None:
    """An answer counts as little as any other words that nobody said; it goes, and the reply says so."""
    for words in UNSAID[answers]:
        language = "en" if words.isascii() else "zh"
        talk = running.told(FIRST[language], answers[language == "en"], words)
        assert talk.session.active_for(DDL) is None, words
        assert any(line in talk.replies[-1] for line in SORRY), words


def test_an_unsaid_answer_leaves_other_answers(running: House) -> None:
    """A yes that was not said leaves what was told beside it; how to look is told where that was asked."""
    talk = running.told(FIRST["en"], "1 yes. cpu is at 10 %", "i didnt say yes, i was asking how to look at it")
    assert talk.session.active_for(DDL) is None
    assert talk.session.active_for("P-0008") is not None
    assert COMMAND in talk.replies[-1]


PLAN = "\n".join(
    (
        " Nested Loop  (cost=1.00..1892.15 rows=40 width=24) (actual time=0.061..236204.118 rows=3104822 loops=1)",
        "   ->  Index Scan using orders_created_at_idx on orders o  (cost=0.56..161.36 rows=40 width=16)"
        " (actual time=0.031..4120.544 rows=3104822 loops=1)",
        "         Index Cond: (created_at >= '2024-05-13 00:00:00'::timestamp without time zone)",
        "   ->  Index Scan using customers_pkey on customers c  (cost=0.43..8.45 rows=1 width=24)"
        " (actual time=0.072..0.073 rows=1 loops=3104822)",
        "         Index Cond: (id = o.customer_id)",
        " Planning Time: 0.611 ms",
        " Execution Time: 241911.207 ms",
    )
)
REMEDY = "P-0082"


def test_a_no_that_names_nothing_is_of_what_was_asked_last(running: House) -> None:
    """A no to how a term was read says nothing of a remedy that nobody tried, and takes nothing back."""
    first = "our dashboard is crawling since this morning, one page takes like 4 min"
    puzzled = "correlated columns?? theres one single condition in there, created_at. what does that even mean"
    talk = running.told(first, f"ran explain analyze\n{PLAN}", puzzled)
    before = {entry.phenomenon_id for entry in talk.session.active()}
    talk.say("no its one where, created_at >= 13th may, thats it. hm wait, i said nothing changed, well not quite")
    after = {entry.phenomenon_id for entry in talk.session.active()}
    assert before <= after
    assert REMEDY not in after


FINE = {
    "zh": ("查询跑到一半就被干掉", ["连接【没】问题", "连接“没”问题，跟连接有啥关系", "连接（没）问题"]),
    "en": ("our queries get killed half way", ["connections are fine, what has it to do with connections"]),
}


@pytest.mark.parametrize("language", FINE)
def test_what_is_fine_is_not_taken_for_the_trouble(running: House, language: str) -> None:
    """A negation that is set apart negates as well, and no question about connections follows."""
    first, fine = FINE[language]
    for words in fine:
        reply = running.told(first, words).replies[-1]
        assert "连接出了问题" not in reply, words
        assert "connections fail" not in reply, words


def test_a_protest_is_of_no_neighbour(running: House) -> None:
    """A name that is not on record takes nothing off it, however long it is."""
    talk = running.told("primary sits at load 5 on 8 cores, cpu 95%")
    before = set(talk.session.active())
    talk.say("max_connections far above what the host can run easily?? never said that lol")
    assert set(talk.session.active()) == before


@pytest.mark.parametrize(
    ("first", "words", "filler"),
    [
        ("订单接口报错。cpu 95%", "等下我刚才说错了，不是今早才有人投诉", "“等下我刚才”"),
        ("cpu 95%", "哦不对 我前面说错了", "“哦不对"),
    ],
)
def test_a_correction_quotes_no_filler(running: House, first: str, words: str, filler: str) -> None:
    """What is set right is told by the words for it."""
    assert filler not in running.told(first, words).replies[-1]
