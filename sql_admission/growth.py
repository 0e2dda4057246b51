"""Values that grow at each step: by a piece they may; put together with themselves they double, and may not."""

from __future__ import annotations

from sqlglot import exp

from sql_admission.refusal import Refused
from sql_admission.series import called

# What a value may go through that grows: it comes out as long, or longer by what is put to it.
_STEADY = frozenset(
    {
        *("array", "array_append", "array_cat", "arrayappend", "arrayconcat", "case", "cast", "coalesce"),
        *("concat", "dpipe", "explode", "greatest", "if", "least", "lower", "trycast", "unnest", "upper"),
    }
)
_CHOOSING = (exp.Coalesce, exp.Greatest, exp.Least)


def check_growth(step: exp.Select, columns: list[str]) -> None:
    """Refuses a step of a recursion that puts together what has grown already."""
    made = {name: column.unalias() for name, column in zip(columns, step.expressions, strict=False)}
    named = set(columns)
    growing = {name for name, column in made.items() if not _is_plain(column) and _times(column, named)}
    for column in made.values():
        if not isinstance(column, exp.Column):
            _check(column, growing)


def check_lambda(call: exp.Lambda) -> None:
    """Refuses a folding function that puts its own value together twice or lengthens it."""
    above = call.parent
    if isinstance(above, exp.Expr) and called(above) in ("list_reduce", "reduce", "array_reduce"):
        _check(call.this, {parameter.name.lower() for parameter in call.expressions[:1]})


def _is_plain(column: exp.Expr) -> bool:
    """A column as it is, or a counter."""
    counts = isinstance(column, exp.Add | exp.Sub) and isinstance(column.expression, exp.Literal)
    return isinstance(column.this if counts else column, exp.Column)


def _check(made: exp.Expr, growing: set[str]) -> None:
    times = _times(made, growing)
    if times > 1:
        raise Refused("sql_refused.growth_by_itself")
    if any(_times(part, growing) for part in made.find_all(exp.Lambda)):
        raise Refused("sql_refused.growth_in_list")
    if any(not _is_steady(part) and _times(part, growing) for part in made.find_all(exp.Func)):
        raise Refused("sql_refused.growth_by_factor")


def _is_steady(call: exp.Expr) -> bool:
    """The server's own functions tell of what is named to them; none gives it back longer."""
    return called(call) in _STEADY or called(call).startswith("pg_")


def _times(node: exp.Expr, names: set[str]) -> int:
    """How often these names go into a value; what is only compared does not, and of alternatives one does."""
    if isinstance(node, exp.Identifier):
        return int(node.name.lower() in names and node.arg_key not in ("alias", "table", "db"))
    if isinstance(node, exp.Predicate):
        return 0
    if isinstance(node, exp.Case):
        branches = [branch.args["true"] for branch in node.args["ifs"]]
        branches += [node.args["default"]] if node.args.get("default") else []
        return max(_times(branch, names) for branch in branches)
    parts = [_times(part, names) for part in node.iter_expressions()]
    return max(parts, default=0) if isinstance(node, _CHOOSING) else sum(parts)
