"""Cuts the free text of an analysis into lines, numbered items and sentences, each quoted literally.

Marks around a piece (numbers, bullets, times of day, who said it) are left out of it; nothing inside a piece changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NUMBERING = (
    r"(?:[(（]?\d{1,2}[)）](?!\d)|\d{1,2}\s?[、.．:：](?![\d.])|[①-⑳]|[一二三四五六七八九十]{1,2}[、.．]|[(（][一二三四五六七八九十]{1,2}[)）]|"
    r"第[一二三四五六七八九十\d]{1,2}步[:：,，、]?|步骤\s?[\d一二三四五六七八九十]{1,2}[:：、.]?|step\s?\d{1,2}\s?[:.)\-]?)"
)
_TIME = (
    r"(?:\d{4}[-/年.]\d{1,2}[-/月.]\d{1,2}日?[T\s]*)?(?:\d{1,2}月\d{1,2}日\s*)?(?:凌晨|早上|上午|中午|下午|晚上|晚)?"
    r"(?:\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?:\s?(?:am|pm|utc))?|\d{1,2}点(?:\d{1,2}分|半)?)"
    r"(?:\s?(?:-|~|–|至|到)\s?\d{1,2}[:：]\d{2}(?:[:：]\d{2})?)?(?:左右)?"
)
_DATE = r"(?:\d{4}[-/年.]\d{1,2}[-/月.]\d{1,2}日?)"
_LEADING = re.compile(
    rf"^(?:[\s\-*•·●■◆▪>→=、,，:：.。;；#]+|{_NUMBERING}|[\[【]?(?:{_TIME}|{_DATE})[\]】]?|【[^【】]{{1,12}}】|\[[^\[\]]{{1,20}}\]|"
    r"(?:于是|然后|接着|随后|首先|其次|再次|最后|另外|此外|同时|而且|并且|并|且|再|又)[,，]?|"
    r"(?:then|next(?! steps?\b)|first|second|finally|also|and|meanwhile|in addition|additionally)\b,?)",
    re.IGNORECASE,
)
_TRAILING = re.compile(r"[\s,，;；、。.:：!！\-—]+$")
_BEFORE_ITEM = re.compile(rf"(?<=[\s。；;,，.])(?=(?:{_NUMBERING})\s*\S)", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"[。！？!；;]+|\?+(?=\s*(?:[A-Z\u4e00-\u9fff]|$))"
    r"|(?<=[A-Za-z0-9)%'\"’”\u4e00-\u9fff])\.(?=\s+(?:[A-Z\u4e00-\u9fff]|[a-z]+_[a-z]|$))"
)
_NOT_AN_END = re.compile(r"(?:e\.g|i\.e|etc|vs|approx|no|resp)$", re.IGNORECASE)
_CODE = re.compile(
    r"^(?:[$#>]\s|`)|^(?:explain(?=\s*(?:\(|analyze|verbose|select|update|insert|delete|with))|select|show|with|update|insert|delete|alter|create|drop|vacuum|analyze|reindex|call|set)\s+"
    r"[\w*(\"'.]+(?:\s|,|;|$|\()[^\u4e00-\u9fff]*$"
    r"|^(?:iostat|vmstat|top|sar|df|du|free|dmesg|grep|tail|ps|ss|netstat|pidstat|psql|perf|strace|pg_\w+)"
    r"(?:\s+[-/|'\"\d>][^\u4e00-\u9fff]*)?$",
    re.IGNORECASE,
)


# A sentence that begins with a statement's first word.
_TOLD_OF_CODE = re.compile(
    r"\b(?:runs?|ran|waits?|waited|takes?|took|is(?! (?:not )?null)|was|were|are|gives?|averages?|shows|hangs?|"
    r"fails?|failed)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Piece:
    """A stretch of the text. question: a question mark follows. opens: a colon follows, which announces more."""

    text: str
    question: bool = False
    opens: bool = False

    @property
    def code(self) -> bool:
        """It is a statement or a command, not a sentence."""
        return bool(_CODE.match(self.text)) and not _TOLD_OF_CODE.search(self.text)


def split_pieces(text: str) -> Iterator[Piece]:
    """The non-empty pieces in order."""
    for line in re.split(r"[\r\n\u2028\u0085\v\f]+", text):
        for item in _BEFORE_ITEM.split(line):
            yield from _sentences(item)


def trim_marks(text: str) -> str:
    """The text without the marks around it."""
    before = None
    while before != text:
        before = text
        text = _LEADING.sub("", text, count=1)
    return _TRAILING.sub("", text)


def _sentences(item: str) -> Iterator[Piece]:
    start = 0
    for match in _SENTENCE_END.finditer(item):
        if match[0] == "." and _NOT_AN_END.search(item[start : match.start()]):
            continue
        yield from _piece(item[start : match.start()], match[0])
        start = match.end()
    yield from _piece(item[start:], "")


def _piece(text: str, end: str) -> Iterator[Piece]:
    found = trim_marks(text)
    if found:
        yield Piece(found, "?" in end or "？" in end, text.rstrip().endswith((":", "：")))
