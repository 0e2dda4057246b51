"""The coverage rule: no word that says something is passed over in silence."""

from __future__ import annotations

import re

from services.analyst.questions.intent import Reading
from tests.support.cases import for_each
from tests.support.data import warehouse


def read(question: str) -> Reading:
    """The reading of a question on the warehouse."""
    return warehouse.parser().read(question)


@for_each(
    "question",
    [
        "今年各区域销售额",
        "revenue by region in 2024",
        "销售额前5的门店",
        "how many tickets in May 2025",
        "各渠道的订单数",
        "average resolution time by priority",
    ],
)
@for_each(("zh", "en"), [("螺旋桨", "propeller"), ("黑名单", "blacklisted"), ("火星", "martian")], every=4)
def test_an_unknown_word_is_never_ignored(question: str, zh: str, en: str) -> None:
    """A foreign word before or after a question that is understood stops the answer."""
    assert read(question).intent is not None
    word = zh if re.search("[一-鿿]", question) else en
    for text in (f"{question} {word}", f"{word} {question}"):
        reading = read(text)
        assert reading.intent is None, text
        assert reading.question or reading.refusal


@for_each(
    "question",
    [
        "金额多少",
        "销售怎么样",
        "上海的销售额",
        "2025年5月销售额增长了多少",
        "average sales",
        "top products",
        "which is the best shop",
    ],
)
def test_an_ambiguous_question_is_asked_back_with_options(question: str) -> None:
    """One question comes back, in both languages, with at least two things to choose from."""
    reading = read(question)
    assert reading.intent is None
    assert reading.question is not None
    assert len(reading.options) >= 2
    assert reading.question.text("zh") != reading.question.text("en")


@for_each(
    "question",
    [
        "下个季度销售额预测",
        "why did sales drop",
        "delete all test orders",
        "把订单状态改成已完成",
        "各渠道的流水",
        "NPS是多少",
    ],
)
def test_what_data_cannot_answer_is_refused_with_its_reason(question: str) -> None:
    """Forecasts, reasons, writes, unrelated splits and unknown figures are refused."""
    reading = read(question)
    assert reading.intent is None
    assert reading.refusal is not None
    assert reading.refusal.reason == "question_unanswerable"


def test_numbers_that_limit_nothing_are_asked_about() -> None:
    """A number that no condition uses stops the answer."""
    assert read("销售额 300").intent is None


def test_a_verb_of_selling_is_not_dropped_from_a_count_of_things() -> None:
    """ "Products sold in 2024" is no count of products launched in 2024."""
    assert read("number of distinct products sold in 2024").intent is None


def test_a_misfit_adjective_is_asked_about() -> None:
    """A ranking without anything to rank by is no answer."""
    assert read("fastest shop area").intent is None
