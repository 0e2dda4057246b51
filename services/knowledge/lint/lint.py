"""All rules over one or several libraries together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from services.knowledge.library import Library, load
from services.knowledge.lint.finding import Finding, in_order
from services.knowledge.lint.report import Report
from services.knowledge.lint.structure import structure
from services.knowledge.lint.words import words

Progress = Callable[[str], None]


def lint(paths: Sequence[Path], dsns: Sequence[str] = (), progress: Progress = lambda step: None) -> list[Finding]:
    """Every finding, errors first, then by file and line.

    `dsns` are servers on which every query is run in a transaction that only reads. Raises InvalidLibrary for libraries
    that `validate` refuses, and DependencyDown for a server that does not answer.
    """
    from services.knowledge.lint.queries import queries

    library = load(paths)
    report = Report(library)
    for step, rule in (("links and tickets", structure), ("words", words), ("queries", queries)):
        progress(step)
        rule(report)
    for dsn in dsns:
        _run(report, dsn, progress)
    return sorted(report.findings, key=in_order)


def counted(library: Library) -> str:
    """What a library holds, in words."""
    sizes = (len(library.phenomena), len(library.root_causes), len(library.tickets))
    return "{} phenomena, {} root causes, {} tickets".format(*sizes)


def _run(report: Report, dsn: str, progress: Progress) -> None:
    from services.knowledge.lint.running import run

    run(report, dsn, progress)
