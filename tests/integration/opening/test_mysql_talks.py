"""Talks about MySQL with the shipped MySQL library, as people have them in the night."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from services.knowledge.library.shipped_libraries import locate
from tests.support.talks import House, house
from tests.unit.matcher.pastes.test_matcher_mysql_pasted import POOL, TABLE_WAITS
from tests.unit.planner.speak.case.test_planner_in_mysql import FOREIGN

WAITING = """我 show processlist 看了一眼，全是这个：

| 88121 | app | web1:51022 | shop | Query | 412 | Waiting for table metadata lock | ALTER TABLE orders ADD x text |
| 88130 | app | web2:40112 | shop | Query | 409 | Waiting for table metadata lock | SELECT id FROM orders WHERE u=1 |
| 88131 | app | web2:40118 | shop | Query | 409 | Waiting for table metadata lock | SELECT id FROM orders WHERE u=2 |"""
OPEN = """mysql> select * from information_schema.innodb_trx;
+---------------------+-----------+---------------------+-----------+-------------------+
| trx_mysql_thread_id | trx_state | trx_started         | trx_query | trx_rows_modified |
+---------------------+-----------+---------------------+-----------+-------------------+
|               87455 | RUNNING   | 2024-06-11 18:02:17 | NULL      |                 0 |
+---------------------+-----------+---------------------+-----------+-------------------+"""


@pytest.fixture(scope="module")
def mysql(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with the MySQL library."""
    with house(tmp_path_factory.mktemp("mysql"), locate("mysql")) as found:
        yield found


def test_a_ddl_that_waits_behind_a_sleeping_transaction(mysql: House) -> None:
    """The rows of the process list settle the cause, and each answer names the session and MySQL's statement for it."""
    talk = mysql.told("线上 alter table 卡住不动，查 orders 的全堵住了", WAITING, OPEN)
    assert "DDL 等元数据锁" in talk.replies[1]
    assert "`KILL QUERY 88121;`" in talk.replies[1]
    talk.say("到底该杀谁？杀ALTER还是杀87455？")
    assert "先 88121" in talk.replies[-1]
    assert "KILL 87455" in talk.replies[-1]
    talk.say("KILL 87455 行不行，会不会有风险")
    assert talk.replies[-1].startswith("可以。")
    assert "一行都没改过" in talk.replies[-1]
    assert not any(map(FOREIGN.search, talk.replies))


def test_a_buffer_pool_of_the_default_size(mysql: House) -> None:
    """A part of the status settles the cause; the statement has a size that fits the memory that was told of."""
    talk = mysql.told("everything is slower since we moved to a new instance", f"innodb status:\n{POOL}")
    assert "The buffer pool is too small" in talk.replies[-1]
    talk.say("yeah the setting is 134217728, box has 64 GB ram. how do i fix it")
    assert "SET PERSIST innodb_buffer_pool_size = 48 * 1024 * 1024 * 1024;" in talk.replies[-1]
    talk.say("do i need a restart for that?")
    assert "Live since 5.7" in talk.replies[-1]
    assert not any(map(FOREIGN.search, talk.replies))


def test_the_first_look_of_a_mysql_case_is_one_of_mysql(mysql: House) -> None:
    """What is asked first, and what is shown to run, are of the database of the library."""
    talk = mysql.told("orders page takes 10 seconds, just this one query")
    assert "information_schema.processlist" in talk.replies[-1] or "EXPLAIN <" in talk.replies[-1]
    assert not FOREIGN.search(talk.replies[-1])


def test_who_waits_for_a_table_tells_whom_to_end(mysql: House) -> None:
    """Rows of sys.schema_table_lock_waits name the DDL at the head of the queue and the session that it waits for."""
    talk = mysql.told("alter table hangs, all queries on orders stuck", TABLE_WAITS)
    talk.say("whom do i kill, 88121 or 87455")
    assert "88121 first" in talk.replies[-1]
    assert "KILL 87455" in talk.replies[-1]
