"""Laws of what pasted rows show: who stands out in the person's own rows, why, and whether that is normal."""

from __future__ import annotations

import re
from string import Formatter

import pytest

from lang.objects.named_objects import tables_in
from lang.pastes.two_readings import distance_in
from services.planner.model import HelpAnswer, Language, QuestionTopic, TurnResults
from services.planner.rows_shown.facts import facts_shown
from services.planner.rows_shown.pointing_questions import asks_what_it_shows
from services.planner.rows_shown.rules import rules
from services.planner.speak.compose import compose
from services.planner.speak.rows_read import without_vague
from tests.support.cases import for_each


def shown(message: str) -> tuple[str, str]:
    found = facts_shown(tables_in(message), distance_in(message))
    return " ".join(each.zh for each in found), " ".join(each.en for each in found)


SESSIONS = """  pid  |   running    | wait_event_type | query
-------+--------------+-----------------+-------------------------------
 40211 | 00:00:51.02  |                 | SELECT * FROM bills WHERE no = 'a'
 40215 | 00:00:44.81  |                 | SELECT * FROM bills WHERE no = 'b'
 40222 | 00:00:40.00  | IO              | SELECT * FROM bills WHERE no = 'c'
 40230 | 00:00:00.01  |                 | SELECT 1
"""
APPLIER = """
+----+-------------+-----------+------+---------+------+----------------+------------------------------------+
| Id | User        | Host      | db   | Command | Time | State          | Info                               |
+----+-------------+-----------+------+---------+------+----------------+------------------------------------+
|  9 | system user |           | crm  | Query   | 1830 | altering table | ALTER TABLE leads ADD COLUMN z INT |
| 12 | root        | localhost | NULL | Query   |    0 | init           | SHOW FULL PROCESSLIST              |
+----+-------------+-----------+------+---------+------+----------------+------------------------------------+
"""
STATUS = """*************************** 1. row ***************************
      Master_Log_File: bin.000912
Relay_Master_Log_File: bin.000907
     Slave_IO_Running: Yes
    Slave_SQL_Running: Yes
Seconds_Behind_Master: 7260
"""
WAITS = """*************************** 1. row ***************************
                 wait_age: 00:00:21
              waiting_pid: 8801
             blocking_pid: 7790
           blocking_query: NULL
         blocking_trx_age: 02:10:00
blocking_trx_rows_modified: 350000
"""
EXPLAIN = """| id | select_type | table | type  | possible_keys | key     | key_len | ref  | rows | Extra       |
|  1 | SIMPLE      | bills | index | ix_owner      | PRIMARY | 8       | NULL | 9120 | Using where |
"""
SIZES = """$ du -sh /data/base/*
7.9M\t/data/base/1
120G\t/data/base/pgsql_tmp
131G\t/data/base/20411
"""
STATEMENTS = """         read_at               | queryid |  calls  | mean_ms | query
-------------------------------+---------+---------+---------+--------------------
 2025-03-04 10:00:00.0+00      |   77120 | 1000000 |   0.500 | select a from b where c=$1
 2025-03-04 10:00:00.0+00      |   77121 |    9000 |   3.000 | select d from e

again
 2025-03-04 10:00:20.0+00      |   77120 | 1040000 |   0.500 | select a ...
 2025-03-04 10:00:20.0+00      |   77121 |    9010 |   3.000 | select d ...
"""
BOUNDS = """Partition key: RANGE (at)
Partitions: m_a FOR VALUES FROM ('2025-01-01') TO ('2025-02-01'),
            m_b FOR VALUES FROM ('2025-02-01') TO ('2025-03-01')
"""
INDEXES = """ indexname  | indexdef
------------+---------------------------------------------------------------
 bills_pkey | CREATE UNIQUE INDEX bills_pkey ON public.bills USING btree (id)
 bills_at   | CREATE INDEX bills_at ON public.bills USING btree (made_at, no)
(2 rows)
"""

IDLE = """ pid  | usename |        state        | transaction_age | query
------+---------+---------------------+-----------------+--------------
 6120 | loader  | idle in transaction | 03:20:00        | SELECT 1 FROM c
"""
DEAD = """ relname | n_live_tup | n_dead_tup
---------+------------+------------
 carts   |     900000 |    2400000
 users   |     100000 |       1000
"""
CONNECTED = """ usename | application_name | state  | sessions | max_connections
---------+------------------+--------+----------+-----------------
 web     | api              | idle   |      120 | 300
 web     | jobs             | active |       40 | 300
"""


@for_each(
    ("message", "said"),
    [
        (IDLE, ["6120 (loader) has been idle in transaction for 3 h 20 min"]),
        (DEAD, ["carts has 2,400,000 dead rows and 900,000 live ones", "not normal"]),
        (CONNECTED, ["160 connections in all (limit 300)", "web api (idle) with 120"]),
        (SESSIONS, ["3 of 4 rows run the same statement", "wait_event_type is empty in 3"]),
        (APPLIER, ["applier thread of the replica (9, system user)", "`ALTER TABLE leads", "30 min 30 s"]),
        (STATUS, ["7260 s are 2 h 1 min", "received bin.000912", "up to bin.000907", "not the network"]),
        (WAITS, ["8801 has been waiting for 7790 for 21 s", "2 h 10 min", "350,000 rows"]),
        (EXPLAIN, ["walks PRIMARY in order", "(ix_owner)", "Not normal"]),
        (SIZES, ["pgsql_tmp holds 120G", "Do not rm them"]),
        (STATEMENTS, ["40,000 more times", "2,000 a second", "about 1 cores"]),
        (BOUNDS, ["last of the 2 partitions is m_b", "ends at 2025-03-01"]),
        (INDEXES, ["2 indexes here begin with id, made_at"]),
    ],
)
def test_rows_are_told_with_their_own_names_and_figures(message: str, said: list[str]) -> None:
    """What stands out is named as the person's rows name it, in both languages with the same figures."""
    chinese, english = shown(message)
    assert all(part in english for part in said)
    figures = re.compile(r"\d[\d,.]{2,}")
    assert set(figures.findall(chinese)) == set(figures.findall(english))


@for_each(
    "message",
    [
        "SELECT pid, state FROM pg_stat_activity is what I ran",
        "表很大 | 不知道 | 怎么办",
        " a | b\n---+---\n 1 | 2\n(1 row)\n",
        SESSIONS.replace("SELECT * FROM bills WHERE no = 'b'", "UPDATE x SET y = 1").replace("IO ", "   "),
    ],
)
def test_rows_without_a_rule_tell_nothing_of_the_kind(message: str) -> None:
    """Where no rule holds of the rows nothing is made of them: two of four copies are not most of them."""
    assert "same statement" not in shown(message)[1]


def test_a_locking_select_is_not_said_to_wait_for_nothing() -> None:
    """A SELECT that locks rows may wait for them while it executes: only a plain one is told to wait for none."""
    rows = "| id | user | command | time | state | info\n| {} | app | Query | 30 | executing | {}\n"
    assert "no row lock" in shown(rows.format(811, "select a from b where c = 1"))[1]
    assert shown(rows.format(811, "select a from b where c = 1 for update"))[1] == ""


def test_a_rule_has_the_same_blanks_in_both_languages() -> None:
    """Both sentences of a rule take the same columns, so that neither language is told more."""

    def blanks(text: str) -> set[str]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    free = {"all", "n"}
    assert {each.id for each in rules() if blanks(each.zh) - free != blanks(each.en) - free} == set()
    assert len({each.id for each in rules()}) == len(rules())


@for_each(
    "words",
    [
        "这说明啥",
        "这个结果怎么看？",
        "看不懂",
        "这个计划正常吗",
        "what does this mean??",
        "so what do these numbers tell us",
        "is this normal?",
    ],
)
def test_a_question_that_only_points_at_rows_is_known(words: str) -> None:
    """It asks what an output shows and has no word of anything else."""
    assert asks_what_it_shows(words)


@for_each(
    "words",
    ["这个索引能删吗", "是不是网络问题", "能不能重启", "what does DROP lock", "is it the network", "回滚要多久", ""],
)
def test_a_question_of_something_else_is_none_that_points_at_rows(words: str) -> None:
    """What names a deed, a part or a suspicion is a question of its own."""
    assert not asks_what_it_shows(words)


def answer(text: str, topic: QuestionTopic) -> HelpAnswer:
    return HelpAnswer(text=text, topic=topic)


def kept(message: str, *answers: HelpAnswer) -> list[str]:
    left = without_vague(TurnResults(turn=2, answers=answers), message, Language.EN)
    return [each.text for each in left.answers if isinstance(each, HelpAnswer)]


def test_what_rows_answer_gets_no_second_answer_by_sound() -> None:
    """A question what rows show, and words around them that ask nothing, get no other answer; a deed does."""
    pointing = answer("what does this mean?", QuestionTopic.MECHANISM)
    telling = answer("I looked at it myself, dozens of rows", QuestionTopic.RIGHTS)
    deed = answer("can I kill 7790?", QuestionTopic.RISK)
    assert kept(WAITS, pointing, telling, deed) == [deed.text]
    assert kept("no rows here", pointing, telling, deed) == [pointing.text, telling.text, deed.text]


@pytest.mark.parametrize(
    ("asked", "language", "first"),
    [("what does this mean?", Language.EN, "8801 has been waiting"), ("这说明啥？", Language.ZH, "8801 在等 7790")],
)
def test_the_answer_begins_with_what_the_rows_show(asked: str, language: Language, first: str) -> None:
    """Where the message asks what its rows show, the first sentence of the reply says so."""
    said = compose(TurnResults(turn=2), language, message=f"{WAITS}\n{asked}")
    assert said.startswith(first)
