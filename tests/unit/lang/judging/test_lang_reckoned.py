"""What settings that were told add up to."""

from __future__ import annotations

from lang.judging.products import reckoned
from lang.vocabulary import Name, Quantity, Terms, Unit

SUM = Quantity(
    id="memory_settings",
    name=Name(zh="之和", en="the sum"),
    say=Terms(en=("sum",)),
    unit=Unit.PERCENT,
    reckoned="100 * (shared_buffers + work_mem * max_connections) / memory",
)
TOLD = ("work_mem=512MB", "shared_buffers=16GB", "max_connections=300", "memory=64GB")


def test_a_sum_follows_from_what_was_told_in_several_messages() -> None:
    """The words that tell the last of the settings are what the sum rests on."""
    (found,) = reckoned([SUM], TOLD, "对了，shared_buffers 16G，max_connections 300")
    assert found.words == "shared_buffers 16G，max_connections 300"
    assert found.value is not None
    assert round(found.value.readings[Unit.PERCENT][1]) == 259


def test_nothing_follows_from_less() -> None:
    """A sum takes all its parts, and words that tell one of them."""
    assert not [*reckoned([SUM], TOLD[1:], "shared_buffers 16G")]
    assert not [*reckoned([SUM], TOLD, "还是一样慢")]
