"""Statements that ask for more work than a look may cost: unlinked joins, endless recursion, long series and strings.

The server's own timeouts are the second guard; these rules keep such a statement out of the catalogue.
"""

from __future__ import annotations

import re
from math import inf

from sqlglot import exp

from sql_admission.joins import LINKING, check_joins
from sql_admission.recursion import check_lambda, check_recursion, counters
from sql_admission.rules import Refused, Rules
from sql_admission.series import STRETCHING, called, conditions, series_rows, sources, whole
from sql_admission.sizes import SMALL, name_of, one_by_key, rows_of

_MOST_ROWS = 20_000
_LONGEST_TEXT = 1_000
_HIGHEST_POWER = 100
_LONGEST_INDENT = 10
_MOST_CUBED = 6
# A repetition of what itself ends in one, or of hundreds: engines that go back take time without bound.
_REPEATED = re.compile(r"[+*?]\??\)[+*{]|\}\{|\{\d{3,}|,\d{3,}\}")
_BACK_REFERENCE = re.compile(r"\\[1-9]|\\$")
# The most relations that may each be read from end to end.
_MOST_READ = 100
_FEW = 10


def check_effort(tree: exp.Expr, rules: Rules) -> None:
    """Refuses what may run without end or fill the memory."""
    rows = 1
    for node in tree.walk():
        if isinstance(node, exp.Select):
            check_joins(node, rules)
            check_subquery(node, rules)
        elif isinstance(node, exp.CTE):
            check_recursion(node, of_dataset=rules.dataset is not None)
        elif isinstance(node, exp.Lambda):
            check_lambda(node)
        elif isinstance(node, exp.Join) and node.find_ancestor(exp.Select) is None:
            raise Refused("sql_refused.join_outside")
        elif isinstance(node, exp.Group):
            _check_groups(node)
        elif isinstance(node, exp.Func | exp.Pow):
            rows *= series_rows(node)
            _check_size(node)
            check_readers(node, rules)
            if called(node).startswith("regexp"):
                _check_built(node)
        elif isinstance(node, exp.RegexpLike | exp.RegexpILike):
            _check_built(node)
        elif isinstance(node, exp.Literal) and node.is_string:
            _check_pattern(node, rules)
    if rows > _MOST_ROWS:
        raise Refused("sql_refused.long_series", count=_MOST_ROWS)


def _check_size(node: exp.Expr) -> None:
    name = called(node)
    if name in STRETCHING:
        _check_length(node)
    elif isinstance(node, exp.Pow):
        power = whole(node.expression)
        if node.this.find(exp.Pow):
            raise Refused("sql_refused.power_of_power")
        if power is None or abs(power) > _HIGHEST_POWER:
            raise Refused("sql_refused.power", most=_HIGHEST_POWER)
    elif name in ("format", "printf"):
        _check_format(node)


def _check_groups(group: exp.Group) -> None:
    """Each set is one more grouping of all rows."""
    cubes = [cube for cube in group.find_all(exp.Cube) if cube.find_ancestor(exp.Group) is group]
    if sum(len(cube.expressions) for cube in cubes) > _MOST_CUBED:
        raise Refused("sql_refused.wide_cube", count=_MOST_CUBED)


def _check_pattern(text: exp.Literal, rules: Rules) -> None:
    """A pattern that refers back to what it matched takes time without bound; what is put in its place may refer to it.

    A text that ends with a backslash could be put before a digit.
    """
    if _REPEATED.search(text.name):
        raise Refused("sql_refused.nested_repetition")
    if rules.dialect != "postgres":
        return
    put = isinstance(text.parent, exp.RegexpReplace) and text.arg_key == "replacement"
    if not put and not isinstance(text.parent, exp.Escape) and _BACK_REFERENCE.search(text.name):
        raise Refused("sql_refused.back_reference")


def _check_built(match: exp.Expr) -> None:
    """A pattern that is put together out of pieces could have a reference that none of them has."""
    pattern = match.args.get("expression")
    if isinstance(match, exp.Anonymous):
        pattern = match.expressions[1] if len(match.expressions) > 1 else None
    if not isinstance(pattern, exp.Expr) or isinstance(pattern, exp.Literal):
        return
    if any("\\" in part.name for part in pattern.find_all(exp.Literal)):
        raise Refused("sql_refused.pieced_pattern")


def _check_length(node: exp.Expr) -> None:
    given = node.args.get("times") or node.args.get("expression")
    if isinstance(node, exp.Anonymous) and len(node.expressions) > 1:
        given = node.expressions[1]
    length = whole(given)
    if length is None and _is_indent(node, given):
        return
    if length is None or length > _LONGEST_TEXT:
        raise Refused("sql_refused.stretched", most=_LONGEST_TEXT)
    inner = node.this if isinstance(node.this, exp.Expr) else None
    if isinstance(node, exp.Anonymous):
        inner = node.expressions[0]
    if inner is not None and any(called(below) in STRETCHING for below in inner.walk()):
        raise Refused("sql_refused.stretched_twice")


def _is_indent(node: exp.Expr, given: object) -> bool:
    """A few characters for each step of a short recursion, for each part of a path, or at most so many."""
    text = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    if called(node) == "repeat" and not (isinstance(text, exp.Literal) and len(text.name) <= _LONGEST_INDENT):
        return False
    length = given
    while isinstance(length, exp.Paren | exp.Cast | exp.Add | exp.Sub | exp.Mul):
        if isinstance(length, exp.Binary) and (whole(length.expression) or _LONGEST_INDENT + 1) > _LONGEST_INDENT:
            return False
        length = length.this
    if isinstance(length, exp.Least):
        return any((whole(most) or _LONGEST_TEXT + 1) <= _LONGEST_TEXT for most in (length.this, *length.expressions))
    if isinstance(length, exp.Column):
        return length.name.lower() in counters(length.root())
    return isinstance(length, exp.Expr) and called(length) in ("array_length", "arraysize", "cardinality")


def _check_format(node: exp.Expr) -> None:
    parts = node.expressions if isinstance(node, exp.Anonymous) else [node.this, *node.expressions]
    first = parts[0] if parts else None
    if (
        not isinstance(first, exp.Literal)
        or "*" in first.name
        or any(len(digits) > 3 for digits in "".join(c if c.isdigit() else " " for c in first.name).split())
    ):
        raise Refused("sql_refused.format")


def check_subquery(select: exp.Select, rules: Rules) -> None:
    """Refuses a subquery that is made anew for each row around it and finds its own rows by no equal value."""
    around = _around(select, rules)
    own = {name_of(source): rows_of(source, rules) for source in sources(select)}
    heavy = {name for name, rows in own.items() if rows is None or rows > SMALL}
    asked = {column.table.lower() for column in select.find_all(exp.Column)} & (around.keys() - own.keys() - {""})
    if not heavy or all((around[name] or inf) <= _FEW for name in asked):
        return
    held = conditions(select)
    if heavy <= {name for name in own if one_by_key(name, held, rules)}:
        return
    links = [part for condition in held for part in condition.find_all(*LINKING)]
    if not any((_tables(link) & own.keys() and _tables(link) & around.keys()) or "" in _tables(link) for link in links):
        raise Refused("sql_refused.subquery_per_row")


def check_readers(call: exp.Expr, rules: Rules) -> None:
    """Refuses a function that reads a whole relation, called for many of them."""
    select = call.find_ancestor(exp.Select)
    if called(call) not in rules.whole_readers or select is None or not any(call.find_all(exp.Column)):
        return
    given = {column.table.lower() for column in call.find_all(exp.Column)}
    held = conditions(select)
    for source in sources(select):
        name = name_of(source)
        rows = _MOST_READ if one_by_key(name, held, rules) else rows_of(source, rules)
        if name in given | {""} and source is not call.find_ancestor(exp.Table, exp.Lateral) and _is_many(rows):
            raise Refused("sql_refused.every_relation", function=called(call))


def _is_many(rows: int | None) -> bool:
    return rows is None or rows > _MOST_READ


def _around(select: exp.Select, rules: Rules) -> dict[str, int | None]:
    """The sources of the surrounding SELECTs with their rows; a CTE sees none of them."""
    found: dict[str, int | None] = {}
    above = select.find_ancestor(exp.Select, exp.CTE)
    while isinstance(above, exp.Select):
        found |= {name_of(source): rows_of(source, rules) for source in sources(above)}
        above = above.find_ancestor(exp.Select, exp.CTE)
    return found


def _tables(condition: exp.Expr) -> set[str]:
    return {column.table.lower() for column in condition.find_all(exp.Column)}
