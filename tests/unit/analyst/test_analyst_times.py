"""Times of questions become days, as seen from a day and by the calendar of the layer."""

from __future__ import annotations

import datetime as dt

import pytest

from services.analyst.questions.words.times import TimeReader
from services.analyst.semantic.schema import Calendar
from tests.support.cases import for_each
from tests.support.data import warehouse

_TODAY = dt.date(2025, 6, 18)
_CALENDAR = Calendar(week_start="monday", fiscal_year_start=4, last_n_days="ends_yesterday")


def days(words: str, calendar: Calendar = _CALENDAR) -> tuple[str | None, ...]:
    """The first day of the one period in a text, and the day after its last."""
    marks = [mark for mark in TimeReader(_TODAY, calendar).read(words) if mark.kind == "period"]
    assert len(marks) == 1, marks
    period = marks[0].period
    assert period is not None
    return tuple(day.isoformat() if day else None for day in (period.start, period.end))


@for_each(
    ("words", "start", "end"),
    [
        ("去年", "2024-01-01", "2025-01-01"),
        ("last year", "2024-01-01", "2025-01-01"),
        ("2024年下半年", "2024-07-01", "2025-01-01"),
        ("h1 2024", "2024-01-01", "2024-07-01"),
        ("上季度", "2025-01-01", "2025-04-01"),
        ("q4 2024", "2024-10-01", "2025-01-01"),
        ("今年第1季度", "2025-01-01", "2025-04-01"),
        ("上个月gmv", "2025-05-01", "2025-06-01"),
        ("12月", "2024-12-01", "2025-01-01"),
        ("may 2025", "2025-05-01", "2025-06-01"),
        ("2024/11", "2024-11-01", "2024-12-01"),
        ("上周", "2025-06-09", "2025-06-16"),
        ("昨天", "2025-06-17", "2025-06-18"),
        ("yesterday", "2025-06-17", "2025-06-18"),
        ("最近30天", "2025-05-19", "2025-06-18"),
        ("in the last 7 days", "2025-06-11", "2025-06-18"),
        ("2025财年", "2024-04-01", "2025-04-01"),
        ("fy2025", "2024-04-01", "2025-04-01"),
        ("从2024年3月到5月", "2024-03-01", "2024-06-01"),
        ("between 2024-02-01 and 2024-02-15", "2024-02-01", "2024-02-16"),
        ("since march this year", "2025-03-01", None),
        ("starting from march this year", "2025-03-01", None),
        ("from last month", "2025-05-01", "2025-06-01"),
        ("from 2024", "2024-01-01", "2025-01-01"),
        ("2024年5月以前", None, "2024-05-01"),
        ("2023年以来", "2023-01-01", None),
    ],
)
def test_a_period_has_its_days(words: str, start: str | None, end: str | None) -> None:
    """Each way to say a period gives its first day and the day after its last."""
    assert days(words) == (start, end)


def test_the_calendar_decides_on_last_days_and_fiscal_years() -> None:
    """The same words mean other days under another calendar."""
    other = Calendar(fiscal_year_start=1, last_n_days="ends_today")
    assert days("最近7天", other) == ("2025-06-12", "2025-06-19")
    assert days("2025财年", other) == ("2025-01-01", "2026-01-01")


@for_each(
    ("question", "granularity", "comparison"),
    [
        ("5月销售额同比", "", "yoy"),
        ("orders in April 2025 month over month", "", "qoq"),
        ("每周订单数", "week", ""),
        ("2024年各月销售额环比", "month", "qoq"),
        ("revenue trend 2024", "month", ""),
    ],
)
def test_steps_and_comparisons_are_read(question: str, granularity: str, comparison: str) -> None:
    """Words for steps and comparisons stand in the intent's time."""
    intent = warehouse.parser().read(question, _TODAY).intent
    assert intent is not None
    assert (intent.time.granularity, intent.time.comparison) == (granularity, comparison)


def test_a_running_year_ends_today() -> None:
    """This year is cut at today, so that a comparison takes the same days of the year before."""
    intent = warehouse.parser().read("今年销售额同比", _TODAY).intent
    assert intent is not None
    (period,) = intent.time.periods
    assert (period.end, period.running, period.back(12).end) == (dt.date(2025, 6, 19), True, dt.date(2024, 6, 19))


@for_each(
    ("question", "column"),
    [("上个月解决的工单有多少", "resolved_at"), ("employees hired in 2024", "hired_on"), ("上个月的工单数", "")],
)
def test_the_column_of_times_is_the_named_one(question: str, column: str) -> None:
    """ "Resolved in May" is about the column of resolutions."""
    intent = warehouse.parser().read(question, _TODAY).intent
    assert intent is not None
    assert intent.time.column == column


@pytest.mark.parametrize("question", ["2024年2月30日的订单数", "revenue in month 13 of 2024"])
def test_days_that_do_not_exist_are_asked_about(question: str) -> None:
    """A date that no calendar has is not read as another one."""
    assert warehouse.parser().read(question, _TODAY).intent is None


@for_each(
    ("words", "hours"),
    [
        ("between 10pm and 6am", (22, 23, 0, 1, 2, 3, 4, 5)),
        ("from 22:00 to 06:00", (22, 23, 0, 1, 2, 3, 4, 5)),
        ("9am-12pm", (9, 10, 11)),
        ("after 8 p.m.", (20, 21, 22, 23)),
        ("before 3am", (0, 1, 2)),
        ("between noon and 2pm", (12, 13)),
        ("晚上十点以后到早上六点前", (22, 23, 0, 1, 2, 3, 4, 5)),
        ("下午2点到4点", (14, 15)),
        ("9点到11点之间", (9, 10)),
        ("十九点以后", (19, 20, 21, 22, 23)),
        ("凌晨三点之前", (0, 1, 2)),
    ],
)
def test_spans_of_the_clock_become_hours(words: str, hours: tuple[int, ...]) -> None:
    """Two hours of the clock are the hours from the first up to the last, over midnight too; the last is not in it."""
    marks = [mark for mark in TimeReader(_TODAY, _CALENDAR).read(words) if mark.kind == "hours"]
    assert [mark.values for mark in marks] == [hours]
    assert (marks[0].start, marks[0].end) == (0, len(words))


@for_each("words", ["10 to 20 tickets", "3点建议", "version 9.6 to 14", "2024-05 to 2024-07", "5到10个"])
def test_other_numbers_are_no_hours(words: str) -> None:
    """Two numbers without a sign of the clock are no span of hours."""
    assert not [mark for mark in TimeReader(_TODAY, _CALENDAR).read(words) if mark.kind == "hours"]
