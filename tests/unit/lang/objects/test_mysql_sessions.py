"""Sessions in rows of MySQL: which one is the DDL, which waits, which is idle in a transaction, and what it changed."""

from __future__ import annotations

from lang.objects import PID, Role, bind, names_to_bind
from lang.objects.lock_queue import WAITS_FOR, Wait, wait_of
from lang.objects.named_objects import objects_named
from lang.objects.whose_session import as_session, whose_of
from tests.unit.matcher.pastes.test_matcher_mysql_pasted import PROCESSLIST, TABLE_WAITS, TRANSACTIONS, TRX


def test_the_ddl_of_a_process_list_fills_its_blank() -> None:
    """A session that alters a table and waits is the one to stop; those behind it only wait."""
    seen = objects_named(PROCESSLIST)
    assert {each.name: each.role for each in seen if each.kind == PID} == {"88121": Role.DDL, "88130": Role.WAITS}
    assert bind("KILL QUERY <ddl_pid>;", names_to_bind(seen)) == "KILL QUERY 88121;"


def test_a_transaction_without_a_statement_is_idle() -> None:
    """Its session is the one to end, and the row tells that nothing would be rolled back."""
    seen = objects_named(TRX)
    assert bind("KILL <pid>;", names_to_bind(seen)) == "KILL 87455;"
    told = [whose_of(each.name) for each in seen if each.kind == "whose"]
    assert [(each.session, each.idle, each.changed) for each in told] == [("87455", True, "0")]


def test_a_transaction_of_the_status_of_innodb_is_read_alike() -> None:
    """The user and the rows changed stand below the heading of a transaction; one that waits is not idle."""
    seen = objects_named(TRANSACTIONS)
    told = [whose_of(each.name) for each in seen if each.kind == "whose"]
    assert [(each.session, each.role, each.idle, each.changed) for each in told] == [("5521", "report_ro", True, "0")]
    assert {each.name: each.role for each in seen if each.kind == PID} == {"5521": Role.ROOT, "991": Role.WAITS}


def test_who_waits_for_a_table_names_the_root() -> None:
    """The session in the way is the one to end, the DDL is another one."""
    assert names_to_bind(objects_named(TABLE_WAITS))["pid"] == "87455"


def test_rows_of_other_servers_stay_as_they_are() -> None:
    """A row with a pid, or without a command, is none of MySQL's sessions."""
    for row in ({"pid": "4711", "state": "active"}, {"id": "7", "name": "orders"}, {"command": "Query", "id": "x"}):
        assert as_session(row) == row


def test_a_time_in_seconds_is_an_age() -> None:
    """Seconds of the process list are said as other servers say an age."""
    row = {"id": "9", "command": "Sleep", "time": "90061", "info": "NULL"}
    assert as_session(row)["age"] == "1 days 01:01:01"
    assert as_session(row)["state"] == "idle"


def test_a_row_without_the_number_of_who_waits_tells_what_waits() -> None:
    """Where a row names the session in the way and only the statement that waits, it still shows who is in the way."""
    rows = (
        "blocking_pid | blocking_account | waiting_query\n"
        "-------------+------------------+---------------\n"
        "     5512093 | etl@10.1.2.3     | ALTER TABLE invoices ADD COLUMN vat INT\n"
    )
    waits = [each.name for each in objects_named(rows) if each.kind == WAITS_FOR]
    assert [wait_of(each) for each in waits] == [Wait("ALTER TABLE invoices", "5512093")]
