"""A drafted layer is one that people could have written, and it fits its data."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest

from services.analyst.describing.drafting import draft_layer
from services.analyst.describing.plain_words import chinese, english, plural, singular, words_of
from services.analyst.execution.runner import Runner
from services.analyst.linting.layer_lint import check_layer, lint_layer
from services.analyst.queries.compiler import compile_intent
from services.analyst.questions.parser import Parser
from services.analyst.semantic.kept_examples import write_layer
from services.analyst.semantic.loading import read_layer
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.semantic.schema import Layer
from services.analyst.sources.source import source_of
from tests.support.cases import for_each
from tests.support.data.ugly_shop import write_shop
from tests.support.data.undescribed import write_chinese_shop, write_football, write_schools

pytestmark = pytest.mark.sampled

_TODAY = dt.date(2026, 11, 25)


def write_chinese(path: Path) -> None:
    """The Chinese shop in a folder of its own."""
    path.mkdir()
    write_chinese_shop(path)


_PLACES: dict[str, Callable[[Path], None]] = {
    "schools.sqlite": write_schools,
    "football.sqlite": write_football,
    "shop": write_chinese,
    "ugly.duckdb": write_shop,
}


async def drafted(folder: Path, name: str) -> tuple[Layer, Runner]:
    """The draft of a database, and its runner."""
    _PLACES[name](folder / name)
    runner = Runner([source_of(folder / name)])
    return await draft_layer(runner, name.partition(".")[0], _TODAY), runner


@pytest.mark.parametrize("name", _PLACES)
async def test_a_draft_is_read_back_and_has_no_problem(name: str, tmp_path: Path) -> None:
    """What describe writes is read as the same layer; lint finds no error in it, check no drift that matters."""
    layer, runner = await drafted(tmp_path, name)
    assert read_layer(write_layer(layer, ["drafted"])) == layer
    found = [*await lint_layer(layer, runner, _TODAY), *await check_layer(layer, runner, _TODAY)]
    assert [(one.severity, one.key, one.message.text()) for one in found if one.severity != "note"] == []
    await runner.close()


async def test_keys_joins_and_times_are_found(tmp_path: Path) -> None:
    """Declared and undeclared links are joins, two to one table have roles, and events have their time."""
    layer, runner = await drafted(tmp_path, "football.sqlite")
    await runner.close()
    assert {(join.left, join.right, join.role) for join in layer.joins} == {
        ("League.country_id", "Country.id", ""),
        ("Match.league_id", "League.id", ""),
        ("Match.home_team_id", "Team.id", "home"),
        ("Match.away_team_id", "Team.id", "away"),
    }
    assert {table.name: table.time for table in layer.tables if table.time} == {"Match": "date"}
    assert all(table.key == "id" for table in layer.tables)
    assert layer.as_of == dt.date(2015, 9, 11)
    assert layer.dimension("home_team_long_name").name.en == "home team"


async def test_values_and_synonyms_are_in_both_languages(tmp_path: Path) -> None:
    """Values that repeat are listed with other names, columns have synonyms, and sums of events are figures."""
    layer, runner = await drafted(tmp_path, "shop")
    await runner.close()
    assert layer.dimension("region").values["华东"] == ("East China", "east")
    assert {"revenue", "营业额"} <= set(layer.metric("total_sales_amount").synonyms)
    assert layer.metric("order_count").name.zh == "订单数"
    assert [(join.left, join.right) for join in layer.joins] == [("订单.门店编号", "门店.门店编号")]


async def test_columns_with_year_and_month_are_a_time(tmp_path: Path) -> None:
    """A report by year and month has these columns as its time, and its sums are figures."""
    layer, runner = await drafted(tmp_path, "ugly.duckdb")
    await runner.close()
    report = layer.table("门店月报")
    assert report.time is not None
    assert not isinstance(report.time, str)
    assert (report.time.year, report.time.month) == ("年", "月")
    assert any(metric.expr == "sum(门店月报.销售额)" for metric in layer.metrics)


# Questions of people who see the data for the first time, with the first cell of the answer.
_QUESTIONS = {
    "schools.sqlite": {
        "How many schools are in Fresno county?": 30,
        "How many charter schools are there?": 45,
        "How many schools are directly funded?": 45,
        "What is the highest free meal count in Alameda county?": 93.5,
        "Total enrollment of schools in Kern": 4365.0,
        "Which county has the most schools?": "Alameda",
    },
    "football.sqlite": {
        "What is the average height of players?": 180.0,
        "How many leagues are there in Belgium?": 1,
        "How many matches are there in each league?": "League 0",
        "total home team goals by league": "League 0",
    },
    "shop": {
        "2024年3月销售金额是多少": 7417.0,
        "华东的订单数": 134,
        "已退货的订单有多少": 200,
        "各门店销售额TOP5": "门店9",
        "门店有多少家": 12,
        "how many orders were there in June 2024": 33,
        "sales by region": "华东",
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("name", _QUESTIONS)
async def test_questions_are_answered_over_a_draft(name: str, tmp_path: Path) -> None:
    """With a drafted layer alone the rules answer plain questions with the right figure."""
    layer, runner = await drafted(tmp_path, name)
    dataset = await open_dataset(layer, runner)
    parser, today = Parser(dataset), layer.as_of or _TODAY
    for question, figure in _QUESTIONS[name].items():
        reading = parser.read(question, today)
        assert reading.intent is not None, question
        found = await runner.run(compile_intent(reading.intent, dataset, today)[0].sql)
        assert found.rows[0][0] == figure, question
    await runner.close()


@pytest.mark.slow
async def test_wide_empty_and_odd_tables_are_drafted(tmp_path: Path) -> None:
    """300 columns, a table without rows and one of empty columns give a layer without errors."""
    wide = ",".join(f"value {n}" for n in range(300))
    (tmp_path / "wide.csv").write_text(wide + "\n" + "\n".join([",".join(["1.5"] * 300)] * 3) + "\n", "utf-8")
    (tmp_path / "empty.csv").write_text("id,name,amount\n", "utf-8")
    (tmp_path / "hollow.csv").write_text("a,b\n,\n,\n", "utf-8")
    (tmp_path / "twins.csv").write_text("same,Same,SAME,group\nx,y,z,1\n", "utf-8")
    runner = Runner([source_of(tmp_path)])
    layer = await draft_layer(runner, "odd", _TODAY)
    found = await lint_layer(layer, runner, _TODAY)
    assert [(one.key, one.message.text()) for one in found if one.severity == "error"] == []
    assert sum(dimension.column.startswith("wide.") for dimension in layer.dimensions) == 300
    await runner.close()


@for_each(
    ("name", "said", "in_chinese"),
    [
        ("order_qty", "order quantity", "订单数量"),
        ("customerName", "customer name", "客户名称"),
        ("NumTstTakr", "number of test takers", ""),
        ("created_at", "created time", "创建时间"),
        ("销售金额", "sales amount", "销售金额"),
        ("Free Meal Count (K-12)", "free meal count", ""),
        ("HTTPStatus", "http status", ""),
        ("下单日期", "order date", "下单日期"),
    ],
)
def test_column_names_become_plain_words(name: str, said: str, in_chinese: str) -> None:
    """Snake case, camel case and short forms are said in words, in both languages where the lexicon has them."""
    assert (english(name), chinese(name)) == (said, in_chinese)


def test_plurals_and_singulars_are_each_other_s() -> None:
    """The singular of a plural is the word again."""
    for word in ("school", "city", "box", "match", "person", "country", "sales", "address", "status"):
        assert singular(plural(word)) == word
    assert words_of("schools") == ("schools",)
