"""Saying which thing is meant says nothing of it, and who said no yes takes back the one that was heard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk, house

DDL = "P-0022"
FIRST = {
    "zh": "所有碰customers表的语句都卡住，其他表正常",
    "en": "half the shop is dead, everything that touches customers just spins, rest is fine",
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


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One house for all conversations."""
    with house(tmp_path_factory.mktemp("which_one")) as opened:
        yield opened


def told(running: House, *messages: str) -> Talk:
    """A conversation of these messages."""
    talk = running.talk()
    for message in messages:
        talk.say(message)
    return talk


@pytest.mark.parametrize("language", FIRST)
def test_which_thing_is_meant_is_no_answer(running: House, language: str) -> None:
    """Nothing is recorded of what is pointed at; how it is looked at is shown."""
    for words in POINTING[language]:
        talk = told(running, FIRST[language], words)
        assert talk.session.active_for(DDL) is None, words
        assert "DDL" in talk.replies[-1].split("\n")[0], words
        later = told(running, FIRST[language], "2 no 3 no", words)
        assert later.session.active_for(DDL) is None, words


@pytest.mark.parametrize("language", FIRST)
def test_an_answer_by_name_still_answers(running: House, language: str) -> None:
    """A name with a yes, or the thing told in words, is recorded."""
    for words in ANSWERING[language]:
        entry = told(running, FIRST[language], words).session.active_for(DDL)
        assert entry is not None, words
        assert entry.verdict is Verdict.CONFIRMED, words


@pytest.mark.parametrize("answers", UNSAID)
def test_who_gave_no_such_answer_takes_it_back(running: House, answers: tuple[str, str]) -> None:
    """An answer counts as little as any other words that nobody said; it goes, and the reply says so."""
    for words in UNSAID[answers]:
        language = "en" if words.isascii() else "zh"
        talk = told(running, FIRST[language], answers[language == "en"], words)
        assert talk.session.active_for(DDL) is None, words
        assert any(line in talk.replies[-1] for line in SORRY), words


def test_an_unsaid_answer_leaves_other_answers(running: House) -> None:
    """A yes that was not said leaves the no beside it; how to look is told where that was asked."""
    talk = told(running, FIRST["en"], "1 yes 2 no", "i didnt say yes, i was asking how to look at it")
    assert talk.session.active_for(DDL) is None
    assert talk.session.active_for("P-0073") is not None
    assert COMMAND in talk.replies[-1]
