"""Outputs that a message says are of another system."""

from __future__ import annotations

import pytest

from lang.pastes import Check, CheckIndex, RowRule, judge_paste
from tests.support.cases import for_each

DISKS = """Filesystem      Size  Used Avail Use% Mounted on
/dev/vdb        1.1T  1.1T   12G  99% /pgdata"""
LAG = """ application_name | replay_lag
------------------+------------
 walreceiver      | 00:07:12
(1 row)"""
INDEX = CheckIndex.of(
    [
        Check(phenomenon_id="FULL", how=('df -h "$PGDATA"',), rows=RowRule(confirmed="any(use_pct > 90)")),
        Check(
            phenomenon_id="LAG",
            how=("SELECT application_name, replay_lag FROM pg_stat_replication",),
            rows=RowRule(confirmed="any(replay_lag > 30 s)"),
        ),
    ]
)
ELSEWHERE = [
    *[
        "df on the standby:",
        "备库的 df",
        "standby:",
        "from the replica",
        "备库上跑的:",
        "this is the standby",
        "replica df:",
    ],
    *["在从库上看的", "报表服务器的磁盘", "that's the other server", "postgres@pg-standby-1:~$ df -h"],
]
HERE = [
    *[
        "df on the primary:",
        "the standby lags, this is df:",
        "standby is fine. df:",
        "主库的 df",
        "备库延迟在涨，df 如下:",
        "",
    ],
    *["df from the primary, not the standby:", "这不是备库，是主库:", "postgres@pg01:~$ df -h"],
]


def found_in(message: str, *asked: str) -> list[str]:
    return [one.phenomenon_id for one in judge_paste(message, INDEX, asked).findings if one.verdict != "unknown"]


@for_each("label", ELSEWHERE)
def test_an_output_of_another_system_says_nothing_of_this_one(label: str) -> None:
    """What is shown below words that place it elsewhere is no evidence here, though its check was asked for."""
    assert found_in(f"{label}\n{DISKS}") == []
    assert found_in(f"{label}\n{DISKS}", "FULL") == []


@for_each("label", HERE)
def test_an_output_of_this_system_counts(label: str) -> None:
    """A standby that is only spoken of, or said not to be the place, takes nothing away."""
    assert found_in(f"{label}\n{DISKS}") == ["FULL"]


def test_words_behind_the_only_output_place_it() -> None:
    """ "(that's on the standby)" below the output tells as well as above it."""
    assert found_in(f"{DISKS}\n(that's on the standby)") == []


@pytest.mark.parametrize(("there", "here"), [("on the standby:", "on the primary:"), ("备库上:", "主库上:")])
def test_each_place_holds_until_the_next(there: str, here: str) -> None:
    """In a message of two systems each output is of the place that was named last."""
    assert found_in(f"{there}\n{DISKS}\n{here}\n{DISKS}") == ["FULL"]
    assert found_in(f"{here}\n{DISKS}\n{there}\n{LAG}") == ["FULL", "LAG"]
    assert found_in(f"{there}\n{DISKS}\n\n{DISKS}") == []


@for_each("label", ["lag of the standby:", "备库的延迟:", "on the standby:"])
def test_what_is_about_standbys_counts_wherever_it_is_from(label: str) -> None:
    """A check about replication may be run on either side."""
    assert found_in(f"{label}\n{LAG}") == ["LAG"]
