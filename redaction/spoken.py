"""A person's own words: what they quote and count is what they tell, so of SQL in them only its values are left out."""

from __future__ import annotations

import re

from redaction.credentials import without_credentials
from redaction.literals import KNOWN, VERB, without_message_values
from redaction.people import without_people

_STRING = r"'(?:[^'\\\n]|''|\\.)*+(?:'|\Z)"
_COMPARED = re.compile(
    r"(?:[=<>~]|\b(?:like|ilike)|\b(?:values|in)\s{0,9}\()\s{0,9}[eEnN]?"
    rf"{_STRING}(?:\s{{0,9}},\s{{0,9}}(?:{_STRING}|[\w.+-]{{1,40}}))*+",
    re.IGNORECASE,
)
_STRINGS = re.compile(_STRING)
# A date or a number as a string.
_MEASURE = re.compile(r"[\d\s.:+TZ/-]*")


def redact_spoken(text: str) -> str:
    """What a person said, without secrets, each replaced by its kind in brackets; twice changes nothing more.

    Other than in `redact`, quoted words and numbers stay unless a statement compares or stores them.
    """
    text = without_message_values(without_credentials(text))
    if "'" in text and VERB.search(text):
        text = _COMPARED.sub(lambda found: _STRINGS.sub(_without_value, found[0]), text)
    return without_people(text)


def _without_value(found: re.Match[str]) -> str:
    value = found[0][1:].removesuffix("'")
    return found[0] if KNOWN.fullmatch(value) or _MEASURE.fullmatch(value) else "'?'"
