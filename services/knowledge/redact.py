"""Redacts secrets in people's words and in the cells of an export, and counts them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from redaction import redact_spoken
from services.knowledge.library.schema import TicketEntry

_MARK = re.compile(r"\[(?:connection string|password(?: hash)?|key|e-mail|phone|(?:id|card) number|value)\]|'\?'")
# Ids name things, in forms that the entry itself checks.
_IDS = frozenset({"ticket_id", "root_cause_id", "phenomenon_id"})


class Redacted(NamedTuple):
    """The redacted text, and the number of secrets removed."""

    text: str
    left_out: int


def redact(text: str) -> Redacted:
    """Replaces each secret by its kind in brackets. Idempotent."""
    kept = redact_spoken(text)
    return Redacted(kept, max(0, _count(kept) - _count(text)))


def _count(text: str) -> int:
    return sum(1 for _ in _MARK.finditer(text))


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
