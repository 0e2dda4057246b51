"""After a fix: what was done is told as done, and how things are is told of now, by the person alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lang.pastes import executed_in
from services.planner.model import Aftermath, HypothesisView, SessionView, Speaker, Status, Text, Treatment, Utterance
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each

SHOWN = "`ALTER SYSTEM SET checkpoint_timeout = '15min';`\n`SELECT num_requested FROM pg_stat_checkpointer;`"
HISTORY = (Utterance(Speaker.USER, "the shop is slow"), Utterance(Speaker.ASSISTANT, SHOWN))
CASE = SessionView(turn=6, history=HISTORY, status=Status.CONCLUDED)
TREATED = replace(CASE, treatments=(Treatment("set_parameter", "raised it", turn=4),))


def done(said: str, view: SessionView = CASE) -> list[str]:
    """What a message tells as done, with the statements that it shows to have been run."""
    return [each.action for each in treatments_in(said, view, executed_in(said)) if not each.undone]


@for_each(
    "said",
    [
        'please never write "deleting data" in the report',
        "别再写“已重启数据库”了",
        "we removed nothing",
        "恢复了！！",
        "告警停了",
        "杀完怎么看还要多久",
        "脚本跑完以后停在等人点确认那一步",
        "vacuum finished after 9 min, removed 3.1M row versions.",
        "write my boss two lines: what broke, what we did",
        "the step says ALTER SYSTEM, shall I?",
    ],
)
def test_what_is_quoted_asked_denied_or_only_a_state_is_no_deed(said: str) -> None:
    """Quotes, questions, states, what nothing was done to and what another action did put no deed of them on record."""
    assert set(done(said)) <= {"vacuum"}


def test_an_error_is_no_attempt_of_what_it_does_not_name() -> None:
    """An error undoes what its paste tried, and one of the name of a look undoes nothing that was shown."""
    failed = "killed it:\nERROR:  must be a superuser to terminate superuser process"
    assert [(each.action, each.undone) for each in treatments_in(failed, CASE)] == [("terminate", True)]
    assert treatments_in('ERROR:  relation "pg_stat_checkpointer" does not exist', CASE) == ()
    skipped = 'WARNING:  skipping "visits" --- only table or database owner can analyze it\nANALYZE'
    assert done(f"app=> ANALYZE visits;\n{skipped}") == []


@for_each(
    ("ran", "deed"),
    [
        ("mysql> PURGE BINARY LOGS BEFORE '2025-01-01';\nQuery OK, 0 rows affected (3.1 sec)", "delete_wal"),
        ("db=# ALTER TABLE t DROP CONSTRAINT t_fk;\nALTER TABLE", "ALTER TABLE t DROP CONSTRAINT t_fk"),
        ("db=# CALL part.maintain();\nCALL", "CALL part.maintain()"),
        ("got a colleague to kill it:\n\nmysql> kill 77812;\nQuery OK, 0 rows affected (0.00 sec)", "terminate"),
    ],
)
def test_a_statement_that_took_hold_is_the_deed(ran: str, deed: str) -> None:
    """What ran is told by its statement, in a name of the list or in its own words; the words before it add nothing."""
    assert done(ran) == [deed]


def test_a_session_setting_and_an_extension_are_no_deed() -> None:
    """What only prepares a statement or a look changes nothing of the fault."""
    assert done("db=# SET lock_timeout = '2s';\nSET\ndb=# CREATE EXTENSION pg_buffercache;\nCREATE EXTENSION") == []


@for_each(
    "said",
    [
        "we replaced the certificate on all six nodes, no errors for 10 min",
        "put the new password in the vault, errors have stopped",
        "我把证书换了，十分钟没报错",
        "同事已经改了路由，现在恢复正常了",
    ],
)
def test_a_deed_with_its_good_news_is_kept_in_the_persons_words(said: str) -> None:
    """Something done that no list knows is on record where the same message tells that it is well since."""
    told = treatments_in(said, CASE)
    assert told
    assert all(each.words in said for each in told)
    assert aftermath_in(said, CASE) is Aftermath.WELL


@pytest.mark.parametrize("said", ["i checked the log, no errors for 10 min", "我看了日志，十分钟没报错"])
def test_looking_is_no_deed(said: str) -> None:
    """Who looked, asked or read has done nothing against the fault."""
    assert treatments_in(said, CASE) == ()


@for_each(
    "said",
    [
        "no timeouts since 14:10",
        "502s are gone",
        "the queue is not growing any more",
        "lag is 0 now",
        "it's fixed, orders flow",
        "cpu 20%, all normal",
        "二十分钟一个超时都没有",
        "告警停了",
        "延迟过了半小时归 0 了",
        "从库不再报错",
    ],
)
def test_trouble_that_there_is_none_of_any_more_is_good_news(said: str) -> None:
    """After a deed, trouble denied for some time, or any more, tells that it is over."""
    assert aftermath_in(said, TREATED) is Aftermath.WELL


@for_each(
    ("said", "how"),
    [
        ("没过去！CPU还91%呢，谁跟你说好了", Aftermath.UNCHANGED),
        ("still slow", Aftermath.UNCHANGED),
        ("the two patched pods had no errors for 20 min, the others are still throwing them", None),
        ("改了的两台一个报错都没有，另外几台还在报", None),
        ("the API is fine, only the disk slowness is left", None),
        ("he thinks it's over, they think all is fine", None),
        ("他们觉得没事了", None),
        ("is it fixed?", None),
    ],
)
def test_a_denial_wins_and_a_mixed_report_is_no_recovery(said: str, how: Aftermath | None) -> None:
    """What goes on speaks against what is well, and what others believe or a question asks is no news."""
    assert aftermath_in(said, TREATED) is how


@for_each(
    "said",
    [
        "you sent the same query again",
        '"it has not recovered" is wrong',
        "it's at 71, not over 80",
        "slow since friday",
        "四十个会话跑一模一样的语句",
        "“重启之后就慢了”这句删掉",
        "when did it start?",
        "it makes 4 GB in 5 min",
    ],
)
def test_what_is_the_same_or_since_when_takes_no_recovery_back(said: str) -> None:
    """Quotes, comparisons, figures and since when it was bad are no bad news of now."""
    well = replace(TREATED, aftermath=Aftermath.WELL, opening="checkpoints every 5 min")
    assert aftermath_in(said, well) is not Aftermath.UNCHANGED


@for_each("said", ["same error on the other box", "no better", "一样慢"])
def test_nothing_is_in_vain_that_nobody_did(said: str) -> None:
    """Before a deed is told, bad news is of the fault and of no treatment."""
    leads = HypothesisView("RC-1", Text("缺少索引", "Missing index"), 0.5)
    assert aftermath_in(said, SessionView(turn=3, hypotheses=(leads,))) is None
