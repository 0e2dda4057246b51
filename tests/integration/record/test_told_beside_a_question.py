"""What a message tells beside what it asks goes on record, and a word that answers nothing does not."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House, Talk


def recorded(talk: Talk) -> dict[str, Verdict]:
    """What the last message put on record."""
    return {each.phenomenon_id: each.verdict for each in talk.session.active() if each.turn == talk.session.turn}


@pytest.mark.parametrize(
    ("first", "words", "name"),
    [
        (
            "pg16 提交转圈",
            "update 一行也不动，断开时它说 canceling wait for synchronous replication due to user request，什么意思",
            "P-0139",
        ),
        (
            "pg16 commits hang",
            "an insert hangs too and says canceling wait for synchronous replication due to user request, why",
            "P-0139",
        ),
    ],
)
def test_a_statement_before_a_question_is_recorded(running: House, first: str, words: str, name: str) -> None:
    """A clause that states what the server said counts, whatever the last clause of the sentence asks."""
    talk = running.talk()
    talk.say(first)
    talk.say(words)
    assert recorded(talk).get(name) is Verdict.CONFIRMED


@pytest.mark.parametrize("words", ["最后还是跑完了", "最后才出结果"])
def test_in_the_end_names_no_item_of_the_list(running: House, words: str) -> None:
    """How it went in the end answers none of the checks that were listed."""
    talk = running.talk()
    talk.say("pg15 报表很慢")
    talk.say("先不看那个")
    talk.say(words)
    assert not recorded(talk)
