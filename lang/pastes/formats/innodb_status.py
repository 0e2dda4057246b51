"""The output of MySQL's SHOW ENGINE INNODB STATUS, whole or a part of it: what its lines count, and its transactions.

A section is a table `innodb_status` of one row; its transactions are the rows of a list of transactions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from lang import deferred_re as re
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.model import Block, Table

FORM = "innodb_status"
TRANSACTION = ("trx_id", "thread", "trx_state", "trx_age", "rows_modified", "user", "query")
_TITLES = frozenset(
    (
        *("BACKGROUND THREAD", "SEMAPHORES", "LATEST FOREIGN KEY ERROR", "LATEST DETECTED DEADLOCK", "TRANSACTIONS"),
        *("FILE I/O", "INSERT BUFFER AND ADAPTIVE HASH INDEX", "LOG", "BUFFER POOL AND MEMORY", "ROW OPERATIONS"),
        *("INDIVIDUAL BUFFER POOL INFO", "END OF INNODB MONITOR OUTPUT"),
    )
)
# What a line counts, by the name of the column.
_VALUES: Mapping[str, re.Pattern[str]] = {
    "pool_pages": re.compile(r"Buffer pool size\s+(\d+)$"),
    "free_pages": re.compile(r"Free buffers\s+(\d+)"),
    "dirty_pages": re.compile(r"Modified db pages\s+(\d+)"),
    "pending_reads": re.compile(r"Pending reads\s+(\d+)"),
    "reads_per_s": re.compile(r"^(\d+(?:\.\d+)?) reads/s, \S+ creates/s"),
    "hits_per_1000": re.compile(r"Buffer pool hit rate (\d+) / 1000"),
    "history_list": re.compile(r"History list length (\d+)"),
    "written_lsn": re.compile(r"Log sequence number\s+(\d+)$"),
    "checkpoint_lsn": re.compile(r"Last checkpoint at\s+(\d+)$"),
    "semaphore_wait": re.compile(r"has waited at .* for (\d+(?:\.\d+)?) +seconds the semaphore"),
    "waited_at": re.compile(r"has waited at (\S+)"),
    "lock_wait": re.compile(r"TRX HAS BEEN WAITING (\d+) SEC FOR THIS LOCK"),
}
# How a record is locked; the gap before it, or the record alone.
_LOCK_MODE = re.compile(r"^RECORD LOCKS .* lock_?mode (.+)$")
_DEADLOCK = "LATEST DETECTED DEADLOCK"
_SIDE = re.compile(r"\*\*\* \((\d)\) (TRANSACTION|WAITING FOR THIS LOCK)?")
_LOCKED, _VICTIM = re.compile(r"of table (\S+)"), re.compile(r"\*\*\* WE ROLL BACK TRANSACTION \((\d)\)")
_TIME = re.compile(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")
_BEGINS = re.compile(r"---TRANSACTION (\d+), (ACTIVE|not started)(?: \(\w+\))?(?: (\d+) sec)?(.*)")
_THREAD = re.compile(r"MySQL thread id (\d+), .*?query id \d+(?: (\S+))?(?: (\S+))?(?: (\S+))?")
_MODIFIED = re.compile(r"undo log entries (\d+)")
# A line of a section that counts something else.
_COUNTS = re.compile(r"(?:[A-Z][a-z][\w ']*?\s+\d+(?:[, ].*)?|\d+(?:\.\d+)? [\w/]+, .*)")
_NO_STATEMENT = ("-", "TABLE LOCK", "RECORD LOCKS", "Trx read view", "Record lock", "END OF")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def read_innodb_status(lines: PastedLines, at: int) -> Block | None:
    """What begins with line `at`: a section, transactions, or lines of a section that was not copied whole."""
    if _BEGINS.match(lines.lines[at]):
        last = _end(lines, at)
        return Block("table", at, last, Table(TRANSACTION, tuple(_transactions(lines.lines[at:last]))))
    title, first = _title(lines, at)
    last = _end(lines, first) if title else first
    if not title:
        last = _end_of_values(lines, at)
    if last == at:
        return None
    return _section(lines, at, last, title)


def _section(lines: PastedLines, at: int, last: int, title: str) -> Block:
    """The values of a section, without its transactions, which are a table of their own."""
    section = lines.lines[at:last]
    begins = (place for place, line in enumerate(section) if place and _BEGINS.match(line))
    section = section[: next(begins, len(section))]
    found: dict[str, str] = {}
    for line in section:
        found |= {name: cell for name, cell in _values(line).items() if name not in found}
    if modes := dict.fromkeys(mode[1] for line in section if (mode := _LOCK_MODE.search(line))):
        found["lock_modes"] = "; ".join(modes)
    if title == _DEADLOCK:
        times = (time[1] for line in section if (time := _TIME.match(line)))
        found |= {"deadlock_at": next(times, "")} | _sides(section)
    words = "; ".join(line.strip() for line in section if _values(line)) or title
    told = () if not found else (words,)
    table = Table(tuple(found), (tuple(found.values()),) if found else (), FORM, told)
    return Block("table" if found else "note", at, at + len(section), table if found else None)


def _sides(section: Sequence[str]) -> dict[str, str]:
    """Of each side of a deadlock its thread and the table that it waits for; and which side was rolled back."""
    found: dict[str, str] = {}
    side = ""
    for line in section:
        if heading := _SIDE.match(line):
            side = heading[1] if heading[2] else ""
        elif victim := _VICTIM.match(line):
            found["victim"] = victim[1]
        elif side and (thread := _THREAD.search(line)):
            found[f"thread_{side}"] = thread[1]
        elif side and (table := _LOCKED.search(line)):
            found.setdefault(f"waits_{side}", table[1].replace("`", ""))
    return found


def _values(line: str) -> dict[str, str]:
    """What a line counts."""
    text = line.strip()
    return {name: found[1] for name, pattern in _VALUES.items() if (found := pattern.search(text))}


def _end_of_values(lines: PastedLines, at: int) -> int:
    """The line after values that were copied without their section; the first must be one that is read."""
    last = at
    while last < len(lines.lines) and not lines.blank[last]:
        text = lines.lines[last].strip()
        if not (any(each.match(text) for each in _VALUES.values()) or (last > at and _COUNTS.fullmatch(text))):
            break
        if _HAN.search(text) or text.endswith("?"):
            break
        last += 1
    return last


def _title(lines: PastedLines, at: int) -> tuple[str, int]:
    """The title of the section that begins with a line, and the line below it; empty where none does."""
    ruled = _is_rule(lines.lines[at])
    place = at + 1 if ruled else at
    title = lines.lines[place].strip() if place < len(lines.lines) else ""
    if title not in _TITLES:
        return "", at
    below = place + 1 < len(lines.lines) and _is_rule(lines.lines[place + 1])
    return title, place + 1 + below


def _end(lines: PastedLines, at: int) -> int:
    """The line after a section: a blank one, the next title, or words of the person's own."""
    last = at + (_BEGINS.match(lines.lines[at]) is not None if at < len(lines.lines) else 0)
    while last < len(lines.lines) and not lines.blank[last]:
        if _title(lines, last)[0] or _HAN.search(lines.lines[last]):
            break
        last += 1
    return last


def _is_rule(line: str) -> bool:
    return len(line.strip()) > 1 and not line.strip().strip("-=")


def _transactions(section: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The open transactions, each by the lines below its heading."""
    starts = [place for place, line in enumerate(section) if _BEGINS.match(line)]
    for start, end in zip(starts, [*starts[1:], len(section)], strict=True):
        begins = _BEGINS.match(section[start])
        if begins and begins[2] == "ACTIVE":
            yield _transaction(begins, section[start + 1 : end])


def _transaction(begins: re.Match[str], below: Sequence[str]) -> tuple[str, ...]:
    at = next((place for place, line in enumerate(below) if _THREAD.search(line)), None)
    thread = _THREAD.search(below[at]) if at is not None else None
    waits = any("LOCK WAIT" in line or "TRX HAS BEEN WAITING" in line for line in below)
    state = "ROLLING BACK" if "ROLLING BACK" in begins[0] else "LOCK WAIT" if waits else "RUNNING"
    modified = next((found[1] for line in below if (found := _MODIFIED.search(line))), "0")
    named = [each for each in (thread.groups()[1:] if thread else ()) if each]
    user = next((each for each in named if not each[0].isdigit() and each != "localhost"), "")
    statement = _statement(below[at + 1 :] if at is not None else ())
    return (begins[1], thread[1] if thread else "", state, begins[3] or "", modified, user, statement)


def _statement(below: Sequence[str]) -> str:
    """The statement below the line of a thread."""
    return " ".join(line.strip() for line in takewhile(lambda line: not line.startswith(_NO_STATEMENT), below))
