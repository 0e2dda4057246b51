"""Small databases as the public sets of questions have them, with layers drafted from their data alone."""

from __future__ import annotations

import asyncio
import datetime as dt
import sqlite3
import tempfile
from pathlib import Path

import duckdb

from services.analyst.describing.drafting import draft_layer
from services.analyst.execution.runner import Runner
from services.analyst.semantic.dataset import Dataset
from services.analyst.semantic.reading_values import open_dataset
from services.analyst.sources.source import Source
from tests.support.data.warehouse.scoring import Case, Score, Scorer

FOLDER = Path(__file__).parent
_TODAY = dt.date(2025, 6, 18)


def cases(batch: str) -> dict[str, list[Case]]:
    """The cases of a file by database, `database => question => gold` a line."""
    found: dict[str, list[Case]] = {}
    for line in (FOLDER / f"{batch}.txt").read_text("utf-8").splitlines():
        if line.strip():
            database, question, gold = (part.strip() for part in line.split(" => ", 2))
            found.setdefault(database, []).append(Case(batch, database, question, gold))
    return found


def describe(script: str) -> tuple[Dataset, duckdb.DuckDBPyConnection]:
    """The dataset that is drafted from a script's database, and the database itself."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{script}.sqlite"
        with sqlite3.connect(file) as source:
            source.executescript((FOLDER / f"{script}.sql").read_text("utf-8"))
        dataset = asyncio.run(_draft(file))
    connection = duckdb.connect()
    connection.execute((FOLDER / f"{script}.sql").read_text("utf-8"))
    return dataset, connection


async def _draft(file: Path) -> Dataset:
    runner = Runner([Source(path=file)])
    try:
        layer = await draft_layer(runner, file.stem, _TODAY)
        return await open_dataset(layer, runner)
    finally:
        await runner.close()


def score(batch: str) -> list[Score]:
    """The scores of all cases of a batch."""
    scores = []
    for database, asked in cases(batch).items():
        dataset, connection = describe(database)
        scorer = Scorer(dataset, connection, dataset.layer.as_of or _TODAY)
        scores += [scorer.score(case) for case in asked]
    return scores
