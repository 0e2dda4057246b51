"""Worlds and networks whose truth is known, drawn from a seed."""

from __future__ import annotations

import numpy as np
import pytest

from services.engine.tables.parameters import DEFAULT_PARAMETERS
from tests.benchmarks.engine_worlds import WORLDS, faults, in_world, rates_of
from tests.benchmarks.engines.networks import read

_BIF = """network small { }
variable Pump { type discrete [ 2 ] { on, off }; }
variable Flow { type discrete [ 3 ] { none, low, high }; }
probability ( Flow | Pump ) {
  (on) 0.0, 0.25, 0.75;
  (off) 1.0, 0.0, 0.0;
}
probability ( Pump ) {
  table 0.9, 0.1;
}
"""


def test_equal_seeds_draw_equal_faults() -> None:
    """A world is its seed; what is said first is present, and every fault shows something."""
    for world in WORLDS:
        drawn = [faults(world, rates_of(world, chance), 40, chance) for chance in map(np.random.default_rng, (3, 3, 4))]
        assert drawn[0] == drawn[1] != drawn[2]
        assert all(set(first) <= set(present) for _, present, first in drawn[0])


@pytest.mark.slow
def test_a_clear_world_is_mostly_understood() -> None:
    """Of a clear world's unseen cases nearly all find their cause, and what is concluded is right."""
    played = in_world(WORLDS[0], 490, 0.0, DEFAULT_PARAMETERS)
    assert sum(case.place == 1 for case in played) >= 0.95 * len(played)
    assert sum(case.place == 1 for case in played if case.stopped) >= 0.98 * sum(case.stopped for case in played)


def test_networks_are_read_and_sampled() -> None:
    """Parents come before children, rows stand where their states say, and what is fixed stays."""
    network = read(_BIF)
    assert network.order == ("Pump", "Flow")
    assert network.tables["Flow"].tolist() == [[0.0, 0.25, 0.75], [1.0, 0.0, 0.0]]
    chance = np.random.default_rng(1)
    samples = [network.sample(chance, {"Pump": at % 2}) for at in range(200)]
    assert {states["Flow"] for states in samples if states["Pump"] == 1} == {0}
    assert {states["Flow"] for states in samples if states["Pump"] == 0} == {1, 2}
