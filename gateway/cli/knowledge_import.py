"""`dbdiag knowledge import`: closed tickets into a library."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import failures
from gateway.cli.knowledge_files import BASES, JSON, SITE_LIBRARY, base_of, counted, show

if TYPE_CHECKING:
    from services.knowledge.model import ImportReport


@click.command(name="import")
@click.argument("export", metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@SITE_LIBRARY
@BASES
@JSON
def import_export(export: Path, library: Path, bases: tuple[str, ...], as_json: bool) -> int:
    """Read closed tickets (.json: one list, .jsonl: one a line) into a library.

    Applies edits of the library's review.yaml. Exits with 1 when a record was refused.
    """
    from services.knowledge.importing.importer import import_tickets

    form = "jsonl" if export.suffix in (".jsonl", ".ndjson") else "json"
    report = import_tickets(export.read_bytes(), form, library, base_of(bases), progress=_progress())
    show(as_json, asdict(report), _report_lines(report, library))
    return failures.FELL_SHORT if report.rejected else failures.DONE


def _progress() -> Callable[[str], None]:
    """Tells the step on stderr once the work has taken a second."""
    started = time.monotonic()

    def tell(step: str) -> None:
        if time.monotonic() - started > 1.0:
            click.echo(f"{step} ...", err=True)

    return tell


def _report_lines(report: ImportReport, library: Path) -> list[str]:
    lines = [
        f"tickets: {report.tickets} read, {report.new_tickets} of them new",
        f"anomalies: {report.anomalies} read, {report.merged_anomalies} of the new tickets joined a phenomenon",
        f"made: phenomena {report.new_phenomena}, root causes {report.new_root_causes}",
    ]
    if report.unclear:
        lines.append(f"to look at: {counted(report.unclear, 'decision')} in {library / 'review.yaml'}")
    rejected = [
        f"record {item.record} ({item.ticket_id or 'no id'}) refused: {item.field or 'record'}: {item.reason}"
        for item in report.rejected
    ]
    return [*lines, *rejected]
