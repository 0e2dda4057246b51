"""The closed cases that never teach, for `dbdiag knowledge eval --holdout`."""

from __future__ import annotations

import json
from pathlib import Path

from gateway.cli.knowledge_files import settings_of


def held_out_lines(data_dir: Path | None) -> list[str]:
    """The cases of the site library that are held out, as `eval --cases` reads them.

    Each starts from what was said first. Raises InvalidLibrary for a file that was edited into something else.
    """
    from pydantic import ValidationError

    from services.knowledge.entries import TicketEntry
    from services.knowledge.library import InvalidLibrary, Problem, validation_problems
    from services.knowledge.proposals import held_out_files

    site = settings_of(data_dir).knowledge_site_library
    lines = []
    for file in held_out_files(site):
        try:
            ticket = TicketEntry.model_validate_json(file.read_bytes())
        except ValidationError as error:
            problems = [Problem(str(file), place, what) for place, what in validation_problems(error)]
            raise InvalidLibrary([site], problems) from None
        seen = [anomaly.phenomenon_id for anomaly in ticket.anomalies if anomaly.phenomenon_id]
        case = {"case_id": ticket.ticket_id, "root_cause_id": ticket.root_cause_id, "present": seen}
        lines.append(json.dumps(case | {"initial": seen[:1]}, ensure_ascii=False))
    return lines


def taught_paths(data_dir: Path | None) -> tuple[Path, ...]:
    """The libraries that a person publishes, with what was learned."""
    return settings_of(data_dir).publishing_paths()
