"""The arithmetic of pools: instances times pool size, against what the database allows."""

from __future__ import annotations

import pytest

from lang.judging.dialogue import Topics
from services.matcher.message_reader import MessageReader
from services.matcher.model import Standing
from tests.support.cases import for_each
from tests.support.matching import shipped_reader

POOLS = "P-0049"


@pytest.fixture(scope="module")
def reader() -> MessageReader:
    return shipped_reader()


def verdict(reader: MessageReader, message: str, *before: str) -> str | None:
    readings = [item.reading for item in reader.read(message, Topics(before=before)).readings]
    counted = [each for each in readings if each.phenomenon_id == POOLS and each.standing is Standing.COUNTS]
    return str(counted[0].verdict) if counted else None


@for_each(
    "form",
    [
        "{pods} pods x {each} = {sum}, max_connections is only 300",
        "{pods}个pod 每个池最大{each} 总共{sum} pg只有300",
        "{each} connections per pod, {pods} pods, postgres allows 300",
        "hikari max {each}, {pods} pods, max_connections 300",
        "每个应用池{each}，一共{pods}个实例，max_connections=300",
        "pg上限300，{pods}个pod乘以每个池{each}，{sum}了",
        "we have {pods} pods, pool size is {each}, so {sum} in total against a limit of 300",
        "pool is {each} per pod times {pods} pods, and postgres only accepts 300",
    ],
)
def test_a_product_beyond_the_limit_confirms_and_one_below_denies(form: str, reader: MessageReader) -> None:
    """In whatever order and words count, size and limit stand, their product decides."""
    assert verdict(reader, form.format(pods=40, each=20, sum=800)) == "confirmed"
    assert verdict(reader, form.format(pods=5, each=20, sum=100)) == "denied"


def test_a_sum_is_of_the_pools_that_an_earlier_message_named(reader: MessageReader) -> None:
    """ "40 times 20" is of the pods and pools of the message before."""
    assert verdict(reader, "40乘20等于800 比300大", "40个pod，每个pod hikari 设的20") == "confirmed"
    assert verdict(reader, "40乘20等于800 比300大") is None


@for_each(
    "message",
    [
        "what if we run 40 pods x 20 = 800, max_connections is only 300?",
        "40 pods, 800 connections, max_connections 1000",
        "8 cores, 4 pods, 32 GB of RAM, max_connections 100",
    ],
)
def test_no_product_is_read_where_none_is_claimed(message: str, reader: MessageReader) -> None:
    """A question, and numbers that nothing multiplies, say nothing of the pools."""
    assert verdict(reader, message) is None


@for_each(
    ("told", "message", "expected"),
    [
        (("max_connections=400",), "we run 8 pods with a pool of 15 per pod", "denied"),
        (("max_connections=400", "maximum_pool_size=15"), "we run 8 pods", "denied"),
        (("max_connections=400", "maximum_pool_size=90"), "we run 8 pods", "confirmed"),
        (("max_connections=400", "instances=8"), "每个 pod 的池是 15", "denied"),
        (("instances=8",), "the pool is 15 per pod", None),
    ],
)
def test_what_was_told_before_completes_the_product(
    told: tuple[str, ...], message: str, expected: str | None, reader: MessageReader
) -> None:
    """Size, number and limit may be told in any messages; where one lacks nothing is decided."""
    readings = [item.reading for item in reader.read(message, Topics(settings=told)).readings]
    counted = [each for each in readings if each.phenomenon_id == POOLS and each.standing is Standing.COUNTS]
    assert (str(counted[0].verdict) if counted else None) == expected
