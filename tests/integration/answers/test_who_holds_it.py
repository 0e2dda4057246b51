"""Who asks how to see who holds it gets the statement for that very thing."""

from __future__ import annotations

import psycopg
import pytest

from services.planner.model import Language
from services.planner.speak.voice import Voice
from tests.support.servers.postgres import postgres
from tests.support.talks import House

SNAPSHOT = 'dead tuples stay: "dead row versions cannot be removed yet, oldest xmin: 88213907"'
STATEMENTS = Voice(Language.EN)
HOLDERS = STATEMENTS.shown("holders")
# What tells who blocks, and who holds a snapshot.
BLOCKING, HOLDING = ("pg_blocking_pids",), ("backend_xmin", "pg_replication_slots", "pg_prepared_xacts")
LOCKS = "all updates on table orders hang, waiting on locks"


@pytest.mark.parametrize(
    ("told", "asked", "reads"),
    [
        (SNAPSHOT, "how do I see who holds it", HOLDING),
        (SNAPSHOT, "那怎么看是谁占着这个老快照,给个sql", HOLDING),
        (LOCKS, "how do I see who holds it", BLOCKING),
        (LOCKS, "怎么看是谁占着锁，给个sql", BLOCKING),
    ],
)
def test_the_statement_is_for_what_is_held(running: House, told: str, asked: str, reads: tuple[str, ...]) -> None:
    """A snapshot is held by sessions, slots and prepared transactions; a lock by who blocks."""
    talk = running.talk()
    talk.say(told)
    talk.say(asked)
    statement = talk.replies[1].partition("```sql")[2].partition("```")[0]
    assert all(each in statement for each in reads)


def test_the_statements_run_on_a_server() -> None:
    """They run in a transaction that may only read."""
    statements = HOLDERS.removeprefix("```sql\n").removesuffix("\n```")
    with postgres() as address, psycopg.connect(address) as connection:
        connection.read_only = True
        for statement in statements.split(";")[:-1]:
            assert connection.execute(statement.encode()).description
