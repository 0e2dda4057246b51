"""What says nothing of the system: an "ok" that opens a sentence, a wish, what a question supposes."""

from __future__ import annotations

import pytest
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

STATES_NOTHING = [
    ("ok select count(*) from pg_stat_activity state active", "an ok that only opens"),
    ("ok temp files", "an ok that only opens"),
    ("r those other tables", "are, typed short"),
    ("我不想月报再被杀", "a wish"),
    ("i dont want the report to hang again", "a wish"),
    (
        "so if deploy runs it with lock_timeout 2s while the report is still going, it just errors and nobody gets "
        "stuck, right?",
        "a question that supposes",
    ),
    ("如果报表还在跑的时候执行，会不会卡住别人？", "a question that supposes"),
]


@pytest.mark.parametrize(("words", "why"), STATES_NOTHING)
def test_words_that_state_nothing_put_nothing_on_record(running: House, words: str, why: str) -> None:
    """Beside what was on record nothing is, whatever the words name."""
    talk = running.talk()
    talk.say("cpu 97%")
    before = [entry.phenomenon_id for entry in talk.session.active()]
    talk.say(words)
    assert [entry.phenomenon_id for entry in talk.session.active()] == before, why


def test_an_ok_of_a_thing_still_is_one(running: House) -> None:
    """ "Locks are ok" denies waits for locks."""
    talk = running.talk()
    talk.say("cpu 97%")
    talk.say("lock waits are ok")
    assert len(talk.session.active()) == 2


def test_words_read_twice_take_the_place_of_the_older_ones_once(running: House) -> None:
    """The newer of two statements holds, which is told once, however often it is read, and nothing is asked."""
    talk = running.talk()
    talk.say("everything is slow")
    turn = talk.say("我看了 postgres 都正常 看到大部分都正常")
    assert {each.phenomenon_id: each.verdict for each in talk.session.active()} == {"P-0001": Verdict.DENIED}
    assert [each.verdict_before for each in turn.corrections] == [Verdict.CONFIRMED]
    assert turn.clarification is None


def test_idle_sessions_are_no_fast_statements(running: House) -> None:
    """That most sessions are idle, seen by a superuser of postgres, tells nothing of how fast statements are."""
    talk = running.talk()
    talk.say("cpu 97%")
    talk.say("我拿postgres超管进去了 看到大部分都是idle")
    assert talk.session.active_for("P-0001") is None
