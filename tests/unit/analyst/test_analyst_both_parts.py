"""Questions of two parts, or with a detail that changes the answer: nothing of them is left out unsaid."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cache
from typing import Any

import duckdb
import pytest

from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.intent import Reading
from services.analyst.questions.parser import Parser
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.loading import load_layer
from tests.support.cases import for_each
from tests.support.data import hand_warehouses, warehouse
from tests.support.data.own_questions import TODAY, open_own

Opened = tuple[Dataset, duckdb.DuckDBPyConnection, dt.date | None]


@cache
def _data(name: str) -> Opened:
    if name in ("zh", "en"):
        return (*open_own(name), TODAY)
    layer = load_layer(hand_warehouses.FOLDER / name / "layer.yaml")
    connection = duckdb.connect()
    tables = (hand_warehouses.FOLDER / name / "tables.sql").read_text("utf-8")
    connection.execute(tables.replace(":scale", "50"))
    return warehouse.describe(connection, layer), connection, layer.as_of


def read(name: str, question: str) -> Reading:
    """What a question of one of the datasets means."""
    dataset, _, today = _data(name)
    return Parser(dataset).read(question, today)


def rows(name: str, question: str) -> Sequence[Sequence[Any]]:
    """The rows of its answer."""
    dataset, connection, today = _data(name)
    intent = read(name, question).intent
    assert intent is not None, question
    return connection.execute(compile_intent(intent, dataset, today or TODAY)[0].sql).fetchall()


@for_each(
    "name, question, first, last",
    [
        ("en", "when was a lock ticket first opened and when last?", "min", "max"),
        ("en", "when did we see the last deadlock and when the first", "max", "min"),
        ("zh", "死锁的工单最早是什么时候，最近一次是什么时候", "min", "max"),
    ],
)
def test_first_and_last_are_both_told(name: str, question: str, first: str, last: str) -> None:
    """Where the first and the last are asked for in one question, the answer has both."""
    intent = read(name, question).intent
    assert intent is not None
    assert {one.aggregate for one in intent.measures} == {first, last}


@for_each(
    "name, question",
    [
        ("en", "how many sessions in august and how many of them were closed"),
        ("zh", "上个月有多少会话，其中结案的有多少"),
        ("zh", "上周做了几次排障，结了几个"),
    ],
)
def test_a_count_and_its_part_are_both_told(name: str, question: str) -> None:
    """A part of the rows that is asked for beside their count is a figure of its own, and no condition on it."""
    intent = read(name, question).intent
    assert intent is not None
    assert [one.metric for one in intent.measures] == ["sessions", "closed_sessions"]
    assert not intent.filters


def test_a_part_that_no_figure_counts_is_asked_about() -> None:
    """One number is no answer to a count and a part of it that the layer has no figure for."""
    assert read("en", "how many tickets in 2025 and how many of them were critical").question is not None
    assert read("en", "what was confirmed in the sessions of shop and how often").question is not None


@for_each(
    "name, question, aggregates",
    [
        ("en", "median and 90th percentile time to cause per month", ["median", "quantile"]),
        ("hospital", "median and 95th percentile waiting time by department", ["median", "quantile"]),
        ("logistics", "median and 90th percentile transit time", ["median", "quantile"]),
    ],
)
def test_aggregates_joined_by_and_are_of_one_figure(name: str, question: str, aggregates: list[str]) -> None:
    """A quantile after another aggregate keeps both."""
    intent = read(name, question).intent
    assert intent is not None
    assert [one.aggregate for one in intent.measures] == aggregates


@for_each(
    "name, question",
    [
        ("zh", "本季度到今天为止的工单比去年同期多了还是少了"),
        ("zh", "今年到今天为止的会话跟去年同期比"),
        ("en", "tickets this year to date vs last year"),
    ],
)
def test_a_comparison_is_of_spans_with_a_beginning(name: str, question: str) -> None:
    """What is compared with a year ago is narrowed to its own days."""
    intent = read(name, question).intent
    assert intent is not None
    assert intent.time.comparison == "yoy"
    assert all(one.start is not None for one in intent.time.periods)


@for_each(
    "name, question, columns",
    [
        ("en", "anything on MySQL? show the ticket, date and cause", ["ticket", "opened_at", "cause"]),
        ("zh", "超过80分钟的会话有哪些，分别啥原因", ["session", "cause", "session_minutes"]),
        ("en", "unsolved sessions that ran longer than an hour - id, start", ["session", "started_at"]),
        ("en", "what was done about the critical tickets of 2025", ["ticket", "solution"]),
    ],
)
def test_rows_are_shown_with_the_columns_that_were_named(name: str, question: str, columns: list[str]) -> None:
    """Rows named beside their columns, or told by a text only, are shown by their own name too."""
    intent = read(name, question).intent
    assert intent is not None
    assert list(intent.dimensions) == columns
    assert not intent.related


@for_each(
    "name, question, column",
    [
        ("zh", "没结案的会话里拖得最久的是哪个，多久", "session_minutes"),
        ("en", "longest unsolved session and how long it took", "session_minutes"),
        ("en", "5 slowest checks, which check, which instance and how many seconds", "run_seconds"),
    ],
)
def test_single_rows_are_ranked_by_their_own_length(name: str, question: str, column: str) -> None:
    """A length that is asked for of single rows is that of each, and no average of a group."""
    intent = read(name, question).intent
    assert intent is not None
    assert not intent.measures
    assert intent.order is not None
    assert intent.order.dimension == column
    assert column in intent.dimensions


def test_a_short_word_of_a_text_is_a_whole_word() -> None:
    """Three letters inside a longer word are another word."""
    dataset, connection, _ = _data("en")
    inside = connection.execute("SELECT count(*) FROM ticket WHERE description ILIKE '%oom%'").fetchall()
    found = rows("en", "how many tickets have OOM in the description")
    assert dataset.columns
    assert 0 < found[0][0] <= inside[0][0]
    assert rows("en", "how many tickets have zzq in the description")[0][0] == 0


@for_each(
    "name, question, cause",
    [
        ("en", 'how many tickets were caused by "{}" this year', None),
        ("en", "tickets with the cause {} in 2025", None),
        ("zh", "根因是“{}”的工单有多少", None),
        ("zh", "{}的工单有几张", None),
    ],
)
def test_a_name_with_a_comma_is_one_name(name: str, question: str, cause: None) -> None:
    """A cause whose name has a comma is meant as a whole, in quotes or without."""
    assert cause is None
    dataset = _data(name)[0]
    for value in [one for one in dataset.layer.dimension("cause").values if set(",，") & set(str(one))][:5]:
        intent = read(name, question.format(value)).intent
        assert intent is not None, value
        assert [one.values for one in intent.filters] == [(value,)]


@for_each(
    "name, question",
    [
        ("en", "did we have more memory or more disk io trouble in 2025"),
        ("en", "weekday vs weekend count of critical tickets"),
        ("zh", "8月和9月的结案率升了还是降了"),
    ],
)
def test_two_that_are_compared_have_each_their_row(name: str, question: str) -> None:
    """Two values, two parts of the week or two months side by side are two rows."""
    assert len(rows(name, question)) == 2


def test_newest_first_is_an_order_and_no_single_row() -> None:
    """All rows are listed, the newest first."""
    intent = read("en", "list critical tickets of 2025 newest first with their cause").intent
    assert intent is not None
    assert intent.limit == 0
    assert intent.order is not None
    assert intent.order.descending


@pytest.mark.parametrize("question", ["give me the numbers for last month", "show me the figures of 2025"])
def test_numbers_of_nothing_are_asked_about(question: str) -> None:
    """Numbers of what is not said are those of no figure."""
    assert read("en", question).intent is None
