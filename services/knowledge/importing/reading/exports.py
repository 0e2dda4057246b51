"""Reads an export of closed tickets; a bad record is rejected by line and field without affecting the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from collections.abc import Mapping as Keyed
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from services.chassis.errors import InvalidInput
from services.chassis.messages import Message
from services.knowledge.importing.reading.csv_rows import csv_tables, decode_export
from services.knowledge.importing.reading.excel_rows import excel_tables
from services.knowledge.importing.reading.mapping import Mapping, shipped_mappings
from services.knowledge.importing.reading.tabular import RawTicket, tickets_of
from services.knowledge.library.schema import TicketEntry
from services.knowledge.library.yaml_text import validation_problems
from services.knowledge.model import RejectedTicket
from services.knowledge.redact import without_secrets

FORMATS = ("json", "jsonl", "csv", "xlsx")
MAX_TEXT = 20_000
MAX_ANOMALY_TEXT = 4_000


def by_own_keys(value: Keyed[str, Any], given: Mapping | None) -> tuple[Keyed[str, Any], Keyed[str, str]]:
    """The record as a ticket, and each field's path with the key it came from where that is another one."""
    mapping = given if given is not None else _known(value)
    if mapping is None:
        return value, {}
    keys = [str(key) for key in value]
    places = mapping.columns(keys)
    titles = {path: keys[place] for path, place in places.items()}
    ticket: dict[str, Any] = {name: _plain(value[key]) for name, key in titles.items() if "." not in name}
    metadata = {path.partition(".")[2]: _plain(value[key]) for path, key in titles.items() if path.startswith("meta")}
    ticket["metadata"] = mapping.constants | {name: text for name, text in metadata.items() if text is not None}
    if "anomalies" in value:
        ticket["anomalies"] = value["anomalies"]
    return {name: item for name, item in ticket.items() if item is not None}, titles


def _known(value: Keyed[str, Any]) -> Mapping | None:
    if "ticket_id" in value:
        return None
    keys = [str(key) for key in value]
    fitting = (mapping for name, mapping in shipped_mappings().items() if name != "own" and mapping.fits(keys))
    return next(fitting, None)


def _plain(value: Any) -> Any:
    """Numbers as text, since exports write ids as either; everything else as it is, for the validation to judge."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


@dataclass(frozen=True)
class Record:
    """A valid ticket, its position in the export (in a table its line), and its line, both from 1."""

    number: int
    ticket: TicketEntry
    line: int = 0


def read_export(content: bytes, form: str, mapping: Mapping | None = None) -> tuple[list[Record], list[RejectedTicket]]:
    """The valid records of a `json` (one list), `jsonl`, `csv` or `xlsx` export, and the refused, in its order.

    Identical copies of a ticket count once; if copies differ, all of them are rejected, so that the order of the
    records does not matter. Raises InvalidInput if the file as a whole is unreadable.
    """
    records: list[Record] = []
    rejected: list[RejectedTicket] = []
    for found in _found(content, form, mapping):
        if isinstance(found, Record):
            records.append(found)
        else:
            rejected.append(found)
    return _without_contradictions(records, rejected)


def form_of(name: str) -> str:
    """The format that a file's name tells; jsonl when it tells none."""
    endings = {"json": "json", "csv": "csv", "tsv": "csv", "txt": "csv", "xlsx": "xlsx", "xlsm": "xlsx", "xls": "xlsx"}
    return endings.get(name.rpartition(".")[2].casefold(), "jsonl")


def _found(content: bytes, form: str, mapping: Mapping | None) -> Iterator[Record | RejectedTicket]:
    encoding = mapping.encoding if mapping else None
    if form == "xlsx":
        yield from map(_from_table, tickets_of(excel_tables(content, mapping.sheet if mapping else None), mapping))
    elif form == "csv":
        text = decode_export(content, encoding)
        yield from map(_from_table, tickets_of(csv_tables(text, mapping.delimiter if mapping else None), mapping))
    elif form in ("json", "jsonl"):
        text = decode_export(content, encoding)
        for number, line, value in _lines(text) if form == "jsonl" else _list(text):
            yield _checked(number, line, value, mapping)
    else:
        raise InvalidInput("invalid_tickets.unknown_format", form=form[:40], known=", ".join(FORMATS))


def _from_table(found: RawTicket | RejectedTicket) -> Record | RejectedTicket:
    if isinstance(found, RejectedTicket):
        return found
    return _validated(found.number, found.number, found.value, found.titles)


def _lines(text: str) -> Iterator[tuple[int, int, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, number, _line(line)


def _line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return error


def _list(text: str) -> Iterator[tuple[int, int, Any]]:
    """The elements of a JSON list, decoded one by one to know the line of each."""
    decoder, at, line, counted = json.JSONDecoder(), _past_blanks(text, 0), 1, 0
    if text[at : at + 1] != "[":
        _whole(text)
    at, number = _past_blanks(text, at + 1), 0
    while text[at : at + 1] != "]":
        number += 1
        line, counted = line + text.count("\n", counted, at), at
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("invalid_tickets.bad_record", number=number, why=str(error)) from error
        yield number, line, value
        at = _past_blanks(text, at)
        if text[at : at + 1] not in (",", "]"):
            _whole(text)
        at = _past_blanks(text, at + 1) if text[at] == "," else at
    if text[at + 1 :].strip():
        _whole(text)


def _past_blanks(text: str, at: int) -> int:
    while text[at : at + 1] in (" ", "\t", "\r", "\n") and at < len(text):
        at += 1
    return at


def _whole(text: str) -> None:
    """Raises the error in a text that is not a JSON list."""
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("invalid_tickets.not_json", why=str(error)) from error
    raise InvalidInput("invalid_tickets.no_list")


def _checked(number: int, line: int, value: Any, mapping: Mapping | None) -> Record | RejectedTicket:
    if isinstance(value, Exception):
        return RejectedTicket(number, "", "", Message("rejected_ticket.not_json", {"why": str(value)}), line)
    if not isinstance(value, dict):
        reason = Message("rejected_ticket.no_object", {"found": type(value).__name__})
        return RejectedTicket(number, "", "", reason, line)
    ticket, titles = by_own_keys(value, mapping)
    return _validated(number, line, ticket, titles)


def _validated(number: int, line: int, value: Any, titles: Any) -> Record | RejectedTicket:
    identity = str(value.get("ticket_id", ""))[:128].encode("utf-8", "replace").decode()
    try:
        ticket = TicketEntry.model_validate(value)
    except ValidationError as error:
        field, why = validation_problems(error)[0]
        empty = error.errors(include_url=False, include_input=False)[0]["type"] == "string_too_short"
        reason = Message("rejected_ticket.empty") if empty else why
        return RejectedTicket(number, identity, titles.get(field, field), reason, line)
    if too_long := _too_long(ticket):
        field, limit = too_long
        reason = Message("rejected_ticket.too_long", {"limit": limit})
        return RejectedTicket(number, identity, titles.get(field, field), reason, line)
    return Record(number, without_secrets(ticket), line)


def _too_long(ticket: TicketEntry) -> tuple[str, int] | None:
    """The first field that is longer than its limit, and the limit."""
    texts = {
        "description": ticket.description,
        "root_cause": ticket.root_cause,
        "solution": ticket.solution,
        "analysis": ticket.analysis,
    }
    texts |= {f"metadata.{name}": str(value) for name, value in ticket.metadata.model_dump().items()}
    for field, text in texts.items():
        if len(text) > MAX_TEXT:
            return field, MAX_TEXT
    for index, anomaly in enumerate(ticket.anomalies):
        for name in ("description", "observation_method", "why_relevant"):
            if len(getattr(anomaly, name)) > MAX_ANOMALY_TEXT:
                return f"anomalies.{index}.{name}", MAX_ANOMALY_TEXT
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
        reason = Message("rejected_ticket.copies_differ", {"ticket": identity, "count": len(copies)})
        rejected += [RejectedTicket(copy.number, identity, "ticket_id", reason, copy.line) for copy in copies]
    return kept, sorted(rejected, key=lambda item: item.record)
