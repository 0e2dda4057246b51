"""Statements that ask for more work than a look may cost: unlinked joins, endless recursion, long series and strings.

The server's own timeouts are the second guard; these rules keep such a statement out of the catalogue.
"""

from __future__ import annotations

from sqlglot import exp

from services.collector.admission.joins import check_joins
from services.collector.admission.recursion import check_recursion
from services.collector.admission.refusal import Refused
from services.collector.admission.rules import Rules

_MOST_ROWS = 20_000
_FEW_ROWS = 100
_LONGEST_TEXT = 1_000
_HIGHEST_POWER = 100
_LONGEST_PATTERN = 500
_SECONDS = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86400, "WEEK": 604800, "MONTH": 2592000, "YEAR": 31536000}
_STRETCHING = {"repeat": 1, "lpad": 1, "rpad": 1, "pad": 1}


def check_effort(tree: exp.Expr, rules: Rules) -> None:
    """Refuses what may run without end or fill the memory."""
    rows = 1
    for node in tree.walk():
        if isinstance(node, exp.Select):
            check_joins(node, rules)
        elif isinstance(node, exp.CTE):
            check_recursion(node)
        elif isinstance(node, exp.Func | exp.Pow):
            rows *= _series(node)
            _check_size(node)
    if rows > _MOST_ROWS:
        raise Refused(f"series of more than {_MOST_ROWS} rows")


def _called(node: exp.Expr) -> str:
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.key


def _check_size(node: exp.Expr) -> None:
    name = _called(node)
    if name in _STRETCHING:
        _check_length(node)
    elif isinstance(node, exp.Pow):
        power = whole(node.expression)
        if node.this.find(exp.Pow):
            raise Refused("a power of a power")
        if power is None or abs(power) > _HIGHEST_POWER:
            raise Refused(f"a power that is not written out or is above {_HIGHEST_POWER}")
    elif name in ("format", "printf"):
        _check_format(node)


def _check_length(node: exp.Expr) -> None:
    given = node.args.get("times") or node.args.get("expression")
    if isinstance(node, exp.Anonymous) and len(node.expressions) > 1:
        given = node.expressions[1]
    length = whole(given)
    if length is None or length > _LONGEST_TEXT:
        raise Refused(f"a text stretched to a length that is not written out or is above {_LONGEST_TEXT}")
    inner = node.this if isinstance(node.this, exp.Expr) else None
    if isinstance(node, exp.Anonymous):
        inner = node.expressions[0]
    if inner is not None and any(_called(below) in _STRETCHING for below in inner.walk()):
        raise Refused("a stretched text stretched again")


def _check_format(node: exp.Expr) -> None:
    parts = node.expressions if isinstance(node, exp.Anonymous) else [node.this, *node.expressions]
    first = parts[0] if parts else None
    if (
        not isinstance(first, exp.Literal)
        or "*" in first.name
        or any(len(digits) > 3 for digits in "".join(c if c.isdigit() else " " for c in first.name).split())
    ):
        raise Refused("a format that is not written out or is too wide")


def _series(node: exp.Expr) -> int:
    """How many rows a series makes; 1 for any other call."""
    if isinstance(node, exp.GenerateSeries | exp.ExplodingGenerateSeries):
        start, end, step = (node.args.get(key) for key in ("start", "end", "step"))
    elif _called(node) == "range" and isinstance(node, exp.Anonymous):
        start, end, step = (*node.expressions, None, None, None)[:3]
    else:
        return 1
    return max(1, _rows(start, end, step))


def _rows(start: exp.Expr | None, end: exp.Expr | None, step: exp.Expr | None) -> int:
    if end is None:
        start, end = exp.Literal.number(0), start
    first, last, by = whole(start), whole(end), whole(step) if step is not None else 1
    if first is not None and last is not None and by:
        return abs(last - first) // abs(by) + 1
    if first is not None and end is not None and _of_array(end):
        return _FEW_ROWS
    every = seconds(step)
    span = _moment_span(start, end)
    if every and span is not None:
        return int(abs(span) // every) + 1
    raise Refused("a series whose ends are not written out")


def _of_array(end: exp.Expr) -> bool:
    sized = ("array_length", "arraysize", "array_upper", "cardinality", "arraylength", "length")
    return _called(end) in sized


def _moment_span(start: exp.Expr | None, end: exp.Expr | None) -> float | None:
    first, last = _moment(start), _moment(end)
    if first is None or last is None or first[0] != last[0]:
        return None
    return last[1] - first[1]


def _moment(node: exp.Expr | None) -> tuple[str, float] | None:
    """A moment as seconds from `now` or from a written date's origin."""
    from datetime import datetime

    while isinstance(node, exp.Paren | exp.Cast | exp.DateTrunc | exp.TimestampTrunc):
        node = node.this
    if isinstance(node, exp.Sub | exp.Add):
        base, by = _moment(node.this), seconds(node.expression)
        sign = 1 if isinstance(node, exp.Add) else -1
        return None if base is None or by is None else (base[0], base[1] + sign * by)
    if isinstance(node, exp.CurrentTimestamp | exp.CurrentDate | exp.Localtimestamp):
        return "now", 0.0
    if isinstance(node, exp.Literal) and node.is_string:
        try:
            return "written", (datetime.fromisoformat(node.name) - datetime(1970, 1, 1)).total_seconds()
        except (ValueError, TypeError):
            return None
    return None


def seconds(node: exp.Expr | None) -> float | None:
    """The length of an interval that is written out in one unit; None for any other."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Literal):
        amount, _, unit = node.this.name.strip().partition(" ")
    elif isinstance(node, exp.Interval) and isinstance(node.this, exp.Literal) and node.args.get("unit"):
        amount, unit = node.this.name, node.args["unit"].name
    else:
        return None
    try:
        return float(amount) * _SECONDS[unit.strip().upper().removesuffix("S")]
    except (KeyError, ValueError):
        return None


def whole(node: exp.Expr | None) -> int | None:
    """A whole number that is written out, with its sign; None for any other."""
    if isinstance(node, exp.Neg):
        value = whole(node.this)
        return None if value is None else -value
    while isinstance(node, exp.Paren | exp.Cast):
        node = node.this
    if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
        return int(node.name)
    return None
