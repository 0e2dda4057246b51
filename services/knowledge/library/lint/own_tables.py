"""Views that people query and the rules over them: whether each rule can ever apply, and compares like with like."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from lang.expressions import Expression
from lang.pastes import View, ViewRule
from lang.pastes.own_queries.views import WEIGHT, ColumnType
from services.knowledge.library.lint.findings import Report, Severity

_WORDS: tuple[ColumnType, ...] = ("text",)


def check_own_tables(report: Report) -> None:
    """All rules about views and the rules over them."""
    used = set()
    for entry in report.library.phenomena.values():
        for at, rule in enumerate(entry.observe.views):
            used.add(rule.view)
            _fits_its_view(report, (entry.id, f"observe.views.{at}"), rule, report.library.views[rule.view])
    for name in report.library.views:
        if name not in used:
            report.add(Severity.HINT, "view-unused", (name, "id"))


def _fits_its_view(report: Report, place: tuple[str, str], rule: ViewRule, view: View) -> None:
    types = {column.name: column.type for column in view.columns} | {WEIGHT: "number"}
    named = {name for expression in rule.expressions for name in expression.names} | {*rule.by}
    if lacking := sorted(named - types.keys()):
        report.add(Severity.ERROR, "view-column", place, names=", ".join(lacking), view=view.id)
    elif not rule.needed:
        report.add(Severity.ERROR, "view-no-column", place, view=view.id)
    values = {column.name: column.values for column in view.columns if column.values}
    for expression in rule.expressions:
        mistyped = sorted(name for name in expression.texts if name in types and types[name] not in _WORDS)
        if mistyped:
            report.add(Severity.ERROR, "view-type", place, names=", ".join(mistyped))
        for name, text in _compared(expression):
            if name in values and text not in values[name]:
                report.add(Severity.ERROR, "view-value", place, name=name, value=text)


def _compared(expression: Expression) -> Iterator[tuple[str, str]]:
    """The columns that must equal a text, with the text."""
    for node in ast.walk(expression.tree):
        sides = [node.left, *node.comparators] if isinstance(node, ast.Compare) else []
        names = [side.id for side in sides if isinstance(side, ast.Name)]
        texts = [side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str)]
        yield from ((name, text) for name in names for text in texts)
