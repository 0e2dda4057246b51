"""Questions become the figures that gold queries give, in both languages."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator

import duckdb
import pytest

from services.analyst.questions.intent import Intent
from services.analyst.questions.parser import Parser
from tests.benchmarks.analyst import figures
from tests.support.cases import for_each
from tests.support.data import described, warehouse
from tests.support.data.warehouse.scoring import FOLDER, Scorer, cases

_SCALE = 0.1
_BATCHES = ["batch1", "batch5", *(pytest.param(batch, marks=pytest.mark.slow) for batch in ("batch2", "batch3"))]


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    """Reads on a tenth of the warehouse's rows."""
    with duckdb.connect(config={"threads": 1}) as connection:
        warehouse.fill(connection, _SCALE)
        connection.execute((FOLDER / "views.sql").read_text("utf-8"))
        yield Scorer(warehouse.describe(connection), connection)


def read(question: str, today: dt.date | None = None, previous: Intent | None = None) -> Intent:
    """The intent of a question that is understood."""
    reading = warehouse.parser().read(question, today, previous)
    assert reading.intent is not None, reading
    return reading.intent


@pytest.mark.slow
@pytest.mark.parametrize("batch", _BATCHES)
def test_answers_agree_with_gold_queries(scorer: Scorer, batch: str) -> None:
    """Nine of ten questions get the gold result, and of the answers at most one in twenty is wrong."""
    found = figures([scorer.score(case) for case in cases(batch)])
    assert found["right"] >= 0.9
    assert found["wrong_of_answered"] <= 0.05
    assert found["others_right"] >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("batch", ["described1", "described2"])
def test_layers_drafted_from_data_can_be_asked(batch: str) -> None:
    """On drafted layers eight of ten questions get the gold result, and no more than one in twenty a wrong one."""
    found = figures(described.score(batch))
    assert found["right"] >= 0.8
    assert found["wrong_of_answered"] <= 0.05
    assert found["others_right"] >= 0.9


@for_each(
    ("chinese", "english"),
    [
        ("今年各区域销售额", "revenue by region this year"),
        ("2024年每月订单数", "orders per month in 2024"),
        ("销售额前5的品牌", "top 5 brands by revenue"),
        ("没有评分的工单数", "how many tickets without a score"),
        ("手机占销量的比例", "share of phones in units sold"),
        ("解决时长的中位数", "median resolution time"),
    ],
)
def test_both_languages_mean_the_same(chinese: str, english: str) -> None:
    """A question and its translation have one intent."""
    assert read(chinese) == read(english)


@for_each("question", ["今年消售额是多少", "reveneu this year", "xiaoshoue this year"])
def test_a_misspelt_name_is_understood_and_told(question: str) -> None:
    """A name that is misspelt by letters, by sound or in pinyin is guessed, and the guess is part of the reading."""
    reading = warehouse.parser().read(question)
    assert reading.intent is not None
    assert [measure.metric for measure in reading.intent.measures] == ["revenue"]
    assert reading.guesses


def test_reading_is_deterministic() -> None:
    """The same question has the same reading on another parser, in any order."""
    questions = [case.question for case in cases("batch1")]
    first = [warehouse.parser().read(each) for each in questions]
    second = Parser(warehouse.retail())
    assert first == [second.read(each) for each in reversed(questions)][::-1]


def test_any_text_is_read() -> None:
    """Empty, long, odd and hostile texts are asked about or refused, and raise nothing."""
    parser = warehouse.parser()
    texts = [
        "",
        " ",
        "？？？",
        "a" * 5_000,
        "'; DROP TABLE city; --",
        "\x00\ufeff",
        "前前前",
        "top",
        json.dumps({"a": 1}),
        "1" * 400,
    ]
    for text in texts:
        assert parser.read(text).intent is None, text
