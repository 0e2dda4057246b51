"""A deed is an act on the system with its object, told by who did it; a summary is written where one is asked for."""

from __future__ import annotations

from services.planner.model import SessionView
from services.planner.treatment.sentences import is_clear, tells_own_deed
from services.planner.treatment.wanted.briefs import read_order
from tests.support.cases import for_each


@for_each(
    "said",
    [
        "we lowered the pool size to 15 on both nodes",
        "infra moved the address to node 3",
        "I removed the stale replication slot",
        "我们21:40把备份任务停了",
        "运维刚把连接池改成 30 了",
    ],
)
def test_an_act_of_somebody_with_its_object_is_a_deed(said: str) -> None:
    """Who acted on the system, and on what, tells a deed."""
    assert tells_own_deed(said)
    assert is_clear(said)


@for_each(
    "said",
    [
        "timed it five times",
        "hands on the keyboard",
        "吃完饭我就睡了",
        "我真的服了",
        "只是换了个图标颜色",
        "sorted by size",
    ],
)
def test_an_aside_a_measurement_and_a_trifle_are_no_deed(said: str) -> None:
    """What a person lived through, measured or calls a trifle is nothing that was done to the system."""
    assert not tells_own_deed(said)


@for_each("said", ["we moved it to another host", "switched that off", "取消了"])
def test_a_pronoun_alone_is_not_repeated(said: str) -> None:
    """A deed whose object only a pronoun names is told to nobody in these words."""
    assert not is_clear(said)


@for_each(
    "said",
    [
        "老板催了",
        "the boss is waiting",
        "Ana asks if it could be the firewall, what do I tell her?",
        "what do I tell my boss about the lost orders",
    ],
)
def test_who_waits_or_wants_one_thing_orders_no_summary(said: str) -> None:
    """That somebody waits, or asks for one thing, asks for no summary of the case."""
    assert read_order(said, SessionView()) is None


@for_each("said", ["给我写三四句发给老板的", "写两三句给领导", "write 3-4 plain sentences for my boss"])
def test_a_length_or_a_reader_orders_a_summary(said: str) -> None:
    """A verb of writing with its length or reader asks for a summary."""
    assert read_order(said, SessionView()) is not None
