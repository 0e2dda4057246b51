"""Is every relation of a SELECT joined to the others by a condition? Two that are not multiply their rows."""

from __future__ import annotations

from math import prod

from sqlglot import exp

from sql_admission.rules import Refused, Rules
from sql_admission.series import bare, conditions, conjuncts, joins, sources
from sql_admission.sizes import SMALL, name_of, one_by_key, rows_of, series_of

_MOST_ROWS = 20_000
LINKING = (exp.EQ, exp.NullSafeEQ, exp.In, exp.ArrayContainsAll, exp.ArrayContainedBy, exp.ArrayOverlaps)


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
        """Links sources whose columns are compared; the empty name is an unnamed source."""
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
    sizes = {name_of(source): rows_of(source, rules) for source in fed}
    heavy = [name for name, rows in sizes.items() if rows is None or rows > SMALL]
    _check_small(select, [rows for rows in sizes.values() if rows is not None and rows <= SMALL], bool(heavy))
    if len(heavy) < 2:
        return
    groups = _Groups(list(sizes))
    held = conditions(select)
    for condition in held:
        _link(condition, groups, rules)
    for source in fed:
        if name_of(source) not in heavy:
            groups.link({name_of(source)}, _tables(source) - {""})
    for join in joins(select):
        groups.wild += _is_using(join, rules) or join.method == "ASOF" or _looks_out(join.this)
    apart = {groups.of(name) for name in heavy if not one_by_key(name, held, rules)}
    if len(apart) - groups.wild > 1:
        raise Refused("sql_refused.unjoined", names=tuple(heavy))


def _check_small(select: exp.Select, sizes: list[int], beside_heavy: bool) -> None:
    """Small ones may stand beside each other freely, as long as their product stays small."""
    product = prod(sizes) * series_of(select)
    if product > (SMALL if beside_heavy else _MOST_ROWS):
        raise Refused("sql_refused.product", count=product)


def _link(condition: exp.Expr, groups: _Groups, rules: Rules) -> None:
    """Takes note of what a condition links; an alternative links only what both its sides link."""
    condition = bare(condition)
    if isinstance(condition, exp.Or):
        if _compares(condition.this) and _compares(condition.expression):
            for part in conjuncts(condition.this):
                _link(part, groups, rules)
    elif isinstance(condition, LINKING):
        left, right = _sides(condition)
        if not _is_broad(condition, rules):
            groups.link(left, right)


def _compares(side: exp.Expr) -> bool:
    """True if this alternative compares two sources' columns."""
    inner = bare(side)
    if isinstance(inner, exp.Or):
        return _compares(inner.this) and _compares(inner.expression)
    return any(
        isinstance(part, LINKING) and all(_sides(part)) and _sides(part)[0] != _sides(part)[1]
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
    """Equal values of columns of few values link nothing, nor do equal remainders."""
    right = condition.args.get("expression")
    if not isinstance(condition.this, exp.Expr) or not isinstance(right, exp.Expr):
        return False
    sides = (condition.this, right)
    names = {column.name.lower() for side in sides for column in side.find_all(exp.Column)}
    return names <= rules.broad or any(side.find(exp.Mod) for side in sides)


def _is_using(join: exp.Join, rules: Rules) -> bool:
    return any(column.name.lower() not in rules.broad for column in join.args.get("using") or ())


def _looks_out(source: exp.Expr) -> bool:
    """A subquery in FROM that compares with a column of a source beside it: a LATERAL one."""
    inner = bare(source)
    if inner is source or not isinstance(inner, exp.Select):
        return False
    own = {name_of(fed) for fed in sources(inner)}
    beside = {name for condition in conditions(inner) if isinstance(condition, LINKING) for name in _tables(condition)}
    return any(name and name not in own for name in beside)
