"""From rows to signals, and from signals to findings about phenomena; a finding's words are the decisive values."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal

from lang.expressions import Expression, Reads, Scope, Value
from lang.objects import PID, kind_of
from services.collector.catalogue.schema import CatalogueCheck
from services.collector.model import Finding, Signal, Verdict, signal_of

_NO_ROWS = Reads(((),))
_MOST_OBJECTS = 4
# Parts of names that tell nothing of what a signal is about.
_PLAIN = {"rows", "in", "it", "with", "of", "the", "pid"}


def judge(check: CatalogueCheck, reads: Reads) -> tuple[tuple[Signal, ...], tuple[Finding, ...]]:
    """The signals of a check that are known, and its findings, both in the catalogue's order."""
    values: dict[str, Value] = {}
    for name, spec in check.signals.items():
        values[name] = spec.expression.value(Scope.of(reads, values))
    signals = tuple(
        signal_of(name, value, check.signals[name].unit) for name, value in values.items() if value is not None
    )
    return signals, tuple(_finding(check, phenomenon, values) for phenomenon in check.findings)


def unknown(check: CatalogueCheck, reason: str) -> tuple[Finding, ...]:
    """The findings of a check that did not run: all unknown, for this reason."""
    return tuple(Finding(phenomenon, Verdict.UNKNOWN, reason) for phenomenon in check.findings)


def _finding(check: CatalogueCheck, phenomenon: str, values: Mapping[str, Value]) -> Finding:
    spec = check.findings[phenomenon]
    scope = Scope(_NO_ROWS, values, None)
    for expression, verdict in ((spec.confirmed, Verdict.CONFIRMED), (spec.denied, Verdict.DENIED)):
        if expression is not None and expression.value(scope) is True:
            objects = _objects(check, expression, values) if verdict is Verdict.CONFIRMED else ""
            return Finding(phenomenon, verdict, _words(check, expression, values) + objects)
    return Finding(phenomenon, Verdict.UNKNOWN, _words(check, spec.confirmed or spec.denied, values))


def _words(check: CatalogueCheck, expression: Expression | None, values: Mapping[str, Value]) -> str:
    names = expression.names if expression else ()
    return ", ".join(f"{name} = {format_value(values.get(name), check.signals[name].unit)}" for name in names)


def _objects(check: CatalogueCheck, expression: Expression, values: Mapping[str, Value]) -> str:
    """The session, slot, table that the check saw, as more words; of several of a kind those that go with it."""
    others = [name for name in check.signals if name not in expression.names and _names_one(name, values.get(name))]
    kinds = Counter(map(kind_of, others))
    decisive = {part for name in expression.names for part in name.split("_")} - _PLAIN
    fitting = [name for name in others if kinds[kind_of(name)] == 1 or decisive & set(name.split("_"))]
    return "".join(f", {name} = {format_value(values.get(name), '')}" for name in fitting[:_MOST_OBJECTS])


def _names_one(name: str, value: Value) -> bool:
    """True if a value is the name of an object, or a process id."""
    if not kind_of(name):
        return False
    if name.endswith(PID):
        return isinstance(value, float | int) and not isinstance(value, bool) and value > 0
    return isinstance(value, str) and bool(value.strip())


def format_value(value: Value, unit: str) -> str:
    """A value for people: few digits, with its unit; "not readable" for None."""
    if value is None:
        return "not readable"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else _figure(float(value))
    return f"{text} {unit}".strip()


def _figure(number: float) -> str:
    return f"{number:.0f}" if abs(number) >= 100 or number == int(number) else f"{number:.3g}"


def plain(value: object) -> Value:
    """A database value as a number, a boolean or a text; intervals in seconds, timestamps in ISO form."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return f"<{len(bytes(value))} bytes>"
    if isinstance(value, Sequence):
        return ", ".join(str(plain(item)) for item in value)
    return str(value)
