"""Reads tickets from tables: finds the header, maps the columns, and combines the rows of a ticket."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.knowledge.importing.reading import mapping as mappings
from services.knowledge.importing.reading.csv_rows import BrokenRow, Row, Table
from services.knowledge.model import RejectedTicket

# A title and a few notes may stand above the header.
_HEADER_WITHIN = 20
_SHOWN_COLUMNS = 12
# Excel's error values.
_FAILED_CELLS = frozenset({"#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NULL!", "#NUM!"})


@dataclass(frozen=True)
class RawTicket:
    """A ticket as the table has it, before it is validated. titles: each field's path, and its column's title."""

    number: int
    value: Mapping[str, Any]
    titles: Mapping[str, str]


@dataclass(frozen=True)
class _Layout:
    mapping: mappings.Mapping
    columns: Mapping[str, int]
    titles: Mapping[str, str]
    width: int
    first: int


def tickets_of(tables: Iterable[Table], given: mappings.Mapping | None) -> Iterator[RawTicket | RejectedTicket]:
    """The tickets of the first table that has a known header, or the given mapping's. Raises InvalidInput for none."""
    seen: list[Table] = []
    for table in tables:
        layout = _layout(table, given)
        if layout is not None:
            rows = [row for row in table.rows[layout.first :] if isinstance(row, BrokenRow) or not row.empty]
            yield from _tickets(rows, layout)
            return
        seen.append(table)
    raise _no_header(seen, given)


def _layout(table: Table, given: mappings.Mapping | None) -> _Layout | None:
    for first, row in enumerate(table.rows[:_HEADER_WITHIN], start=1):
        if isinstance(row, BrokenRow) or row.empty:
            continue
        for mapping in [given] if given is not None else mappings.shipped_mappings().values():
            if mapping.fits(row.cells):
                columns = mapping.columns(row.cells)
                mappings.check_header(mapping, row.cells) if given else mappings.check_once(columns, row.cells)
                titles = {path: row.cells[column].strip() for path, column in columns.items()}
                return _Layout(mapping, columns, titles, len(row.cells), first)
    return None


def _no_header(seen: Sequence[Table], given: mappings.Mapping | None) -> InvalidInput:
    found = [_header_like(table) for table in seen]
    titles = [title.strip() for title in max(found, key=len, default=()) if title.strip()][:_SHOWN_COLUMNS]
    if not titles:
        return InvalidInput("invalid_tickets.no_rows")
    shown = ", ".join(title[:40] for title in titles)
    if given is not None:
        wanted = ", ".join(getattr(given, name)[0] for name in mappings.REQUIRED)
        return InvalidInput("invalid_tickets.mapping_columns", rows=_HEADER_WITHIN, wanted=wanted, found=shown)
    return InvalidInput("invalid_tickets.unknown_columns", found=shown)


def _header_like(table: Table) -> tuple[str, ...]:
    rows = (row.cells for row in table.rows[:_HEADER_WITHIN] if isinstance(row, Row) and not row.empty)
    return next(rows, ())


def _tickets(rows: Sequence[Row | BrokenRow], layout: _Layout) -> Iterator[RawTicket | RejectedTicket]:
    gathered: dict[str, _Gathered] = {}
    refused: dict[str, int] = {}
    last = ""
    for row in rows:
        if isinstance(row, BrokenRow):
            yield RejectedTicket(row.number, "", "", row.reason, row.number)
            continue
        values = {path: _cell(row, column) for path, column in layout.columns.items()}
        identity = values["ticket_id"]
        problem = _problem(row, values, layout)
        if problem:
            yield RejectedTicket(row.number, identity[:128], *problem, row.number)
            refused.setdefault(identity, row.number)
            continue
        continued = layout.columns["ticket_id"] in row.joined and identity == last
        if layout.mapping.anomaly is None and not continued and identity in gathered:
            # Two records with one id: equal ones count once, others are refused where contradictions are.
            yield gathered.pop(identity).ticket(layout, refused)
        gathered.setdefault(identity, _Gathered(row.number)).add(values)
        last = identity
    for found in gathered.values():
        yield found.ticket(layout, refused)


def _cell(row: Row, column: int) -> str:
    return row.cells[column].strip() if column < len(row.cells) else ""


def _problem(row: Row, values: Mapping[str, str], layout: _Layout) -> tuple[str, Message] | None:
    if any(cell.strip() for cell in row.cells[layout.width :]):
        return "", Message("rejected_ticket.field_count", {"count": len(row.cells), "width": layout.width})
    for path, value in values.items():
        if value in _FAILED_CELLS:
            return layout.titles[path], Message("rejected_ticket.failed_formula", {"value": value})
    if not values["ticket_id"]:
        return layout.titles["ticket_id"], Message("rejected_ticket.no_id")
    return None


@dataclass
class _Gathered:
    """The rows of one ticket."""

    number: int
    single: dict[str, str] = field(default_factory=dict)
    analysis: list[str] = field(default_factory=list)
    anomalies: list[dict[str, str]] = field(default_factory=list)
    clash: str = ""

    def add(self, values: Mapping[str, str]) -> None:
        anomaly = {path.partition(".")[2]: value for path, value in values.items() if path.startswith("anomaly.")}
        if anomaly.get("description") and anomaly not in self.anomalies:
            self.anomalies.append(anomaly)
        for path, value in values.items():
            if path.startswith("anomaly.") or not value:
                continue
            if path == "analysis":
                self.analysis += [value] if value not in self.analysis else []
            elif self.single.setdefault(path, value) != value:
                self.clash = self.clash or path

    def ticket(self, layout: _Layout, refused: Mapping[str, int]) -> RawTicket | RejectedTicket:
        identity = self.single["ticket_id"]
        if identity in refused:
            reason = Message("rejected_ticket.row_refused", {"row": refused[identity]})
            return RejectedTicket(self.number, identity[:128], "", reason, self.number)
        if self.clash:
            reason = Message("rejected_ticket.rows_differ")
            return RejectedTicket(self.number, identity[:128], layout.titles[self.clash], reason, self.number)
        value: dict[str, Any] = {name: self.single.get(name, "") for name in mappings.REQUIRED}
        value |= {name: self.single[name] for name in ("solution", "root_cause_id") if name in self.single}
        metadata = {path.partition(".")[2]: text for path, text in self.single.items() if path.startswith("metadata.")}
        value["metadata"] = layout.mapping.constants | metadata
        value["analysis"] = "\n".join(self.analysis)
        value["anomalies"] = self.anomalies
        return RawTicket(self.number, value, layout.titles)
