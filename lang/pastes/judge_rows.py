"""What the rows of a check say about its phenomenon, by the check's own rule."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from lang.expressions import Reads, Row, Scope, parse
from lang.expressions.evaluate import evaluate
from lang.objects import is_object
from lang.pastes.cells import show_value
from lang.pastes.model import RowRule, Verdict

_LONGEST_VALUE = 200
# Columns that name what a row is about, as those of pg_settings.
NAMES = ("name", "setting_name", "variable_name")
# What is named with the values of a row although no rule and no command needs it.
_NAMED_BESIDE = ("trigger_name",)


def judge_rows(rule: RowRule, readings: Sequence[tuple[Row, ...]], elapsed: float) -> Verdict | None:
    """The verdict of one or several readings, the oldest first; None where a second reading is needed.

    elapsed: seconds from the first to the last, 0 if unknown.
    """
    if not readings[-1]:
        return rule.empty
    if rule.repeat == "rise":
        return _judge_rise(rule, readings, elapsed)
    if rule.repeat == "level" and len(readings) > 1:
        verdicts = [_judge_one(rule, Reads((rows,))) if rows else rule.empty for rows in readings]
        return next((found for found in set(verdicts) if verdicts.count(found) * 2 > len(verdicts)), "unknown")
    verdict = _judge_one(rule, Reads(tuple(readings), elapsed, rule.key))
    return None if verdict == "unknown" and len(readings) < 2 and rule.compares_readings else verdict


def _judge_one(rule: RowRule, reads: Reads) -> Verdict:
    scope = Scope.of(reads, {})
    held = parse(rule.confirmed).value(scope) if rule.confirmed else None
    if held is True:
        return "confirmed"
    if rule.denied:
        return "denied" if parse(rule.denied).value(scope) is True else "unknown"
    return "denied" if held is False else "unknown"


def _judge_rise(rule: RowRule, readings: Sequence[tuple[Row, ...]], elapsed: float) -> Verdict | None:
    scope = Scope.of(Reads(tuple(readings), elapsed, rule.key), {})
    if rule.denied and parse(rule.denied).value(scope) is True:
        return "denied"
    if len(readings) < 2:
        return None
    held = parse(rule.confirmed or "").value(scope)
    return "confirmed" if held is True else "denied" if held is False else "unknown"


def is_of_rule(rule: RowRule, rows: Sequence[Row]) -> bool:
    """True if rows have the names that a rule picks its rows by: settings of other names are another check's."""
    picked = {text for found in rule.expressions for name, text in found.picks if name in NAMES}
    return not rows or not picked or any(row.get(name) in picked for row in rows for name in NAMES)


def is_likely(rule: RowRule, rows: Sequence[Row]) -> bool:
    """True if an output that decides nothing makes the phenomenon worth a question."""
    return _holds(rule.likely, rule, rows)


def is_sign(rule: RowRule, rows: Sequence[Row]) -> bool:
    """True if an output that decides nothing is a sign of the phenomenon."""
    return _holds(rule.sign, rule, rows)


def _holds(text: str | None, rule: RowRule, rows: Sequence[Row]) -> bool:
    return text is not None and parse(text).value(Scope.of(Reads((tuple(rows),), 0.0, rule.key), {})) is True


def deciding_row(text: str | None, rows: Sequence[Row]) -> int:
    """The place of the row that makes an expression's `any(...)` true, else of the last picked by name; else 0."""
    reads = Reads((tuple(rows),))
    for node in ast.walk(parse(text).tree) if text else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "any":
            scope = Scope.of(reads, {})
            held = (place for place, row in enumerate(rows) if evaluate(node.args[0], scope.at(row)) is True)
            return next(held, 0)
    picked = {each for name, each in parse(text).picks if name in NAMES} if text else set()
    return max((place for place, row in enumerate(rows) if picked & {row.get(name) for name in NAMES}), default=0)


def value_of(rule: RowRule, row: Row) -> str:
    """The columns of the rule's expressions and of objects, with their values in a row."""
    named = [name for found in rule.expressions for name in found.names]
    names = dict.fromkeys([*named, *filter(is_object, row), *_NAMED_BESIDE])
    shown = ", ".join(f"{name} = {show_value(row[name])}" for name in names if row.get(name) is not None)
    return shown[:_LONGEST_VALUE]
