"""What `\\d` of psql shows of a table: its title, and below its columns the indexes, one a line."""

from __future__ import annotations

import re

from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

_TITLE = re.compile(r"\s*(?:Unlogged table|Partitioned table|Table|数据表|分区表)\s*[\"“].+[\"”]\s*")
_HEADING = re.compile(r"\s*(?:Indexes|索引)[:：]\s*")
_INDEX = re.compile(
    r"\s*\"(?P<name>[^\"]+)\" (?P<definition>.*\b(?:btree|hash|gin|gist|spgist|brin) \(.+)", re.IGNORECASE
)
_COLUMNS = ("indexname", "indexdef")


def read_described(lines: PastedLines, at: int) -> Block | None:
    """The indexes below line `at`, which heads them or is the first; a title is a note."""
    if _TITLE.fullmatch(lines.lines[at]):
        return Block("note", at, at + 1)
    last = at + (_HEADING.fullmatch(lines.lines[at]) is not None)
    rows: list[tuple[str, ...]] = []
    while last < len(lines.lines) and (found := _INDEX.fullmatch(lines.lines[last])):
        rows.append((found["name"], found["definition"]))
        last += 1
    return Block("table", at, last, Table(_COLUMNS, tuple(rows))) if rows else None
