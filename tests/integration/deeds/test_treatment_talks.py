"""What was done and how it is since, over several messages: findings stay, and good news settles what was done."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Aftermath
from dbdiag.vocabulary import Verdict

from tests.support.talks import House

SLOW, ANALYZED = "P-0003", "P-0082"
ANALYZE = {
    "zh": ("报表查询特别慢 以前3秒现在90秒", "刚跑完analyze events", "现在报表3秒了"),
    "en": ("reports are slow, took 3 s, take 90 s now", "ran analyze on events", "report is 3 s now"),
}
DROPPED = "select pg_drop_replication_slot('old');\n pg_drop_replication_slot \n---\n \n(1 row)"


@pytest.mark.parametrize("language", ANALYZE)
def test_good_news_settles_what_was_done_before(running: House, language: str) -> None:
    """A recovery told a message later is the outcome that a phenomenon asks for, and denies nothing."""
    session = running.told(*ANALYZE[language]).session
    assert session.aftermath is Aftermath.WELL
    assert {entry.verdict for entry in session.active()} == {Verdict.CONFIRMED}
    assert {SLOW, ANALYZED} <= {entry.phenomenon_id for entry in session.active()}


@pytest.mark.parametrize("spared", ["我没删槽", "i did not drop the slot"])
def test_a_statement_that_was_run_is_a_deed_until_it_is_denied(running: House, spared: str) -> None:
    """The answer of the server records the action and nothing else; a denial takes it off."""
    talk = running.told("disk is 95% full")
    before = talk.session.active()
    talk.say(DROPPED)
    assert [each.action for each in talk.session.treatments] == ["drop_slot"]
    talk.say(spared)
    assert talk.session.treatments == ()
    assert talk.session.active() == before


@pytest.mark.parametrize("message", ["现在正常了 就是你说的那个", "all good now, it was what you said"])
def test_good_news_confirms_no_open_check(running: House, message: str) -> None:
    """Who says that it is over answers none of the checks that are asked for."""
    talk = running.told("reports are slow and CPU is at 95%", "SELECT pg_terminate_backend(4711);\nt")
    before = {entry.phenomenon_id for entry in talk.session.active()}
    talk.say(message)
    assert {entry.phenomenon_id for entry in talk.session.active()} == before


WRONG = {
    "zh": ("什么？根本没恢复，还是很慢，我什么都没做", "还没恢复，“已恢复”"),
    "en": ("what? nothing is fixed, i did nothing yet", "not over"),
}


@pytest.mark.parametrize("language", WRONG)
def test_a_denied_recovery_is_off_the_record(running: House, language: str) -> None:
    """Who says that nothing is fixed is told that the recovery is taken back, though nothing was done."""
    message, told = WRONG[language]
    talk = running.told(ANALYZE[language][0])
    talk.session.aftermath = Aftermath.WELL
    talk.say(message)
    assert talk.session.aftermath is None
    assert told in talk.replies[-1]


GONE = """ synchronous_standby_names | required | connected
---------------------------+----------+-----------
 pg_b                      |        1 |         0
(1 row)"""


@pytest.mark.parametrize(
    "said", ["40 sessions wait in SyncRep, all commits hang", "40 个会话在等 SyncRep，提交都挂住了"]
)
def test_a_cause_that_is_all_but_sure_comes_with_its_relief(running: House, said: str) -> None:
    """Once the leading cause is all but sure its relief is told unasked and once, and no check with its command."""
    talk = running.talk()
    talk.say(said)
    talk.say(GONE)
    assert "synchronous_standby_names = ''" in talk.replies[-1]
    assert "flush_lag" not in talk.replies[-1]
    talk.say("cpu is at 20%")
    assert "synchronous_standby_names = ''" not in talk.replies[-1]
