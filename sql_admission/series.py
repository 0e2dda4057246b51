"""Which common table expression a name means at its place, and how many rows a series makes."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sql_admission.rules import Refused

_FEW_ROWS = 100
STRETCHING = frozenset(["repeat", "lpad", "rpad", "pad"])
_SECONDS = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 604800, "MONTH": 2592000, "YEAR": 31536000}


def called(node: exp.Expr) -> str:
    """The name of what is called, however the parser reads it."""
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.key


def series_rows(node: exp.Expr) -> int:
    """How many rows a series makes; 1 for any other call. Refuses a series whose ends are not written out."""
    if isinstance(node, exp.GenerateSeries | exp.ExplodingGenerateSeries):
        start, end, step = (node.args.get(key) for key in ("start", "end", "step"))
    elif called(node) == "range" and isinstance(node, exp.Anonymous):
        start, end, step = (*node.expressions, None, None, None)[:3]
    else:
        return 1
    return max(1, _rows(start, end, step))


def _rows(start: exp.Expr | None, end: exp.Expr | None, step: exp.Expr | None) -> int:
    if end is None:
        start, end = exp.Literal.number(0), start
    first, last, by = whole(start), whole(end), whole(step) if step is not None else 1
    if first is not None and last is not None and by:
        return abs(last - first) // abs(by) + 1
    if first is not None and end is not None and _of_array(end):
        return _FEW_ROWS
    every = seconds(step)
    span = _moment_span(start, end)
    if every and span is not None:
        return int(abs(span) // every) + 1
    raise Refused("sql_refused.series_ends")


def _of_array(end: exp.Expr) -> bool:
    sized = ("array_length", "arraysize", "array_upper", "cardinality", "arraylength", "length")
    return called(end) in sized


def _moment_span(start: exp.Expr | None, end: exp.Expr | None) -> float | None:
    first, last = _moment(start), _moment(end)
    if first is None or last is None or first[0] != last[0]:
        return None
    return last[1] - first[1]


def _moment(node: exp.Expr | None) -> tuple[str, float] | None:
    """A moment as seconds from `now` or from a written date's origin."""
    from datetime import datetime

    while isinstance(node, exp.Paren | exp.Cast | exp.DateTrunc | exp.TimestampTrunc):
        node = node.this
    if isinstance(node, exp.Sub | exp.Add):
        base, by = _moment(node.this), seconds(node.expression)
        sign = 1 if isinstance(node, exp.Add) else -1
        return None if base is None or by is None else (base[0], base[1] + sign * by)
    if isinstance(node, exp.CurrentTimestamp | exp.CurrentDate | exp.Localtimestamp):
        return "now", 0.0
    if isinstance(node, exp.Literal) and node.is_string:
        try:
            return "written", (datetime.fromisoformat(node.name) - datetime(1970, 1, 1)).total_seconds()
        except (ValueError, TypeError):
            return None
    return None


def seconds(node: exp.Expr | None) -> float | None:
    """The length of an interval that is written out in one unit; None for any other."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal):
        amount, _, unit = node.this.name.strip().partition(" ")
    elif isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal) and node.args.get("unit"):
        amount, unit = node.this.name, node.args["unit"].name
    else:
        return None
    try:
        return float(amount) * _SECONDS[unit.strip().upper().removesuffix("S")]
    except (KeyError, ValueError):
        return None


def whole(node: exp.Expr | None) -> int | None:
    """A whole number that is written out, with its sign; None for any other."""
    if isinstance(node, exp.Neg):
        value = whole(node.this)
        return None if value is None else -value
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None


def cte_of(table: exp.Table) -> exp.CTE | None:
    """The CTE that a table's name refers to at its place; None if it is no CTE."""
    if table.db or not isinstance(table.this, exp.Identifier):
        return None
    below: exp.Expr = table
    above = table.parent
    while above is not None:
        found = _named(table.name, below, above)
        if found is not None:
            return found
        below, above = above, above.parent
    return None


def _named(name: str, below: exp.Expr, above: exp.Expr) -> exp.CTE | None:
    """The CTE of this name that is visible to `below`, a part of `above`."""
    if isinstance(above, exp.With):
        visible = above.expressions
        if not above.args.get("recursive"):
            visible = visible[: next(place for place, cte in enumerate(visible) if cte is below)]
    else:
        clause = above.args.get("with_")
        if not isinstance(clause, exp.With) or below is clause:
            return None
        visible = clause.expressions
    return next((cte for cte in visible if cte.alias.lower() == name.lower()), None)


def sources(select: exp.Select) -> list[exp.Expr]:
    """The sources in FROM and JOIN, in order."""
    found = [join.this for join in select.args.get("joins") or ()]
    if (origin := select.args.get("from_")) is not None:
        found.insert(0, origin.this)
    return [deeper for source in found for deeper in _flat(source)]


def _flat(source: exp.Expr) -> Iterator[exp.Expr]:
    yield source
    for join in source.args.get("joins") or ():
        yield from _flat(join.this)


def joins(select: exp.Select) -> list[exp.Join]:
    """The joins of a SELECT, those written behind a source of it as well."""
    found = list(select.args.get("joins") or ())
    found += [join for source in sources(select) for join in source.args.get("joins") or ()]
    return found


def bare(query: exp.Expr) -> exp.Expr:
    """A query without the parentheses around it."""
    while isinstance(query, exp.Subquery | exp.Paren | exp.Lateral) and isinstance(query.this, exp.Expr):
        query = query.this
    return query


def conjuncts(condition: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that must hold together."""
    if condition is None:
        return []
    condition = bare(condition)
    if isinstance(condition, exp.And):
        return conjuncts(condition.this) + conjuncts(condition.expression)
    return [condition]


def conditions(select: exp.Select) -> list[exp.Expr]:
    """Every condition of WHERE and of the inner joins' ON that must hold."""
    where = select.args.get("where")
    found = conjuncts(where.this if where else None)
    for join in joins(select):
        found += conjuncts(join.args.get("on"))
    return found
