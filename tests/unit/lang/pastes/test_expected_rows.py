"""Rows pasted without their heading are the output of the check that was asked for, if each cell fits its column."""

from __future__ import annotations

from lang.pastes import Check, CheckIndex, RowRule, judge_paste
from tests.support.cases import for_each

KEYS = """SELECT n.nspname AS schema_name, c.relname AS child_table, c.reltuples::bigint AS child_rows,
now() - c.seen AS seen_for, pg_size_pretty(c.size) AS child_size FROM pg_class c"""
FILES = "-- run twice, 60 seconds apart\nSELECT datname, round(a) AS files, sum(b)::bigint AS temp_bytes, reset FROM d"
CHECKS = {
    "KEYS": (KEYS, RowRule(confirmed="any(child_rows > 10000)")),
    "FILES": (
        FILES,
        RowRule(
            confirmed="any(rise(temp_bytes) * 60 / elapsed() > 100 MB)",
            denied="all(temp_bytes == 0 or rise(temp_bytes) == 0)",
            key=("datname",),
            repeat="rise",
        ),
    ),
    "WAITS": ("SELECT pid, wait_event FROM pg_stat_activity", RowRule(confirmed="n() >= 1")),
}
INDEX = CheckIndex.of(Check(phenomenon_id=name, how=(how,), rows=rule) for name, (how, rule) in CHECKS.items())
ROW = " public | invoices | {} | 3 days 04:05:06 | 12 GB"
AROUND = ["{}", "ok ran it, first row:\n{}\nso what now?", "你那个 SQL 第一行：\n\n{}\n\n然后呢", "finally.\n{}"]


def found_in(message: str, *asked: str) -> dict[str, str]:
    findings = judge_paste(message, INDEX, asked).findings
    return {one.phenomenon_id: one.verdict for one in findings if one.standing == "counts"}


@for_each("around", AROUND)
@for_each("sign", [" | ", "|", "\t"])
def test_rows_without_a_heading_are_of_the_check_that_was_asked_for(around: str, sign: str) -> None:
    """The same rule judges them, in words of either language, whatever sign separates the cells."""
    big, small = (ROW.format(rows).replace(" | ", sign) for rows in (80123456, 3120))
    assert found_in(around.format(big), "KEYS") == {"KEYS": "confirmed"}
    assert found_in(around.format(small), "KEYS") == {"KEYS": "denied"}
    assert found_in(around.format(f"{small}\n{big}"), "KEYS") == {"KEYS": "confirmed"}


@for_each(
    "row",
    [
        " public | invoices | many | 3 days 04:05:06 | 12 GB",
        " public | invoices | 80123456 | yesterday | 12 GB",
        " public | invoices | 80123456 | 00:05:06 | big",
        " public | invoices | 80123456",
        " public | invoices | 80123456 | 00:05:06 | 12 GB | 7",
        " public, invoices, 80123456, 00:05:06, 12 GB",
    ],
)
def test_rows_of_other_kinds_or_another_number_of_cells_are_not(row: str) -> None:
    """One cell that its column cannot hold, or a cell too many, makes them the output of something else."""
    assert found_in(row, "KEYS") == {}


def test_rows_without_a_heading_are_of_no_check_that_nobody_asked_for() -> None:
    """Nothing but the question tells whose they are."""
    assert found_in(ROW.format(80123456)) == {}
    assert found_in(ROW.format(80123456), "WAITS") == {}


@for_each("said", ["{0}\n{1}", "跑了两次，隔了一分钟：\n{0}\n{1}", "two reads:\n{0}\n\nand then\n{1}"])
def test_a_key_that_comes_again_is_a_second_reading(said: str) -> None:
    """Rows of one key are readings one after the other, in one table or in two; the cut last column lacks in all."""
    first, same, more = (f" shop | 1204 | {size}" for size in (8812314624, 8812314624, 9912314624))
    assert found_in(said.format(first, same), "FILES") == {"FILES": "denied"}
    assert found_in(said.format(first, more), "FILES") == {"FILES": "confirmed"}
    assert found_in(first, "FILES") == {}


UNCHANGED = [
    "跑了两次，中间大概一分钟，数字没怎么动",
    "两次查出来一样，没涨",
    "查了两遍 都一样",
    "ran it twice, a minute apart, no change",
    "same numbers both times",
    "both readings identical",
]
OTHER = [
    "没变",
    "no change",
    "索引大小两次一样",
    "orders is the same both times",
    "两次部署都一样慢",
    "ran vacuum twice, no change",
]


@for_each("words", UNCHANGED)
def test_that_two_readings_were_the_same_denies_the_rise_that_was_asked_for(words: str) -> None:
    """It answers the check whose command was given last, if that compares readings, and no other."""
    assert found_in(words, "FILES", "KEYS") == {"FILES": "denied"}
    assert found_in(f"hm.\n{words}\n", "FILES") == {"FILES": "denied"}
    assert found_in(words, "KEYS", "FILES") == {}
    assert found_in(words) == {}


@for_each("words", OTHER)
def test_words_that_name_something_else_tell_of_no_reading(words: str) -> None:
    """A sentence with any other word in it, or without two readings, is no answer."""
    assert found_in(words, "FILES") == {}


@for_each(
    "words",
    [
        "I ran your query twice while it was hanging: (0 rows) both times. now what?",
        "卡着的时候跑了你那条，(0 行) 两次都是",
        "两次都是 0 行",
        "(0 rows) both times",
    ],
)
def test_no_rows_both_times_is_one_answer(words: str) -> None:
    """The server's own count of no rows tells, also behind other words of the sentence."""
    assert found_in(words, "WAITS") == {"WAITS": "denied"}
