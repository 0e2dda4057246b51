"""`dbdiag knowledge import`: closed tickets into a library."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.knowledge.files import BASES, SITE_LIBRARY, base_of, count_things, say
from gateway.cli.knowledge.progress import Bar
from gateway.cli.language import language
from gateway.cli.options import EXISTING_FILE, JSON
from gateway.cli.output import show

if TYPE_CHECKING:
    from services.chassis.llm import LanguageModel
    from services.knowledge.files import Imported, Mapping

# What scrolls a terminal away is left to the report file.
_SHOWN_REFUSALS = 20


@click.command(name="import")
@click.argument("export", metavar="FILE", type=EXISTING_FILE)
@SITE_LIBRARY
@BASES
@click.option(
    "--mapping",
    "mapping_file",
    type=EXISTING_FILE,
    help="A YAML file that maps columns to fields; not needed for known headers.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "jsonl", "csv", "xlsx"]),
    help="The format. [default: by the file name]",
)
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write every decision to this file.",
)
@click.option("--no-model", is_flag=True, help="Split free text by rules even if a language model is configured.")
@JSON
def import_export(
    export: Path,
    library: Path,
    bases: tuple[str, ...],
    mapping_file: Path | None,
    form: str | None,
    report_file: Path | None,
    no_model: bool,
    as_json: bool,
) -> int:
    """Read closed tickets into a library: .json (one list), .jsonl (one a line), .csv, .tsv or .xlsx.

    Applies edits of the library's review.yaml. What was interrupted is completed by importing again. Exits with 1 when
    a record was refused. The report file is Markdown, or JSON when its name ends so.
    """
    from services.knowledge.files import form_of, run_import

    with Bar() as progress:
        imported = run_import(
            export.read_bytes(),
            form or form_of(export.name),
            library,
            base_of(bases),
            progress=progress.tell,
            mapping=_mapping(mapping_file),
            model=None if no_model else _model(),
        )
    if report_file is not None:
        _write_report(imported, export, report_file)
    show(as_json, _body(imported), _lines(imported, library, report_file))
    return output.FELL_SHORT if imported.report.rejected else output.DONE


def _mapping(path: Path | None) -> Mapping | None:
    from services.knowledge.files import read_mapping

    return read_mapping(path.read_bytes(), path.name) if path is not None else None


def _model() -> LanguageModel | None:
    from services.chassis import llm
    from services.chassis.settings import load
    from services.knowledge.files import ImportSettings

    settings = load(ImportSettings, os.environ)
    return llm.connect(settings, settings.understand_model or settings.agent_model)


def _body(imported: Imported) -> dict[str, object]:
    return asdict(imported.report) | {
        "rejected": [item.as_object() for item in imported.report.rejected],
        "decisions": [asdict(decision) for decision in imported.decisions],
        "without_anomalies": [item.as_object() for item in imported.bare],
    }


def _write_report(imported: Imported, export: Path, path: Path) -> None:
    from services.knowledge.files import report_text, write_atomically

    if path.suffix == ".json":
        text = json.dumps(_body(imported), ensure_ascii=False, indent=1) + "\n"
    else:
        text = report_text(imported, export.name, language())
    write_atomically(path, text.encode("utf-8", "replace"))


def _lines(imported: Imported, library: Path, report_file: Path | None) -> list[str]:
    from services.knowledge.files import rejected_line

    report = imported.report
    lines = [
        say("read_tickets", read=report.tickets, new=report.new_tickets),
        say("read_anomalies", read=report.anomalies, joined=report.merged_anomalies),
        say("made", phenomena=report.new_phenomena, causes=report.new_root_causes),
    ]
    if report.unclear:
        decisions = count_things(report.unclear, "decision")
        lines.append(say("to_look_at", decisions=decisions, file=library / "review.yaml"))
    if report.tickets_without_anomalies:
        lines.append(say("without_anomaly", tickets=count_things(report.tickets_without_anomalies, "ticket")))
    refused = [say("refused", what=rejected_line(item, language())) for item in report.rejected]
    lines += refused[:_SHOWN_REFUSALS]
    if len(refused) > _SHOWN_REFUSALS:
        lines.append(say("refused_more", count=len(refused) - _SHOWN_REFUSALS))
    if report_file is not None:
        lines.append(say("report_at", file=report_file))
    return lines
