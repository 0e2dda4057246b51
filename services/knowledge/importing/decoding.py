"""An export's bytes as text: UTF-8 with or without a mark, UTF-16 with one, or GB18030 as Chinese programs write."""

from __future__ import annotations

import codecs
import unicodedata

from services.chassis.errors import InvalidInput

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Chinese text of people is made of the characters of GB 2312, but for a few; other bytes read as GB18030 are not.
_LEAST_COMMON = 0.9
_MOST_BAD_LINES = 0.5


def decoded(content: bytes, encoding: str | None = None) -> str:
    """The text; bytes of single lines that cannot be read stay in it as surrogates, for their records to be refused.

    Raises InvalidInput when that is most of the lines, or when the encoding that was named does not fit.
    """
    if encoding is not None:
        return _as_named(content, encoding)
    named = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(named)
    except UnicodeDecodeError as error:
        return _chinese(content) or _mostly(content, error.start)


def _as_named(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise _unreadable(f"the encoding {encoding[:40]!r} is unknown; use utf-8 or gb18030") from error
    except UnicodeDecodeError as error:
        raise _unreadable(f"byte {error.start} is not {encoding}, which the mapping names") from error


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
        raise _unreadable(f"byte {start} is neither UTF-8 nor GB18030; save it as UTF-8 and try again")
    return text


def _unreadable(why: str) -> InvalidInput:
    return InvalidInput(f"reading the export: {why}", reason="invalid_tickets")
