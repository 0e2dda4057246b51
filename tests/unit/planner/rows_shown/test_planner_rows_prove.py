"""Laws of pasted proof: what the rows show is told in the person's names, and hidden values show nothing."""

from __future__ import annotations

import pytest

from lang.objects.named_objects import tables_in
from lang.pastes.formats.hidden_rows import split_hidden
from lang.pastes.marks import tells_foreign
from lang.pastes.model import Span, Table
from services.planner.model import HelpAnswer, Language, QuestionTopic, TurnResults
from services.planner.rows_shown.facts import facts_shown
from services.planner.speak.compose import compose
from tests.support.cases import for_each

DEADLOCK = """LATEST DETECTED DEADLOCK
------------------------
2025-02-03 10:11:12 1402
*** (1) TRANSACTION:
MySQL thread id 71, OS thread handle 1, query id 9 10.0.0.1 crm updating
*** (1) HOLDS THE LOCK(S):
RECORD LOCKS space id 6 page no 4 n bits 160 index PRIMARY of table `crm`.`leads` trx id 8 lock_mode X
*** (1) WAITING FOR THIS LOCK TO BE GRANTED:
RECORD LOCKS space id 7 page no 4 n bits 160 index PRIMARY of table `crm`.`calls` trx id 8 lock_mode X waiting
*** (2) TRANSACTION:
MySQL thread id 72, OS thread handle 1, query id 9 10.0.0.1 sync updating
*** (2) WAITING FOR THIS LOCK TO BE GRANTED:
RECORD LOCKS space id 6 page no 4 n bits 160 index PRIMARY of table `crm`.`leads` trx id 9 lock_mode X waiting
*** WE ROLL BACK TRANSACTION (1)
"""
LIST = """| Id | User | Host | db | Command | Time | State | Info |
+----+------+------+----+---------+------+-------+------+
| 5 | event_scheduler | localhost | NULL | Daemon | 99999 | Waiting on empty queue | NULL |
| 31 | etl | h | crm | Query | 7300 | updating | DELETE FROM calls WHERE at < '2020' |
| 32 | web | h | crm | Query | 9 | executing | SELECT a FROM leads |
"""
PLAN = """ Limit  (cost=0.5..9.2 rows=20 width=4) (actual time=3.1..900.4 rows=20 loops=1)
   Buffers: shared hit=1000 read=90000
   ->  Index Scan using leads_at on leads  (cost=0.5..99.1 rows=9000 width=4) (actual time=3.1..900.3 rows=20 loops=1)
         Filter: open
         Rows Removed by Filter: 300
         Buffers: shared hit=1000 read=90000
 Execution Time: 900.5 ms
"""
SENDER = """ application_name | state     | flush_lag       | replay_lag
------------------+-----------+-----------------+-----------------
 sb7              | streaming | 00:00:00.002    | {}
"""
TOP = """    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
    900 postgres  20   0    8.6g   5.1g   5.0g S   1.0  44.3  88:12.02 postgres
    901 jobs      20   0   27.9g   9.8g   6120 S  12.1  {}  611:20 python3
"""
GROUP = """ member_host | member_state | member_role
-------------+--------------+-------------
 n1          | ONLINE       | SECONDARY
 n2          | {}           | PRIMARY
"""
SEQUENCE = " last_value | is_called\n------------+-----------\n {} | t\n(1 row)\n"
HIDDEN = """ pid | usename | state | wait_event_type | query
-----+---------+-------+-----------------+--------------------------
  11 | web     |       |                 | <insufficient privilege>
  12 | web     |       |                 | <insufficient privilege>
"""


def shown(message: str) -> tuple[str, str]:
    found = facts_shown(tables_in(message))
    return " ".join(each.zh for each in found), " ".join(each.en for each in found)


@for_each(
    ("message", "zh", "en"),
    [
        (DEADLOCK, "线程 71 等 `crm.calls`", "thread 72 for those of `crm.leads`"),
        (LIST, "最久的是 31（etl），2 h 1 min", "The longest is 31 (etl), 2 h 1 min"),
        (PLAN, "读了 91,000 个块，只得到 20 行", "reads 91,000 blocks for 20 rows"),
        (SENDER.format("00:40:00"), "回放却落后 40 min", "replays it 40 min late"),
        (TOP.format("51.0"), "python3（pid 901，用户 jobs）", "python3 (pid 901, user jobs)"),
        (GROUP.format("ONLINE"), "PRIMARY 是 n2", "All 2 members are online"),
        (GROUP.format("RECOVERING"), "不在线的成员：n2", "Not online: n2 (RECOVERING)"),
        (SEQUENCE.format(2147483999), "2,147,483,999", "past 2,147,483,647"),
        (HIDDEN, "2 行的列对这个账号是藏起来的", "nothing follows from them"),
        ("$ time psql -h db1 -c 'select 1'\nreal 0m4.250s\n", "时间花在连接和登录上", "connecting and logging in"),
    ],
)
def test_rows_that_prove_something_are_told_so(message: str, zh: str, en: str) -> None:
    """The row that matters is told by the column that matters, over all rows, in both languages."""
    told = shown(message)
    assert zh in told[0]
    assert en in told[1]


@for_each(
    ("message", "unsaid"),
    [
        (PLAN, "tenfold"),
        (PLAN.replace("90000", "90"), "blocks"),
        (SENDER.format("00:00:00.01"), "late"),
        (TOP.format("3.0"), "It is not the database"),
        (GROUP.format("RECOVERING"), "are online"),
        (SEQUENCE.format(91234), "past"),
        (HIDDEN, "CPU"),
        ("$ time psql -h db1 -c 'select 1'\nreal 0m0.050s\n", "connecting"),
    ],
)
def test_rows_that_prove_nothing_are_not_told_so(message: str, unsaid: str) -> None:
    """What a Limit cut short is no wrong estimate, and small values are no finding."""
    assert unsaid not in shown(message)[1]


def test_rows_of_hidden_values_are_left_out() -> None:
    """They count as rows that are not shown, so that nothing can be denied by them."""
    table = Table(("pid", "query"), (("1", "SELECT 1"), ("2", "<insufficient privilege>")))
    seen, hidden = split_hidden(table)
    assert (seen.rows, seen.left_out, len(hidden.rows)) == ((("1", "SELECT 1"),), 1, 1)


@for_each(
    ("words", "foreign"),
    [
        ("this is from yesterday:", True),
        ("这是昨天的：", True),
        ("They moved a job here yesterday. It has been slow since.\nhere is the output:", False),
        ("昨天有人改过参数。改完就重启了。\n跑了：", False),
    ],
)
def test_a_remark_is_of_an_output_only_beside_it(words: str, foreign: bool) -> None:
    """Another time that is spoken of elsewhere in a message says nothing of its output."""
    before = "ok. " if not foreign else ""
    assert tells_foreign((Span(0, 0, before + words),)) is foreign


@pytest.mark.parametrize("language", [Language.EN, Language.ZH])
def test_a_word_without_explanation_is_not_answered_beside_proof(language: Language) -> None:
    """Where the rows tell, nobody is told that a word is unknown."""
    asked = HelpAnswer(text="what is a zorbl table?", topic=QuestionTopic.MEANING)
    results = TurnResults(answers=(asked,))
    assert "zorbl" in compose(results, language, "", "what is a zorbl table?")
    assert "zorbl" not in compose(results, language, "", f"what is a zorbl table?\n\n{LIST}")
