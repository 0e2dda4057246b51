"""The entry point through which every text passes; the widest kinds of secrets go first.

Linear in the length of the text: every pattern is bounded or only moves forward.
"""

from __future__ import annotations

import json
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from lang import deferred_re as re
from redaction.credentials import without_credentials
from redaction.literals import KNOWN, VERB, without_literals, without_message_values
from redaction.people import without_people

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\n]++|"")*+"')
# A bare number is a counter unless its key says otherwise.
_JSON_NUMBER = re.compile(
    r'("(?:\w{0,20}_)?(?:phone|mobile|tel|telephone|cell|msisdn|card|id_?card|ssn|iban|手机号?|电话|身份证号?|卡号)'
    r'(?:_?(?:no|num|number))?"\s{0,3}:\s{0,3})\d{7,19}(?![\d.])',
    re.IGNORECASE,
)
# Depth of JSON strings that contain JSON.
_DEEPEST = 3
# Too short and simple to be a secret, like most cells of a table.
_HARMLESS = re.compile(r"[A-Z]?[a-z_ ]{0,15}|[\d.:+ -]{0,9}")
_FOUR = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_SIX = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,8}(?:\d{0,3}(?:\.\d{1,3}){3})?(?![\w:])")
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


def without_addresses(text: str) -> str:
    """The text without IPv4 and IPv6 addresses."""
    text = _SIX.sub(lambda found: "[address]" if _is(IPv6Address, found[0]) else found[0], text)
    return _FOUR.sub(lambda found: "[address]" if _is(IPv4Address, found[0]) else found[0], text)


def _is(kind: type[IPv4Address] | type[IPv6Address], written: str) -> bool:
    try:
        kind(written)
    except AddressValueError:
        return False
    return written not in ("::", "0.0.0.0")


def redact(text: str, hide_addresses: bool = False) -> str:
    """The text with each secret replaced by its kind in brackets; unchanged if there is none. Idempotent.

    hide_addresses: hides IP addresses as well; a diagnosis often needs them, so this is the site's policy.
    """
    text = _of_json(text, _DEEPEST) if _is_json(text) else _plain(text)
    return without_addresses(text) if hide_addresses else text


def _is_json(text: str) -> bool:
    if text.lstrip()[:1] not in ("{", "[", '"'):
        return False
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _of_json(text: str, deeper: int) -> str:
    """Redacts a JSON text: first each string unescaped, then the whole, where keys describe their values."""
    known: dict[str, str] = {}
    text = _JSON_STRING.sub(lambda found: _remembered(found[0], deeper, known), text)
    return _JSON_NUMBER.sub(r'\1"[number]"', without_credentials(text))


def _plain(text: str) -> str:
    if '""' in text:
        text = _QUOTED.sub(_within_quotes, text)
    return without_people(without_literals(without_credentials(text)))


def _within_quotes(found: re.Match[str]) -> str:
    """Redacts an SQL name or CSV cell with its doubled quotes unescaped."""
    value = found[0][1:-1].replace('""', '"')
    kept = without_people(without_literals(without_credentials(value)))
    return found[0] if kept == value else '"' + kept.replace('"', '""') + '"'


def _remembered(written: str, deeper: int, known: dict[str, str]) -> str:
    """Cached, because cells of a table repeat."""
    if _HARMLESS.fullmatch(written, 1, len(written) - 1):
        return written
    if written not in known:
        known[written] = _within_json(written, deeper)
    return known[written]


def _within_json(written: str, deeper: int) -> str:
    """Redacts a JSON string unescaped, so that escapes hide no line breaks or quotes; it may be JSON itself."""
    try:
        value = json.loads(written, strict=False)
    except ValueError:
        return written
    kept = _of_json(value, deeper - 1) if deeper and _is_json(value) else _plain(value)
    return written if kept == value else json.dumps(kept, ensure_ascii=False)


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
