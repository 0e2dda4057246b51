"""Reads an export of closed tickets as it is: a bad record is refused by number and field, the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from services.chassis.errors import InvalidInput
from services.knowledge.entries import TicketEntry
from services.knowledge.library import validation_problems
from services.knowledge.model import RejectedTicket

MAX_TEXT = 20_000
MAX_ANOMALY_TEXT = 4_000


@dataclass(frozen=True)
class Record:
    """A valid ticket and its position in the export, from 1."""

    number: int
    ticket: TicketEntry


def read_export(content: bytes, form: str) -> tuple[list[Record], list[RejectedTicket]]:
    """The valid records of a `json` (one list) or `jsonl` export, and the refused ones, both in the export's order.

    A ticket that stands in the export twice with equal content counts once; with different content every copy is
    refused, so that the order of the records never decides. Raises InvalidInput when the whole file cannot be read.
    """
    records: list[Record] = []
    rejected: list[RejectedTicket] = []
    for number, value in _values(content, form):
        record, problem = _checked(number, value)
        if record is not None:
            records.append(record)
        elif problem is not None:
            rejected.append(problem)
    return _without_contradictions(records, rejected)


def _values(content: bytes, form: str) -> Iterator[tuple[int, Any]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _unreadable(f"byte {error.start} is not UTF-8; save it as UTF-8 and try again") from error
    if form == "jsonl":
        lines = ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())
        yield from ((number, _line(line)) for number, line in lines)
    elif form == "json":
        yield from enumerate(_list(text), start=1)
    else:
        raise _unreadable(f"the format {form[:40]!r} is unknown; use json or jsonl")


def _list(text: str) -> list[Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unreadable(f"not JSON: {error}") from error
    if not isinstance(value, list):
        raise _unreadable("expected a JSON list of tickets; one ticket a line is format jsonl")
    return value


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return error


def _checked(number: int, value: Any) -> tuple[Record | None, RejectedTicket | None]:
    if isinstance(value, Exception):
        return None, RejectedTicket(number, "", "", f"not JSON: {value}")
    if not isinstance(value, dict):
        return None, RejectedTicket(number, "", "", f"expected an object, found {type(value).__name__}")
    identity = str(value.get("ticket_id", ""))[:128]
    try:
        ticket = TicketEntry.model_validate(value)
    except ValidationError as error:
        field, reason = validation_problems(error)[0]
        return None, RejectedTicket(number, identity, field, reason)
    too_long = _too_long(ticket)
    if too_long:
        return None, RejectedTicket(number, identity, *too_long)
    return Record(number, ticket), None


def _too_long(ticket: TicketEntry) -> tuple[str, str] | None:
    texts = {"description": ticket.description, "root_cause": ticket.root_cause, "solution": ticket.solution}
    for field, text in texts.items():
        if len(text) > MAX_TEXT:
            return field, f"longer than {MAX_TEXT} characters"
    for index, anomaly in enumerate(ticket.anomalies):
        for name in ("description", "observation_method", "why_relevant"):
            if len(getattr(anomaly, name)) > MAX_ANOMALY_TEXT:
                return f"anomalies.{index}.{name}", f"longer than {MAX_ANOMALY_TEXT} characters"
    return None


def _without_contradictions(
    records: list[Record], rejected: list[RejectedTicket]
) -> tuple[list[Record], list[RejectedTicket]]:
    by_id: dict[str, list[Record]] = {}
    for record in records:
        by_id.setdefault(record.ticket.ticket_id, []).append(record)
    kept: list[Record] = []
    for identity, copies in by_id.items():
        if all(copy.ticket == copies[0].ticket for copy in copies):
            kept.append(copies[0])
            continue
        reason = f"ticket {identity} stands in this export {len(copies)} times with different content"
        rejected += [RejectedTicket(copy.number, identity, "ticket_id", reason) for copy in copies]
    return kept, sorted(rejected, key=lambda item: item.record)


def _unreadable(why: str) -> InvalidInput:
    return InvalidInput(f"reading the export: {why}", reason="invalid_tickets")
