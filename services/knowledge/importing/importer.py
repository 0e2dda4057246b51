"""Imports tickets into a library: read, split, decide, write. Importing them again changes no byte.

Files are written atomically, in an order that leaves a valid library and no lost decision at every moment: the review
first (it remembers which id a statement has), then new entries, then the tickets that use them, and last the removal of
entries that nothing uses.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from lang import embedding
from lang.embedding import Embedder
from services.chassis.llm import LanguageModel
from services.chassis.messages import Detail, Message
from services.knowledge.blobs.directory import write_atomically
from services.knowledge.importing.deciding.review import FILE_NAME, review_text
from services.knowledge.importing.progress import Progress, ignore_progress, report_progress
from services.knowledge.importing.reading.exports import Record, read_export
from services.knowledge.importing.reading.mapping import Mapping
from services.knowledge.importing.splitting.split import Splitter
from services.knowledge.importing.writing.import_plan import Plan, changed_fields, make_plan
from services.knowledge.importing.writing.import_report import Imported
from services.knowledge.importing.writing.site import IMPORTED, Site, lock_library, read_site
from services.knowledge.library.load import PHENOMENA, ROOT_CAUSES, TICKETS
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.library.yaml_text import entry_yaml
from services.knowledge.model import ImportReport, RejectedTicket
from services.knowledge.redact import without_secrets


def import_tickets(
    content: bytes,
    form: str,
    library: Path,
    base: Sequence[Path],
    embedder: Embedder | None = None,
    progress: Progress = ignore_progress,
    mapping: Mapping | None = None,
) -> ImportReport:
    """The counts of `run_import`, without a language model."""
    return run_import(content, form, library, base, embedder, progress, mapping).report


def run_import(
    content: bytes,
    form: str,
    library: Path,
    base: Sequence[Path],
    embedder: Embedder | None = None,
    progress: Progress = ignore_progress,
    mapping: Mapping | None = None,
    model: LanguageModel | None = None,
) -> Imported:
    """Adds the tickets of a `json`, `jsonl`, `csv` or `xlsx` export to the library at `library`, over those in `base`.

    Applies a person's edits of the review file. `model` splits free texts into anomalies. Raises InvalidInput for an
    unreadable export and InvalidLibrary for a library or review file with errors; then nothing is written.
    """
    progress("reading the export")
    records, rejected = read_export(content, form, mapping)
    with lock_library(library):
        progress("reading the libraries")
        site = read_site(library, base)
        accepted, refused = _accepted(site, records)
        splitter = Splitter(library, model)
        new = splitter.split([item for item in accepted if item.ticket.ticket_id not in site.tickets], progress)
        planned = make_plan(site, [record.ticket for record in new], embedder or embedding.load(), progress)
        write_plan(site, planned, progress)
        splitter.finish()
    found = sorted([*rejected, *refused], key=lambda item: item.record)
    return _imported(planned, accepted, new, found)


def apply_review(library: Path, base: Sequence[Path], progress: Progress = ignore_progress) -> Imported:
    """Applies a person's edits of the review file: an import without tickets."""
    return run_import(b"[]", "json", library, base, progress=progress)


def _imported(
    planned: Plan, accepted: Sequence[Record], new: Sequence[Record], rejected: Sequence[RejectedTicket]
) -> Imported:
    anomalies = sum(len(record.ticket.anomalies) for record in new)
    reason = Message("rejected_ticket.nothing_unusual")
    bare = tuple(
        RejectedTicket(record.number, record.ticket.ticket_id, "analysis", reason, record.line)
        for record in new
        if not record.ticket.anomalies
    )
    known = [planned.tickets[record.ticket.ticket_id] for record in accepted]
    report = ImportReport(
        tickets=len(accepted),
        new_tickets=len(new),
        anomalies=sum(len(ticket.anomalies) for ticket in known),
        merged_anomalies=max(0, anomalies - len(planned.phenomena_made)),
        new_phenomena=len(planned.phenomena_made),
        new_root_causes=len(planned.root_causes_made),
        unclear=planned.unclear_count(),
        rejected=tuple(rejected),
        tickets_without_anomalies=len(bare),
    )
    return Imported(report, planned.decisions, bare)


def _accepted(site: Site, records: Sequence[Record]) -> tuple[list[Record], list[RejectedTicket]]:
    accepted: list[Record] = []
    refused: list[RejectedTicket] = []
    for record in records:
        problem = _problem(site, record)
        if problem is None:
            accepted.append(record)
        else:
            refused.append(RejectedTicket(record.number, record.ticket.ticket_id, *problem, record.line))
    return accepted, refused


def _problem(site: Site, record: Record) -> tuple[str, Message] | None:
    ticket = record.ticket
    known = site.tickets.get(ticket.ticket_id)
    if known is not None and (changed := changed_fields(without_secrets(known), ticket)):
        details: dict[str, Detail] = {"ticket": ticket.ticket_id, "fields": tuple(changed)}
        return changed[0], Message("rejected_ticket.changed", details)
    if known is None and ticket.ticket_id in site.library.tickets:
        file = site.library.files[ticket.ticket_id].name
        return "ticket_id", Message("rejected_ticket.id_taken", {"ticket": ticket.ticket_id, "file": file})
    if ticket.root_cause_id and ticket.root_cause_id not in site.library.root_causes:
        return "root_cause_id", Message("rejected_ticket.unknown_id", {"id": ticket.root_cause_id})
    for index, anomaly in enumerate(ticket.anomalies):
        if anomaly.phenomenon_id and anomaly.phenomenon_id not in site.library.phenomena:
            field = f"anomalies.{index}.phenomenon_id"
            return field, Message("rejected_ticket.unknown_id", {"id": anomaly.phenomenon_id})
    return None


def write_plan(site: Site, plan: Plan, progress: Progress) -> None:
    """Brings the site's library to the plan. Files that would not change are left untouched."""
    write_atomically(site.folder / FILE_NAME, review_text(plan.review).encode())
    entries = [(PHENOMENA, entry) for entry in plan.phenomena.values() if entry.id not in plan.vacated]
    causes = [(ROOT_CAUSES, entry) for entry in plan.root_causes.values() if entry.id not in plan.vacated]
    every: list[tuple[str, PhenomenonEntry | RootCauseEntry]] = [*entries, *causes]
    for kind, entry in report_progress(every, len(every), "writing", progress):
        write_atomically(_file(site, kind, entry), entry_yaml(entry).encode())
    lines = [_line(ticket) for ticket in plan.tickets.values()]
    write_atomically(site.folder / TICKETS / IMPORTED, "".join(lines).encode())
    for identity in sorted(plan.vacated):
        site.library.files[identity].unlink(missing_ok=True)


def _file(site: Site, kind: str, entry: PhenomenonEntry | RootCauseEntry) -> Path:
    if site.owns(entry.id):
        return site.library.files[entry.id]
    return site.folder / kind / f"{entry.id.lower()}.yaml"


def _line(ticket: TicketEntry) -> str:
    unsaid = None if ticket.analysis else {"analysis"}
    return json.dumps(ticket.model_dump(mode="json", exclude=unsaid), ensure_ascii=False) + "\n"
