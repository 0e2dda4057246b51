"""`dbdiag audit verify`: checks that the evidence of a session is unchanged."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import output
from gateway.cli.language import Texts, language
from gateway.cli.options import JSON

if TYPE_CHECKING:
    from services.collector.evidence.session_evidence import Audit


say = Texts("tools").say


@click.group()
def audit() -> None:
    """Audit the record of what was done on a target."""


@audit.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--head", default="", help="A head hash noted earlier, which must be in the log; detects a truncated log."
)
@JSON
def verify(folder: Path, head: str, as_json: bool) -> int:
    """Verify the audit log of a session's FOLDER, and the hash of every file that it names.

    Exits with 1 if anything was changed, added or removed.
    """

    from services.collector.evidence import session_evidence

    found = session_evidence.verify(folder, head)
    document = asdict(found) | {"faults": [fault.text() for fault in found.faults]}
    print(json.dumps(document, ensure_ascii=False) if as_json else _render(found))
    return output.FELL_SHORT if found.faults else output.DONE


def _render(found: Audit) -> str:
    faults = [fault.text(language()) for fault in found.faults]
    lines = faults or [say("whole", entries=found.entries, outputs=found.outputs)]
    lines += [say("unfinished", ref=ref) for ref in found.unfinished]
    if found.torn_bytes:
        lines.append(say("torn", count=found.torn_bytes))
    return "\n".join([*lines, say("head", head=found.head)])
