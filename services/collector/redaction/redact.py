"""The one function of the room through which every text goes, and its order: the widest kinds first.

Time grows with the length of the text alone: every pattern is bounded or walks forward.
"""

from __future__ import annotations

import json
import re

from services.collector.redaction.addresses import without_addresses
from services.collector.redaction.credentials import without_credentials
from services.collector.redaction.literals import without_literals
from services.collector.redaction.people import without_people

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"(?P<key>\s{0,20}+:)?+', re.DOTALL)


def redact(text: str, hide_addresses: bool = False) -> str:
    """The text without secrets, each replaced by its kind in brackets; without any it comes back as it was.

    hide_addresses: IP addresses as well; they often are what a diagnosis is about, so it is the site's policy. Doing it
    twice changes nothing more.
    """
    if text.lstrip()[:1] in ("{", "["):
        text = _JSON_STRING.sub(_within_json, text)
        text = without_people(without_credentials(text))
    else:
        text = _plain(text)
    return without_addresses(text) if hide_addresses else text


def _plain(text: str) -> str:
    return without_people(without_literals(without_credentials(text)))


def _within_json(found: re.Match[str]) -> str:
    """A string of a JSON text, read as what it means: line breaks and quotes in it are not hidden by their escapes."""
    if found["key"]:
        return found[0]
    try:
        value = json.loads(found[0], strict=False)
    except ValueError:
        return found[0]
    kept = _plain(value)
    return found[0] if kept == value else json.dumps(kept, ensure_ascii=False)
