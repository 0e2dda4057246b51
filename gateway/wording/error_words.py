"""Translates messages that still are English sentences: those of the command line and of its parser.

Values in a message may be messages themselves. Unknown messages pass through unchanged.
"""

from __future__ import annotations

import re
from functools import cache

from gateway.wording.error_pairs import OTHERS, PAIRS

_VALUE = re.compile(r"\{(\w+)\}")


def in_language(message: str, language: str) -> str:
    """A message in a language."""
    return message if language != "zh" else _in_chinese(" ".join(message.split()))


def _in_chinese(message: str) -> str:
    for pattern, words in _patterns():
        if found := pattern.fullmatch(message):
            return words.format(**{name: _in_chinese(value) for name, value in found.groupdict().items()})
    return message


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(_as_pattern(english)), chinese) for english, chinese in (*PAIRS, *OTHERS))


def _as_pattern(template: str) -> str:
    """A template as a regular expression; each value matches as little as possible."""
    parts = _VALUE.split(template)
    return "".join(f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
