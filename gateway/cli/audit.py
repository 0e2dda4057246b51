"""`dbdiag audit verify`: whether the evidence of a session is as it was written."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gateway.cli import failures
from gateway.cli.record_words import say
from gateway.cli.speaking import language
from gateway.wording.error_words import in_language

if TYPE_CHECKING:
    from services.collector.evidence.verify import Audit


@click.group()
def audit() -> None:
    """Look at the record of what was done to a target."""


@audit.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--head", default="", help="A hash noted earlier, which must be in the log: shows that no end was cut off."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def verify(folder: Path, head: str, as_json: bool) -> int:
    """Follow the audit log of a session's FOLDER and hash every file that it names again.

    Exit code 1 when something was changed, added or taken away.
    """
    from services.collector.evidence.verify import verify as verify_folder

    found = verify_folder(folder, head)
    print(json.dumps(asdict(found), ensure_ascii=False) if as_json else _told(found))
    return failures.FELL_SHORT if found.faults else failures.DONE


def _told(found: Audit) -> str:
    faults = [in_language(fault, language()) for fault in found.faults]
    lines = faults or [say("whole", entries=found.entries, outputs=found.outputs)]
    lines += [say("unfinished", ref=ref) for ref in found.unfinished]
    if found.torn_bytes:
        lines.append(say("torn", count=found.torn_bytes))
    return "\n".join([*lines, say("head", head=found.head)])
