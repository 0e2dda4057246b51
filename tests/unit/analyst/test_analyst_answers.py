"""The questions of the specification get the figures that adding up by hand gives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from services.analyst.open_dataset import OpenDataset
from tests.support.data.game_flow import DEPARTMENTS, rows
from tests.unit.analyst.asking import ask, games

Row = tuple[int, int, int, str, int, int, int, str, bool]
_IEG = {dept for dept, _, division in DEPARTMENTS if division == "IEG本部"}


@pytest.fixture
async def opened(games_file: Path) -> AsyncIterator[OpenDataset]:
    """The games company."""
    async with games(games_file) as one:
        yield one


def total(keep: Callable[[Row], bool], value: Callable[[Row], int] = lambda row: row[4]) -> int:
    """The sum over the rows that count by default."""
    return sum(value(row) for row in rows() if row[7] == "正式" and keep(row))


def _this_year(row: Row) -> bool:
    return row[1] == 2025


async def test_the_flow_of_this_year_is_its_sum_under_the_default_filter(opened: OpenDataset) -> None:
    """今年流水是多少 is the sum of the year so far, without test rows, and both are said."""
    answer = await ask(opened, "今年流水是多少")
    assert (answer.status, answer.rows) == ("answered", [[total(_this_year)]])
    assert {"time", "default", "metric"} <= {part.kind for part in answer.understood}
    assert f"{total(_this_year):,}" in answer.message
    assert "正式" in answer.message


async def test_the_growth_of_a_quarter_compares_it_with_the_same_one_a_year_before(opened: OpenDataset) -> None:
    """Q1流水同比增长多少 has both figures and the growth."""
    answer = await ask(opened, "Q1流水同比增长多少")
    now = total(lambda row: row[1] == 2025 and row[2] <= 3)
    before = total(lambda row: row[1] == 2024 and row[2] <= 3)
    assert answer.rows == [[now, before, pytest.approx((now - before) / before)]]
    assert len(answer.candidates) == 2
    assert answer.intent is not None
    assert answer.intent["time"]["comparison"] == "yoy"


async def test_the_first_ten_departments_come_in_order(opened: OpenDataset) -> None:
    """各部门流水TOP10 has the ten largest sums, largest first, with a chart of bars."""
    answer = await ask(opened, "各部门流水TOP10")
    sums = {name: total(lambda row, one=dept: row[0] == one) for dept, name, _ in DEPARTMENTS}  # type: ignore[misc]
    wanted = sorted(sums.items(), key=lambda entry: (-entry[1], entry[0]))[:10]
    assert answer.rows == [list(each) for each in wanted]
    assert answer.chart_kind == "bar"


async def test_an_exclusion_of_the_layer_holds_and_is_said(opened: OpenDataset) -> None:
    """递延后利润（剔除一次性收入） leaves these rows out and names the exclusion."""
    answer = await ask(opened, "今年递延后利润（剔除一次性收入）是多少")
    wanted = total(lambda row: row[1] == 2025 and not row[8], lambda row: row[4] - row[5] - row[6])
    assert answer.rows == [[wanted]]
    assert "剔除一次性收入" in [part.text for part in answer.understood if part.kind == "exclusion"]


async def test_a_division_is_a_filter(opened: OpenDataset) -> None:
    """IEG本部今年的流水是多少 keeps the departments of the division."""
    answer = await ask(opened, "IEG本部今年的流水是多少")
    assert answer.rows == [[total(lambda row: row[1] == 2025 and row[0] in _IEG)]]


async def test_a_region_s_other_name_is_its_stored_value(opened: OpenDataset) -> None:
    """海外流水 is a filter on region = overseas; the question's words are not rewritten."""
    answer = await ask(opened, "海外流水")
    assert answer.rows == [[total(lambda row: row[3] == "overseas")]]
    assert answer.intent is not None
    assert answer.intent["filters"] == [{"dimension": "region", "operator": "=", "value": "overseas"}]


async def test_a_follow_up_keeps_the_intent(opened: OpenDataset) -> None:
    """那去年呢 after a division's flow changes the time alone."""
    answer = await ask(opened, "那去年呢", ["IEG本部今年的流水是多少"])
    assert answer.rows == [[total(lambda row: row[1] == 2024 and row[0] in _IEG)]]


async def test_a_ratio_is_that_of_the_sums(opened: OpenDataset) -> None:
    """The margin of a region divides sums, not the margins of rows."""
    answer = await ask(opened, "海外利润率")
    flow = total(lambda row: row[3] == "overseas")
    profit = total(lambda row: row[3] == "overseas", lambda row: row[4] - row[5])
    assert answer.rows == [[pytest.approx(profit / flow)]]


async def test_an_empty_answer_names_the_condition_that_empties_it(opened: OpenDataset) -> None:
    """A year without data is answered with the year to blame, not with a figure."""
    answer = await ask(opened, "IEG本部2019年的流水是多少")
    assert answer.status == "answered"
    assert answer.rows == [[None]]
    assert [part.kind for part in answer.emptied_by] == ["time"]
    assert "2019" in answer.message


async def test_a_running_total_ends_in_the_sum(opened: OpenDataset) -> None:
    """The last month of a running total is the total of the year."""
    answer = await ask(opened, "2024年流水逐月累计")
    assert [row[0] for row in answer.rows] == [f"2024-{month:02}-01" for month in range(1, 13)]
    assert answer.rows[-1][-1] == total(lambda row: row[1] == 2024)
    assert answer.chart_kind == "line"


async def test_shares_add_up_to_one(opened: OpenDataset) -> None:
    """The shares of all regions are the whole."""
    answer = await ask(opened, "各地区流水占比")
    at = [column.role for column in answer.columns].index("share")
    assert sum(float(str(row[at])) for row in answer.rows) == pytest.approx(1.0)
    assert answer.chart_kind == "pie"


async def test_no_figure_comes_without_a_query(opened: OpenDataset) -> None:
    """Questions that the data cannot answer get no rows and no SQL."""
    for question in ("下个季度流水会是多少", "为什么流水下降", "删除所有流水", "今天天气怎么样"):
        answer = await ask(opened, question)
        assert answer.status in ("refused", "clarify"), question
        assert (answer.sql, answer.rows) == ("", []), question


async def test_answers_are_in_the_language_of_the_question(opened: OpenDataset) -> None:
    """An English question is answered in English with the same figure."""
    chinese, english = await ask(opened, "海外流水"), await ask(opened, "overseas flow")
    assert english.rows == chinese.rows or english.status == "clarify"
    said = await ask(opened, "flow by region in 2024")
    assert "flow by region" in said.message


async def test_a_question_that_was_verified_is_answered_by_its_own_sql(games_file: Path) -> None:
    """An example of the layer is used again for the same question."""
    from services.analyst.open_dataset import open_layer
    from services.analyst.semantic.loading import load_layer, read_layer
    from services.analyst.sources.source import Source
    from tests.support.data.game_flow import LAYER

    text = LAYER.read_text("utf-8") + 'examples:\n  - {question: "镇楼问题", sql: "SELECT 42 AS answer"}\n'
    assert load_layer(LAYER).examples == ()
    one = await open_layer(read_layer(text), (Source(path=games_file),))
    try:
        answer = await ask(one, "镇楼问题？")
    finally:
        await one.close()
    assert (answer.status, answer.rows) == ("answered", [[42]])
