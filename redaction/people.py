"""E-mail addresses and personal numbers: phones, identity and bank cards, verified by check digit where one exists.

Server counters look like phone numbers, so a number alone in a cell or with a unit is kept.
"""

from __future__ import annotations

from datetime import date

from lang import deferred_re as re

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
