"""The end of a conversation: what was done, refused or in vain, and that it is over, in the order that people care."""

from __future__ import annotations

import pytest
from dbdiag.planner.v1.planner_types import Aftermath

from tests.support.talks import House

STALE = (
    "pg15, the billing report hangs since the 30M row load last night, was 2 s before. analyze was never run after it",
    "yes, the planner estimates 1 row and there are 30 million rows, estimate is off by far more than 10x",
)
STALE_ZH = (
    "pg15，昨晚灌了3000万行之后，对账报表就卡死，以前2秒。灌完没跑过 analyze",
    "估算行数1，实际3000万，差远了，估算行数与实际差 10 倍以上：有",
)
LOCKS = "shop hangs. session 4711 is idle in transaction for 2 hours, 40 sessions wait for its row locks"
# What belongs to a search that goes on.
_SEARCHING = (
    " % (",
    "Most likely",
    "most likely",
    "does not point",
    "Behind it",
    "One check",
    "最像",
    "其后",
    "还定不了",
)


@pytest.mark.parametrize(
    ("opens", "over", "first"),
    [
        (
            STALE,
            "ran analyze on the table, took 40 s, back to 2 s. how do we keep this from happening",
            "Good",
        ),
        (STALE, "ANALYZE is done and the report is fast again, what was it in the end?", "Good"),
        (STALE_ZH, "analyze 跑完了，报表2秒出来了，以后怎么防？", "好"),
        (STALE_ZH, "跑了 analyze，现在正常了。到底是啥原因", "好"),
    ],
)
def test_a_recovery_is_a_full_stop(running: House, opens: tuple[str, ...], over: str, first: str) -> None:
    """Who tells that it is over hears that first, what it was, what prevents a repeat, how to close, and no search."""
    talk = running.told(*opens, over)
    reply = talk.replies[-1]
    assert reply.startswith(first)
    assert "`/close`" in reply
    assert not [words for words in _SEARCHING if words in reply]


@pytest.mark.parametrize(
    ("opens", "refused", "says"),
    [
        (LOCKS, "did it, got ERROR:  must be a superuser to terminate superuser process", ("superuser",)),
        (
            "page slow, cpu 95%. Seq Scan on invoices, Filter: (customer_id = 4), there is no index on customer_id",
            "ran it, ERROR:  CREATE INDEX CONCURRENTLY cannot run inside a transaction block",
            ("BEGIN", "CREATE INDEX CONCURRENTLY"),
        ),
        (
            "页面慢，CPU 95%。Seq Scan on invoices, Filter: (customer_id = 4)，customer_id 上没有索引",
            "跑了，报 ERROR:  canceling statement due to lock timeout",
            ("等到锁",),
        ),
    ],
)
def test_the_error_of_a_statement_is_explained(running: House, opens: str, refused: str, says: tuple[str, ...]) -> None:
    """What a server refuses is no deed and no symptom: the reply tells why, and how to run it right."""
    talk = running.told(opens, "how do I fix it", refused)
    assert not talk.session.treatments
    assert all(words in talk.replies[-1] for words in says)


def test_what_was_done_in_vain_is_never_credited(running: House) -> None:
    """A deed that changed nothing is said once to speak against what it treats; the recovery is of what came later."""
    talk = running.told(
        "everything is slow, disk at 99 % util",
        "i stopped the nightly cron on sunday and its just as slow",
        "set shared_buffers to 32GB and restarted, all fast again",
    )
    assert "No better" in talk.replies[1]
    assert "stopping" not in talk.replies[2]


def test_when_it_began_is_taken_back_and_never_over(running: House) -> None:
    """That it did not begin as told corrects the record; beside a deed of before it is no recovery."""
    talk = running.told(
        "app cant connect, remaining connection slots are reserved. it is like this since the restart of the db",
        "we bounced billing once and it was ok for a while, then full again",
        "nobody here said that. and no this did NOT start after a restart",
    )
    assert talk.session.aftermath is not Aftermath.WELL
