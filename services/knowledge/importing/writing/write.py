"""Writes a plan: each file atomically, in an order that leaves a valid library and no lost decision at every moment.

The review comes first (it remembers which id a statement has), then new entries, then the tickets that use them, and
last the removal of entries that nothing uses.
"""

from __future__ import annotations

import json
from pathlib import Path

from services.knowledge.blobs.atomic_files import write_atomically
from services.knowledge.importing.deciding.review import FILE_NAME, review_text
from services.knowledge.importing.progress import Progress, report_progress
from services.knowledge.importing.writing.import_plan import Plan
from services.knowledge.importing.writing.site import IMPORTED, Site
from services.knowledge.library.load import PHENOMENA, ROOT_CAUSES, TICKETS
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.library.yaml_text import entry_yaml


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
