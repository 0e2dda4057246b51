"""What is "not zero" is more than nothing, while "none, 0" is none."""

from __future__ import annotations

import pytest

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Name, Predicate, Quantity, Terms, Unit, Vocabulary

_SWAP = Quantity(id="swap", name=Name(zh="名", en="name"), unit=Unit.COUNT, say=Terms(zh=("换页",), en=("swap rate",)))
VOCABULARY = Vocabulary(quantities=(_SWAP,))
PREDICATES = {"SWAPS": [Predicate(quantity="swap", test="> 0")], "MANY": [Predicate(quantity="swap", test="> 50")]}


def counted(message: str) -> dict[str, str]:
    found = Judge(PREDICATES, VOCABULARY).judge(Reader(VOCABULARY).read(message))
    return {each.phenomenon_id: each.verdict.value for each in found if each.standing is Standing.COUNTS}


@pytest.mark.parametrize(
    "message", ["换页不为 0", "换页一直不是 0", "换页非 0", "swap rate is not 0", "swap rate isn't 0"]
)
def test_not_zero_is_more_than_nothing(message: str) -> None:
    """A denied zero passes "above 0" and decides nothing about any other limit."""
    assert counted(message) == {"SWAPS": "confirmed"}


@pytest.mark.parametrize("message", ["换页是 0", "没有换页，0", "swap rate is 0", "no swap rate, 0"])
def test_zero_said_twice_is_zero(message: str) -> None:
    """A zero beside "none" is none."""
    assert counted(message) == {"SWAPS": "denied", "MANY": "denied"}
