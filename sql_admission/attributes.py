"""Names behind a dot: PostgreSQL reads `x.f` and `(x).f` as the call f(x) wherever x has no column f.

Such a call needs no parenthesis behind its name, so the lists of functions do not see it. Therefore behind a dot only
a known column is admitted:

1. `(expression).name` only of a call of a listed function that gives a composite value with a field of this name.
2. `alias.name` only where the alias stands in scope and what it stands for has a column of this name: in some version
   of PostgreSQL, by the OUT parameters of a function, or by the text of a query. A function of one value is no row:
   behind its alias only the name of its column is admitted.
3. The columns of a table of users are not known. Such a table stands only in an EXPLAIN without ANALYZE, where no
   function is called with its rows; there any name but that of a function with effects is admitted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlglot import exp

from sql_admission.columns import alias_of, columns_of, feeding, fields_of, joined, spelled
from sql_admission.rules import Refused


def check_field(dot: exp.Dot) -> None:
    """Refuses `(expression).name` unless a listed function gives a field of this name."""
    name = dot.expression
    if isinstance(name, exp.Star):
        return
    if spelled(name) not in fields_of(dot.this.unnest()):
        raise Refused("sql_refused.field", name=name.sql())


def check_column(column: exp.Column) -> None:
    """Refuses `alias.name` unless the alias has a column of this name."""
    if not column.table or isinstance(column.this, exp.Star):
        return
    alias, name = spelled(column.args["table"]), spelled(column.this)
    for sources in _visible(column):
        found = [source for source in sources if alias_of(source) == alias]
        if found:
            if not all(_has(source, name) for source in found):
                raise Refused("sql_refused.no_column", name=name, table=alias)
            return
    raise Refused("sql_refused.no_from", name=name, table=alias)


def _has(source: exp.Expr, name: str) -> bool:
    columns = columns_of(source)
    return columns is None or name in columns


def _visible(column: exp.Column) -> Iterator[Iterable[exp.Expr]]:
    """The sources that are visible at a column, those of the nearest SELECT first."""
    hidden = False
    below: exp.Expr = column
    above = column.parent
    while above is not None:
        if isinstance(above, exp.Select):
            if not hidden:
                yield feeding(above)
            hidden = False
        elif isinstance(above, exp.Subquery) and isinstance(above.this, exp.Table):
            yield joined(above.this)
        elif isinstance(above, exp.With):
            hidden = isinstance(above.parent, exp.Select)
        elif isinstance(above, exp.From | exp.Join) and _is_closed(below):
            hidden = True
        below, above = above, above.parent


def _is_closed(source: exp.Expr) -> bool:
    """A subquery in FROM that is not LATERAL; like a CTE, it sees nothing of the SELECT that it belongs to."""
    return isinstance(source, exp.Subquery) and isinstance(source.this, exp.Query) and source.arg_key == "this"
