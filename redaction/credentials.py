"""Credentials as tools and people write them; e-mail addresses and numbers of persons, by check digit where one is.

Server counters look like phone numbers, so a number alone in a cell or with a unit is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
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
_MEBIBYTE = 1 << 20
_LONGEST_LOCAL = 64
_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+-")
# The last part contains a letter: java.base@17.0.15 is a version.
_DOMAIN = re.compile(r"@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,7}\.(?=[\d-]{0,62}[A-Za-z])[A-Za-z0-9-]{1,63}")
# A number starts where no other continues; a name inside a schema is matched by its own rule.
_NAMED = r"(?<=[A-Za-z_]\.)"
_BEGINS = rf"(?:(?<![\w.-])|{_NAMED})"
_INTERNATIONAL = re.compile(
    rf"(?:(?<![\w.+])|{_NAMED})(?:\+|\b00)[1-9]\d{{0,2}}[- ]?(?:\(\d{{1,4}}\)[- ]?)?"
    r"\d{2,5}(?:[- ]?\d{2,5}){1,4}(?![^\W_]|\.|-\d)"
)
_LANDLINE = re.compile(
    rf"{_BEGINS}(?:(?:86[- ])?(?:0\d{{2,3}}-|\(0\d{{2,3}}\) ?)\d{{7,8}}(?:-\d{{1,5}})?|400-\d{{3,4}}-\d{{3,4}}|"
    r"(?:\(\d{3}\) ?|\d{3}-)\d{3}-\d{4}|\d{3}\.\d{3}\.\d{4})(?![^\W_]|-)"
)
_MOBILE = re.compile(
    rf"(?:(?<![\d.])|{_NAMED})(?<![\w]-)(?:86[- ]?)?1[3-9]\d(?:\d{{8}}|[- ]\d{{4}}[- ]?\d{{4}})"
    r"(?!\d|\.\d|\s{0,3}(?:bytes?|字节|[KMGT]i?B|B\b|ms|us|毫秒|微秒|rows?|行|次|blocks?|pages?))"
)
_SSN = re.compile(r"(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![^\W_]|-)")
_IDENTITY = re.compile(rf"{_BEGINS}[1-9]\d{{5}}(?:18|19|20)\d{{9}}[\dXx](?![^\W_])")
_CARD = re.compile(
    rf"{_BEGINS}(?:\d{{15,19}}|\d{{4}}([ -])\d{{4}}\1\d{{4}}\1\d{{4}}(?:\1\d{{3}})?|"
    r"\d{4}([ -])\d{6}\2\d{5})(?![^\W_]|-|\.\d)"
)
_CARD_STARTS = re.compile(r"4|5[1-5]|2[2-7]|3[47]|6011|64|65|62|35|30|36|38")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_COUNTER = re.compile(
    r"(?:bytes|size|count|calls|blks?|blocks|tup|rows|pages|total|time|age|\w*id|xmin|xid|oid|lsn|sum|hash|"
    r"number|limit|offset|max|min|avg|kb|mb)[\"']?\s{0,3}[:=]\s{0,3}$",
    re.IGNORECASE,
)
_CALLED = re.compile(
    r"(?:phone|mobile|tel|cell|contact|msisdn|手机|电话|联系)\w{0,20}[\"']?\s{0,3}[:=：]?\s{0,3}[\"']?$", re.IGNORECASE
)
# Every personal number has seven digits close together, or an account's prefix.
_DIGITS = re.compile(r"\d(?:[ .()-]{0,2}\d){6}|[A-Z]{2}\d{2}")
# A number apart from its neighbours by spaces alone is one of a row: "192 1561 4152 92 7" of vmstat.
_NUMBER_BEFORE = re.compile(r"(?<![\d.])\d{1,9} {1,12}$")
_NUMBER_AFTER = re.compile(r" {1,12}\d{1,9}(?!\S)")
_CELL_ENDS = "\t|,\n\r}]"


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


def without_people(text: str) -> str:
    """The text without personal data."""
    if "@" in text:
        text = _without_mail(text)
    if not _DIGITS.search(text):
        return text
    text = _IDENTITY.sub(lambda found: "[id number]" if _is_identity(found[0]) else found[0], text)
    text = _SSN.sub("[id number]", text)
    text = _IBAN.sub(lambda found: "[card number]" if _is_iban(found[0]) else found[0], text)
    text = _CARD.sub(lambda found: "[card number]" if _is_card(found, text) else found[0], text)
    text = _INTERNATIONAL.sub(lambda found: "[phone]" if _is_international(found[0]) else found[0], text)
    text = _LANDLINE.sub("[phone]", text)
    return _MOBILE.sub(lambda found: "[phone]" if _is_mobile(found) else found[0], text)


def _without_mail(text: str) -> str:
    kept: list[str] = []
    place = 0
    for domain in _DOMAIN.finditer(text):
        begins = domain.start()
        while begins > place and domain.start() - begins < _LONGEST_LOCAL and text[begins - 1] in _LOCAL:
            begins -= 1
        if begins < domain.start():
            kept += [text[place:begins], "[e-mail]"]
            place = domain.end()
    return "".join([*kept, text[place:]])


def _is_identity(digits: str) -> bool:
    """GB 11643: the last character is a check digit, the middle is a date."""
    try:
        date(int(digits[6:10]), int(digits[10:12]), int(digits[12:14]))
    except ValueError:
        return False
    total = sum(int(digit) * weight for digit, weight in zip(digits[:17], _WEIGHTS, strict=True))
    return "10X98765432"[total % 11] == digits[17].upper()


def _is_card(found: re.Match[str], text: str) -> bool:
    """ISO 7812: the last digit is a check digit."""
    digits = re.sub(r"\D", "", found[0])
    known = _CARD_STARTS.match(digits) is not None and not (len(digits) > 16 and not digits.startswith("62"))
    if not known or _COUNTER.search(text, max(0, found.start() - 30), found.start()):
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 * (value > 9) for value in doubled) % 10 == 0


def _is_iban(number: str) -> bool:
    """ISO 13616: the number modulo 97 is 1."""
    plain = number.replace(" ", "")
    if not 15 <= len(plain) <= 34:
        return False
    return int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])) % 97 == 1


def _is_international(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    return 10 <= len(digits) <= 15 and int(digits) % _MEBIBYTE != 0


def _is_mobile(found: re.Match[str]) -> bool:
    """11 digits that are not a counter: not alone in a cell, not whole mebibytes, no counter's name before them."""
    text, begins, ends = found.string, found.start(), found.end()
    if _CALLED.search(text, max(0, begins - 40), begins):
        return True
    digits = re.sub(r"\D", "", found[0])
    if int(digits) % _MEBIBYTE == 0 or _COUNTER.search(text, max(0, begins - 30), begins):
        return False
    if " " in found[0] and _NUMBER_BEFORE.search(text, max(0, begins - 24), begins) and _NUMBER_AFTER.match(text, ends):
        return False
    before, after = text[:begins][-2:].rstrip(" ")[-1:], text[ends : ends + 2].lstrip(" ")[:1]
    cell = bool(before) and before in "\t|,:[" and (not after or after in _CELL_ENDS)
    first = begins == 0 or text[begins - 1] == "\n"
    return not (cell or (first and after in ("\t", "|", ",") and after != ""))
