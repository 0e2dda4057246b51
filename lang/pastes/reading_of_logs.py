"""What log lines, errors and messages within a sentence say: what a check searches for confirms it, or denies it where
its rule only denies.

Few errors count without a log.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.pastes.cells import type_rows
from lang.pastes.check_index import LINE, CheckIndex, KnownCheck
from lang.pastes.judge_rows import is_likely, is_sign, judge_rows
from lang.pastes.marks import MARKS, has_mark
from lang.pastes.model import Block, Finding, RowRule, Span, Standing, Table

_LONGEST = 300
_LONGEST_LINE = 4000
_FEW = 20
_LEVEL = re.compile(r"^.*?(?<!\w)(?:LOG|WARNING|NOTICE|ERROR|FATAL|PANIC|DETAIL|HINT|警告|日志|错误|致命错误)[:：]\s+")
# What stands before the message of a line that begins with its time.
_BEFORE_MESSAGE = re.compile(
    r"^\W*\d{2,4}\D.*?(?<!\w)(?:LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC|HINT|DETAIL|STATEMENT|警告|日志|错误|致命错误|提示)\b[:：]?\s+"
)
# What only the server itself has, and no application misses.
OWN_VIEW = re.compile(
    r"(?:relation|view|table|function|schema|关系|函数|表)\s?[\"'`“]?(?:pg_|information_schema|performance_schema|sys\.)",
    re.IGNORECASE,
)
_AT_LEAST_ONE = RowRule(confirmed="n() >= 1")
# The severity as servers write it, and the message up to a closing quotation mark or the end of a Chinese clause.
_MESSAGE = re.compile(
    r"(?:\b(?:ERROR|FATAL|PANIC|WARNING)|致命错误|错误|警告)\s?[:：]\s{0,4}\S[^\n“”「」『』，。；]*", re.MULTILINE
)


def judge_log(block: Block, index: CheckIndex, asked: Sequence[str]) -> Iterator[Finding]:
    """Findings of the lines in a log block: confirmed by any check, denied only where that check was asked for."""
    for known in _searching(index):
        lines = _matching(known, block)
        if lines:
            yield from _judged(known, block, lines, "counts")
        elif known.phenomenon_id in asked and known.check.rows and known.check.rows.confirmed:
            # An excerpt without the line is no proof that the log does not have it.
            yield Finding(known.phenomenon_id, "denied", "proposed", "", "", "no_log_line")


def judge_error(block: Block, index: CheckIndex, asked: Sequence[str]) -> tuple[Finding, ...]:
    """Findings of an error without a log: what may be about a check tells little, else it counts."""
    words = " ".join(row[1] for row in block.table.rows)[:_LONGEST] if block.table else ""
    of_check = has_mark(words, MARKS.cannot_tell)
    if of_check and OWN_VIEW.search(words):
        return (Finding(asked[0], "unknown", "counts", words, "", "error"),) if asked else ()
    found = [(known, lines) for known in _searching(index) if (lines := _matching(known, block))]
    certain = [
        finding for known, lines in found if _is_alone(known) for finding in _judged(known, block, lines, "counts")
    ]
    if certain:
        return tuple(certain)
    if asked and of_check:
        return (Finding(asked[0], "unknown", "counts", words, "", "error"),)
    standing: Standing = "proposed" if of_check else "counts"
    return tuple(finding for known, lines in found for finding in _judged(known, block, lines, standing))


def message_of(line: str) -> str:
    """What a line of a log says, without when, by whom and how gravely it was written; other words as they are."""
    return _BEFORE_MESSAGE.sub("", line)


def is_searched(line: str, index: CheckIndex) -> bool:
    """True if a check searches logs for something in the line."""
    return any(known.lines is not None and known.lines.search(line[:_LONGEST_LINE]) for known in _searching(index))


def _searching(index: CheckIndex) -> Iterator[KnownCheck]:
    return (
        index.checks[one]
        for one in index.by_form.get("log", ())
        if index.checks[one].lines and index.checks[one].check.rows
    )


def _is_alone(known: KnownCheck) -> bool:
    return known.check.rows is not None and known.check.rows.alone


def _matching(known: KnownCheck, block: Block) -> list[int]:
    if block.table is None or known.lines is None:
        return []
    rows = block.table.rows
    if len(rows) > _FEW and not known.lines.search("\n".join(row[1] for row in rows)):
        return []
    return [place for place, row in enumerate(rows) if known.lines.search(row[1][:_LONGEST_LINE])]


def _judged(known: KnownCheck, block: Block, lines: Sequence[int], standing: Standing) -> Iterator[Finding]:
    if block.table is None:
        return
    table = Table(block.table.columns, tuple(block.table.rows[place] for place in lines), "log")
    rule = known.check.rows or _AT_LEAST_ONE
    rows = type_rows(table, (LINE,))
    verdict = judge_rows(_AT_LEAST_ONE if rule.alone else rule, (rows,), 0.0)
    words = _told(known, table.rows[-1][1])[:_LONGEST]
    if verdict == "confirmed" or (verdict == "denied" and not rule.confirmed):
        yield Finding(known.phenomenon_id, verdict, standing, words, "", "log_line")
    elif is_sign(rule, rows):
        yield Finding(known.phenomenon_id, "confirmed", standing, words, "", "sign")
    elif is_likely(rule, rows):
        yield Finding(known.phenomenon_id, "confirmed", "proposed", words, "", "open")


def _told(known: KnownCheck, entry: str) -> str:
    """The line of an entry that a check searches for, without when, by whom and how gravely it was written."""
    lines = [line for line in entry.split("\n") if known.lines and known.lines.search(line)]
    level = _LEVEL.search(lines[0]) if lines else None
    return lines[0][level.end() :] if level else entry


def judge_messages(words: str, index: CheckIndex) -> Iterator[tuple[Span, tuple[Finding, ...]]]:
    """Each server message in a person's words with what it is a sign of; offsets are places in the words."""
    for found in _MESSAGE.finditer(words):
        table = Table(("time", "line"), (("", found[0]),), "log")
        yield Span(*found.span(), found[0]), judge_error(Block("error", 0, 1, table), index, ())
