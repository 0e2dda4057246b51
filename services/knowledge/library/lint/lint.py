"""Runs all rules over one or several libraries together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from services.knowledge.library.lint.asked_of_causes import check_questions
from services.knowledge.library.lint.findings import Finding, Report, sort_key
from services.knowledge.library.lint.meanings import check_meanings
from services.knowledge.library.lint.own_tables import check_own_tables
from services.knowledge.library.lint.structure import check_structure
from services.knowledge.library.lint.texts import check_texts
from services.knowledge.library.load import load

Progress = Callable[[str], None]


def lint(
    paths: Sequence[Path],
    rates: Mapping[str, float],
    dsns: Sequence[str] = (),
    progress: Progress = lambda step: None,
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
