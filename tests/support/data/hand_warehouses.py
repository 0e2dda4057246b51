"""Warehouses with layers by hand; their questions were written before any rule was changed for them."""

from __future__ import annotations

from pathlib import Path

import duckdb

from services.analyst.semantic.loading import load_layer
from tests.support.data import warehouse
from tests.support.data.warehouse.scoring import Score, Scorer, cases

NAMES = ("hospital", "logistics", "hotels")
FOLDER = Path(__file__).parent


def score(name: str, scale: float = 1.0) -> list[Score]:
    """The scores of a warehouse's questions; scale 1 is 150,000 rows or more."""
    folder = FOLDER / name
    layer = load_layer(folder / "layer.yaml")
    assert layer.as_of is not None
    with duckdb.connect() as connection:
        script = (folder / "tables.sql").read_text("utf-8")
        connection.execute(script.replace(":scale", str(round(scale * 1_000))))
        connection.execute((folder / "views.sql").read_text("utf-8"))
        scorer = Scorer(warehouse.describe(connection, layer), connection, layer.as_of)
        return [scorer.score(case) for case in cases("questions", folder)]
