"""The small language of signals and predicates: a closed subset of Python's expressions over the rows that were read.

A name is a signal, else a column of the first row. What is not known is None, and None stays None through arithmetic
and comparisons; `and` and `or` are those of three-valued logic. Functions over the rows of the last read: `n()`,
`countif(e)`, `sumof(e)`, `maxof(e)`, `minof(e)`, `at_max(e, of)`; over all reads: `overall(e)`, `reads_where(e)`; from
the first read to the last: `rise(c)`, `rate(c)` a second, `least_step(c)` from one read to the next, `same(c)`. Also
`coalesce`, `min`, `max`, `abs`, `has`.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from services.chassis.problems import Misfit
from services.collector.catalogue.reads import Reads, Row, Value

_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Where names are looked up."""

    reads: Reads
    signals: Mapping[str, Value]
    row: Row | None

    @classmethod
    def of(cls, reads: Reads, signals: Mapping[str, Value]) -> Scope:
        """The scope of all reads: its row is the first of the last read."""
        return cls(reads, signals, reads.last[0] if reads.last else None)

    def at(self, row: Row | None) -> Scope:
        """The same for one row."""
        return replace(self, row=row)

    def value(self, name: str) -> Value:
        """The value of a name; None for a column if there is no row."""
        if self.row is not None and name in self.row:
            return self.row[name]
        return self.signals.get(name)


@dataclass(frozen=True, slots=True)
class Expression:
    """One parsed expression; `names` are those it mentions, in order."""

    text: str
    tree: ast.expr
    names: tuple[str, ...]

    def value(self, scope: Scope) -> Value:
        """The value of the expression."""
        return _value(self.tree, scope)


@cache
def parse(text: str) -> Expression:
    """Raises Misfit, a ValueError, for anything outside the language."""
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise Misfit("bad_catalogue.no_expression", text=repr(text), why=error.msg) from error
    _check(tree, text)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and id(node) not in called)
    return Expression(text.strip(), tree, tuple(dict.fromkeys(node.id for node in named)))


def _check(tree: ast.expr, text: str) -> None:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if not isinstance(node.func, ast.Name) or node.func.id not in FUNCTIONS or node.keywords:
                raise Misfit("bad_catalogue.no_function", text=repr(text), name=ast.unparse(node.func))
        elif isinstance(node, ast.Constant):
            if not isinstance(node.value, int | float | str):
                raise Misfit("bad_catalogue.odd_constant", text=repr(text))
        elif not isinstance(node, _ALLOWED):
            raise Misfit("bad_catalogue.not_in_language", text=repr(text), part=type(node).__name__)


_ALLOWED = (
    ast.Name,
    ast.Load,
    ast.BoolOp,
    ast.And,
    ast.Or,
    ast.UnaryOp,
    ast.Not,
    ast.USub,
    ast.BinOp,
    ast.Div,
    ast.Compare,
    ast.Eq,
    ast.NotEq,
    ast.IfExp,
    *_ARITHMETIC,
    *_COMPARISONS,
)


def _value(node: ast.expr, scope: Scope) -> Value:
    match node:
        case ast.Constant(value=value):
            return float(value) if type(value) is int else value  # type: ignore[return-value]
        case ast.Name(id=name):
            return scope.value(name)
        case ast.BoolOp(op=op, values=values):
            return _joined([_value(item, scope) for item in values], isinstance(op, ast.Or))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = _value(operand, scope)
            return None if value is None else not value
        case ast.UnaryOp(operand=operand):
            number = _number(_value(operand, scope))
            return None if number is None else -number
        case ast.BinOp():
            return _arithmetic(node, scope)
        case ast.Compare():
            return _compared(node, scope)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, scope) else orelse, scope)
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](args, scope)
    raise AssertionError(f"{ast.unparse(node)}: parse() admits no such node")


def _joined(values: list[Value], either: bool) -> Value:
    if any(value is not None and bool(value) is either for value in values):
        return either
    return None if None in values else not either


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, bool | int | float) else None


def _arithmetic(node: ast.BinOp, scope: Scope) -> Value:
    left, right = _number(_value(node.left, scope)), _number(_value(node.right, scope))
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Div):
        return left / right if right else None
    return _ARITHMETIC[type(node.op)](left, right)


def _compared(node: ast.Compare, scope: Scope) -> Value:
    values = [_value(item, scope) for item in (node.left, *node.comparators)]
    pairs = zip(node.ops, values, values[1:], strict=False)
    return _joined([_pair(op, left, right) for op, left, right in pairs], False)


def _pair(op: ast.cmpop, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if isinstance(op, ast.Eq | ast.NotEq):
        return (left == right) is isinstance(op, ast.Eq)
    first, second = _number(left), _number(right)
    return None if first is None or second is None else _COMPARISONS[type(op)](first, second)


Arguments = list[ast.expr]


def _each(node: ast.expr, scope: Scope, rows: tuple[Row, ...]) -> list[float] | None:
    """The known numbers of a row's expression; None where there are rows and none of them is known."""
    found = [_number(_value(node, scope.at(row))) for row in rows]
    known = [number for number in found if number is not None]
    return None if rows and not known else known


def _n(args: Arguments, scope: Scope) -> Value:
    return float(len(scope.reads.last))


def _countif(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, scope.reads.last)
    return None if found is None else float(sum(1 for number in found if number))


def _sumof(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, scope.reads.last)
    return None if found is None else sum(found)


def _maxof(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, scope.reads.last)
    return None if found is None else max(found, default=0.0)


def _minof(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, scope.reads.last)
    return None if found is None else min(found, default=0.0)


def _at_max(args: Arguments, scope: Scope) -> Value:
    measured = [(_number(_value(args[0], scope.at(row))), row) for row in scope.reads.last]
    known = [(number, row) for number, row in measured if number is not None]
    return _value(args[1], scope.at(max(known, key=lambda pair: pair[0])[1])) if known else ""


def _overall(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, tuple(row for rows in scope.reads.reads for row in rows))
    return None if found is None else sum(found)


def _reads_where(args: Arguments, scope: Scope) -> Value:
    firsts = [rows[0] if rows else None for rows in scope.reads.reads]
    return float(sum(1 for row in firsts if row is not None and _value(args[0], scope.at(row))))


def _rise(args: Arguments, scope: Scope) -> Value:
    before = scope.reads.before(scope.row) if scope.row is not None else None
    if before is None:
        return None
    now, then = _number(_value(args[0], scope)), _number(_value(args[0], scope.at(before)))
    return None if now is None or then is None else now - then


def _rate(args: Arguments, scope: Scope) -> Value:
    rise = _number(_rise(args, scope))
    return None if rise is None or scope.reads.elapsed <= 0 else rise / scope.reads.elapsed


def _least_step(args: Arguments, scope: Scope) -> Value:
    """The smallest rise from one read to the next; what does not always rise has one of 0 or less."""
    rows = scope.reads.steps(scope.row) if scope.row is not None else ()
    numbers = [_number(_value(args[0], scope.at(row))) if row is not None else None for row in rows]
    known = [number for number in numbers if number is not None]
    if len(known) < 2 or len(known) < len(numbers):
        return None
    return min(later - earlier for earlier, later in pairwise(known))


def _same(args: Arguments, scope: Scope) -> Value:
    before = scope.reads.before(scope.row) if scope.row is not None else None
    if before is None:
        return False
    now = _value(args[0], scope)
    return now is not None and now == _value(args[0], scope.at(before))


def _coalesce(args: Arguments, scope: Scope) -> Value:
    return next((value for node in args if (value := _value(node, scope)) is not None), None)


def _extreme(choose: Callable[[list[float]], float]) -> Callable[[Arguments, Scope], Value]:
    def chosen(args: Arguments, scope: Scope) -> Value:
        numbers = [_number(_value(node, scope)) for node in args]
        return None if None in numbers else choose([number for number in numbers if number is not None])

    return chosen


def _has(args: Arguments, scope: Scope) -> Value:
    text, part = _value(args[0], scope), _value(args[1], scope)
    return None if text is None else str(part) in str(text)


FUNCTIONS: dict[str, Callable[[Arguments, Scope], Value]] = {
    "n": _n,
    "countif": _countif,
    "sumof": _sumof,
    "maxof": _maxof,
    "minof": _minof,
    "at_max": _at_max,
    "overall": _overall,
    "reads_where": _reads_where,
    "rise": _rise,
    "rate": _rate,
    "least_step": _least_step,
    "same": _same,
    "coalesce": _coalesce,
    "min": _extreme(min),
    "max": _extreme(max),
    "abs": _extreme(lambda numbers: abs(numbers[0])),
    "has": _has,
}
