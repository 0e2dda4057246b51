"""What the engine's benchmarks stand on: drawn libraries, and contenders that compute the same."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from services.engine.inference.reasoner import open_model
from services.engine.kernel.binding import ACCELERATE
from services.engine.model import ScoringRule
from tests.benchmarks.engines.contenders import Dense, Engine, Loops
from tests.benchmarks.engines.contest import disagreement, errors
from tests.benchmarks.engines.graphs import Graph, Size, cases, draw, from_arrays, snapshot_of
from tests.benchmarks.engines.model import model_of
from tests.support.cases import for_each

SIZE = Size(20, 60, 240, 4)


@for_each("seed", [1, 2, 3])
def test_a_drawn_graph_has_its_size(seed: int) -> None:
    """Every link is there once, no phenomenon and no cause is without one, and the same seed draws the same."""
    graph, again = draw(SIZE, seed), draw(SIZE, seed)
    assert len(np.unique(graph.phenomenon * SIZE.causes + graph.cause)) == SIZE.links
    assert len(np.unique(graph.phenomenon)) == SIZE.phenomena
    assert len(np.unique(graph.cause)) == SIZE.causes
    arrays = [item.name for item in fields(Graph) if item.name != "size"]
    assert all(np.array_equal(getattr(graph, name), getattr(again, name)) for name in arrays)


def test_arrays_and_documents_make_the_same_snapshot() -> None:
    """A library put together from arrays is the one that its document holds, in values and in types."""
    graph = draw(SIZE)
    parsed, built = snapshot_of(graph), from_arrays(graph)
    arrays = [item.name for item in fields(parsed) if isinstance(getattr(parsed, item.name), np.ndarray)]
    assert len(arrays) >= 4
    for name in [*arrays, "costs"]:
        assert getattr(parsed, name).dtype == getattr(built, name).dtype, name
        assert np.array_equal(getattr(parsed, name), getattr(built, name)), name
    assert parsed.tickets == built.tickets
    assert parsed.phenomenon_ids == built.phenomenon_ids


@for_each("seed", [1, 2, 3])
def test_the_engine_is_the_model_written_a_second_time(seed: int) -> None:
    """Beliefs and gains are those of the documented formulas in extended precision, each answer tried."""
    graph = draw(SIZE, seed)
    belief, gain = errors(
        Engine(open_model(snapshot_of(graph), accelerate=ACCELERATE)), model_of(graph), cases(graph, 5)
    )
    assert belief < 1e-13
    assert gain < 1e-13


def test_contenders_compute_what_the_engine_does() -> None:
    """The dense tables agree with the engine, the baseline's loops with its baseline rule."""
    graph = draw(SIZE)
    model, library, said = model_of(graph), open_model(snapshot_of(graph), accelerate=ACCELERATE), cases(graph, 5)
    assert disagreement(Dense(model), Engine(library), said, model) < 1e-12
    assert disagreement(Loops(graph), Engine(library, ScoringRule.SEED), said, model) < 1e-12
