"""dbdiag's own data as tables: what a snapshot knows, and rows of the gateway's store."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.analyst.sources.source import Cell, Rows, Source

# The columns of each table with their types; the first is the key of those that have one.
_COLUMNS: dict[str, dict[str, str]] = {
    "ticket": {
        "ticket_id": "VARCHAR", "root_cause_id": "VARCHAR", "description": "VARCHAR", "engine": "VARCHAR",
        "version": "VARCHAR", "major_version": "VARCHAR",
        "module": "VARCHAR", "severity": "VARCHAR", "opened_at": "TIMESTAMP",
        "phenomenon_count": "BIGINT", "opened_hour": "BIGINT", "finding": "VARCHAR", "solution": "VARCHAR",
    },
    "root_cause": {"root_cause_id": "VARCHAR", "name": "VARCHAR", "category": "VARCHAR"},
    "phenomenon": {
        "phenomenon_id": "VARCHAR", "name": "VARCHAR", "observed_by": "VARCHAR", "cost": "BIGINT",
    },
    "ticket_phenomenon": {"ticket_id": "VARCHAR", "phenomenon_id": "VARCHAR"},
    "cause_phenomenon": {"root_cause_id": "VARCHAR", "phenomenon_id": "VARCHAR", "strength": "VARCHAR"},
    "session": {
        "session_id": "VARCHAR", "started_at": "TIMESTAMP", "last_at": "TIMESTAMP", "language": "VARCHAR",
        "turns": "BIGINT", "closed": "BOOLEAN", "closed_at": "TIMESTAMP", "root_cause_id": "VARCHAR",
        "minutes": "DOUBLE",
    },
    "evidence": {
        "evidence_id": "VARCHAR", "session_id": "VARCHAR", "phenomenon_id": "VARCHAR", "verdict": "VARCHAR",
        "origin": "VARCHAR", "turn": "BIGINT", "retracted": "BOOLEAN",
    },
    "check_run": {
        "run_id": "VARCHAR", "session_id": "VARCHAR", "check_id": "VARCHAR", "target": "VARCHAR", "status": "VARCHAR",
        "seconds": "DOUBLE", "ran_at": "TIMESTAMP",
    },
}  # fmt: skip
_WITHOUT_KEY = ("ticket_phenomenon", "cause_phenomenon")
OF_THE_GATEWAY = ("session", "evidence", "check_run")

Row = Mapping[str, Any]


def own_sources(
    snapshot: Mapping[str, Any],
    language: str,
    tickets: Iterable[Row] = (),
    gateway: Mapping[str, Sequence[Row]] | None = None,
) -> tuple[Source, ...]:
    """The tables of dbdiag's own dataset.

    snapshot: its values, as its JSON has them. language: of the names of causes and phenomena. tickets: the library's
    records of the snapshot's tickets and others, which say more of them: when, how severe, of which database.
    gateway: the rows of its tables by name; times in seconds since 1970, UTC.
    """
    kept = gateway or {}
    rows = {
        "ticket": list(_tickets(snapshot, tickets)),
        "root_cause": [_cause(one, language) for one in snapshot["root_causes"]],
        "phenomenon": [_phenomenon(one, language) for one in snapshot["phenomena"]],
        "cause_phenomenon": list(_links(snapshot)),
        **{name: [_with_times(name, row) for row in kept.get(name, ())] for name in OF_THE_GATEWAY},
    }
    rows["ticket_phenomenon"] = [
        {"ticket_id": ticket["ticket_id"], "phenomenon_id": one}
        for ticket in rows["ticket"]
        for one in ticket["phenomena"]
    ]
    return tuple(_source(name, rows[name]) for name in _COLUMNS)


def _source(name: str, rows: Sequence[Row]) -> Source:
    columns = _COLUMNS[name]
    cells: list[list[Cell]] = [[row.get(column) for column in columns] for row in rows]
    return Source(rows=Rows(name, columns, cells, "" if name in _WITHOUT_KEY else next(iter(columns))))


def _tickets(snapshot: Mapping[str, Any], records: Iterable[Row]) -> Iterable[dict[str, Any]]:
    """The tickets of a snapshot and of records, each once, with what the records say."""
    recorded = {str(record["ticket_id"]): record for record in records}
    known = {ticket["id"]: ticket for ticket in snapshot["tickets"]}
    for ticket_id in sorted(known.keys() | recorded.keys()):
        ticket, record = known.get(ticket_id, {}), recorded.get(ticket_id, {})
        metadata = record.get("metadata") or {}
        seen = ticket.get("phenomena") or sorted(
            {one["phenomenon_id"] for one in record.get("anomalies") or () if one.get("phenomenon_id")}
        )
        yield {
            "ticket_id": ticket_id,
            "root_cause_id": ticket.get("root_cause") or record.get("root_cause_id") or None,
            "description": ticket.get("description") or record.get("description"),
            "engine": metadata.get("db_type") or None,
            "version": metadata.get("version") or None,
            "major_version": str(metadata.get("version") or "").partition(".")[0] or None,
            "module": metadata.get("module") or None,
            "severity": metadata.get("severity") or None,
            "opened_at": _moment(metadata.get("created_at")),
            "phenomenon_count": len(seen),
            "opened_hour": _hour(metadata.get("created_at")),
            "finding": record.get("root_cause") or None,
            "solution": record.get("solution") or None,
            "phenomena": seen,
        }


def _cause(cause: Row, language: str) -> dict[str, Any]:
    return {"root_cause_id": cause["id"], "name": named(cause, language), "category": cause["category"]}


def _phenomenon(phenomenon: Row, language: str) -> dict[str, Any]:
    kind = (phenomenon.get("observe") or {}).get("kind")
    name = named(phenomenon, language)
    return {"phenomenon_id": phenomenon["id"], "name": name, "observed_by": kind, "cost": phenomenon.get("cost")}


def named(entry: Row, language: str) -> str:
    """The name of a cause or phenomenon in a language, else in the other one, else its id."""
    name = entry.get("name") or {}
    return str(name.get(language) or name.get("zh") or name.get("en") or entry["id"])


def _links(snapshot: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for cause in snapshot["root_causes"]:
        for link in cause["links"]:
            yield {
                "root_cause_id": cause["id"],
                "phenomenon_id": link["phenomenon"],
                "strength": link["strength"],
            }


def _with_times(table: str, row: Row) -> dict[str, Any]:
    """A row with its seconds since 1970 as times."""
    times = [column for column, kind in _COLUMNS[table].items() if kind == "TIMESTAMP"]
    return {**row, **{column: _moment(row.get(column)) for column in times}}


def _moment(value: object) -> str | None:
    """A time in UTC as DuckDB reads it; None for one that cannot be read."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        moment = dt.datetime.fromtimestamp(value, dt.UTC)
    else:
        try:
            moment = dt.datetime.fromisoformat(str(value))
        except ValueError:
            return None
    if moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC).replace(tzinfo=None)
    return moment.isoformat(" ", "seconds")


def _hour(written: object) -> int | None:
    """The hour of the day as a ticket writes it, in the time of its place; None where it writes only the day."""
    try:
        return dt.datetime.fromisoformat(str(written)).hour if len(str(written)) > len("2025-01-01") else None
    except ValueError:
        return None


def other_names(entry: Row) -> tuple[str, ...]:
    """The id, the names and the aliases of a cause or phenomenon."""
    aliases = entry.get("aliases") or {}
    names = [*(entry.get("name") or {}).values(), *aliases.get("zh", ()), *aliases.get("en", ())]
    return tuple(dict.fromkeys([entry["id"], *(name for name in names if name)]))
