"""Sizes and intervals as people write them in an expression: `1 GB` in bytes, `5 min` in seconds."""

from __future__ import annotations

import re

SIZES = {"B": 1.0, "kB": 1024.0, "MB": 1024.0**2, "GB": 1024.0**3, "TB": 1024.0**4}
SPANS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_UNITS = SIZES | SPANS
# A text in quotes is left as it is; a number in a name ("pg17") has no unit.
_LITERAL = re.compile(rf"'[^']*'|\"[^\"]*\"|(?<![\w.])(\d+(?:\.\d+)?) ?({'|'.join(_UNITS)})(?!\w)")


def expand_literals(text: str) -> str:
    """The expression with each size and interval as a plain number in bytes or seconds."""
    return _LITERAL.sub(lambda found: repr(float(found[1]) * _UNITS[found[2]]) if found[1] else found[0], text)
