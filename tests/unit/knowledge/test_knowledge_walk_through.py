"""The page of the room tells the truth."""

from __future__ import annotations

from pathlib import Path

import yaml

from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry, TicketEntry
from tests.support.console_blocks import PAGE, rerun


def test_the_walk_through_runs_as_written(tmp_path: Path) -> None:
    """Every command of docs/knowledge.md gives the output that stands there.

    After a change that is meant: `python -m tests.support.console_blocks` writes the output anew.
    """
    page = PAGE.read_text(encoding="utf-8")
    assert rerun(page, tmp_path) == page


def test_the_example_entries_are_valid() -> None:
    """The phenomenon, the cause and the ticket that the page shows are read as they stand."""
    blocks = PAGE.read_text(encoding="utf-8").split("```")
    shown = {block.split("\n", 1)[0]: block.split("\n", 1)[1] for block in blocks[1::2] if "\n" in block}
    documents = [yaml.safe_load(part) for part in shown["yaml"].split("---")]
    assert PhenomenonEntry.model_validate(documents[0]).id == documents[0]["id"]
    assert RootCauseEntry.model_validate(documents[1]).links[0].phenomenon == documents[0]["id"]
    assert TicketEntry.model_validate_json(shown["json"]).root_cause_id == documents[1]["id"]
