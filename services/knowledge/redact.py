"""Leaves out of people's words what must not be kept, and says how much it was."""

from __future__ import annotations

import re
from typing import NamedTuple

from redaction import redact_spoken

_MARK = re.compile(r"\[(?:connection string|password(?: hash)?|key|e-mail|phone|(?:id|card) number|value)\]|'\?'")


class Redacted(NamedTuple):
    """Words that may be kept, and how much was left out of them."""

    text: str
    left_out: int


def redact(text: str) -> Redacted:
    """The words without secrets; each is replaced by its kind in brackets. Doing it twice changes nothing more."""
    kept = redact_spoken(text)
    return Redacted(kept, max(0, _count(kept) - _count(text)))


def _count(text: str) -> int:
    return sum(1 for _ in _MARK.finditer(text))
