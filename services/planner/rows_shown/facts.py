"""The facts that the rows of a message show, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lang import deferred_re as re
from lang.expressions import Reads, Row, Scope, Value, parse
from lang.pastes.cells import read_interval, read_number, type_cell
from lang.pastes.model import Table
from services.planner.model import Text
from services.planner.rows_shown.named_values import FORM
from services.planner.rows_shown.rules import TellingRule, rules
from services.planner.rows_shown.shown_rows import ShownTable, plain, shown_tables

# So many facts of a table and of a message are told, and so much of a cell.
_OF_TABLE, _OF_MESSAGE, _LONGEST = 3, 5, 60
# A bracket whose column is not there.
_EMPTY = re.compile(r"\s?[(（]\s*[)）]")
_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))


class Cell(str):
    """A cell in a sentence: `count` groups its digits, `few` rounds it, `span` tells seconds as hours and minutes."""

    def __format__(self, spec: str) -> str:
        number = read_interval(self) if spec == "span" and ":" in self else read_number(self.strip())
        if number is not None and spec == "span":
            return _span(number)
        if number is None or not spec:
            return str(self)
        return f"{number:,.0f}" if spec == "count" else f"{number:.0f}" if number >= 10 else f"{number:.2g}"


class _Cells(dict[str, Cell]):
    def __missing__(self, key: str) -> Cell:
        return Cell("")


def facts_shown(tables: Sequence[Table], seconds: float = 0.0, *, asked: bool = False) -> tuple[Text, ...]:
    """What the tables show, in the order in which they stand. seconds: between two readings, 0 if unknown.

    asked: what they mean is asked for.
    """
    found: dict[Text, None] = {}
    told: set[str] = set()
    for table in shown_tables(tables, seconds):
        fitting = [rule for rule in _rules_of(table) if rule.id not in told and (asked or not rule.asked)]
        of_table = [(rule, fact) for rule in fitting for fact in _told(rule, table)]
        most = _OF_MESSAGE if table.form == FORM else _OF_TABLE
        found |= {fact: None for _, fact in of_table[:most]}
        told |= {rule.id for rule, _ in of_table if not rule.each}
    return tuple(found)[:_OF_MESSAGE]


def _rules_of(table: ShownTable) -> Iterator[TellingRule]:
    columns = table.columns
    return (rule for rule in rules() if rule.form == table.form and columns.issuperset(rule.needs))


def _told(rule: TellingRule, table: ShownTable) -> Iterator[Text]:
    names = [name for text in (rule.where, rule.unless) if text for name in parse(text).names]
    typed = [table.typed(place, rule.texts, names) for place in range(len(table.rows))]
    places = [
        at for at, row in enumerate(typed) if _holds(rule.where, row, True) and not _holds(rule.unless, row, False)
    ]
    if rule.per:
        places = _largest_group(places, typed, rule.per)
    if len(places) < max(rule.least, 1, rule.share * len(typed)) or (rule.whole and len(places) < len(typed)):
        return
    place = _row_with_most(places, table, rule.most) if rule.most else places[0]
    cells = _cells_of(table, place, typed[place], rule)
    cells |= {"n": Cell(str(len(places))), "all": Cell(str(len(typed)))}
    if rule.together:
        of_all = dict.fromkeys(plain(typed[at].get(rule.together)) for at in places)
        cells["together"] = Cell(", ".join(filter(None, of_all)))
    yield Text(*(_EMPTY.sub("", text.format_map(cells)) for text in (rule.zh, rule.en)))


def _holds(condition: str, row: Row, otherwise: bool) -> bool:
    return parse(condition).value(_scope(row)) is True if condition else otherwise


def _scope(row: Row) -> Scope:
    return Scope.of(Reads(((row,),)), {})


def _largest_group(places: Sequence[int], typed: Sequence[Row], per: Sequence[str]) -> list[int]:
    groups: dict[tuple[Value, ...], list[int]] = {}
    for at in places:
        groups.setdefault(tuple(typed[at].get(name) for name in per), []).append(at)
    return max(groups.values(), key=len, default=[])


def _row_with_most(places: Sequence[int], table: ShownTable, column: str) -> int:
    def measured(at: int) -> float:
        value = table.reckoned[at].get(column, type_cell(table.rows[at].get(column, "")))
        return float(value) if isinstance(value, float) else float("-inf")

    return max(places, key=measured)


def _cells_of(table: ShownTable, place: int, typed: Row, rule: TellingRule) -> _Cells:
    cells = _Cells({name: _brief(plain(value)) for name, value in table.reckoned[place].items()})
    cells |= {name: _brief(cell) for name, cell in table.rows[place].items()}
    for name, expression in rule.let.items():
        cells[name] = _brief(plain(parse(expression).value(_scope(typed))))
    return cells


def _brief(cell: str) -> Cell:
    text = " ".join(cell.split()).replace("`", "")
    return Cell(text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + "…")


def _span(seconds: float) -> str:
    """Seconds in the two largest units that they fill."""
    if seconds < 1:
        return f"{seconds:.2g} s"
    parts: list[str] = []
    left = int(seconds)
    for unit, length in _UNITS:
        if left >= length and len(parts) < 2:
            parts.append(f"{left // length} {unit}")
        left %= length
    return " ".join(parts)
