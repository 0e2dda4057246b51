"""Which columns a source of a SELECT has: those of the catalogue, of a function, of a query as it is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import yaml
from sqlglot import exp

from sql_admission.rules import catalogue
from sql_admission.series import bare, called, cte_of

_HIDDEN = frozenset(["oid", "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"])
# Unnamed columns of these are called like the function.
_CALLED = (exp.Anonymous, exp.Avg, exp.Coalesce, exp.Count, exp.Max, exp.Min, exp.Sum)
# Columns of a source; None where only the server knows them, as of a table of users.
Columns = frozenset[str] | None


@cache
def _listed(kind: str) -> dict[str, frozenset[str]]:
    text = files("sql_admission").joinpath("postgres_columns.yaml").read_text(encoding="utf-8")
    return {name: frozenset(columns.split()) for name, columns in yaml.load(text, yaml.CSafeLoader)[kind].items()}


def spelled(name: object) -> str:
    """A name as PostgreSQL compares it: in lower case unless it is quoted."""
    if isinstance(name, exp.ColumnDef):
        return spelled(name.this)
    if not isinstance(name, exp.Identifier):
        return str(name or "").lower()
    return name.name if name.args.get("quoted") else name.name.lower()


def fields_of(call: exp.Expr) -> frozenset[str]:
    """The fields of the composite value that a function gives; empty for another value."""
    fields = _listed("functions").get(called(call), frozenset())
    return fields if len(fields) > 1 else frozenset()


def alias_of(source: exp.Expr) -> str:
    """The name of a source in its SELECT, as PostgreSQL compares it."""
    alias = source.args.get("alias")
    if isinstance(alias, exp.TableAlias) and alias.this is not None:
        return spelled(alias.this)
    return spelled(source.this) if isinstance(source.this, exp.Identifier) else called(_call(source))


def columns_of(source: exp.Expr) -> Columns:
    """The columns of a source of a SELECT under the names that they have there."""
    alias = source.args.get("alias")
    renamed = list(map(spelled, alias.args.get("columns") or ())) if isinstance(alias, exp.TableAlias) else []
    if isinstance(source, exp.Table) and isinstance(source.this, exp.Identifier):
        own = _of_relation(source)
        # Fewer names than columns leave the last of them as they are; which ones these are is not known here.
        return own if own is None or not renamed else frozenset(renamed)
    if renamed:
        return frozenset(renamed) | _numbered(source)
    inner = bare(source)
    if isinstance(inner, exp.Query) and not isinstance(inner, exp.Subquery):
        return outputs(inner)
    if isinstance(inner, exp.Values):
        return frozenset(f"column{place}" for place in range(1, len(inner.expressions[0].expressions) + 1))
    if isinstance(inner, exp.Table) and inner is not source:
        return _together(joined(inner))
    return _of_call(source)


def joined(source: exp.Expr) -> Iterator[exp.Expr]:
    """A source and those that are joined to it inside its parentheses."""
    yield source
    for join in source.args.get("joins") or ():
        yield from joined(join.this)


def outputs(query: exp.Expr) -> Columns:
    """The names of the columns that a query gives; those that only the server would name are left out."""
    query = bare(query)
    while isinstance(query, exp.SetOperation):
        query = bare(query.this)
    if isinstance(query, exp.Values):
        return frozenset(f"column{place}" for place in range(1, len(query.expressions[0].expressions) + 1))
    if not isinstance(query, exp.Select):
        return frozenset()
    return _union(_output(column, query) for column in query.expressions)


def feeding(select: exp.Select) -> Iterator[exp.Expr]:
    """The sources whose names a SELECT can use: a join in parentheses without a name shows those inside it."""
    origin = select.args.get("from_")
    first = [origin.this] if origin is not None else []
    for source in [*first, *(join.this for join in select.args.get("joins") or ())]:
        yield from _shown(source)
    yield from (lateral for lateral in select.args.get("laterals") or ())


def _shown(source: exp.Expr) -> Iterator[exp.Expr]:
    for one in joined(source):
        inner = bare(one)
        if isinstance(one, exp.Subquery | exp.Paren) and isinstance(inner, exp.Table) and not one.args.get("alias"):
            yield from _shown(inner)
        else:
            yield one


def _output(column: exp.Expr, select: exp.Select) -> Columns:
    if isinstance(column, exp.Star):
        return _together(feeding(select))
    if isinstance(column, exp.Alias):
        return frozenset([spelled(column.args["alias"])])
    if isinstance(column, exp.Column):
        if isinstance(column.this, exp.Star):
            return _together(source for source in feeding(select) if alias_of(source) == spelled(column.args["table"]))
        return frozenset([spelled(column.this)])
    if isinstance(column, exp.Dot):
        field = column.expression
        if isinstance(field, exp.Star):
            return fields_of(column.this.unnest())
        return frozenset([spelled(field) if isinstance(field, exp.Identifier) else called(field)])
    return _named_by_server(column, select)


def _named_by_server(column: exp.Expr, select: exp.Select) -> Columns:
    """The name that PostgreSQL gives to a column without one; nothing where that is not certain."""
    inner = column.unnest()
    if isinstance(inner, exp.Window | exp.Filter | exp.WithinGroup | exp.Cast) and isinstance(inner.this, exp.Expr):
        return _output(inner.this, select)
    if isinstance(inner, exp.Subquery):
        return outputs(inner)
    return frozenset([called(inner)]) if isinstance(inner, _CALLED) else frozenset()


def _of_relation(table: exp.Table) -> Columns:
    cte = cte_of(table)
    if cte is not None:
        renamed = cte.args["alias"].args.get("columns")
        return frozenset(map(spelled, renamed)) if renamed else outputs(cte.this)
    name = table.name.lower()
    if not name.startswith("pg_") and table.db.lower() != "information_schema":
        return None
    known = catalogue().relations.get(name, {}).keys() or _listed("relations").get(name)
    return frozenset(known) | _HIDDEN if known else None


def _of_call(source: exp.Expr) -> Columns:
    """A function in FROM: its fields, or the one column that is called like the source."""
    fields = _listed("functions").get(called(_call(source)))
    return (fields or frozenset([alias_of(source)])) | _numbered(source)


def _numbered(source: exp.Expr) -> frozenset[str]:
    """The column of WITH ORDINALITY."""
    inner = _call(source)
    number = inner.args.get("offset")
    if isinstance(number, exp.Identifier):
        return frozenset([spelled(number)])
    return frozenset(["ordinality"] if number or source.args.get("ordinality") else [])


def _call(source: exp.Expr) -> exp.Expr:
    inner = source
    while isinstance(inner, exp.Table | exp.Lateral) and isinstance(inner.this, exp.Expr):
        inner = inner.this
    return inner


def _together(sources: Iterator[exp.Expr]) -> Columns:
    return _union(map(columns_of, sources))


def _union(found: Iterator[Columns]) -> Columns:
    known: set[str] = set()
    for columns in found:
        if columns is None:
            return None
        known |= columns
    return frozenset(known)
