"""A series of times and values is said by what became of it, not by what it begins with."""

from __future__ import annotations

from lang.objects.series import say_series
from tests.support.cases import for_each

BALANCE = "burst balance  09:00 41%  09:30 19%  10:00 2%  10:15 0%  11:00 0%"


@for_each(
    ("told", "said"),
    [
        (BALANCE, "burst balance 41% -> 0%"),
        ("突发余额 09:00=41%，10:00=2%，10:15=0%", "突发余额 41% -> 0%"),
        ("time,util\n09:00,40\n09:30,99.5\n10:00,98", "time,util 40 -> 99.5"),
        ("steal 2024-05-16 09:00 1.5 % 2024-05-16 09:05 1.5 %", "steal 1.5%"),
        ("down from 09:00 to 10:15, 3 disks at 95%", "down from 09:00 to 10:15, 3 disks at 95%"),
        ("cpu iowait  min 2.1%  max 71.3%  avg 40.2%  current 69.8%", "cpu iowait 69.8%"),
        ("Connections (max 500)  Min: 120  Max: 498  Last: 497", "Connections (max 500) 497"),
        ("steal 平均 12%  最大 31%", "steal 12%"),
        ("max_connections 500, max 498 used", "max_connections 500, max 498 used"),
        ("it began at 09:00 41% of them fail", "it began at 09:00 41% of them fail"),
    ],
)
def test_a_series_goes_from_its_first_value_to_the_farthest(told: str, said: str) -> None:
    """Times and what lies between go, and no place in the text moves; a lone time with a value stays."""
    assert " ".join(say_series(told).split()) == said
    assert len(say_series(told)) == len(told)
