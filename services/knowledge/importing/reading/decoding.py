"""Decodes exports: UTF-8 with or without a byte order mark, UTF-16 with one, or GB18030."""

from __future__ import annotations

import codecs
import unicodedata

from services.chassis.errors import InvalidInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Real Chinese text consists almost entirely of GB 2312 characters; other bytes decoded as GB18030 do not.
_LEAST_COMMON = 0.9
_MOST_BAD_LINES = 0.5


def decode_export(content: bytes, encoding: str | None = None) -> str:
    """The text; undecodable bytes of single lines become surrogates, so that only their records are rejected.

    Raises InvalidInput if most lines are undecodable, or if the text does not fit the encoding given.
    """
    if encoding is not None:
        return _as_named(content, encoding)
    named = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(named)
    except UnicodeDecodeError as error:
        if named == "utf-16":
            raise InvalidInput("invalid_tickets.not_utf16", byte=error.start) from error
        return _chinese(content) or _mostly(content, error.start)


def _as_named(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise InvalidInput("invalid_tickets.unknown_encoding", encoding=encoding[:40]) from error
    except UnicodeDecodeError as error:
        raise InvalidInput("invalid_tickets.other_encoding", byte=error.start, encoding=encoding) from error


def _chinese(content: bytes) -> str | None:
    try:
        text = content.decode("gb18030")
    except UnicodeDecodeError:
        return None
    foreign = "".join(sign for sign in text if ord(sign) > 127)
    common = len(foreign.encode("gb2312", "ignore")) / 2
    return text if foreign and common / len(foreign) >= _LEAST_COMMON else None


def _mostly(content: bytes, start: int) -> str:
    text = content.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    lines = [line for line in text.split("\n") if line.strip()]
    bad = sum(any(unicodedata.category(sign) == "Cs" for sign in line) for line in lines)
    if bad > _MOST_BAD_LINES * len(lines):
        raise InvalidInput("invalid_tickets.no_encoding", byte=start)
    return text
