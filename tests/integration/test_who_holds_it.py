"""Who asks how to see who holds it gets the statement for that very thing."""

from __future__ import annotations

import psycopg
import pytest

from services.planner.model import Language
from services.planner.speak.voice import Voice
from tests.support.postgres import postgres
from tests.support.talks import House

SNAPSHOT = 'dead tuples stay: "dead row versions cannot be removed yet, oldest xmin: 88213907"'
STATEMENTS = Voice(Language.EN)
BLOCKERS, HOLDERS = STATEMENTS.shown("blockers"), STATEMENTS.shown("holders")
LOCKS = "all updates on table orders hang, waiting on locks"


@pytest.mark.parametrize(
    ("told", "asked", "statement"),
    [
        (SNAPSHOT, "how do I see who holds it", HOLDERS),
        (SNAPSHOT, "那怎么看是谁占着这个老快照,给个sql", HOLDERS),
        (LOCKS, "how do I see who holds it", BLOCKERS),
        (LOCKS, "怎么看是谁占着锁，给个sql", BLOCKERS),
    ],
)
def test_the_statement_is_for_what_is_held(running: House, told: str, asked: str, statement: str) -> None:
    """A snapshot is held by sessions, slots and prepared transactions; a lock by who blocks."""
    talk = running.talk()
    talk.say(told)
    talk.say(asked)
    assert statement in talk.replies[1]


def test_the_statements_run_on_a_server() -> None:
    """They run in a transaction that may only read."""
    statements = HOLDERS.removeprefix("```sql\n").removesuffix("\n```")
    with postgres() as address, psycopg.connect(address) as connection:
        connection.read_only = True
        for statement in statements.split(";")[:-1]:
            assert connection.execute(statement.encode()).description
