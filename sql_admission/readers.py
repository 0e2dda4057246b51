"""Work that is done for each row of something else: subqueries that compare nothing, reads of whole relations."""

from __future__ import annotations

from math import inf

from sqlglot import exp

from sql_admission.joins import LINKING
from sql_admission.refusal import Refused
from sql_admission.rules import Rules
from sql_admission.scopes import conditions, sources
from sql_admission.series import called
from sql_admission.sizes import SMALL, name_of, one_by_key, rows_of

# The most relations that may each be read from end to end.
_MOST_READ = 100
_FEW = 10


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
