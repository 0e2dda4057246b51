"""Numbers behind a minus sign: of all values below zero a setting takes -1 alone, for no limit."""

from __future__ import annotations

from lang import deferred_re as re
from lang.numbers.model import Value
from lang.tokens import Text

NO_LIMIT = "-1"
_MINUS = re.compile(r"(?:(?<![\w.)\]% ])|(?<=[^\d] ))[-−]$|负$|\bminus $")


def is_negative(value: Value, text: Text) -> bool:
    """Whether a number stands behind a minus sign, and not behind a dash inside of a name or a range."""
    return _MINUS.search(text.normal[: text.span(value.first, value.last)[0]]) is not None


def as_signed(told: str, value: Value, text: Text) -> str:
    """A value as it is written, with its sign; empty for one below zero that no setting takes."""
    below = NO_LIMIT if value.bare and value.number == 1 else ""
    return below if is_negative(value, text) else told
