"""What an index would be on, by the filters of pasted plans and statements: the table that is read, and its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lang import deferred_re as re
from lang.listed import lists_beside

_LISTED = lists_beside(__file__)

KEY = "key"
# What the tables of the server itself begin with.
CATALOG = ("pg_", "information_schema.", "performance_schema.", "sys.", "mysql.")
_SCAN = _LISTED.pattern("scan")
# A statement of one table with its condition, to what follows that.
_STATEMENT = _LISTED.pattern("statement", re.IGNORECASE)
_AND_OR = re.compile(r"\s+(and|or)\s+", re.IGNORECASE)
# The usual name of a primary key, which has its index.
_PRIMARY = "id"
_CONDITION = re.compile(r"^(?P<side>.+?)\s*(?<![<>!=~-])(?P<sign>>=|<=|=|<|>)(?![<>=~])\s*(?P<other>.+)$")
# The planner's own casts between types of text, which an index needs not have.
_RELABELLED = re.compile(r"\((\w+)\)::(?:text|character varying)(?:\(\d+\))?(?!\w)")
_OWNER = re.compile(r"(?<![\w.])[A-Za-z_]\w*\.(?=[A-Za-z_])")
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_COLUMN = re.compile(r"[A-Za-z_]\w*")
_WORDS = _LISTED.pattern("words")
_OF_COLUMN = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?![\w(])")
_CALL = re.compile(r"[A-Za-z_]\w*\(.*\)")
_COLUMNS = 3


def scan_keys_in(text: str) -> Iterator[str]:
    """The table and the expressions of each filter, as an index takes them: "users (lower(email))"."""
    for scan in _SCAN.finditer(text):
        whole = scan["filter"]
        sides = _sides(whole[: _closes(whole) + 1])
        if sides:
            yield f"{scan['table']} ({', '.join(sides[:_COLUMNS])})"


def statement_key(statements: Iterable[tuple[str, float]]) -> str:
    """The table and the columns that most of some statements filter by; empty where they are of several kinds.

    Each statement stands with its weight.
    """
    found: dict[str, float] = {}
    for statement, weight in statements:
        for key in filter(None, map(_key_of, _STATEMENT.finditer(statement))):
            found[key] = found.get(key, 0.0) + weight
    first = max(found, key=lambda key: found[key], default="")
    return first if 2 * found.get(first, 0.0) > sum(found.values()) else ""


def _key_of(found: re.Match[str]) -> str:
    """What one statement of a single table filters by, but for its primary key; empty where that cannot be told."""
    sides = _sides(_AND_OR.sub(lambda sign: sign[0].upper(), found["filter"].strip()))
    if not sides or sides == [_PRIMARY] or found["table"].lower().startswith(CATALOG):
        return ""
    return f"{found['table']} ({', '.join(sides[:_COLUMNS])})"


def _sides(condition: str) -> list[str]:
    """The sides of a filter that have columns, those compared for equality first and one range after them."""
    found = [_CONDITION.match(_bare(part)) for part in _parts(_bare(condition))]
    told = [(each["sign"] == "=", _side(each["side"])) for each in found if each and _is_value(each["other"])]
    equal = [side for is_equal, side in told if is_equal and side]
    ranges = [side for is_equal, side in told if not is_equal and side]
    return list(dict.fromkeys((*equal, *ranges[:1])))


def _parts(condition: str) -> list[str]:
    """The conditions that hold together; none where one of several is enough."""
    parts, depth, start = [], 0, 0
    for at, character in enumerate(condition):
        depth += (character == "(") - (character == ")")
        if depth == 0 and condition.startswith(" OR ", at):
            return []
        if depth == 0 and condition.startswith(" AND ", at):
            parts.append(condition[start:at])
            start = at + len(" AND ")
    return [*parts, condition[start:]]


def _bare(words: str) -> str:
    """Words without brackets around all of them."""
    while words.startswith("(") and _closes(words) == len(words) - 1:
        words = words[1:-1].strip()
    return words


def _closes(words: str) -> int:
    depth = 0
    for at, character in enumerate(words):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at
    return -1


def _is_value(side: str) -> bool:
    """Whether a side is a parameter, a constant or a time, and names no column."""
    plain = _WORDS.sub("", _QUOTED.sub("", side.lower()))
    return _COLUMN.search(plain) is None


def _side(side: str) -> str:
    """A side as an index takes it: a column or a call as it is, anything else in brackets; empty without one."""
    plain = _bare(_OWNER.sub("", _RELABELLED.sub(r"\1", side)).strip())
    if not _OF_COLUMN.search(_QUOTED.sub("", plain)):
        return ""
    return plain if _COLUMN.fullmatch(plain) or _CALL.fullmatch(plain) else f"({plain})"


def plain_tables(tables: Sequence[str]) -> tuple[str, ...]:
    """The tables without those that are named with their schema as well as without it."""
    return tuple(each for each in tables if each.partition(".")[2] not in tables)
