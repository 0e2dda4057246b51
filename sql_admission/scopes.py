"""Which common table expression a name means at its place, and what feeds a SELECT."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp


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
