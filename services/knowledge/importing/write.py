"""Writes a plan: each file atomically, in an order that leaves a valid library and no lost decision at every moment.

The review comes first (it remembers which id a statement has), then new entries, then the tickets that use them, and
last the removal of entries that nothing uses.
"""

from __future__ import annotations

import json
from pathlib import Path

from services.knowledge.entries import PhenomenonEntry, RootCauseEntry, TicketEntry
from services.knowledge.files import write_atomically
from services.knowledge.importing.compose import entry_document
from services.knowledge.importing.plan import Plan
from services.knowledge.importing.review import FILE_NAME, review_text
from services.knowledge.importing.site import IMPORTED, Site
from services.knowledge.library import PHENOMENA, ROOT_CAUSES, TICKETS
from services.knowledge.yaml_text import write_yaml


def write_plan(site: Site, plan: Plan) -> None:
    """Brings the site's library to the plan. Files that would not change are left untouched."""
    write_atomically(site.folder / FILE_NAME, review_text(plan.review).encode())
    for phenomenon in plan.phenomena.values():
        if phenomenon.id not in plan.vacated:
            write_atomically(_file(site, PHENOMENA, phenomenon), _yaml(phenomenon))
    for cause in plan.root_causes.values():
        if cause.id not in plan.vacated:
            write_atomically(_file(site, ROOT_CAUSES, cause), _yaml(cause))
    lines = [_line(ticket) for ticket in plan.tickets.values()]
    write_atomically(site.folder / TICKETS / IMPORTED, "".join(lines).encode())
    for identity in sorted(plan.vacated):
        site.library.files[identity].unlink(missing_ok=True)


def _file(site: Site, kind: str, entry: PhenomenonEntry | RootCauseEntry) -> Path:
    if site.owns(entry.id):
        return site.library.files[entry.id]
    return site.folder / kind / f"{entry.id.lower()}.yaml"


def _yaml(entry: PhenomenonEntry | RootCauseEntry) -> bytes:
    return write_yaml(entry_document(entry)).encode()


def _line(ticket: TicketEntry) -> str:
    return json.dumps(ticket.model_dump(mode="json"), ensure_ascii=False) + "\n"
