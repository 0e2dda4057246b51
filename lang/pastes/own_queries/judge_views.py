"""What a person's own query of a view confirms: a table that no check prints, judged by the rules over views."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lang.expressions import Moment, Reads, Row, Scope, Value, parse
from lang.expressions.evaluate import evaluate
from lang.objects import is_object
from lang.pastes.cells import show_value
from lang.pastes.formats.tables.delimited import KnownView
from lang.pastes.model import Check, Finding, Standing, Table
from lang.pastes.own_queries.plain_queries import PlainQuery, count_in, normal_condition, plain_query_of
from lang.pastes.own_queries.view_tables import ViewIndex
from lang.pastes.own_queries.views import WEIGHT, View, ViewRule

_LONGEST = 300
_LONGEST_VALUE = 200
# So far behind the universal time, in seconds, a time without a zone may be.
_FARTHEST_ZONE = 14 * 3600.0
# A view with these columns is a list of settings or counters.
_NAMED = frozenset(("name", "value"))
# Functions whose argument holds for the rows that decide.
_COUNT_ROWS = frozenset(("n", "countif"))
_DECIDE = ("any", "sumof", "countif")
# A value in a statement, or a list of them.
_VALUE = re.compile(r"(?:(?:'(?:[^']|'')*'|\$\d+|(?<!\w)\d+(?:\.\d+)?)(?:\s*,\s*)?)+")


@dataclass(frozen=True)
class ViewRules:
    """The views of a library, and the rules over each with the phenomenon that they confirm."""

    views: Mapping[str, ViewIndex] = field(default_factory=dict)
    rules: Mapping[str, Sequence[tuple[str, ViewRule]]] = field(default_factory=dict)

    @classmethod
    def of(cls, views: Iterable[View], checks: Iterable[Check]) -> ViewRules:
        """The rules of the checks by view."""
        indexes = {view.id: ViewIndex(view) for view in views}
        rules: dict[str, list[tuple[str, ViewRule]]] = {name: [] for name in indexes}
        for check in checks:
            for rule in check.views:
                named = indexes[rule.view].view.conditions if rule.view in indexes else {}
                none = tuple(text for one in rule.none for text in named.get(one, (one,)))
                rules.setdefault(rule.view, []).append((check.phenomenon_id, rule.model_copy(update={"none": none})))
        return cls(indexes, rules)

    @property
    def names(self) -> frozenset[str]:
        """Every name of every column, in lower case."""
        return frozenset(name for index in self.views.values() for name in index.columns)

    @property
    def phrases(self) -> frozenset[str]:
        """The values of several words that columns can hold."""
        columns = (column for index in self.views.values() for column in index.view.columns)
        return frozenset(value for column in columns for value in column.values if " " in value)

    @property
    def variables(self) -> frozenset[str]:
        """The settings and counters that rules ask for by name, in lower case."""
        lists = [name for name, index in self.views.items() if {each.name for each in index.view.columns} >= _NAMED]
        rules = (rule for name in lists for _, rule in self.rules[name])
        picked = (pick for rule in rules for each in rule.expressions for pick in each.picks)
        return frozenset(text.lower() for column, text in picked if column in _NAMED)

    @property
    def relations(self) -> frozenset[str]:
        """What the views are queried as."""
        return frozenset(name for index in self.views.values() for name in index.view.relations)

    @property
    def known_views(self) -> tuple[KnownView, ...]:
        """What tells a table of each view that a query prints."""
        indexes = [index for index in self.views.values() if index.view.form == "rows"]
        return tuple(
            KnownView(
                {name: column.name for name, column in index.columns.items()},
                tuple(map(frozenset, index.view.known_by)),
                {column.name: frozenset(column.values) for column in index.view.columns if column.values},
            )
            for index in indexes
        )

    def refutes(self, identity: str, table: Table) -> bool:
        """True if what the rows measure speaks against a phenomenon: no query that lists only its own printed them."""
        false = False
        for name, index in self.views.items():
            rules = [rule for one, rule in self.rules[name] if one == identity]
            rows = index.read(table, "") if rules else None
            output = _Output(table, rows, index.view, 0.0, index.latest(rows)) if rows else None
            if output and any(_confirm(identity, rule, output) for rule in rules):
                return False
            measuring = (rule for rule in rules if not rule.needed.isdisjoint(index.measures))
            false = false or (output is not None and any(_is_false(rule, output) for rule in measuring))
        return false

    def judge_empty(self, relation: str) -> Iterator[Finding]:
        """What it tells that a relation has no rows at all."""
        yield from self.judge(Table((), ()), f"select * from {relation}")

    def judge(self, table: Table, query: str, now: float = 0.0) -> Iterator[Finding]:
        """What the table confirms, and what it denies because it shows all that there is.

        query: the text above the table, empty if there is none. now: seconds since 1970, 0 if unknown.
        """
        for name, index in self.views.items():
            if not self.rules[name]:
                continue
            plain = _plain_query(index, table, query)
            counted = 0.0 if not table.rows else count_in(table, query)
            if counted is not None:
                # A heading alone may be of a query under any condition.
                told = _judge_count(self.rules[name], counted, plain)
                yield from (found for found in told if query or found.verdict == "denied")
            elif rows := index.read(table, query):
                output = _Output(table, rows, index.view, now, index.latest(rows))
                yield from _judge_output(self.rules[name], output, plain if query else None)


@dataclass(frozen=True, slots=True)
class _Output:
    """A table as rows of a view. now: the time of the message; latest: the latest that stands in the table."""

    table: Table
    rows: Sequence[Row]
    view: View
    now: float
    latest: float

    def reads(self, rows: Iterable[Row]) -> Reads:
        return Reads((tuple(rows),), now=self.now, latest=self.latest)


def _plain_query(index: ViewIndex, table: Table, query: str) -> PlainQuery | None:
    """The plain query above a table; without one, a table that only this view prints is taken for all of it."""
    if query:
        return plain_query_of(query, index.view.relations)
    return PlainQuery("") if table.columns and index.read(table, "") is not None else None


def _is_answer(rule: ViewRule, plain: PlainQuery | None) -> bool:
    """True if a plain query lists all that the rule is about, row by row where it counts rows."""
    counts_rows = not _COUNT_ROWS.isdisjoint(parse(rule.confirmed).functions)
    known = plain is not None and not (plain.grouped and counts_rows)
    return known and plain is not None and plain.condition in map(normal_condition, rule.none)


def _judge_count(rules: Sequence[tuple[str, ViewRule]], counted: float, plain: PlainQuery | None) -> Iterator[Finding]:
    """What so many rows mean: none what the rule says, as many as it asks for confirm, fewer deny."""
    for identity, rule in rules:
        if not _is_answer(rule, plain):
            continue
        if rule.least and counted >= rule.least:
            standing: Standing = "counts" if rule.sure else "proposed"
            yield Finding(identity, "confirmed", standing, f"{counted:g}", f"count = {counted:g}", "view")
        elif not counted and rule.empty != "unknown":
            yield Finding(identity, rule.empty, "counts", "(0 rows)", "", "no_rows")
        elif counted and rule.least:
            yield Finding(identity, "denied", "counts", f"{counted:g}", f"count = {counted:g}", "view")


def _judge_output(
    rules: Sequence[tuple[str, ViewRule]], output: _Output, plain: PlainQuery | None
) -> Iterator[Finding]:
    """What rows confirm; of all that there is they also deny, where a rule is false of them and none is true."""
    confirmed = [finding for identity, rule in rules if (finding := _confirm(identity, rule, output))]
    yield from confirmed
    told = {finding.phenomenon_id for finding in confirmed}
    for identity, rule in rules:
        shown = plain is not None and plain.is_whole(len(output.rows)) and not output.table.left_out
        whole = shown and _is_answer(rule, plain)
        false = whole and rule.sure and _is_false(rule, output)
        if identity not in told and (false or ((whole or not rule.none) and _is_denied(rule, output))):
            told.add(identity)
            words = _words(output.table, 0)
            yield Finding(identity, "denied", "counts", words, _shown(rule, _summed(rule, output), output.view), "view")


def _summed(rule: ViewRule, output: _Output) -> Row:
    """The first row, with the sums over all rows that the rule asks for; what adds up to nothing tells nothing."""
    calls = [node for node in ast.walk(parse(rule.confirmed).tree) if isinstance(node, ast.Call)]
    sums = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == "sumof"]
    named = {part.id for node in sums for part in ast.walk(node.args[0]) if isinstance(part, ast.Name)}
    row = dict(output.rows[0])
    for name in {output.view.weight or name if name == WEIGHT else name for name in named}:
        numbers = [value for each in output.rows if isinstance(value := each.get(name), float)]
        row[name] = sum(numbers) if numbers else None
    return row


def _words(table: Table, place: int) -> str:
    """The words that a row was read from."""
    return (table.told[place] if table.told else " | ".join(filter(None, table.rows[place])))[:_LONGEST]


def _is_denied(rule: ViewRule, output: _Output) -> bool:
    """True if the rows, a part of all or not, speak against the rule."""
    denied = parse(rule.denied) if rule.denied else None
    if denied is None or not {*denied.names} - {WEIGHT} <= output.rows[0].keys():
        return False
    return denied.value(Scope.of(output.reads(output.rows), {})) is True


def _is_false(rule: ViewRule, output: _Output) -> bool:
    """True if the rule is false of the rows, and every value that it needs is there."""
    blank = {column.name for column in output.view.columns if column.blank}
    cells = [(name, row) for row in output.rows for name in rule.needed]
    if rule.by or any(name not in row or (row[name] is None and name not in blank) for name, row in cells):
        return False
    return parse(rule.confirmed).value(Scope.of(output.reads(output.rows), {})) is False


def _confirm(identity: str, rule: ViewRule, output: _Output) -> Finding | None:
    if not rule.needed <= output.rows[0].keys():
        return None
    kept = [(place, row) for place, row in enumerate(output.rows) if not _is_left_out(rule, row, output)]
    for group in _groups(rule.by, kept, output.view):
        reads = output.reads(row for _, row in group)
        if parse(rule.confirmed).value(Scope.of(reads, {})) is True:
            place, row = _deciding(rule, group, reads)
            words = _words(output.table, place)
            standing: Standing = "counts" if _is_sure(rule, group, kept, reads) else "proposed"
            return Finding(identity, "confirmed", standing, words, _shown(rule, row, output.view), "view")
    return None


def _is_sure(rule: ViewRule, group: Placed, kept: Placed, reads: Reads) -> bool:
    """Whether a rule that holds of a group is sure of it, in whatever zone the times in it are."""
    if not rule.sure or (rule.sure == "most" and 2 * _weight(group) <= _weight(kept)):
        return False
    times = [value for _, row in group for value in row.values() if isinstance(value, Moment)]
    if "ago" not in parse(rule.confirmed).functions or all(time.zoned for time in times):
        return True
    return parse(rule.confirmed).value(Scope.of(replace(reads, now=reads.now - _FARTHEST_ZONE), {})) is True


def _weight(rows: Placed) -> float:
    return sum(weight for _, row in rows if isinstance(weight := row.get(WEIGHT), float))


def _is_left_out(rule: ViewRule, row: Row, output: _Output) -> bool:
    conditions = [found for found in map(parse, rule.without) if set(found.names) <= row.keys()]
    return any(found.value(Scope(output.reads((row,)), {}, row)) is True for found in conditions)


Placed = Sequence[tuple[int, Row]]


def _groups(by: Sequence[str], rows: Placed, view: View) -> Iterable[Placed]:
    """The rows alike in some columns; rows without a value there are in no group."""
    if not by:
        return [rows] if rows else []
    statements = {column.name for column in view.columns if column.statement}
    groups: dict[tuple[Value, ...], list[tuple[int, Row]]] = {}
    for place, row in rows:
        key = tuple(_alike(row[name]) if name in statements else row[name] for name in by)
        if None not in key:
            groups.setdefault(key, []).append((place, row))
    return groups.values()


def _alike(statement: Value) -> Value:
    """A statement without its values."""
    return _VALUE.sub("?", statement) if isinstance(statement, str) else statement


def _deciding(rule: ViewRule, rows: Placed, reads: Reads) -> tuple[int, Row]:
    """The first row for which the rule's `any` or sum finds something; else the first."""
    for node in ast.walk(parse(rule.confirmed).tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _DECIDE:
            for place, row in rows:
                if evaluate(node.args[0], Scope(reads, {}, row)):
                    return place, row
    return rows[0]


def _shown(rule: ViewRule, row: Row, view: View) -> str:
    """The columns of the rule and of objects, with their values; the weight as its column is named, if it is there."""
    named = [*rule.by, *(view.weight if name == WEIGHT else name for name in parse(rule.confirmed).names)]
    named += [name for name in row if is_object(name)]
    values = {name: row[name] for name in named if name and row.get(name) is not None}
    return ", ".join(f"{name} = {show_value(value)}" for name, value in values.items())[:_LONGEST_VALUE]
