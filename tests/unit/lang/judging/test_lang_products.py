"""Laws of quantities that people say by their factors."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import DialogueReader, Topics
from lang.judging.judge import Judge
from lang.judging.rulings import Standing, Verdict
from lang.statements import Reader
from lang.vocabulary import Predicate, Vocabulary
from tests.support.cases import for_each

VOCABULARY = Vocabulary.model_validate(
    {
        "quantities": [
            {
                "id": "pools",
                "name": {"zh": "各池之和", "en": "sum of the pools"},
                "unit": "%",
                "whole": "limit",
                "factors": ["pods", "pool_each"],
                "say": {"zh": ["池子加起来"], "en": ["pools together"]},
            },
            {
                "id": "limit",
                "name": {"zh": "上限", "en": "limit"},
                "unit": "count",
                "bad": None,
                "say": {"zh": ["上限"], "en": ["max_connections"]},
            },
            {
                "id": "pods",
                "name": {"zh": "实例数", "en": "pods"},
                "unit": "count",
                "bad": None,
                "say": {"zh": ["实例"], "en": ["pods"]},
            },
            {
                "id": "pool_each",
                "name": {"zh": "每个池", "en": "pool of each"},
                "unit": "count",
                "bad": None,
                "say": {"zh": ["每个池"], "en": ["pool of"]},
            },
        ]
    }
)
READER = Reader(VOCABULARY)
PREDICATES = {"P-0001": [Predicate.model_validate({"quantity": "pools", "test": "> 100 %"})]}
JUDGE = Judge(PREDICATES, VOCABULARY)


def told(message: str) -> tuple[Verdict, Standing] | None:
    """What a message says of the sum of the pools."""
    found = JUDGE.judge(READER.read(message))
    return (found[0].verdict, found[0].standing) if found else None


@for_each("pods", [3, 60])
@for_each("each", [5, 40])
@for_each("message", ["实例 {pods} 个，每个池 {each}，上限 200", "{pods} pods, a pool of {each}, max_connections 200"])
def test_two_factors_say_their_product(message: str, pods: int, each: int) -> None:
    """The product is compared with the whole, whichever factor is the larger one."""
    verdict = Verdict.CONFIRMED if pods * each > 200 else Verdict.DENIED
    assert told(message.format(pods=pods, each=each)) == (verdict, Standing.COUNTS)


@for_each("message", ["实例 60 个，上限 200", "60 pods, max_connections 200", "pool of 20, max_connections 100"])
def test_one_factor_says_nothing(message: str) -> None:
    """A factor alone is neither the product nor a part of the whole."""
    assert told(message) is None


@pytest.mark.parametrize("message", ["实例 60 个，每个池 20", "60 pods with a pool of 20"])
def test_a_product_without_its_whole_asks_for_it(message: str) -> None:
    """Two factors are no ratio of each other: what the product is compared with is asked for."""
    assert told(message) == (Verdict.CONFIRMED, Standing.NEEDS_BASE)


def test_a_value_of_its_own_outranks_the_factors() -> None:
    """The sum as said holds, whatever its factors would give."""
    assert told("60 pods, a pool of 20, pools together 150, max_connections 200") == (Verdict.DENIED, Standing.COUNTS)


@pytest.mark.parametrize(
    "message", ["if we had 60 pods with a pool of 20, max_connections 200", "要是实例 60 个，每个池 20，上限 200 呢"]
)
def test_factors_that_are_only_supposed_say_nothing(message: str) -> None:
    """A thought of more pods is no fact."""
    assert told(message) is None


@for_each(
    "told",
    [
        ("60 pods now", "a pool of 20", "max_connections 200"),
        ("max_connections 200", "we have 60 pods", "a pool of 20"),
        ("实例 60 个", "上限 200", "每个池 20"),
    ],
)
def test_the_parts_of_a_product_may_stand_in_three_messages(told: tuple[str, str, str]) -> None:
    """The last part completes what the messages before it began, in any order."""
    first, second, last = told
    reader = DialogueReader(READER, JUDGE, PREDICATES, {each.id: each for each in VOCABULARY.subjects})
    found = reader.complete(last, JUDGE.judge(READER.read(last)), Topics(before=(second, first)))
    assert [(item.phenomenon_id, item.verdict, item.words) for item in found] == [("P-0001", Verdict.CONFIRMED, last)]
