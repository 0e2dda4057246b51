"""At most how many rows a source of a SELECT has, where the statement itself says so."""

from __future__ import annotations

from math import prod

from sqlglot import exp

from sql_admission.rules import Rules
from sql_admission.series import STRETCHING, bare, called, conditions, cte_of, series_rows, sources

# The most rows of a small source: beside one large relation it needs no condition.
SMALL = 1_000
# What an array, or a function that tells of one row, may unfold to.
_UNFOLDED = 10
_UNFOLDING = frozenset(["regexp_matches", "regexp_split_to_table", "string_to_table", "unnest"])
_WRITTEN = (exp.Literal, exp.Placeholder, exp.Parameter, exp.CurrentDatabase, exp.CurrentCatalog)


def name_of(source: exp.Expr) -> str:
    """The name of a source in its SELECT, in lower case."""
    return source.alias_or_name.lower()


def rows_of(source: exp.Expr, rules: Rules) -> int | None:
    """The most rows of a source, or those that belong to one row before it; None for a relation of any size."""
    if isinstance(source, exp.Unnest | exp.Values) or isinstance(source.this, exp.Func | exp.Unnest):
        return _made(source)
    if isinstance(source, exp.Table):
        cte = cte_of(source)
        if cte is not None:
            return _of_query(cte.this, rules)
        return 1 if source.name.lower() in rules.one_row else None
    return _of_query(source, rules)


def _made(source: exp.Expr) -> int:
    inner = source if isinstance(source, exp.Unnest | exp.Values) else source.this
    if isinstance(inner, exp.Values):
        return len(inner.expressions)
    series = prod(series_rows(call) for call in inner.find_all(exp.Func))
    return max(series, SMALL if _stretched(inner) else 1 if series > 1 else _UNFOLDED)


def _of_query(query: exp.Expr, rules: Rules) -> int | None:
    query = bare(query)
    if isinstance(query, exp.Values):
        return len(query.expressions)
    if not isinstance(query, exp.Select):
        return None
    limit = query.args.get("limit")
    if isinstance(limit, exp.Limit) and isinstance(limit.expression, exp.Literal):
        return None if limit.expression.is_string else int(float(limit.expression.name))
    series = series_of(query)
    if query.args.get("group") is None and any(_is_aggregate(column) for column in query.expressions):
        return series
    held = conditions(query)
    fed = {name_of(source): rows_of(source, rules) for source in sources(query)}
    sizes = [_UNFOLDED if one_by_key(name, held, rules) else rows for name, rows in fed.items()]
    known = [rows for rows in sizes if rows is not None]
    return prod(known) * series if len(known) == len(sizes) else None


def series_of(select: exp.Select) -> int:
    """How many rows the series among a SELECT's columns make of each of its rows."""
    calls = [call for column in select.expressions for call in column.find_all(exp.Func)]
    own = [call for call in calls if call.find_ancestor(exp.Select) is select]
    return prod(SMALL if _unfolds(call) and _stretched(call) else series_rows(call) for call in own)


def _unfolds(call: exp.Expr) -> bool:
    return isinstance(call, exp.Unnest | exp.Explode) or called(call) in _UNFOLDING


def _stretched(made: exp.Expr) -> bool:
    """True if a text is made long before it is taken apart."""
    return any(called(call) in STRETCHING for call in made.find_all(exp.Func))


def _is_aggregate(column: exp.Expr) -> bool:
    return any(
        column.find_ancestor(exp.Select) is found.find_ancestor(exp.Select) and not found.find_ancestor(exp.Window)
        for found in column.find_all(exp.AggFunc)
    )


def one_by_key(name: str, held: list[exp.Expr], rules: Rules) -> bool:
    """True if a condition picks a source's row by its key: `name = 'work_mem'`."""
    for condition in held:
        if isinstance(condition, exp.EQ | exp.In):
            column = condition.this
            others = [condition.expression] if isinstance(condition, exp.EQ) else condition.expressions
            others = [bare(other.this if isinstance(other, exp.Cast) else other) for other in others if other]
            named = isinstance(column, exp.Column) and column.table.lower() in ("", name)
            if named and column.name.lower() in rules.keys and others and all(map(_is_written, others)):
                return True
    return False


def _is_written(value: exp.Expr) -> bool:
    """A value, or a call without arguments."""
    return isinstance(value, _WRITTEN) or (isinstance(value, exp.Anonymous) and not value.expressions)
