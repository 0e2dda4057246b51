"""The value of an expression: what is not known is None, and None stays None unless the rest decides."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from itertools import pairwise

from lang.expressions.reads import Moment, Row, Scope, Value

ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
COMPARISONS: dict[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def evaluate(node: ast.expr, scope: Scope) -> Value:
    """The value of a parsed expression in a scope."""
    match node:
        case ast.Constant(value=value):
            return float(value) if type(value) is int else value  # type: ignore[return-value]
        case ast.Name(id=name):
            return scope.value(name)
        case ast.BoolOp(op=op, values=values):
            return _joined([evaluate(item, scope) for item in values], isinstance(op, ast.Or))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            value = evaluate(operand, scope)
            return None if value is None else not value
        case ast.UnaryOp(operand=operand):
            number = _number(evaluate(operand, scope))
            return None if number is None else -number
        case ast.BinOp():
            return _arithmetic(node, scope)
        case ast.Compare():
            return _compared(node, scope)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return evaluate(body if evaluate(test, scope) else orelse, scope)
        case ast.Call(func=ast.Name(id=name), args=args):
            return FUNCTIONS[name](args, scope)
    raise AssertionError(f"{ast.unparse(node)}: parse() admits no such node")


def _joined(values: list[Value], either: bool) -> Value:
    if any(value is not None and bool(value) is either for value in values):
        return either
    return None if None in values else not either


def _number(value: Value) -> float | None:
    if isinstance(value, float):
        return value
    return float(value) if isinstance(value, bool | int) else None


def _arithmetic(node: ast.BinOp, scope: Scope) -> Value:
    left, right = _number(evaluate(node.left, scope)), _number(evaluate(node.right, scope))
    if left is None or right is None:
        return None
    if isinstance(node.op, ast.Div):
        return left / right if right else None
    return ARITHMETIC[type(node.op)](left, right)


def _compared(node: ast.Compare, scope: Scope) -> Value:
    values = [evaluate(item, scope) for item in (node.left, *node.comparators)]
    pairs = zip(node.ops, values, values[1:], strict=False)
    return _joined([_pair(op, left, right) for op, left, right in pairs], False)


def _pair(op: ast.cmpop, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if isinstance(op, ast.Eq | ast.NotEq):
        return (left == right) is isinstance(op, ast.Eq)
    first, second = _number(left), _number(right)
    if isinstance(first, Moment) is not isinstance(second, Moment) and 0 not in (first, second):
        return None
    return None if first is None or second is None else COMPARISONS[type(op)](first, second)


Arguments = list[ast.expr]


def _each(node: ast.expr, scope: Scope, rows: tuple[Row, ...]) -> list[float] | None:
    """The known numbers of a row's expression; None where there are rows and none of them is known."""
    found = [_number(evaluate(node, scope.at(row))) for row in rows]
    known = [number for number in found if number is not None]
    return None if rows and not known else known


def _some(either: bool) -> Callable[[Arguments, Scope], Value]:
    """Over the rows of the last read: `any` where `either` is true, else `all`."""
    return lambda args, scope: _joined([evaluate(args[0], scope.at(row)) for row in scope.reads.last], either)


def _absent(args: Arguments, scope: Scope) -> Value:
    """True for a column without a value; unknown for a column that is not there."""
    column = args[0].id if isinstance(args[0], ast.Name) else ""
    return None if scope.row is None or column not in scope.row else scope.row[column] is None


def _elapsed(args: Arguments, scope: Scope) -> Value:
    return scope.reads.elapsed if scope.reads.elapsed > 0 else None


def _ago(args: Arguments, scope: Scope) -> Value:
    moment = _number(evaluate(args[0], scope))
    return None if moment is None or scope.reads.now <= 0 else scope.reads.now - moment


def _since(args: Arguments, scope: Scope) -> Value:
    moment = _number(evaluate(args[0], scope))
    return None if moment is None or scope.reads.latest <= 0 else scope.reads.latest - moment


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
    measured = [(_number(evaluate(args[0], scope.at(row))), row) for row in scope.reads.last]
    known = [(number, row) for number, row in measured if number is not None]
    return evaluate(args[1], scope.at(max(known, key=lambda pair: pair[0])[1])) if known else ""


def _overall(args: Arguments, scope: Scope) -> Value:
    found = _each(args[0], scope, tuple(row for rows in scope.reads.reads for row in rows))
    return None if found is None else sum(found)


def _reads_where(args: Arguments, scope: Scope) -> Value:
    firsts = [rows[0] if rows else None for rows in scope.reads.reads]
    return float(sum(1 for row in firsts if row is not None and evaluate(args[0], scope.at(row))))


def _rise(args: Arguments, scope: Scope) -> Value:
    before = scope.reads.before(scope.row) if scope.row is not None else None
    if before is None:
        return None
    now, then = _number(evaluate(args[0], scope)), _number(evaluate(args[0], scope.at(before)))
    return None if now is None or then is None else now - then


def _rate(args: Arguments, scope: Scope) -> Value:
    rise = _number(_rise(args, scope))
    return None if rise is None or scope.reads.elapsed <= 0 else rise / scope.reads.elapsed


def _least_step(args: Arguments, scope: Scope) -> Value:
    """The smallest rise from one read to the next; what does not always rise has one of 0 or less."""
    rows = scope.reads.steps(scope.row) if scope.row is not None else ()
    numbers = [_number(evaluate(args[0], scope.at(row))) if row is not None else None for row in rows]
    known = [number for number in numbers if number is not None]
    if len(known) < 2 or len(known) < len(numbers):
        return None
    return min(later - earlier for earlier, later in pairwise(known))


def _same(args: Arguments, scope: Scope) -> Value:
    before = scope.reads.before(scope.row) if scope.row is not None else None
    if before is None:
        return False
    now = evaluate(args[0], scope)
    return now is not None and now == evaluate(args[0], scope.at(before))


def _coalesce(args: Arguments, scope: Scope) -> Value:
    return next((value for node in args if (value := evaluate(node, scope)) is not None), None)


def _extreme(choose: Callable[[list[float]], float]) -> Callable[[Arguments, Scope], Value]:
    def chosen(args: Arguments, scope: Scope) -> Value:
        numbers = [_number(evaluate(node, scope)) for node in args]
        return None if None in numbers else choose([number for number in numbers if number is not None])

    return chosen


def _has(args: Arguments, scope: Scope) -> Value:
    """Whether a text holds another, whatever the case of either."""
    text, part = evaluate(args[0], scope), evaluate(args[1], scope)
    return None if text is None else str(part).lower() in str(text).lower()


FUNCTIONS: dict[str, Callable[[Arguments, Scope], Value]] = {
    "any": _some(True),
    "all": _some(False),
    "absent": _absent,
    "elapsed": _elapsed,
    "ago": _ago,
    "since": _since,
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
