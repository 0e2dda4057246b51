"""How often or how much in one unit of time is a rate."""

from __future__ import annotations

import pytest

from lang.numbers.values import read_values
from lang.tokens import read_text
from lang.vocabulary import Unit
from tests.support.cases import for_each


def readings_of(text: str) -> list[dict[str, float]]:
    values = read_values(read_text(text), frozenset())
    return [{str(unit): round(span[0], 3) for unit, span in value.readings.items()} for value in values]


@for_each(
    ("text", "unit", "amount"),
    [
        ("一秒 60 万次", Unit.PER_SECOND, 600_000.0),
        ("1 分钟 300 次", Unit.PER_SECOND, 5.0),
        ("一分钟 60MB", Unit.BYTES_PER_SECOND, 1024.0**2),
    ],
)
def test_an_amount_right_after_one_unit_of_time_is_a_rate(text: str, unit: Unit, amount: float) -> None:
    """ "Once a second 600,000 times" needs no word between."""
    (readings,) = readings_of(text)
    assert readings[unit] == pytest.approx(amount)


@pytest.mark.parametrize("text", ["一小时 20 个会话", "5 分钟 20 次"])
def test_other_amounts_after_a_time_stand_for_themselves(text: str) -> None:
    """What lasts an hour and what is counted after it are two values."""
    assert len(readings_of(text)) == 2
