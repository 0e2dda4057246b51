"""Follow-ups keep the intent of the question before, and answers to questions asked back complete it."""

from __future__ import annotations

from collections.abc import Iterator

import duckdb
import pytest

from tests.support.cases import for_each
from tests.support.data import warehouse
from tests.support.data.warehouse.scoring import FOLDER, Case, Scorer, cases

pytestmark = pytest.mark.sampled

_CHAINS = list(cases("batch4"))


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    """Reads on a fifth of the warehouse's rows."""
    with duckdb.connect() as connection:
        warehouse.fill(connection, 0.2)
        connection.execute((FOLDER / "views.sql").read_text("utf-8"))
        yield Scorer(warehouse.describe(connection), connection)


@for_each("case", _CHAINS, ids=[case.question for case in _CHAINS], every=4)
def test_a_chain_of_questions_gives_the_gold_result(scorer: Scorer, case: Case) -> None:
    """The last question of a conversation is answered with what the earlier ones fixed."""
    score = scorer.score(case)
    assert score.verdict == "right", score.note


@pytest.mark.parametrize("answer", ["门店城市 = 上海", "门店城市", "1"])
def test_an_option_can_be_chosen_in_several_ways(answer: str) -> None:
    """The text of an option, its name and its number all choose it."""
    parser = warehouse.parser()
    asked = parser.read("上海的销售额")
    assert asked.options[0] == "门店城市 = 上海"
    chosen = parser.read(answer, previous=asked.partial).intent
    assert chosen is not None
    assert [(one.dimension, one.values) for one in chosen.filters] == [("shop_city", ("上海",))]
    assert not chosen.dimensions


def test_a_whole_question_starts_anew() -> None:
    """A question with its own figure and conditions takes nothing from the one before."""
    parser = warehouse.parser()
    before = parser.read("2024年华东销售额").intent
    assert parser.read("今年华南的订单数是多少", previous=before).intent == parser.read("今年华南的订单数是多少").intent


def test_another_value_takes_the_place_of_the_first() -> None:
    """A value of the same hierarchy replaces the condition before."""
    parser = warehouse.parser()
    before = parser.read("今年华东销售额").intent
    after = parser.read("那华南呢", previous=before).intent
    assert after is not None
    assert [(one.dimension, one.values) for one in after.filters] == [("region", ("华南",))]
