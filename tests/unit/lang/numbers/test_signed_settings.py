"""Values of settings keep their sign, a bound is no value, and a machine is no disk."""

from __future__ import annotations

import pytest

from lang.numbers.filling import figures_in
from lang.objects.settings_said import values_named, values_told
from tests.support.cases import for_each


@for_each(
    ("said", "value"),
    [
        ("max_standby_streaming_delay is -1", "-1"),
        ("max_standby_streaming_delay 是 -1，看到了吗", "-1"),
        ("max_wal_size=64GB", "64GB"),
        ("work_mem 4-8MB", "8MB"),
        ("work_mem = -5MB", ""),
    ],
)
def test_a_value_keeps_its_sign(said: str, value: str) -> None:
    """A minus before a number is its sign, and a dash within a range is none."""
    assert [each.value for each in values_named(said)] == [value]


@for_each("said", ["random_page_cost >= 4", "random_page_cost 至少 4", "max_connections is at least 300"])
def test_a_bound_is_no_value(said: str) -> None:
    """What a setting is at least or more is not what it is, and never a number without end."""
    assert not any(each.value for each in (*values_named(said), *values_told(said)))


@pytest.mark.parametrize("said", ["java has 20GB on a 32GB machine", "64G 的机器上还跑着 java"])
def test_the_size_of_a_machine_is_no_disk(said: str) -> None:
    """How large a machine is tells its memory, and nothing of how a disk fills."""
    assert figures_in(said) == ()
