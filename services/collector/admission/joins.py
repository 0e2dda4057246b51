"""Is every relation of a SELECT joined to the others by a condition? Two that are not multiply their rows."""

from __future__ import annotations

from sqlglot import exp

from services.collector.admission.refusal import Refused
from services.collector.admission.rules import Rules
from services.collector.admission.scopes import bare, conditions, conjuncts, cte_of, joins, sources

_FEW = 100
_LINKING = (exp.EQ, exp.NullSafeEQ, exp.In, exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps)
_WRITTEN = (exp.Literal, exp.Placeholder, exp.Parameter, exp.CurrentDatabase, exp.CurrentCatalog)


class _Groups:
    """Sources that conditions link; a link to a column of an unnamed source counts for any one."""

    def __init__(self, names: list[str]) -> None:
        self._above = {name: name for name in names}
        self.wild = 0

    def of(self, name: str) -> str:
        """The group's own name."""
        while self._above[name] != name:
            name = self._above[name]
        return name

    def link(self, left: set[str], right: set[str]) -> None:
        """Columns of these sources are compared; an empty name stands for an unnamed one."""
        known_left, known_right = (side & self._above.keys() for side in (left, right))
        if known_left and known_right:
            for one in known_left:
                for other in known_right:
                    self._above[self.of(one)] = self.of(other)
        elif left and right and "" in left | right:
            self.wild += 1


def check_joins(select: exp.Select, rules: Rules) -> None:
    """Refuses relations whose rows are multiplied."""
    fed = sources(select)
    heavy = [_name(source) for source in fed if not small(source, rules)]
    if len(heavy) < 2:
        return
    groups = _Groups([_name(source) for source in fed])
    held = conditions(select)
    for condition in held:
        _link(condition, groups, rules)
    for source in fed:
        if small(source, rules):
            groups.link({_name(source)}, _tables(source) - {""})
    for join in joins(select):
        groups.wild += _is_using(join, rules) or join.method == "ASOF" or _looks_out(join.this)
    apart = {groups.of(name) for name in heavy if not _one_by_key(name, held, rules)}
    if len(apart) - groups.wild > 1:
        raise Refused(f"{' and '.join(heavy)} are joined without a condition")


def _name(source: exp.Expr) -> str:
    return source.alias_or_name.lower()


def small(source: exp.Expr, rules: Rules) -> bool:
    """Whether a source has few rows, or only those that belong to a row before it."""
    if isinstance(source, exp.Unnest | exp.Values) or isinstance(source.this, exp.Func | exp.Unnest):
        return True
    if isinstance(source, exp.Table):
        cte = cte_of(source)
        return one_row(cte.this, rules) if cte is not None else source.name.lower() in rules.one_row
    inner = bare(source)
    return isinstance(inner, exp.Values) or one_row(inner, rules)


def one_row(query: exp.Expr, rules: Rules) -> bool:
    """Whether a query has one row, or a few."""
    query = bare(query)
    if isinstance(query, exp.Values):
        return True
    if not isinstance(query, exp.Select):
        return False
    limit = query.args.get("limit")
    if isinstance(limit, exp.Limit) and isinstance(limit.expression, exp.Literal):
        return not limit.expression.is_string and float(limit.expression.name) <= _FEW
    if query.args.get("group") is None and any(_is_aggregate(column) for column in query.expressions):
        return True
    fed = sources(query)
    held = conditions(query)
    return all(small(source, rules) or _one_by_key(_name(source), held, rules) for source in fed)


def _is_aggregate(column: exp.Expr) -> bool:
    return any(
        column.find_ancestor(exp.Select) is found.find_ancestor(exp.Select) and not found.find_ancestor(exp.Window)
        for found in column.find_all(exp.AggFunc)
    )


def _one_by_key(name: str, held: list[exp.Expr], rules: Rules) -> bool:
    """Whether a condition picks a source's row by its key: `name = 'work_mem'`."""
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


def _link(condition: exp.Expr, groups: _Groups, rules: Rules) -> None:
    """Takes note of what a condition links; an alternative links only what both its sides link."""
    condition = bare(condition)
    if isinstance(condition, exp.Or):
        if _compares(condition.this) and _compares(condition.expression):
            for part in conjuncts(condition.this):
                _link(part, groups, rules)
    elif isinstance(condition, _LINKING):
        left, right = _sides(condition)
        if not _is_broad(condition, rules):
            groups.link(left, right)


def _compares(side: exp.Expr) -> bool:
    """Whether this alternative compares two sources' columns."""
    inner = bare(side)
    if isinstance(inner, exp.Or):
        return _compares(inner.this) and _compares(inner.expression)
    return any(
        isinstance(part, _LINKING) and all(_sides(part)) and _sides(part)[0] != _sides(part)[1]
        for part in conjuncts(inner)
    )


def _sides(condition: exp.Expr) -> tuple[set[str], set[str]]:
    right = condition.args.get("expression")
    others = [right] if isinstance(right, exp.Expr) else condition.expressions
    if isinstance(condition, exp.In) and condition.args.get("query") is not None:
        others = [condition.args["query"]]
    return _tables(condition.this), {name for other in others for name in _tables(other)}


def _tables(side: exp.Expr) -> set[str]:
    return {column.table.lower() for column in side.find_all(exp.Column)}


def _is_broad(condition: exp.Expr, rules: Rules) -> bool:
    """Equal values of a column of few values link nothing."""
    left, right = condition.this, condition.args.get("expression")
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return False
    return left.name.lower() == right.name.lower() and left.name.lower() in rules.broad


def _is_using(join: exp.Join, rules: Rules) -> bool:
    return any(column.name.lower() not in rules.broad for column in join.args.get("using") or ())


def _looks_out(source: exp.Expr) -> bool:
    """A subquery in FROM that compares with a column of a source beside it: a LATERAL one."""
    inner = bare(source)
    if inner is source or not isinstance(inner, exp.Select):
        return False
    own = {_name(fed) for fed in sources(inner)}
    beside = {name for condition in conditions(inner) if isinstance(condition, _LINKING) for name in _tables(condition)}
    return any(name and name not in own for name in beside)
