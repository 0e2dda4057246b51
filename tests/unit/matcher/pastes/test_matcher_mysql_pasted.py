"""Outputs of MySQL as people paste them decide what they show, with the shipped MySQL library."""

from __future__ import annotations

from services.matcher.message_reader import NO_TOPICS
from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.support.matching import reader_of

# 24 November 2026, 06:00 UTC.
NOW = 1795500000.0
POOL = """
----------------------
BUFFER POOL AND MEMORY
----------------------
Total large memory allocated 0
Dictionary memory allocated 1882311
Buffer pool size   8192
Free buffers       0
Database pages     7902
Old database pages 2896
Modified db pages  311
Pending reads      37
9301.22 reads/s, 12.10 creates/s, 188.33 writes/s
Buffer pool hit rate 710 / 1000, young-making rate 31 / 1000 not 402 / 1000
"""
TRANSACTIONS = """
------------
TRANSACTIONS
------------
Trx id counter 8123771
Purge done for trx's n:o < 8011022 undo n:o < 0 state: running but idle
History list length 4823911
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION 421938471293712, not started
0 lock struct(s), heap size 1128, 0 row lock(s)
---TRANSACTION 8011022, ACTIVE 41223 sec
1 lock struct(s), heap size 1128, 0 row lock(s)
MySQL thread id 5521, OS thread handle 1403, query id 99212 10.2.3.4 report_ro
---TRANSACTION 8123770, ACTIVE 12 sec starting index read
mysql tables in use 1, locked 1
LOCK WAIT 2 lock struct(s), heap size 1128, 1 row lock(s), undo log entries 3
MySQL thread id 991, OS thread handle 1403, query id 99299 10.2.3.7 app updating
UPDATE stock SET n=n-1 WHERE id=5
------- TRX HAS BEEN WAITING 12 SEC FOR THIS LOCK TO BE GRANTED:
"""
AVERAGES = """avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           7.10    0.00    3.30   {iowait}    0.00   37.30
"""
PROCESSLIST = """
| 88121 | app   | 10.2.3.14:51022 | shop | Query | 412 | Waiting for table metadata lock | ALTER TABLE t ADD x text |
| 88130 | app   | 10.2.3.15:40112 | shop | Query | 409 | Waiting for table metadata lock | SELECT id FROM orders |
"""
VERTICAL = """
*************************** 1. row ***************************
     Id: 88121
   User: app
   Host: 10.2.3.14:51022
     db: shop
Command: Query
   Time: 412
  State: Waiting for table metadata lock
   Info: ALTER TABLE orders ADD COLUMN note text
"""
TRX = """
mysql> select trx_mysql_thread_id,trx_state,trx_started,trx_query,trx_rows_modified from information_schema.innodb_trx;
+---------------------+-----------+---------------------+-----------+-------------------+
| trx_mysql_thread_id | trx_state | trx_started         | trx_query | trx_rows_modified |
+---------------------+-----------+---------------------+-----------+-------------------+
|               87455 | RUNNING   | 2026-11-22 18:02:17 | NULL      |                 0 |
+---------------------+-----------+---------------------+-----------+-------------------+
"""
LOCKS = """
mysql> select object_name, lock_type, lock_status, owner_thread_id from performance_schema.metadata_locks;
+-------------+---------------------+-------------+-----------------+
| object_name | lock_type           | lock_status | owner_thread_id |
+-------------+---------------------+-------------+-----------------+
| orders      | SHARED_READ         | GRANTED     |             133 |
| orders      | EXCLUSIVE           | PENDING     |             140 |
+-------------+---------------------+-------------+-----------------+
"""
TABLE_WAITS = """
object_schema\tobject_name\twaiting_pid\twaiting_query\twaiting_query_secs\twaiting_lock_type\tblocking_pid\tblocking_lock_type
shop\torders\t88121\talter table orders add column x int\t412\tEXCLUSIVE\t87455\tSHARED_READ
shop\torders\t88130\tselect 1 from orders\t409\tSHARED_READ\t87455\tSHARED_READ
shop\torders\t88131\tselect 1 from orders\t408\tSHARED_READ\t87455\tSHARED_READ
"""
REPLICA = """
mysql> show replica status\\G
*************************** 1. row ***************************
             Replica_IO_State: Waiting for source to send event
                  Source_Host: 10.0.0.1
           Replica_IO_Running: Yes
          Replica_SQL_Running: Yes
                   Last_Errno: 0
        Seconds_Behind_Source: 5312
1 row in set (0.00 sec)
"""
STOPPED = (
    REPLICA.replace("SQL_Running: Yes", "SQL_Running: No").replace("Errno: 0", "Errno: 1062").replace("5312", "NULL")
)
DEADLOCK = """
------------------------
LATEST DETECTED DEADLOCK
------------------------
2026-11-20 08:12:41 0x7f11
*** (1) TRANSACTION:
TRANSACTION 8123770, ACTIVE 0 sec starting index read
LOCK WAIT 3 lock struct(s), heap size 1128, 2 row lock(s), undo log entries 1
MySQL thread id 991, OS thread handle 1403, query id 99299 10.2.3.7 app updating
UPDATE stock SET n=n-1 WHERE sku=1007
*** (1) HOLDS THE LOCK(S):
RECORD LOCKS space id 2 page no 4 index PRIMARY of table `shop`.`stock` trx id 8123770 lock_mode X locks rec but not gap
*** WE ROLL BACK TRANSACTION (2)
"""
SLOW = """
# Time: 2026-11-24T05:41:12.118273Z
# User@Host: app[app] @  [10.2.3.14]  Id: 88121
# Query_time: 14.211871  Lock_time: 0.000131 Rows_sent: 20  Rows_examined: 4812934
SET timestamp=1795498872;
SELECT * FROM orders WHERE customer_email = 'a@b.c' ORDER BY created_at DESC LIMIT 20;
"""
PLAN = """
mysql> explain select * from orders where customer_email = 'a@b.c';
+----+-------------+--------+------------+------+---------------+------+------+---------+----------+-------------+
| id | select_type | table  | partitions | type | possible_keys | key  | ref  | rows    | filtered | Extra       |
+----+-------------+--------+------------+------+---------------+------+------+---------+----------+-------------+
|  1 | SIMPLE      | orders | NULL       | ALL  | NULL          | NULL | NULL | 4812934 |    10.00 | Using where |
+----+-------------+--------+------------+------+---------------+------+------+---------+----------+-------------+
"""


def values(**named: object) -> str:
    """A table of SHOW STATUS or SHOW VARIABLES, as the client prints it."""
    rows = "\n".join(f"| {name} | {value} |" for name, value in named.items())
    rule = "+----------+-------+"
    return f"{rule}\n| Variable_name | Value |\n{rule}\n{rows}\n{rule}\n"


def recorded(message: str) -> set[str]:
    """What counts of a message, as `P-2001:confirmed`."""
    readings = (item.reading for item in reader_of("mysql").read(message, NO_TOPICS, NOW).readings)
    return {
        f"{each.phenomenon_id}:{each.verdict.name.lower()}"
        for each in readings
        if each.standing is Standing.COUNTS and each.verdict in (Verdict.CONFIRMED, Verdict.DENIED)
    }


@for_each(
    ("message", "shown"),
    [
        (POOL, {"P-2046:confirmed", "P-2045:confirmed", "P-2056:denied", "P-2097:denied"}),
        (TRANSACTIONS, {"P-2051:confirmed", "P-2027:confirmed", "P-2026:confirmed", "P-2024:confirmed"}),
        ("我看了 History list length 到了这个数\nHistory list length 4823911", {"P-2051:confirmed"}),
        (PROCESSLIST, {"P-2028:confirmed", "P-2029:confirmed", "P-2109:confirmed"}),
        (VERTICAL, {"P-2028:confirmed", "P-2029:confirmed", "P-2109:confirmed"}),
        (TRX, {"P-2026:confirmed", "P-2027:confirmed"}),
        (LOCKS, {"P-2028:confirmed", "P-2109:confirmed"}),
        (TABLE_WAITS, {"P-2028:confirmed", "P-2025:confirmed", "P-2029:confirmed", "P-2109:confirmed"}),
        (REPLICA, {"P-2065:confirmed"}),
        (SLOW, {"P-2014:confirmed"}),
        (DEADLOCK, {"P-2031:denied"}),
        ("/dev/nvme1n1     500G  500G   20K 100% /var/lib/mysql", {"P-2060:confirmed"}),
        ("shop is slow, innodb_buffer_pool_size is 134217728", {"P-2046:confirmed"}),
        (PLAN, {"P-2012:confirmed", "P-2013:confirmed"}),
        ("ERROR 1205 (HY000): Lock wait timeout exceeded; try restarting transaction", {"P-2024:confirmed"}),
        (
            "ERROR 1213 (40001): Deadlock found when trying to get lock; try restarting transaction",
            {"P-2030:confirmed"},
        ),
        ("ERROR 1040 (HY000): Too many connections", {"P-2036:confirmed"}),
        (STOPPED, {"P-2066:confirmed"}),
        (values(innodb_buffer_pool_size=134217728), {"P-2046:confirmed"}),
        ("| innodb_buffer_pool_size | 134217728 |", {"P-2046:confirmed"}),
        ("innodb_buffer_pool_size\t134217728", {"P-2046:confirmed"}),
        (
            "mysql> select @@innodb_buffer_pool_size;\n+---------------------------+\n| @@innodb_buffer_pool_size |\n"
            "+---------------------------+\n|                 134217728 |\n+---------------------------+",
            {"P-2046:confirmed"},
        ),
        (values(sync_binlog=1, innodb_flush_log_at_trx_commit=1), {"P-2058:confirmed"}),
        (values(sync_binlog=1000, innodb_flush_log_at_trx_commit=1), {"P-2058:denied"}),
        (values(replica_parallel_workers=0), {"P-2068:confirmed"}),
        (values(Threads_connected=498, max_connections=500), {"P-2037:confirmed"}),
        (values(Innodb_buffer_pool_read_requests=9000000, Innodb_buffer_pool_reads=2700000), {"P-2045:confirmed"}),
        (values(Innodb_log_waits=0), {"P-2055:denied"}),
        (
            "Innodb_buffer_pool_pages_total 8191\nInnodb_buffer_pool_pages_free 3",
            {"P-2046:confirmed", "P-2097:denied"},
        ),
        (AVERAGES.format(iowait="52.30"), {"P-2059:confirmed"}),
        (AVERAGES.format(iowait="2.30"), set()),
    ],
)
def test_an_output_of_mysql_decides_what_it_shows(message: str, shown: set[str]) -> None:
    """A paste records each phenomenon that it shows, whatever form the client gave it, and nothing else."""
    assert recorded(message) == shown


@for_each(
    "message",
    [
        values(Threads_connected=31, Uptime=812334),
        values(innodb_buffer_pool_size=103079215104),
        "| 21 | app | 10.0.0.4:3121 | shop | Sleep | 12 |  | NULL |",
    ],
)
def test_an_output_that_is_in_order_confirms_nothing(message: str) -> None:
    """Values as they should be, or that decide nothing, put no trouble on record."""
    assert not [each for each in recorded(message) if each.endswith("confirmed")]
