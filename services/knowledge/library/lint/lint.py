"""Runs all rules over one or several libraries together."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from lang.expressions import Expression
from lang.pastes import View, ViewRule
from lang.pastes.own_queries.views import WEIGHT, ColumnType
from services.knowledge.library.lint.findings import Finding, Report, Severity, sort_key
from services.knowledge.library.lint.meanings import check_meanings
from services.knowledge.library.lint.structure import check_structure
from services.knowledge.library.lint.texts import check_texts, folded
from services.knowledge.library.load import load
from services.knowledge.library.schema import Question, RootCauseEntry

Progress = Callable[[str], None]
_LANGUAGES = ("zh", "en")
# What is read out in the middle of an incident has at most so many characters, with its statement.
_LONGEST = {"zh": 240, "en": 600}
_WORDS: tuple[ColumnType, ...] = ("text",)


def lint(
    paths: Sequence[Path], rates: Mapping[str, float], dsns: Sequence[str] = (), progress: Progress = lambda step: None
) -> list[Finding]:
    """Every finding, errors first, then by file and line.

    `rates` are the engine's: how often a phenomenon shows, by the strength of its link. `dsns` are servers on which
    every query runs in a read-only transaction. Raises InvalidLibrary for libraries that `validate` refuses, and
    DependencyDown for a server that does not answer.
    """
    from services.knowledge.library.lint.queries import check_queries

    library = load(paths)
    report = Report(library, rates)
    steps = (
        ("links and tickets", check_structure),
        ("words", check_texts),
        ("questions", check_questions),
        ("meanings", check_meanings),
        ("queries", check_queries),
        ("own tables", check_own_tables),
    )
    for step, rule in steps:
        progress(step)
        rule(report)
    for dsn in dsns:
        _run(report, dsn, progress)
    return sorted(report.findings, key=sort_key)


def _run(report: Report, dsn: str, progress: Progress) -> None:
    from services.knowledge.library.lint.running import run_queries

    run_queries(report, dsn, progress)


def check_questions(report: Report) -> None:
    """Checks the wordings and the answers of every cause's questions."""
    for cause in report.library.root_causes.values():
        _asked_twice(report, cause)
        for at, question in enumerate(cause.questions):
            _answers(report, (cause.id, f"questions.{at}.answer"), question)


def _asked_twice(report: Report, cause: RootCauseEntry) -> None:
    seen: set[str] = set()
    for at, question in enumerate(cause.questions):
        for language in _LANGUAGES:
            for place, words in enumerate(getattr(question.asked, language)):
                if folded(words) in seen:
                    where = (cause.id, f"questions.{at}.asked.{language}.{place}")
                    report.add(Severity.ERROR, "asked-twice", where, words=words)
                seen.add(folded(words))


def _answers(report: Report, place: tuple[str, str], question: Question) -> None:
    for language in _LANGUAGES:
        length, most = len(getattr(question.answer, language)), _LONGEST[language]
        if length > most:
            where = (place[0], f"{place[1]}.{language}")
            report.add(Severity.WARNING, "answer-long", where, length=length, most=most)


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
