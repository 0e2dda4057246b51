"""Questions about dbdiag's own data, and the shipped library with ninety sessions that they are asked of."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import duckdb

from services.analyst.datasets.own_dataset import own_dataset
from services.analyst.semantic.dataset import Dataset
from services.analyst.sources.written_rows import insert_rows
from services.knowledge.library.load import load
from services.knowledge.snapshots.compile import compile_library
from tests.support.data import warehouse
from tests.support.data.warehouse.scoring import Score, Scorer, cases

FOLDER = Path(__file__).parent
TODAY = dt.date(2026, 9, 20)
BATCHES = ("zh", "en", "asked_zh", "asked_en", "blind_zh", "blind_en", "blind_two_zh", "blind_two_en")
_SHIPPED = FOLDER.parents[3] / "services" / "knowledge" / "library" / "shipped" / "postgresql"
_START = dt.datetime(2026, 5, 1, 8, tzinfo=dt.UTC).timestamp()
_SESSIONS, _DAY = 90, 86_400
_VIEWS = """
CREATE VIEW tk AS SELECT t.*, c.name AS cause, c.category FROM ticket t LEFT JOIN root_cause c USING (root_cause_id);
CREATE VIEW se AS SELECT s.*, c.name AS cause, c.category FROM session s LEFT JOIN root_cause c USING (root_cause_id);
CREATE VIEW ev AS SELECT e.*, p.name AS phenomenon FROM evidence e JOIN phenomenon p USING (phenomenon_id);
"""


@cache
def knowledge() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The snapshot of the shipped library, and its tickets' records."""
    library = load([_SHIPPED])
    records = [ticket.model_dump(mode="json") for ticket in library.tickets.values()]
    return json.loads(compile_library(library)), records


def gateway_rows() -> dict[str, list[dict[str, Any]]]:
    """Ninety sessions over 140 days, two of three closed, with their evidence and checks."""
    sessions = [_session(number) for number in range(_SESSIONS)]
    evidence = [entry for number in range(_SESSIONS) for entry in _evidence(number)]
    checks = [run for number in range(0, _SESSIONS, 2) for run in _checks(number)]
    return {"session": sessions, "evidence": evidence, "check_run": checks}


def _started(number: int) -> float:
    return _START + number * _DAY * 1.57 + number % 5 * 3_600


def _session(number: int) -> dict[str, Any]:
    closed = number % 3 != 1
    minutes = 4.0 + number * 37 % 95
    ended = _started(number) + minutes * 60
    return {
        "session_id": f"s{number:03}",
        "started_at": _started(number),
        "last_at": ended,
        "language": "en" if number % 4 == 0 else "zh",
        "turns": 2 + number * 7 % 13,
        "closed": closed,
        "closed_at": ended if closed else None,
        "root_cause_id": f"RC-{1 + number * number % 23:04}" if closed else None,
        "minutes": minutes,
    }


def _evidence(number: int) -> Iterator[dict[str, Any]]:
    for at in range(2 + number % 5):
        yield {
            "evidence_id": f"s{number:03}/{at + 1}",
            "session_id": f"s{number:03}",
            "phenomenon_id": f"P-{1 + (number * 3 + at * at * 5) % 29:04}",
            "verdict": ("confirmed", "confirmed", "denied", "unknown")[(number + at) % 4],
            "origin": ("answer", "collected", "correction")[(number + 2 * at) % 3],
            "turn": 1 + at,
            "retracted": (number + at) % 11 == 0,
        }


def _checks(number: int) -> Iterator[dict[str, Any]]:
    for at, check in enumerate(("pg.locks", "pg.activity", "host.disks")[: 1 + number % 3]):
        yield {
            "run_id": f"s{number:03}/1/{check}",
            "session_id": f"s{number:03}",
            "check_id": check,
            "target": ("shop", "billing", "crm")[number // 2 % 3],
            "status": "failed" if (number + at) % 7 == 0 else "done",
            "seconds": 0.2 * (at + 1) + number % 10 / 10,
            "ran_at": _started(number) + 60 * at,
        }


def open_own(language: str) -> tuple[Dataset, duckdb.DuckDBPyConnection]:
    """The own dataset in a language, and its tables."""
    snapshot, records = knowledge()
    layer, sources = own_dataset(snapshot, language, records, gateway_rows())
    connection = duckdb.connect()
    for source in sources:
        assert source.rows is not None
        insert_rows(connection, source.rows.name, list(source.rows.types), source.rows.rows, source.rows.types)
    connection.execute(_VIEWS)
    return warehouse.describe(connection, layer), connection


def score(batch: str) -> Sequence[Score]:
    """The scores of a file of questions, whose name ends with their language."""
    dataset, connection = open_own(batch[-2:])
    with connection:
        scorer = Scorer(dataset, connection, TODAY)
        return [scorer.score(case) for case in cases(batch, FOLDER)]
