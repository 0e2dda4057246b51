"""Outputs without a heading that their shape tells: `\\G`, rows of EXPLAIN, `ls -l`, `\\d+`, `name:value`."""

from __future__ import annotations

from collections.abc import Callable

from lang import deferred_re as re
from lang.pastes.formats.pasted_lines import PastedLines
from lang.pastes.formats.tables.grids import is_name, table_of
from lang.pastes.model import Block, Table

# So many lines of one shape are no accident.
_LEAST = 3
_SELECTS = (
    *("SIMPLE", "PRIMARY", "UNION", "DEPENDENT UNION", "UNION RESULT", "SUBQUERY", "DEPENDENT SUBQUERY", "DERIVED"),
    "MATERIALIZED",
)
_EXPLAIN = (
    *("id", "select_type", "table", "partitions", "type", "possible_keys", "key", "key_len", "ref", "rows"),
    *("filtered", "Extra"),
)
# Before MySQL 5.7 these were printed only on demand.
_ON_DEMAND = ("partitions", "filtered")
_FILE = re.compile(
    r"[-bcdlps][-rwxsStT]{9}[.+@]?\s+\d+\s+\S+\s+\S+\s+(?P<size>[\d.]+[KMGTP]?)\s+(?P<time>\S+\s+\S+(?:\s+\S+)?)\s+(?P<file>\S+)"
)
_TOTAL = re.compile(r"(?:total|总用量|总计)\s+[\d.]+[KMGTP]?")
_KEYED = re.compile(r"Partition key:\s*(.+)|分区键值?[:：]\s*(.+)")
_PART = re.compile(
    r"(?:Partitions:|分区[:：])?\s*(?P<part>[\w.\"]+) FOR VALUES FROM \((?P<from>[^()]*)\) TO \((?P<to>[^()]*)\)"
    r"[,\s]*(?:PARTITIONED)?,?"
)
_INFO = re.compile(r"([a-z][a-z0-9_]*):(\S+)")
_SECTION = re.compile(r"# [A-Z][A-Za-z]+")


def read_by_shape(lines: PastedLines, at: int) -> Block | None:
    """The output that begins with line `at`, if its lines have one of these shapes."""
    return next((block for read in _READERS if (block := read(lines, at))), None)


def _read_vertical(lines: PastedLines, at: int) -> Block | None:
    """A record of mysql's `\\G` without the stars above it: the colons stand below one another."""
    place = lines.lines[at].find(":")
    last, record = at, dict[str, str]()
    while last < len(lines.lines) and (line := lines.lines[last]).find(":") == place:
        name = line[:place].strip()
        if not is_name(name) or name in record or (len(line) > place + 1 and line[place + 1] != " "):
            break
        record[name] = line[place + 1 :].strip()
        last += 1
    indented = any(lines.lines[each][:1] == " " for each in range(at, last))
    joined = any("_" in name for name in record)  # What a person says of a host has plain words.
    return Block("table", at, last, table_of([record])) if len(record) > _LEAST and indented and joined else None


def _read_explain(lines: PastedLines, at: int) -> Block | None:
    """Rows of MySQL's EXPLAIN by the kinds of select that they name."""
    rows: list[tuple[str, ...]] = []
    while at + len(rows) < len(lines.lines) and (cells := _cells(lines.lines[at + len(rows)]))[1:2]:
        if cells[1] not in _SELECTS or len(cells) != len(rows[0] if rows else cells):
            break
        rows.append(cells)
    columns = next((each for each in (_EXPLAIN, _without_on_demand()) if rows and len(each) == len(rows[0])), ())
    return Block("table", at, at + len(rows), Table(columns, tuple(rows))) if columns else None


def _without_on_demand() -> tuple[str, ...]:
    return tuple(name for name in _EXPLAIN if name not in _ON_DEMAND)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|"))


def _read_files(lines: PastedLines, at: int) -> Block | None:
    """What `ls -l` lists."""
    first = at + (_TOTAL.fullmatch(lines.lines[at].strip()) is not None)
    found = _run(lines, first, _FILE)
    rows = tuple((each["file"], each["size"], each["time"]) for each in found)
    return Block("table", at, first + len(rows), Table(("file", "size", "time"), rows, "files")) if rows else None


def _read_partitions(lines: PastedLines, at: int) -> Block | None:
    """The partitions that `\\d+` lists, with the ranges that they hold."""
    key = _KEYED.fullmatch(lines.lines[at].strip())
    first = at + (key is not None)
    found = _run(lines, first, _PART)
    rows = tuple((each["part"], each["from"].strip("'"), each["to"].strip("'")) for each in found)
    columns = ("partition", "bound_from", "bound_to")
    return Block("table", at, first + len(rows), Table(columns, rows, "partitions")) if rows else None


def _read_info(lines: PastedLines, at: int) -> Block | None:
    """`name:value` lines in sections, as `INFO` of Redis prints them; nothing of the database spoken of."""
    if not _SECTION.fullmatch(lines.lines[at].strip()):
        return None
    record: dict[str, str] = {}
    last = at
    while last < len(lines.lines):
        found = _INFO.fullmatch(lines.lines[last].strip())
        if found is None and not _SECTION.fullmatch(lines.lines[last].strip()):
            break
        if found is not None:
            record[found[1]] = found[2]
        last += 1
    table = table_of([record])
    shown = Table(table.columns, table.rows, "info")
    return Block("table", at, last, shown) if len(record) >= _LEAST else None


def _run(lines: PastedLines, at: int, shape: re.Pattern[str]) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for line in lines.lines[at:]:
        match = shape.fullmatch(line.strip())
        if match is None:
            break
        found.append(match)
    return found


_READERS: tuple[Callable[[PastedLines, int], Block | None], ...] = (
    *(_read_vertical, _read_explain, _read_files, _read_partitions, _read_info),
)
