"""Redacts tickets: they often contain passwords and personal numbers, which a library must not keep."""

from __future__ import annotations

from typing import Any

from services.knowledge.library.schema import TicketEntry
from services.knowledge.redact import redact

# Ids name things, in forms that the entry itself checks.
_IDS = frozenset({"ticket_id", "root_cause_id", "phenomenon_id"})


def without_secrets(ticket: TicketEntry) -> TicketEntry:
    """The ticket with every text redacted; a ticket without secrets is returned unchanged."""
    written = ticket.model_dump()
    kept = {name: value if name in _IDS else _clean(value) for name, value in written.items()}
    return ticket if kept == written else TicketEntry.model_validate(kept)


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, dict):
        return {name: inner if name in _IDS else _clean(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(inner) for inner in value]
    return value
