"""What was done, what failed and what is asked of an action, over several messages of one conversation."""

from __future__ import annotations

import pytest

from tests.support.talks import House

LOCKS = "shop hangs. session 4711 is idle in transaction for 2 hours, 40 sessions wait for its row locks"


def test_the_error_of_an_attempt_is_answered_by_who_may(running: House) -> None:
    """A refused attempt is no symptom; the answer tells who has the right, and nothing counts as done."""
    talk = running.talk()
    talk.say(LOCKS)
    talk.say("killed 4711, got ERROR: permission denied to terminate process")
    assert "pg_signal_backend" in talk.replies[-1]
    assert not talk.session.treatments
    assert all("permission" not in each.words for each in talk.session.active())


@pytest.mark.parametrize(
    "asked", ["the owner asks commit or rollback, which, is it safe?", "他问是commit还是rollback，选哪个？"]
)
def test_how_to_end_a_transaction_is_no_going_back_of_a_release(running: House, asked: str) -> None:
    """COMMIT or ROLLBACK is asked of a transaction: the safe one of the two, and what each does."""
    talk = running.talk()
    talk.say(LOCKS)
    talk.say(asked)
    assert "ROLLBACK" in talk.replies[-1]
    assert "COMMIT" in talk.replies[-1]
    assert not any(each in talk.replies[-1] for each in ("release", "版本"))


@pytest.mark.parametrize(
    ("opens", "asked"),
    [
        (
            "log says checkpoints are occurring too frequently, max_wal_size is 1GB, heavy import running",
            "set max_wal_size to 16GB and reloaded. how do i tell if it worked?",
        ),
        (
            "日志一直报 checkpoints are occurring too frequently，max_wal_size 才 1GB",
            "max_wal_size改成16GB了，怎么看生效没有？",
        ),
    ],
)
def test_whether_a_step_worked_is_read_back(running: House, opens: str, asked: str) -> None:
    """How to see that a changed setting works: the server's own value of it, and not the check for the fault."""
    talk = running.talk()
    talk.say(opens)
    talk.say(asked)
    assert "SHOW max_wal_size" in talk.replies[-1]
    assert "checkpoint_timeout')" not in talk.replies[-1]


@pytest.mark.parametrize(
    ("done", "asked"),
    [
        ("the dev flipped the flag", "how do i see if the index is done and valid before he turns it back on?"),
        ("开发把功能开关关了", "怎么看索引建完没有、有没有效？"),
    ],
)
def test_the_progress_of_a_build_is_no_undo(running: House, done: str, asked: str) -> None:
    """Switching a feature is a deed of its own; how far an index is and whether it is valid is looked up."""
    talk = running.talk()
    talk.say("select on orders by coupon_code is slow, the plan has a Seq Scan removing 80 million rows by filter")
    talk.say(done)
    assert [each.action for each in talk.session.treatments] == ["switch_feature"]
    talk.say(asked)
    assert "pg_stat_progress_create_index" in talk.replies[-1]
    assert "indisvalid" in talk.replies[-1]


SYNC = " waiting |     longest\n---------+-----------------\n      87 | 00:24:31.882104\n(1 row)"
NAMES = (
    " synchronous_standby_names | required | connected\n"
    "---------------------------+----------+-----------\n node2                     |        1 |         0\n(1 row)"
)


@pytest.mark.parametrize(
    ("done", "asked"),
    [
        ("我改成异步了", "node2回来马上改成同步，提交会不会又卡住？"),
        ("made it async, commits flow again", "how do i set it back when node2 returns, will commits hang again?"),
    ],
)
def test_an_undo_tells_what_has_to_hold_first(running: House, done: str, asked: str) -> None:
    """Going back to synchronous commits waits for the standby: it streams and has caught up, else commits hang."""
    talk = running.talk()
    for said in ("下单提交全卡住了", SYNC, NAMES, done, asked):
        talk.say(said)
    assert "state = streaming" in talk.replies[-1]
    assert "synchronous_standby_names = 'node2'" in talk.replies[-1]
