"""Facts that people tell in plain words and that decide something are heard in several wordings of both languages."""

from __future__ import annotations

import pytest

from services.matcher.model import Standing, Verdict
from tests.support.cases import for_each
from tests.unit.matcher.index.test_matcher_partial_outputs import counted, read, reader

SEQ_SCAN, NO_INDEX, ESTIMATE, GROWS, NOT_REMOVED = "P-0077", "P-0078", "P-0080", "P-0064", "P-0069"
BEGAN_AFTER_RESTART, COLD_CACHE, BACKUP = "P-0015", "P-0151", "P-0173"


@for_each(
    ("words", "facts"),
    [
        ("phone这列没建索引, explain出来是全表扫", {NO_INDEX, SEQ_SCAN}),
        ("phone has no index, explain shows a full table scan", {NO_INDEX, SEQ_SCAN}),
        ("plan is a full scan of orders", {SEQ_SCAN}),
        ("the plan says rows=1 although it is a million", {ESTIMATE}),
        ("the optimizer thinks one row, in reality there are 3 million", {ESTIMATE}),
        ("计划里rows=1,实际出来上百万", {ESTIMATE}),
        ("估算一行,实际出来三百万", {ESTIMATE}),
        ("12 GB yesterday, 55 now, rows the same", {GROWS}),
        ("the table was 12 GB yesterday and is 55 GB now, same rows", {GROWS}),
        ("表昨天12G现在55G,行数没变", {GROWS}),
        ("vacuum ran but removed 0 dead rows", {NOT_REMOVED}),
        ("vacuum跑完了,清掉0行死元组", {NOT_REMOVED}),
    ],
)
def test_a_fact_that_decides_is_heard(words: str, facts: set[str]) -> None:
    """What a colleague would take for said is on record at once."""
    found = counted(words)
    assert {name for name in facts if found.get(name) is Verdict.CONFIRMED} == facts


@pytest.mark.parametrize("words", ["it removed 0 dead rows", "vacuum 一行死元组都没清掉"])
def test_dead_rows_that_stay_are_asked_about_where_no_vacuum_is_told(words: str) -> None:
    """There may have been none to remove."""
    assert read(words)[NOT_REMOVED].standing is Standing.PROPOSED


@for_each(
    "words",
    [
        "the query is fast when rows=1, there are a million rows",
        "we loaded 3 million rows, the table went from 12 GB to 55 GB",
        "12G yesterday, 12G now, rows the same",
        "the disk was 12 GB yesterday, 55 now",
    ],
)
def test_what_only_sounds_like_it_decides_nothing(words: str) -> None:
    """Rows of a table are no estimate, and what grew with its rows or not at all is no bloat."""
    assert not {ESTIMATE, GROWS} & counted(words).keys()


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        ("没重启过啊,库跑了大半年了", {BEGAN_AFTER_RESTART, COLD_CACHE}),
        ("no restart, it is up for half a year", {BEGAN_AFTER_RESTART, COLD_CACHE}),
    ],
)
def test_what_has_no_ground_is_not_there(words: str, absent: set[str]) -> None:
    """Without a restart no cache is cold after one: it is not asked again."""
    found = counted(words)
    assert {name for name in absent if found.get(name) is Verdict.DENIED} == absent


@for_each("words", ["没备份,备份凌晨3点跑", "不是,没备份", "no backup is running"])
def test_without_a_facility_nothing_of_it_is_there(words: str) -> None:
    """Without a backup none is running."""
    assert any(BACKUP in each.phenomena for each in reader().read(words).facilities if not each.there)


@for_each("words", ["刚重启过,命中率才 60%", "重启了应用", "备份还在跑"])
def test_a_restart_or_a_backup_denies_nothing(words: str) -> None:
    """What was restarted, or runs, is there."""
    found = counted(words)
    assert not [name for name in (COLD_CACHE, BACKUP) if found.get(name) is Verdict.DENIED]
