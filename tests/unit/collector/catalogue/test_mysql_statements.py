from __future__ import annotations

from collections.abc import Mapping

import pytest

from lang.expressions import Reads, Value
from services.collector.catalogue.reader import shipped
from services.collector.catalogue.verdicts import judge
from services.collector.model import Verdict, value_of
from sql_admission.mysql import admit_mysql


def test_every_text_for_mysql_is_admitted() -> None:
    """Each SQL text of the catalogue for MySQL consists of listed parts only."""
    texts = [
        (check.id, item.sql)
        for check in shipped().checks.values()
        if check.engine == "mysql"
        for item in check.statements
    ]
    assert len(texts) >= 12
    assert {name: reason for name, sql in texts if (reason := admit_mysql(sql).reason)} == {}


def test_what_statements_cost_is_shared_out_of_what_happened_between_two_reads() -> None:
    """The share of a statement is of all calls in that time, whatever was called before it."""
    check = shipped().checks["my.statements"]
    common: dict[str, Value] = {
        "schema_name": "shop",
        "statement": "s",
        "picoseconds": 0.0,
        "lock_picoseconds": 0.0,
        "examined": 0.0,
    }
    common |= {"returned": 0.0, "temporary": 0.0, "on_disk": 0.0, "sorted": 0.0, "without_index": 0.0, "errors": 0.0}
    first = ({**common, "digest": "a", "calls": 70_000.0}, {**common, "digest": "b", "calls": 9.0})
    last = (
        {**common, "digest": "a", "calls": 70_010.0},
        {**common, "digest": "b", "calls": 9999.0, "picoseconds": 1e12},
    )
    signals, findings = judge(check, Reads((first, last), 2.0, check.key))
    assert {item.name: value_of(item) for item in signals}["top_calls_share"] == pytest.approx(99.9)
    assert {item.phenomenon_id: item.verdict for item in findings}["P-2022"] is Verdict.CONFIRMED


def confirmed(name: str, *rows: Mapping[str, Value], seconds: float = 1.0) -> set[str]:
    """The phenomena that a check sees in reads of one row each."""
    check = shipped().checks[name]
    findings = judge(check, Reads(tuple((row,) for row in rows), seconds, check.key))[1]
    return {item.phenomenon_id for item in findings if item.verdict is Verdict.CONFIRMED}


def test_a_holder_a_hot_row_and_an_orphan_are_told_apart() -> None:
    """The same waiters mean three things: their blocker stays and sleeps, changes all the time, or is no session."""
    rest = ("for_gaps", "for_auto_inc", "for_parents")
    waits: dict[str, Value] = {"waiting": 6.0, "oldest_wait": 3.0, "victims": 6.0, "on_one_row": 6.0, "root_age": 9.0}
    waits |= dict.fromkeys(rest, 0.0) | {"root": 70.0, "root_thread": 7.0, "root_command": "Sleep"}
    orphan = waits | {"root_thread": 0.0, "root_command": None}
    hot = [waits | {"root": float(number), "root_command": "Query", "oldest_wait": 0.0} for number in range(3)]
    asked = {"P-2025", "P-2026", "P-2032", "P-2086"}
    assert confirmed("my.locks", waits, waits, waits) & asked == {"P-2025", "P-2026"}
    assert confirmed("my.locks", *hot) & asked == {"P-2032"}
    assert confirmed("my.locks", orphan, orphan, orphan) & asked == {"P-2025", "P-2086"}


def test_a_leak_and_pools_that_are_too_large_are_told_apart() -> None:
    """Connections that sleep are held by one client, or by many alike; a working server below its limit has neither."""
    full: dict[str, Value] = dict.fromkeys(
        ("refused", "refused_inside", "made", "aborted", "failed", "running", "logging_in", "idle_in_transaction"), 0.0
    )
    full |= {"connected": 100.0, "most": 100.0, "sleeping": 95.0, "longest_idle": 900.0, "uptime": 9e4}
    leak, pools = full | {"clients": 3.0, "most_held": 90.0}, full | {"clients": 20.0, "most_held": 5.0}
    assert {"P-2036", "P-2037", "P-2038"} == confirmed("my.connections", leak, leak, leak)
    assert {"P-2036", "P-2037", "P-2038", "P-2102"} == confirmed("my.connections", pools, pools, pools)
    calm = pools | {"connected": 20.0, "sleeping": 15.0}
    assert confirmed("my.connections", calm, calm, calm) == set()


def test_a_server_that_replicates_from_nobody_has_no_trouble_with_it() -> None:
    """Lag, stops and purged logs are seen on a replica; where there is no channel the same values mean nothing."""
    alone: dict[str, Value] = dict.fromkeys(("channels", "receivers_off", "appliers_off", "read_only"), 0.0)
    alone |= dict.fromkeys(("receiver_error", "applier_error", "behind", "applying_for")) | {"workers": 4.0}
    assert confirmed("my.replication", alone, alone) == set()
    replica = alone | {"channels": 1.0, "behind": 2.0}
    assert confirmed("my.replication", replica, replica) == set()
    late = replica | {"behind": 300.0, "workers": 1.0}
    assert confirmed("my.replication", late, late) == {"P-2065", "P-2068"}
    stopped = replica | {"receivers_off": 1.0, "receiver_error": 13114.0}
    assert confirmed("my.replication", stopped, stopped) == {"P-2066", "P-2067"}
