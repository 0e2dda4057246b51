"""Redacts secrets in people's words and counts them."""

from __future__ import annotations

import re
from typing import NamedTuple

from redaction import redact_spoken

_MARK = re.compile(r"\[(?:connection string|password(?: hash)?|key|e-mail|phone|(?:id|card) number|value)\]|'\?'")


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
