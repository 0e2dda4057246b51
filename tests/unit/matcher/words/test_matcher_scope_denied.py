"""What the trouble is not limited to is denied; and a figure with its base decides, as does what was never analyzed."""

from __future__ import annotations

import pytest

from services.matcher.model import Verdict
from tests.support.cases import for_each
from tests.unit.matcher.index.test_matcher_partial_outputs import counted

ONE_SLOW, ONE_DOMINATES, PERIODIC, AT_CHECKPOINTS = "P-0002", "P-0101", "P-0012", "P-0124"
DEAD, STATISTICS = "P-0063", "P-0081"


@for_each(
    ("words", "denied"),
    [
        ("its not one query, its every select", {ONE_SLOW, ONE_DOMINATES}),
        ("不是某一条 SQL 慢，全都慢", {ONE_SLOW, ONE_DOMINATES}),
        ("not a periodic thing, its slow all the time", {PERIODIC, AT_CHECKPOINTS}),
        ("不是一阵一阵的, 是一直慢", {PERIODIC, AT_CHECKPOINTS}),
        ("十点以后就一直慢到下午", {PERIODIC, AT_CHECKPOINTS}),
    ],
)
def test_what_the_trouble_is_not_limited_to_is_denied(words: str, denied: set[str]) -> None:
    """That it is not one statement, or not in spikes, speaks against all that would be one, or come in spikes."""
    found = counted(words)
    assert {name for name in denied if found.get(name) is Verdict.DENIED} == denied


@pytest.mark.parametrize(
    "words", ["不是一直慢，是按点慢，每10分钟一波", "it slows down at regular intervals, not constantly slow"]
)
def test_what_comes_in_spikes_denies_no_spikes(words: str) -> None:
    """That it is not slow all along is the opposite."""
    assert counted(words).get(PERIODIC) is not Verdict.DENIED


@for_each("words", ["死元组1204 / 4187万", "那表死元组才1千多行，一共4187万行", "only 1204 dead rows out of 41877210"])
def test_dead_rows_with_all_rows_decide(words: str) -> None:
    """So many dead of so many rows are a share."""
    assert counted(words).get(DEAD) is Verdict.DENIED


@for_each(
    "words",
    [
        "那个表的统计是27号的，导完之后一直没更新过",
        "stats are from the 27th, the load came after",
        "we bulk loaded it yesterday and nobody analyzed since",
    ],
)
def test_statistics_from_before_a_load_are_old(words: str) -> None:
    """What was loaded after the last ANALYZE the statistics do not know."""
    assert counted(words).get(STATISTICS) is Verdict.CONFIRMED
