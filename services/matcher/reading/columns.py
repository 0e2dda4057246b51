"""Pasted output read as columns: what a check printed against what the check calls present.

An entry's query names its columns ("AS pct"), its test of presence compares them ("pct is 90 or more"). A column's
value decides; the mere words of a header decide nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lang import deferred_re as re
from services.matcher.model import Verdict
from services.matcher.reading.numbers import PERCENT, Quantity, quantities

_NAME = r"[a-z_][a-z0-9_]*"
_CELL = re.compile(rf"^%?{_NAME}%?$", re.IGNORECASE)
_RULE = re.compile(r"^[\s|+-]*-{2,}[\s|+-]*$")
_RECORD = re.compile(r"^\s*-\[ ?RECORD \d+ ?\]", re.IGNORECASE)
_NO_ROWS = re.compile(r"\(0 (?:rows|行)\)|（0 行）|\(0 行记录\)", re.IGNORECASE)
_COUNTED = re.compile(r"^\s*\(\d+ (?:rows?|行)", re.IGNORECASE)
_PAIR = re.compile(
    rf"(?<![\w.])(?P<name>{_NAME})\s*(?P<is>=|:|是|为|\bis\b|\bat\b|\s)\s*(?P<value>-?\d[\d.,]*\s?%?)(?![\w/:-])"
)
_NUMBER = re.compile(r"^-?\d[\d,]*(?:\.\d+)?$")
_LIMIT = r"(?P<limit>\d[\d ]*(?:[.,]\d+)?)(?:\s*(?P<unit>%|seconds?|minutes?|hours?|s\b|MB|GB|秒|分钟|小时|万|亿))?"
_MORE = r"above|over|more than|greater than|at least|>=?|超过|大于等于|大于|高于|至少|不小于|不低于|达到"
_LESS = r"below|under|less than|fewer than|at most|<=?|小于等于|低于|小于|少于|不到|不超过|不大于"
_TAIL = r"\s*(?:(?P<or_more>or (?:more|higher|above)|以上)|(?P<or_less>or (?:less|lower|fewer)|以下))?"
# A name stands alone and is not added to another; then comes what it is compared with.
_ALONE = re.compile(r"(?<![\w.])(?<!plus )(?<!\+ )")
_TEST = re.compile(
    r"(?![\w.(])(?:\s+of (?:\w+ ){1,3})?\s*(?:is|of|reaches|has|为)?\s*"
    rf"(?:(?P<more>{_MORE})|(?P<less>{_LESS}))?\s*{_LIMIT}{_TAIL}(?!\s*[\d%])(?!\s*of\b)"
)
_STRICT = re.compile(
    r"above|over|more than|greater than|>|超过|大于|高于|below|under|less than|fewer than|<|低于|小于|少于|不到"
)
# What compares two reads, or with the usual, cannot be told from one output.
_RELATIVE = re.compile(r"differences?|readings?|\bby\b|\btimes\b|usual|差值|两次|平时|倍")
_ANY_ROW = re.compile(r"^(?:the query returns a row|one row or more|at least one row)", re.IGNORECASE)
_ALIAS = re.compile(rf"\bAS\s+({_NAME})", re.IGNORECASE)
_OR = re.compile(r"\bor (?!more|less|higher|lower|above|fewer)|或")
_SHARES = re.compile(r"pct|percent|util", re.IGNORECASE)
# A header is a check's own when this share of its names stands in the check's query.
_OWN = 0.75


@dataclass(frozen=True, slots=True)
class Condition:
    """A column compared with a limit in base units; `strict` leaves out the limit itself.

    `measured` says that the limit has a unit: a bare number cannot be compared with it.
    """

    column: str
    more: bool
    limit: float
    strict: bool = False
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Test:
    """How an entry's own output is read: the names in its query, and what its columns are compared with.

    Of `alternatives` ("... or ...") one is enough, read or not. `any_row` says that a row at all is the fault.
    """

    names: frozenset[str] = frozenset()
    conditions: tuple[Condition, ...] = ()
    alternatives: int = 0
    any_row: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """Pasted output: names in order, and the values of each. `tabular` is false for single pairs in a sentence."""

    values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    tabular: bool = False
    rows: int = 0
    empty: bool = False


def test_of(how: str, present_when: Iterable[str], described: Sequence[Quantity]) -> Test:
    """Reads what an entry's query prints and when that is present; `described` are the thresholds of its words."""
    names = frozenset(re.findall(_NAME, how))
    printed = {*_ALIAS.findall(how), *(name for name in names if "_" in name)}
    texts = [text for text in present_when if text]
    tests = [_test(text, names, printed) for text in texts]
    best = max(tests, key=lambda test: len(test.conditions), default=Test(names))
    if best.conditions or any(test.any_row for test in tests):
        return replace(best, any_row=any(test.any_row for test in tests))
    shares = [name for name in printed if _SHARES.search(name)]
    limits = [quantity for quantity in described if quantity.dimension == PERCENT]
    if not texts and len(shares) == 1 and len(limits) == 1:
        return Test(names, (Condition(shares[0], limits[0].comparator != "<", limits[0].value),))
    return Test(names)


def _test(text: str, names: frozenset[str], printed: Iterable[str]) -> Test:
    relative = _RELATIVE.search(text) is not None
    found = () if relative else tuple(one for name in sorted(printed) for one in _conditions(text, name))
    return Test(names, found, len(_OR.findall(text)), _ANY_ROW.match(text.strip()) is not None)


def _conditions(text: str, name: str) -> list[Condition]:
    found: list[Condition] = []
    for match in _tests_of(text, name):
        more, less = match["more"] or match["or_more"], match["less"] or match["or_less"]
        value = _value(match["limit"].replace(" ", "") + (match["unit"] or ""))
        if bool(more) == bool(less) or value is None:
            continue
        strict = _STRICT.fullmatch(match["more"] or match["less"] or "") is not None
        found.append(Condition(name, bool(more), value, strict, match["unit"] not in (None, "%", "万", "亿")))
    return found


def _tests_of(text: str, name: str) -> Iterator[re.Match[str]]:
    """What the text compares a name with; no expression is made for a name, for that takes long."""
    start = text.find(name)
    while start >= 0:
        match = _TEST.match(text, start + len(name)) if _ALONE.match(text, start) else None
        if match:
            yield match
        start = text.find(name, match.end() if match else start + 1)


def output_of(text: str) -> Output:
    """What a text prints by columns; an Output without values when it prints nothing."""
    lines = [line for line in text.split("\n") if line.strip()]
    table = _table(lines)
    if table.tabular:
        return table
    pairs: dict[str, list[str]] = {}
    for match in _PAIR.finditer(text.lower()):
        if match["is"].isspace() and "_" not in match["name"] and not _SHARES.search(match["name"]):
            continue
        pairs.setdefault(match["name"], []).append(match["value"].strip())
    return Output(pairs)


def _table(lines: Sequence[str]) -> Output:
    for number, line in enumerate(lines):
        for separator in ("|", "\t", ","):
            names = _cells(line, separator)
            if len(names) < 2 or not all(map(_CELL.match, names)):
                continue
            rows = [_cells(other, separator) for other in lines[number + 1 :] if not _RULE.match(other)]
            rows = [row for row in rows if len(row) == len(names)]
            if separator == "|" or any(_NUMBER.match(cell) for row in rows for cell in row):
                return _by_columns(names, rows, _NO_ROWS.search("\n".join(lines)) is not None)
    return _expanded(lines)


def _by_columns(names: Sequence[str], rows: Sequence[Sequence[str]], empty: bool) -> Output:
    values = {name.lower(): [row[place] for row in rows] for place, name in enumerate(names)}
    return Output(values, tabular=True, rows=len(rows), empty=empty and not rows)


def _expanded(lines: Sequence[str]) -> Output:
    """`\\x` output: one `name | value` a line."""
    pairs = [
        _cells(line, "|") for line in lines if not (_RECORD.match(line) or _RULE.match(line) or _COUNTED.match(line))
    ]
    named = [pair for pair in pairs if len(pair) == 2 and _CELL.match(pair[0])]
    values: dict[str, list[str]] = {}
    for name, value in named:
        values.setdefault(name.lower(), []).append(value)
    return Output(values, tabular=bool(named), rows=max(map(len, values.values()), default=0))


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|" if separator == "|" else "").split(separator)]


def fits(output: Output, test: Test) -> bool:
    """Whether a table is what the entry's own query prints."""
    own = sum(1 for name in output.values if name in test.names)
    return output.tabular and own >= max(2, _OWN * len(output.values))


def decide(output: Output, test: Test) -> Verdict | None:
    """What the values say about the entry; None when they do not decide."""
    if test.any_row and not test.conditions and fits(output, test):
        return Verdict.CONFIRMED if output.rows else Verdict.DENIED if output.empty else None
    if output.empty and fits(output, test):
        return Verdict.DENIED
    rows = max((len(output.values.get(one.column, ())) for one in test.conditions), default=0)
    verdicts = {_row_verdict(output, row, test) for row in range(rows)}
    if Verdict.CONFIRMED in verdicts:
        return Verdict.CONFIRMED
    return Verdict.DENIED if verdicts == {Verdict.DENIED} else None


def _row_verdict(output: Output, row: int, test: Test) -> Verdict | None:
    held = [_holds(condition, output, row) for condition in test.conditions]
    if test.alternatives:
        if True in held:
            return Verdict.CONFIRMED
        return Verdict.DENIED if None not in held and len(held) > test.alternatives else None
    if False in held:
        return Verdict.DENIED
    return Verdict.CONFIRMED if None not in held else None


def words(output: Output, test: Test) -> str:
    """The value that decides, as printed; "" when rows do."""
    return next((", ".join(output.values[one.column]) for one in test.conditions if output.values.get(one.column)), "")


def names_any(output: Output, test: Test) -> bool:
    """Whether a column that the entry compares has a value here."""
    return any(output.values.get(condition.column) for condition in test.conditions)


def _holds(condition: Condition, output: Output, row: int) -> bool | None:
    """Whether a row is beyond the limit; None when the column is not there, or is no number."""
    cells = output.values.get(condition.column, ())
    if row >= len(cells) or (condition.measured and _NUMBER.match(cells[row])):
        return None
    value = _value(cells[row])
    if value is None or value == condition.limit:
        return None if value is None else not condition.strict
    return (value > condition.limit) == condition.more


def _value(cell: str) -> float | None:
    if _NUMBER.match(cell.strip()):
        return float(cell.strip().replace(",", ""))
    found = quantities(cell)
    return found[0].value if len(found) == 1 else None
