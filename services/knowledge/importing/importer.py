"""Tickets into a library: read, decide, write. Importing the same tickets again changes no byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from services.knowledge.importing import plan
from services.knowledge.importing.embedding import Embedder, PackagedEmbedder
from services.knowledge.importing.exports import Record, read_export
from services.knowledge.importing.site import Site, read_site
from services.knowledge.importing.write import write_plan
from services.knowledge.model import ImportReport, RejectedTicket

Progress = Callable[[str], None]


def import_tickets(
    content: bytes,
    form: str,
    library: Path,
    base: Sequence[Path],
    embedder: Embedder | None = None,
    progress: Progress = lambda step: None,
) -> ImportReport:
    """Adds the tickets of a `json` or `jsonl` export to the library at `library`, over the libraries in `base`.

    Applies what a person edited in the library's review file. Raises InvalidInput when the export cannot be read, and
    InvalidLibrary when the library or its review file is wrong; nothing is written then.
    """
    progress("reading the export")
    records, rejected = read_export(content, form)
    progress("reading the libraries")
    site = read_site(library, base)
    accepted, refused = _accepted(site, records)
    new = [record.ticket for record in accepted if record.ticket.ticket_id not in site.tickets]
    planned = plan.make(site, new, embedder or PackagedEmbedder(), progress)
    progress("writing")
    write_plan(site, planned)
    anomalies = sum(len(ticket.anomalies) for ticket in new)
    return ImportReport(
        tickets=len(accepted),
        new_tickets=len(new),
        anomalies=sum(len(record.ticket.anomalies) for record in accepted),
        merged_anomalies=max(0, anomalies - len(planned.phenomena_made)),
        new_phenomena=len(planned.phenomena_made),
        new_root_causes=len(planned.root_causes_made),
        unclear=planned.unclear_count(),
        rejected=tuple(sorted([*rejected, *refused], key=lambda item: item.record)),
    )


def _accepted(site: Site, records: Sequence[Record]) -> tuple[list[Record], list[RejectedTicket]]:
    accepted: list[Record] = []
    refused: list[RejectedTicket] = []
    for record in records:
        problem = _problem(site, record)
        if problem is None:
            accepted.append(record)
        else:
            refused.append(RejectedTicket(record.number, record.ticket.ticket_id, *problem))
    return accepted, refused


def _problem(site: Site, record: Record) -> tuple[str, str] | None:
    ticket = record.ticket
    known = site.tickets.get(ticket.ticket_id)
    if known is not None and (changed := plan.changed_fields(known, ticket)):
        return changed[0], f"ticket {ticket.ticket_id} is in the library with another {', '.join(changed)}"
    if known is None and ticket.ticket_id in site.library.tickets:
        file = site.library.files[ticket.ticket_id].name
        return "ticket_id", f"{ticket.ticket_id} is taken by a ticket in {file}; give yours another id"
    if ticket.root_cause_id and ticket.root_cause_id not in site.library.root_causes:
        return "root_cause_id", f"{ticket.root_cause_id} does not exist in the library or its base"
    for index, anomaly in enumerate(ticket.anomalies):
        if anomaly.phenomenon_id and anomaly.phenomenon_id not in site.library.phenomena:
            field = f"anomalies.{index}.phenomenon_id"
            return field, f"{anomaly.phenomenon_id} does not exist in the library or its base"
    return None
