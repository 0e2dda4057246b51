"""Connection strings, passwords, keys, tokens and password hashes, as tools and people write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from lang import deferred_re as re

_Keep = Callable[[re.Match[str]], str]
_SECRET = re.compile(r"\bkind\\?[\"']?\s{0,3}:\s{0,3}\\?[\"']?Secret\b", re.IGNORECASE)
_VALUE = re.compile(r"(:\s{0,3}(?:\\?[\"'])?)(?!\[)([\w+/]{8,}={0,2}\w*)(?![\w.+/:=-])")
# Characters between a manifest's kind and its fields, at most.
_NEAR = 8_000
_BETWEEN = re.compile(r"\n---[ \t]*(?=\n)")


def without_manifests(text: str) -> str:
    """The text without the values of any secret's manifest."""
    kept: list[str] = []
    place = 0
    for begins, ends in _spans(text):
        kept += [text[place:begins], _VALUE.sub(r"\1[key]", text[begins:ends])]
        place = ends
    return "".join([*kept, text[place:]])


def _spans(text: str) -> list[tuple[int, int]]:
    """The ranges that may be manifests of secrets, disjoint and in order."""
    spans: list[tuple[int, int]] = []
    for found in _SECRET.finditer(text):
        if spans and found.start() < spans[-1][1] - _NEAR // 2:
            continue
        before = [mark.end() for mark in _BETWEEN.finditer(text, max(0, found.start() - _NEAR), found.start())]
        after = _BETWEEN.search(text, found.end(), found.end() + _NEAR)
        begins = max([found.start() - _NEAR, 0, *before, *(ends for _, ends in spans[-1:])])
        spans.append((begins, after.start() if after else min(len(text), found.end() + _NEAR)))
    return spans


class _Rule(NamedTuple):
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    instead: str | _Keep


_RULES = Path(__file__).with_name("credentials.yaml")
_PART = re.compile(r"\{\{(\w+)\}\}")
_DSN_SECRET = re.compile(r"\b(?:ssl)?password\s{0,3}=", re.IGNORECASE)
_DSN_PLACE = re.compile(r"\bhost(?:addr)?\s{0,3}=", re.IGNORECASE)
_DSN_WHO = re.compile(r"\b(?:dbname|user)\s{0,3}=", re.IGNORECASE)
_ODBC_TELLING = re.compile(r";\s?(?:pwd|password|uid|user(?: id)?)\s?=", re.IGNORECASE)
_KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|KEY BLOCK)[A-Z ]{0,20}-----")
_KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,60}-----")


def _without_value(found: re.Match[str]) -> str:
    """Keeps the name and the value's quotes, so that JSON stays JSON."""
    quote = next((sign for sign in ('\\"', "\\'", '"', "'") if found["value"].startswith(sign)), "")
    if not quote and found["quote"] == '"':
        quote = '"'
    return f"{found['name']}{quote}[password]{quote}"


def _without_place(found: re.Match[str]) -> str:
    """Removes a password, or a host and user; a server's log line that names only user and database is kept."""
    pairs = found[0]
    leads_in = _DSN_SECRET.search(pairs) or (_DSN_PLACE.search(pairs) and _DSN_WHO.search(pairs))
    return "[connection string]" if leads_in else pairs


@cache
def rules() -> tuple[_Rule, ...]:
    """The rules of credentials.yaml, in their order."""
    import yaml

    table: dict[str, Any] = yaml.load(_RULES.read_bytes(), yaml.CSafeLoader)
    parts: dict[str, str] = {}
    for name, text in table["parts"].items():
        parts[name] = _filled(text, parts)
    return tuple(
        _Rule(
            tuple(table["signs"][entry["signs"]] if isinstance(entry["signs"], str) else entry["signs"]),
            re.compile(_filled(entry["pattern"], parts), _flags(entry)),
            _KEEPS[entry["keep"]] if "keep" in entry else entry["instead"],
        )
        for entry in table["rules"]
    )


def _filled(text: str, parts: Mapping[str, str]) -> str:
    """The pattern of a text: its lines as one, with the parts that it names."""
    return _PART.sub(lambda found: parts[found[1]], text.replace("\n", ""))


def _flags(entry: Mapping[str, Any]) -> re.RegexFlag:
    if entry.get("cased"):
        return re.RegexFlag(0)
    return re.IGNORECASE | re.MULTILINE if entry.get("by_line") else re.IGNORECASE


_KEEPS: Mapping[str, _Keep] = {
    "name": _without_value,
    "place": _without_place,
    "odbc": lambda found: "[connection string]" if _ODBC_TELLING.search(found[0]) else found[0],
}


def without_credentials(text: str) -> str:
    """The text without credentials."""
    seen = folded(text)
    if "-----begin" in seen:
        text = _without_key_files(text)
        seen = folded(text)
    if "secret" in seen and "data" in seen:
        text = without_manifests(text)
        seen = folded(text)
    for rule in rules():
        if any(sign in seen for sign in rule.signs):
            kept = rule.pattern.sub(rule.instead, text)
            if kept != text:
                text, seen = kept, folded(kept)
    return text


def folded(text: str) -> str:
    """The text case-folded for the search of signs, as a case-insensitive pattern sees it."""
    return text.lower() if text.isascii() else text.casefold().replace("ı", "i")


def _without_key_files(text: str) -> str:
    """The text without private keys; a truncated key extends to the end of the text."""
    kept: list[str] = []
    place = 0
    while (begins := _KEY_BEGINS.search(text, place)) is not None:
        kept += [text[place : begins.start()], "[key]"]
        ends = _KEY_ENDS.search(text, begins.end())
        place = ends.end() if ends is not None else len(text)
    return "".join([*kept, text[place:]])
