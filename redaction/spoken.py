"""A person's own words: quotations and numbers are part of the story, so only literals inside SQL are removed."""

from __future__ import annotations

from lang import deferred_re as re
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
# A date, number or amount written as a string.
_MEASURE = re.compile(r"[\d\s.:+TZ/-]*|\d{1,9}\s?(?:us|ms|s|min|h|d|B|kB|MB|GB|TB|%|seconds?|minutes?|hours?|days?)")
# A query on the server's catalogues, or a setting's new value: advice, not user data.
_OF_SERVER = re.compile(
    r"\b(?:(?:from|join)\s{1,9}(?:pg_catalog\.)?pg_\w{1,60}|alter\s{1,9}(?:system|database|role|user)\b[^;]{0,100}\bset)\b"
    r"[^;]{0,300}\Z",
    re.IGNORECASE,
)
_NEAR = 400


def redact_spoken(text: str) -> str:
    """A person's words with each secret replaced by its kind in brackets. Idempotent.

    Unlike `redact`, keeps quoted words and numbers unless a statement compares or stores them.
    """
    text = without_message_values(without_credentials(text))
    if "'" in text and VERB.search(text):
        text = _COMPARED.sub(_without_values, text)
    return without_people(text)


def _without_values(found: re.Match[str]) -> str:
    before = found.string[max(0, found.start() - _NEAR) : found.start()]
    named = found.string.startswith("::reg", found.end())
    return found[0] if named or _OF_SERVER.search(before) else _STRINGS.sub(_without_value, found[0])


def _without_value(found: re.Match[str]) -> str:
    value = found[0][1:].removesuffix("'")
    return found[0] if KNOWN.fullmatch(value) or _MEASURE.fullmatch(value) else "'?'"
