from __future__ import annotations

from sql_admission.mysql import admit_mysql, admit_mysql_library
from tests.support.cases import for_each

REFUSED = [
    "SELECT 1 FROM performance_schema.threads; SELECT 2",
    "SELECT SLEEP(10)",
    "SELECT BENCHMARK(1000000, MD5('a'))",
    "SELECT LOAD_FILE('/etc/passwd')",
    "SELECT GET_LOCK('a', 10)",
    "SELECT user, authentication_string FROM mysql.user",
    "SELECT t.name FROM performance_schema.threads AS t FOR UPDATE",
    "SELECT t.name FROM performance_schema.threads AS t LOCK IN SHARE MODE",
    "SELECT 1 INTO OUTFILE '/tmp/x'",
    "SELECT t.name INTO @a FROM performance_schema.threads AS t",
    "SELECT @a := 1",
    "SELECT @@init_connect",
    "SELECT /*! SLEEP(10) */ 1",
    "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1",
    "SELECT 1 -- x",
    "SELECT 1 # x",
    "SELECT SQL_NO_CACHE t.name FROM performance_schema.threads AS t",
    "SELECT name FROM threads",
    "SELECT * FROM shop.orders",
    "SELECT s.sql_text FROM performance_schema.events_statements_history AS s",
    "SELECT 1 FROM performance_schema.threads AS a JOIN performance_schema.threads AS b",
    "WITH RECURSIVE n AS (SELECT 1 AS a UNION ALL SELECT n.a + 1 FROM n) SELECT n.a FROM n",
    'SELECT "a"',
    "SELECT `name` FROM performance_schema.threads",
    "INSERT INTO shop.orders VALUES (1)",
    "UPDATE performance_schema.setup_instruments SET enabled = 'NO'",
    "SET GLOBAL max_connections = 1",
    "KILL 1",
    "FLUSH TABLES WITH READ LOCK",
    "CALL sys.ps_setup_disable_consumer('x')",
    "SELECT * FROM performance_schema.threads",
    "SELECT t.* FROM performance_schema.threads AS t",
    "SELECT 1 FROM variables.read_only",
    "SHOW GRANTS",
    "SHOW BINARY LOGS; DROP TABLE shop.orders",
    "TABLE mysql.user",
    "EXPLAIN ANALYZE SELECT 1",
    "HANDLER shop.orders OPEN",
    "DO SLEEP(1)",
    "XA RECOVER",
    "",
]


@for_each("statement", REFUSED)
def test_nothing_else_is(statement: str) -> None:
    """What writes, locks, waits, names a file, reads rows of users or passwords, or hides something is refused."""
    admission = admit_mysql(statement)
    assert not admission.allow
    assert admission.reason


@for_each("statement", [statement for statement in REFUSED if statement != "XA RECOVER"])
def test_a_library_may_not_have_it_either(statement: str) -> None:
    """A library may read more of the server's own state than the catalogue, and is refused all the rest."""
    assert admit_mysql_library(statement).reason


@for_each(
    "statement",
    [
        "SHOW VARIABLES LIKE 'init_connect'",
        "SHOW VARIABLES LIKE '%'",
        "SHOW GLOBAL STATUS LIKE 'a'; DROP TABLE shop.orders",
        "SHOW_REPLICA STATUS",
        "SELECT user FROM mysql.user",
        "SELECT round(sys.ps_thread_id(1))",
        "SELECT t.n FROM nodes.round AS t",
    ],
)
def test_a_library_s_own_parts_open_nothing_else(statement: str) -> None:
    """A SHOW of listed names, the listed views of sys and one table of mysql are all that is added."""
    assert admit_mysql_library(statement).reason
