"""Statements that were run are told from those that are only shown, failed, or are a value in a table."""

from __future__ import annotations

from lang.pastes import executed_in, without_executed
from tests.support.cases import for_each

TABLE = " {name} \n------------------\n {value}\n(1 row)"
RUN = {
    "select pg_drop_replication_slot('old');\n" + TABLE.format(name="pg_drop_replication_slot", value=""): True,
    "shop=# SELECT pg_terminate_backend(30172);\n" + TABLE.format(name="pg_terminate_backend", value="t"): True,
    "SELECT pg_terminate_backend(30172);\n" + TABLE.format(name="pg_terminate_backend", value="f"): False,
    TABLE.format(name="pg_cancel_backend", value="t"): True,
    "pg_terminate_backend | t": True,
    "select pg_reload_conf();\nt": True,
    "create index concurrently on orders(customer_id);\nCREATE INDEX": True,
    "CREATE INDEX": True,
    "CHECKPOINT": True,
    "ROLLBACK PREPARED 'xa-7';\nROLLBACK PREPARED": True,
    "alter system set synchronous_standby_names = '';\nALTER SYSTEM": True,
    "ALTER TABLE orders\n  SET (autovacuum_vacuum_scale_factor = 0.02);\nALTER TABLE": True,
    "mysql> KILL 55;\nQuery OK, 0 rows affected (0.00 sec)": True,
    "deployment.apps/orders scaled": True,
    "mysql> ANALYZE TABLE t;\n+---+----+----------+----------+\n| Table | Op | Msg_type | Msg_text |\n"
    "+---+----+----------+----------+\n| s.t | analyze | status | OK |\n+---+----+----------+----------+": True,
}
NOT_RUN = [
    "select pg_drop_replication_slot('old');",
    "SELECT pg_terminate_backend(30172); 行不行",
    "create index on orders(customer_id);\nERROR:  deadlock detected",
    "select command from pg_stat_progress_create_index;\n command \n---------\n CREATE INDEX\n(1 row)",
    "checkpoint 很频繁",
    "the commit takes 2 s",
    "commit",
    "create index or not?",
    "select count(*) from pg_locks;\n count \n-------\n    12\n(1 row)",
]


@for_each("text", RUN)
def test_a_statement_with_its_answer_was_run(text: str) -> None:
    """A statement that the server acknowledged is a deed, held only if it did not say false, and leaves no words."""
    (found,) = executed_in(text)
    assert found.took_hold is RUN[text]
    assert not without_executed(text).strip()
    assert len(without_executed(text)) == len(text)


@for_each("text", NOT_RUN)
def test_a_statement_without_an_answer_was_not_run(text: str) -> None:
    """What is shown, asked, failed, running or told in words stays in the text as it is."""
    assert executed_in(text) == ()
    assert without_executed(text) == text


def test_a_transaction_around_a_plan_changes_nothing() -> None:
    """BEGIN and ROLLBACK leave the text, what was explained between them stays, and nothing took hold."""
    text = (
        "BEGIN;\nBEGIN\nEXPLAIN UPDATE orders SET x = 1;\n Update on orders  (cost=0.00..1.00 rows=1 width=6)\nROLLBACK"
    )
    assert not any(each.took_hold for each in executed_in(text))
    assert without_executed(text).split() == text.replace("BEGIN;\nBEGIN\n", "").replace("\nROLLBACK", "").split()
