"""Log lines of PostgreSQL, MySQL, PgBouncer, Kubernetes and the kernel, and errors as clients print them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lang import deferred_re as re
from lang.pastes.cells import duration_in, find_moment
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

# Where a statement begins, and what follows it in a log entry.
_STATEMENT = re.compile(
    r"\b(?:select\s[\s\S]*?\bfrom\s|update\s+\S+\s[\s\S]*?\bset\s|insert\s+into\s|delete\s+from\s|with\s+\w+\s+as\s*\()",
    re.IGNORECASE,
)
_AFTER = re.compile(r"\n\s*(?:\S.*?(?:DETAIL|详细信息|描述)[:：]|[A-Z][\w ]+\(cost=)[\s\S]*|['\"]\s*$|\s+\[params.*$")
# So much may stand before a statement in a line that only reports how long it took.
_LONGEST_HEAD, _MOST_WORDS = 80, 8
_WORD = re.compile(r"[^\W\d_]+")
_STOPS = (",", "，", "。", "；")
SLOW_LOG_COLUMNS = ("query_time", "lock_time", "rows_sent", "rows_examined", "query")
_HEAD = re.compile(r"# (?:Time|User@Host|Query_time|Thread_id|Schema|Bytes_sent|Tmp_tables|Full_scan)\b.*")
_TIMES = re.compile(
    r"# Query_time: (\d+(?:\.\d+)?)\s+Lock_time: (\d+(?:\.\d+)?)\s+Rows_sent: (\d+)\s+Rows_examined: (\d+)"
)
# Lines between the heading of an entry and its statement.
_BESIDE = re.compile(r"(?:use \w+|SET timestamp=\d+);?\s*", re.IGNORECASE)


class Slow(NamedTuple):
    """A statement and how long it took, as text."""

    duration: str = ""
    query: str = ""


NOT_SLOW = Slow()


def slow_entry(entry: Sequence[str]) -> Slow:
    """The statement that an entry of a log reports as slow, with how long it took; empty for another entry."""
    text = "\n".join(entry)
    found = _STATEMENT.search(text)
    took = duration_in(text[: found.start()]) if found else ""
    return Slow(took, " ".join(_AFTER.sub("", text[found.start() :]).split())) if found and took else NOT_SLOW


def slow_line(line: str) -> Slow:
    """The same of a line without a time, which begins with hardly more than how long a statement took."""
    found = _STATEMENT.search(line)
    head = line[: found.start()] if found else ""
    plain = len(head) <= _LONGEST_HEAD and not any(stop in head for stop in _STOPS)
    return slow_entry((line,)) if head and plain and len(_WORD.findall(head)) <= _MOST_WORDS else NOT_SLOW


# A time in ISO form, syslog's "Nov 22 10:00:01 host", dmesg's "[12345.678]" and "[Sun Nov 22 10:00:00 2026]".
_STAMP = re.compile(
    r"\s{0,8}\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d "
    r"|\s*\d{1,9}\.\d{3,6}\]|[A-Z][a-z]{2} [A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d)"
)
_ERROR = re.compile(
    r"\s{0,4}(?:psql: )?(?:\S+: )?(?:ERROR|FATAL|PANIC|错误|致命错误|WARNING|警告|error)(?: \d+ \(\w+\))?[:：]\s*\S"
    r"|\s{0,4}(?:LOG|日志):  \S"
)
_GREPPED = re.compile(r"[\w./-]+\.log:(?:\d+:)?(?=.)")
_FOLLOWS = (
    "\t",
    "DETAIL",
    "HINT",
    "STATEMENT",
    "CONTEXT",
    "QUERY",
    "LOCATION",
    "LINE ",
    "描述",
    "提示",
    "语句",
    "背景",
    "上下文",
    "查询",
    "第",
)
# What the first field of a stamped line is: one that goes with the message above it, or a message of its own.
_FIELD = re.compile(
    r"(?<!\w)(?:(?P<follows>DETAIL|HINT|STATEMENT|CONTEXT|QUERY|LOCATION|描述|详细信息|提示|语句|背景|上下文|查询)"
    r"|[A-Z]{3,}\d?|错误|致命错误|日志|警告)[:：]\s"
)
_NOTICE = re.compile(r"\s{0,4}(?:psql:\S+ )?(?:INFO|NOTICE|信息|注意)[:：]\s*\S")
# The lines below a notice of VACUUM and ANALYZE, and the command's own tag.
_REPORTS = re.compile(
    r"\s*(?:(?:pages|tuples|removable cutoff|new rel\w+|frozen|visibility map|index scan[\w ]*|avg [\w ]+|buffer usage"
    r"|WAL usage|memory usage|system usage|I/O timings|delay time|CPU|index \S+): .*"
    r"|(?:CPU|There were|\d+ pages|\d+ index row|\d+ dead row) .*|VACUUM|ANALYZE)"
)
# What a statement says is the application's text, not the server's.
_QUOTED = ("STATEMENT:", "语句:", "QUERY:", "statement: ", "execute <unnamed>: ")
COLUMNS = ("time", "line", *Slow._fields)


def read_log(lines: PastedLines, at: int) -> Block | None:
    """Log lines from line `at` on, each with the lines that go with it."""
    entries: list[list[str]] = []
    last = at
    while last < len(lines.lines):
        plain = _without_file(lines.lines[last])
        if _STAMP.match(plain) and not (entries and _goes_with(plain)):
            entries.append([plain])
        elif entries and plain.strip() and (plain.startswith(_FOLLOWS[0]) or _details(plain)):
            entries[-1].append(plain)
        else:
            break
        last += 1
    return Block("log", at, last, _table(entries)) if entries else None


def _goes_with(line: str) -> bool:
    """True for a line with a time that details the message above."""
    field = _FIELD.search(line) if _STAMP.match(line) else None
    return field is not None and field["follows"] is not None


def read_slow(lines: PastedLines, at: int) -> Block | None:
    """Lines from `at` on without a time, each with a statement and how long it took."""
    last = at
    while last < len(lines.lines) and slow_line(_without_file(lines.lines[last])) != NOT_SLOW:
        last += 1
    return (
        Block("log", at, last, _table([[_without_file(each)] for each in lines.lines[at:last]])) if last > at else None
    )


def read_error(lines: PastedLines, at: int) -> Block | None:
    """An error without a log around it, with its hint, its statement and the marker below."""
    if not _ERROR.match(lines.lines[at]) or slow_line(lines.lines[at]) != NOT_SLOW:
        return None
    last = at + 1
    while last < len(lines.lines) and (
        lines.lines[last].strip() == "^" or lines.lines[last].lstrip().startswith(_FOLLOWS)
    ):
        last += 1
    return Block("error", at, last, _table([list(lines.lines[at:last])]))


def read_notice(lines: PastedLines, at: int) -> Block | None:
    """What VACUUM VERBOSE, ANALYZE VERBOSE and other commands report, to their tag."""
    entries: list[list[str]] = []
    last = at
    while last < len(lines.lines):
        line = lines.lines[last]
        if _NOTICE.match(line):
            entries.append([line])
        elif entries and (line.lstrip().startswith(_FOLLOWS) or _REPORTS.fullmatch(line)):
            entries[-1].append(line)
        else:
            break
        last += 1
    return Block("log", at, last, _table(entries)) if entries else None


def _without_file(line: str) -> str:
    """The line without the name that `grep` puts before it."""
    return (
        line[found.end() :] if line[:1] in "./abcdefghijklmnopqrstuvwxyz" and (found := _GREPPED.match(line)) else line
    )


def _table(entries: list[list[str]]) -> Table:
    rows = []
    for entry in entries:
        moment = find_moment(entry[0])
        slow = slow_entry([line for line in entry if line is entry[0] or not _details(line)])
        rows.append(("" if moment is None else f"{moment:.3f}", "\n".join(_own_words(entry)), *slow))
    return Table(COLUMNS, tuple(rows), "log", tuple(query or line for _, line, _, query in rows))


def slow_rows(log: Table) -> Table:
    """The statements that a log reports as slow."""
    found = [row[-len(Slow._fields) :] for row in log.rows if len(row) == len(COLUMNS)]
    return Table(Slow._fields, tuple(row for row in found if row != NOT_SLOW))


def _details(line: str) -> bool:
    """True for a line that tells more of a message, such as the statement that an error is of."""
    return _goes_with(line) or line.lstrip().startswith(_FOLLOWS[1:])


def _own_words(entry: list[str]) -> Iterator[str]:
    for line in entry:
        cut = min((place for mark in _QUOTED if (place := line.find(mark)) >= 0), default=len(line))
        if line[:cut].strip():
            yield line[:cut]


def read_slow_log(lines: PastedLines, at: int) -> Block | None:
    """The entries from line `at` on; the heading of one may have lost its first lines."""
    if not _HEAD.match(lines.lines[at]):
        return None
    rows: list[list[str]] = []
    last = at
    while last < len(lines.lines) and not lines.blank[last]:
        line = lines.lines[last].strip()
        if found := _TIMES.match(line):
            rows.append([*found.groups(), ""])
        elif not _HEAD.match(line) and not _BESIDE.fullmatch(line):
            if not rows or rows[-1][-1].endswith(";"):
                break
            rows[-1][-1] = f"{rows[-1][-1]} {line}".strip()
        last += 1
    return Block("table", at, last, Table(SLOW_LOG_COLUMNS, tuple(map(tuple, rows)))) if rows else None
