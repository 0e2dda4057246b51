"""Statements that a person ran to change something, with the server's word that they were run.

Such a statement and its answer are a deed: neither is a finding, a number or a sentence, and both are taken out of the
text before it is read. A statement without an answer, and one that failed, stay where they are.
"""

from __future__ import annotations

from typing import NamedTuple

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

_PROMPT = r"\s*(?:[\w.$-]+(?:[=\-('\"*!^@$]\*?)[#>]\s?|(?:mysql|MariaDB \[[^\]]*\])>\s?)?"
_FUNCTIONS = (
    r"pg_(?:terminate_backend|cancel_backend|drop_replication_slot|reload_conf|promote|switch_wal|checkpoint|"
    r"wal_replay_(?:resume|pause)|stat_reset\w*|stat_statements_reset)"
)
_VERBS = (
    r"alter|create|drop|truncate|vacuum|analy[sz]e|reindex|checkpoint|cluster|kill|delete|update|insert|set|reset|"
    r"rollback prepared|commit prepared|refresh|grant|revoke|purge|call|flush|optimize|start|stop|change"
)
_STATEMENT = re.compile(rf"{_PROMPT}(?P<said>(?:{_VERBS})\b.*|select\b.*{_FUNCTIONS}\s*\(.*)", re.IGNORECASE)
# A transaction around other statements changes nothing by itself.
_FRAME = re.compile(rf"{_PROMPT}(?i:begin|start transaction|commit|rollback|end|abort)\s*;\s*|BEGIN|COMMIT|ROLLBACK")
_TAG = _LISTED.pattern("tag")
_HEADING = re.compile(rf"\s*(?:[\w\"]+\s*\|\s*)*(?P<function>{_FUNCTIONS})\s*(?:\|.*)?", re.IGNORECASE)
# MySQL answers ANALYZE TABLE and its like with a table of messages.
_MESSAGES = re.compile(r"\s*\|\s*Table\s*\|\s*Op\s*\|\s*Msg_type\s*\|.*")
_CALL = re.compile(_FUNCTIONS, re.IGNORECASE)
_RULER = re.compile(r"\s*[-+|=]{3,}\s*")
# What such a function returns: true or false, alone or beside other columns, a place in the WAL, or nothing.
_VALUE = re.compile(r"(?:.*\|)?\s*(?P<value>t|f|true|false|[0-9A-F]+/[0-9A-F]+|)\s*")
_ROWS = re.compile(r"\s*\((?:\d+) [^()\d]{1,20}\)\s*")
_BESIDE = re.compile(rf"\s*(?P<function>{_FUNCTIONS})\s*\|\s*(?P<value>t|f|)\s*", re.IGNORECASE)
# `kubectl` tells what it did by the object and a form of the past.
_APPLIED = re.compile(r"\s*(?P<object>[a-z][\w.]*/[\w.-]+) (?P<done>scaled|restarted|rolled back)\s*")
_COMMANDS = {"scaled": "kubectl scale", "restarted": "kubectl rollout restart", "rolled back": "kubectl rollout undo"}
# The server's word that it did nothing, before the tag that ends a command anyway.
_SKIPPED = re.compile(r"\s*WARNING:\s+(?:skipping|relation .* skipped)\b.*", re.IGNORECASE)
_LONGEST = 12
_FALSE = ("f", "false")


class Executed(NamedTuple):
    """What was run, by the statement or, where only the answer was pasted, by that; and the lines from `first` on."""

    statement: str
    first: int
    last: int
    took_hold: bool = True


def executed_in(text: str) -> tuple[Executed, ...]:
    """The statements of a text that were run, in their order."""
    lines = text.split("\n")
    found: list[Executed] = []
    at = 0
    while at < len(lines):
        each = _at(lines, at)
        if each is not None:
            found.append(each)
        at = each.last if each is not None else at + 1
    return tuple(found)


def without_executed(text: str) -> str:
    """The text with blanks in place of what was run and its answers, so that places stay the same."""
    lines = text.split("\n")
    for each in executed_in(text):
        for at in range(each.first, each.last):
            lines[at] = " " * len(lines[at])
    return "\n".join(lines)


def _at(lines: list[str], at: int) -> Executed | None:
    """What was run at a line, if anything."""
    if _FRAME.fullmatch(lines[at]):
        return Executed("", at, at + 1, took_hold=False)
    if (tag := _TAG.fullmatch(lines[at])) and not _is_cell(lines, at):
        return Executed(tag["tag"], at, at + 1, took_hold=not (at and _SKIPPED.fullmatch(lines[at - 1])))
    if applied := _APPLIED.fullmatch(lines[at]):
        return Executed(f"{_COMMANDS[applied['done']]} {applied['object']}", at, at + 1)
    if answer := _answer_at(lines, at):
        return Executed(answer.function, at, answer.last, answer.took_hold)
    return _statement_at(lines, at)


def _is_cell(lines: list[str], at: int) -> bool:
    """Whether a line is a value in a table of one column: a statement that is running, not one that was run."""
    return at > 0 and _RULER.fullmatch(lines[at - 1]) is not None


def _statement_at(lines: list[str], at: int) -> Executed | None:
    """A statement over some lines with its answer below it; None without one."""
    if not (opening := _STATEMENT.fullmatch(lines[at])):
        return None
    said = [opening["said"]]
    for below in range(at + 1, min(len(lines), at + _LONGEST)):
        line, ended = lines[below], said[-1].rstrip().endswith(";")
        if (ended or len(said) == 1) and _TAG.fullmatch(line):
            return Executed("\n".join(said), at, below + 1)
        if answer := _answer_at(lines, below):
            return Executed("\n".join(said), at, answer.last, answer.took_hold)
        if ended and line.strip():
            return _value_below(lines, at, below, said)
        said += [line] if line.strip() else []
    return None


def _value_below(lines: list[str], at: int, below: int, said: list[str]) -> Executed | None:
    """A statement with a function's bare value below it, as a client prints it without headings."""
    value = _VALUE.fullmatch(lines[below])
    if value is None or not value["value"] or not _CALL.search(said[-1]):
        return None
    return Executed("\n".join(said), at, below + 1, value["value"] not in _FALSE)


class _Answer(NamedTuple):
    function: str
    last: int
    took_hold: bool


def _answer_at(lines: list[str], at: int) -> _Answer | None:
    """The result of a function that changes something, as a table or as `name | value`."""
    if beside := _BESIDE.fullmatch(lines[at]):
        return _Answer(beside["function"], at + 1, beside["value"] not in _FALSE)
    if at + 1 < len(lines) and _RULER.fullmatch(lines[at]) and _MESSAGES.fullmatch(lines[at + 1]):
        last = next(
            (below for below in range(at, len(lines)) if lines[below].lstrip()[:1] not in ("|", "+")), len(lines)
        )
        return _Answer("", last, took_hold=True)
    heading = _HEADING.fullmatch(lines[at])
    if heading is None:
        return None
    last = at + 1
    values = []
    while last < len(lines):
        line = lines[last]
        if _ROWS.fullmatch(line):
            last += 1
            break
        value = _VALUE.fullmatch(line)
        if not _RULER.fullmatch(line) and value is None:
            break
        values += [value["value"]] if value is not None and line.strip() else []
        last += 1
    return _Answer(heading["function"], last, not values or any(value not in _FALSE for value in values))
