"""Does a recursive CTE end? By a bound, by a path not walked twice, as nothing new comes; and what grows on its way."""

from __future__ import annotations

from math import inf

from sqlglot import exp

from sql_admission.rules import Refused
from sql_admission.series import bare, called, conjuncts, cte_of, joins, sources
from sql_admission.sizes import series_of

_DEEPEST = 100
_LONGEST_COUNT = 10_000
_LONGEST_STEP = 10
# Relations without circles: the column that is followed, and the one it leads to.
_TREES = {"pg_inherits": {"inhparent", "inhrelid"}, "pg_auth_members": {"roleid", "member"}}
_OF_ARRAYS = (exp.ArrayContainedBy, exp.ArrayContainsAll, exp.ArrayOverlaps)
_COMPUTING = (exp.Binary, exp.Func, exp.Neg, exp.Bracket)
# What a value may go through that grows: it comes out as long, or longer by what is put to it.
_STEADY = frozenset(
    {
        *("array", "array_append", "array_cat", "arrayappend", "arrayconcat", "case", "cast", "coalesce"),
        *("concat", "dpipe", "explode", "greatest", "if", "least", "lower", "trycast", "unnest", "upper"),
    }
)
_CHOOSING = (exp.Coalesce, exp.Greatest, exp.Least)


def _multiplies(step: exp.Select) -> bool:
    """True if each step makes several rows of one without a condition."""
    where = step.args.get("where")
    held = [*(where.find_all(exp.EQ, *_OF_ARRAYS) if where else ()), *(j for j in joins(step) if j.args.get("on"))]
    return len(sources(step)) > 1 and not held and not any(join.args.get("using") for join in joins(step))


def check_recursion(cte: exp.CTE, of_dataset: bool = False) -> None:
    """Refuses a recursive CTE without a recognisable end.

    of_dataset: it runs within limits on time and memory, so that a walk along the rows of a table is let through.
    """
    _check_order(cte)
    calls = [table for table in cte.find_all(exp.Table) if cte_of(table) is cte]
    if not calls:
        return
    body = bare(cte.this)
    step = bare(body.expression) if isinstance(body, exp.Union) else None
    if not isinstance(step, exp.Select) or len(calls) != 1 or calls[0] not in sources(step):
        raise Refused("sql_refused.recursion_form")
    columns = _columns(cte, body.this)
    check_growth(step, columns)
    if _multiplies(step) or series_of(step) > 1:
        raise Refused("sql_refused.recursion_multiplies")
    if _is_bounded(step, columns, _DEEPEST if _widens(step) else _LONGEST_COUNT) or _has_path(step):
        return
    if body.args.get("distinct") and not any(_computes(column) for column in step.expressions):
        return
    if of_dataset and (_walks_rows(step, calls[0]) or _is_dated(step, columns)):
        return
    if not _follows_tree(step, calls[0], columns):
        raise Refused("sql_refused.recursion_unbound")


def counters(tree: exp.Expr) -> set[str]:
    """The columns of a statement that count the steps of a recursion which ends soon, or walks a path."""
    found: set[str] = set()
    for cte in tree.find_all(exp.CTE):
        body = bare(cte.this)
        step = bare(body.expression) if isinstance(body, exp.Union) else None
        if isinstance(step, exp.Select):
            columns = _columns(cte, body.this)
            if _is_bounded(step, columns, _DEEPEST) or _has_path(step):
                found.update(name for name in columns if _counts(step, columns, name, _LONGEST_STEP))
    return found


def _check_order(cte: exp.CTE) -> None:
    """Refuses a call of a CTE that comes later: two could call each other."""
    clause = cte.parent
    later = clause.expressions[clause.expressions.index(cte) + 1 :] if isinstance(clause, exp.With) else []
    if any(cte_of(table) is one for table in cte.find_all(exp.Table) for one in later):
        raise Refused("sql_refused.recursion_of_several")


def _columns(cte: exp.CTE, first: exp.Expr) -> list[str]:
    named = cte.args["alias"].args.get("columns") or ()
    first = bare(first)
    written = [column.alias_or_name for column in getattr(first, "expressions", ())]
    return [name.lower() for name in [*(column.name for column in named), *written[len(named) :]]]


def _widens(step: exp.Select) -> bool:
    """True if one row may become several."""
    return len(sources(step)) > 1 or any(_called(column) for column in step.expressions)


def _called(column: exp.Expr) -> bool:
    return any(True for _ in column.find_all(exp.Unnest, exp.Explode, exp.GenerateSeries, exp.Anonymous))


def _is_bounded(step: exp.Select, columns: list[str], most: int) -> bool:
    """A counter that each step adds to is compared with a number."""
    where = step.args.get("where")
    for condition in conjuncts(where.this if where else None):
        if isinstance(condition, exp.LT | exp.LTE) and isinstance(condition.this, exp.Column):
            limit = condition.expression
            written = isinstance(limit, exp.Literal) and not limit.is_string and float(limit.name) <= most
            if written and _counts(step, columns, condition.this.name.lower()):
                return True
    return False


def _is_dated(step: exp.Select, columns: list[str]) -> bool:
    """A date that each step moves on by an interval is compared with a written date."""
    where = step.args.get("where")
    for condition in conjuncts(where.this if where else None):
        if not isinstance(condition, exp.LT | exp.LTE) or not isinstance(condition.this, exp.Column):
            continue
        limit, name = condition.expression, condition.this.name.lower()
        if not isinstance(limit, exp.Cast) or not isinstance(limit.this, exp.Literal) or name not in columns:
            continue
        place = columns.index(name)
        moved = step.expressions[place].unalias() if place < len(step.expressions) else None
        while isinstance(moved, exp.Cast | exp.Paren):
            moved = moved.this
        if (
            isinstance(moved, exp.Add)
            and isinstance(moved.this, exp.Column)
            and isinstance(moved.expression, exp.Interval)
        ):
            return True
    return False


def _walks_rows(step: exp.Select, call: exp.Table) -> bool:
    """A table is joined by an equal value to the rows of the step before."""
    own = call.alias_or_name.lower()
    pairs = ({column.table.lower() for column in equal.find_all(exp.Column)} for equal in step.find_all(exp.EQ))
    return any(own in pair and len(pair) == 2 for pair in pairs)


def _counts(step: exp.Select, columns: list[str], name: str, most: float = inf) -> bool:
    places = [place for place, column in enumerate(columns) if column == name]
    if not places or places[0] >= len(step.expressions):
        return False
    added = step.expressions[places[0]].unalias()
    if not isinstance(added, exp.Add) or not isinstance(added.this, exp.Column):
        return False
    by = added.expression
    grows = isinstance(by, exp.Literal) and not by.is_string and 1 <= float(by.name) <= most
    return grows and added.this.name.lower() == name


def _has_path(step: exp.Select) -> bool:
    """A column that is looked for in the path, and a path that grows by it."""
    asked = {
        column.name.lower()
        for found in step.find_all(exp.Any, exp.All, exp.Anonymous, exp.Not)
        if not isinstance(found, exp.Anonymous) or found.name.upper() == "ALL"
        if not isinstance(found, exp.Not) or isinstance(bare(found.this), _OF_ARRAYS)
        for column in found.find_all(exp.Column)
    }
    grown = {
        column.name.lower()
        for projected in step.expressions
        for found in projected.find_all(exp.DPipe, exp.ArrayConcat, exp.ArrayAppend)
        for column in found.find_all(exp.Column)
    }
    return step.args.get("where") is not None and bool(asked & grown)


def _computes(column: exp.Expr) -> bool:
    """True if a step can make a value that no relation holds."""
    inner = column.unalias()
    if isinstance(inner, exp.Unnest | exp.Explode | exp.Anonymous) and _is_blockers(inner):
        return False
    return any(isinstance(found, _COMPUTING) and not isinstance(found, exp.Cast) for found in inner.walk())


def _is_blockers(node: exp.Expr) -> bool:
    called = [found.name.lower() for found in node.find_all(exp.Anonymous)]
    return called == ["pg_blocking_pids"]


def _follows_tree(step: exp.Select, call: exp.Table, columns: list[str]) -> bool:
    """`relation.parent = tree.child`, and the child comes out where it was looked for."""
    own = call.alias_or_name.lower()
    for other in sources(step):
        ends = _TREES.get(other.name.lower()) if isinstance(other, exp.Table) else None
        if ends is None:
            continue
        for equal in step.find_all(exp.EQ):
            sides = [side for side in (equal.this, equal.expression) if isinstance(side, exp.Column)]
            followed = [side for side in sides if side.name.lower() in ends and side.table.lower() != own]
            back = [side for side in sides if side not in followed]
            if len(followed) == 1 and len(back) == 1 and _leads_on(step, columns, ends, followed[0], back[0]):
                return True
    return False


def _leads_on(step: exp.Select, columns: list[str], ends: set[str], followed: exp.Column, back: exp.Column) -> bool:
    name = back.name.lower()
    if name not in columns or columns.index(name) >= len(step.expressions):
        return False
    projected = step.expressions[columns.index(name)].unalias()
    led = ends - {followed.name.lower()}
    return isinstance(projected, exp.Column) and {projected.name.lower()} == led


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
