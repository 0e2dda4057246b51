from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.matcher.model import Verdict
from services.matcher.reading.numbers import decide, quantities, thresholds


@pytest.mark.parametrize(
    ("text", "value", "dimension"),
    [
        ("65%", 65, "percent"),
        ("百分之三十", 30, "percent"),
        ("四成", 40, "percent"),
        ("490/500", 98, "percent"),
        ("195 out of 200", 97.5, "percent"),
        ("250ms", 0.25, "seconds"),
        ("半个小时", 1800, "seconds"),
        ("四十多分钟", 2400, "seconds"),
        ("3 days", 259200, "seconds"),
        ("2个G", 2 * 2**30, "bytes"),
        ("1.5TB", 1.5 * 2**40, "bytes"),
        ("12亿", 1.2e9, "count"),
        ("50k", 5e4, "count"),
        ("1,000,000", 1e6, "count"),
        ("half a second", 0.5, "seconds"),
        ("two hours", 7200, "seconds"),
        ("一刻钟", 900, "seconds"),
        ("02:41:07", 9667, "seconds"),
        ("1 day 02:00:00", 93600, "seconds"),
        ("200+ ms", 0.2, "seconds"),
        ("三分之二", 67, "percent"),
        ("%Cpu(s): 94.1 us, 4.2 sy, 0.9 id", 99.1, "percent"),
        ("CPU idle is down to 2%", 98, "percent"),
        ("12 GB free on a 1 TB volume", 98.83, "percent"),
        ("only 2% disk space left", 98, "percent"),
        ("磁盘剩余空间不足 5%", 95, "percent"),
    ],
)
def test_units_come_to_one_base(text: str, value: float, dimension: str) -> None:
    """Percentages, durations, sizes and counts are parsed in Chinese and English."""
    found = quantities(text)
    assert [quantity.dimension for quantity in found] == [dimension]
    assert found[0].value == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize(
    ("stated", "described", "verdict"),
    [
        ("40%", "above 90 %", Verdict.DENIED),
        ("90%", "90 % or more", Verdict.CONFIRMED),
        ("不到90%", "超过 90%", Verdict.DENIED),
        ("超过95%", "超过 90%", Verdict.CONFIRMED),
        ("超过50%", "超过 90%", None),
        ("99%", "below 90 %", Verdict.DENIED),
        ("92%", "near 100 %", Verdict.CONFIRMED),
        ("从20%涨到95%", "超过 90%", Verdict.CONFIRMED),
        ("5% here, 95% there", "above 90 %", None),
        ("3 GB", "above 90 %", None),
        ("涨了30%", "above 90 %", None),
    ],
)
def test_a_stated_number_decides_against_the_threshold(stated: str, described: str, verdict: Verdict | None) -> None:
    """A number beyond the threshold confirms, one before it denies, an ambiguous one gives no verdict."""
    assert decide(quantities(stated), thresholds([described]))[0] == verdict


@pytest.mark.parametrize("text", ["at 03:12:44", "since 09:00:00", "2024-05-02 11:30:00"])
def test_a_time_of_day_is_no_duration(text: str) -> None:
    """A time of day is not parsed as a duration."""
    assert all(quantity.dimension != "seconds" for quantity in quantities(text))


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    """Any text can be parsed, and every value is finite and not negative."""
    assert all(0 <= found.value < float("inf") for found in quantities(text))


@given(st.integers(min_value=0, max_value=100))
def test_one_side_denies_and_the_other_confirms(percent: int) -> None:
    """For a threshold of more than 90 %, each percentage gets the verdict of its side."""
    verdict, words = decide(quantities(f"磁盘用了{percent}%"), thresholds(["超过 90%"]))
    assert verdict == (Verdict.CONFIRMED if percent >= 90 else Verdict.DENIED)
    assert words == f"{percent}%"
