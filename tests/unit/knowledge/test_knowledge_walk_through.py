"""The page of the room tells the truth."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from lang.pastes import View
from lang.vocabulary import Vocabulary
from services.knowledge.library.schema import Observe, PhenomenonEntry, RootCauseEntry, TicketEntry
from tests.support.figures.console_blocks import PAGE, rerun

pytestmark = pytest.mark.slow


def test_the_walk_through_runs_as_written(tmp_path: Path) -> None:
    """Every command of docs/knowledge.md gives the output that stands there.

    After a change that is meant: `python -m tests.support.figures.console_blocks` writes the output anew.
    """
    page = PAGE.read_text(encoding="utf-8")
    assert rerun(page, tmp_path) == page


def test_the_example_entries_are_valid() -> None:
    """The entries, the rules for outputs, the vocabulary and the ticket that the page shows are read as they stand."""
    blocks = [block.partition("\n") for block in PAGE.read_text(encoding="utf-8").split("```")[1::2]]
    shown = {language: text for language, _, text in blocks}
    entries, ruled, view, viewed, subjects = (text for language, _, text in blocks if language == "yaml")
    observed = {**yaml.safe_load(ruled)["observe"], "present_when": {"zh": "涨", "en": "it grows"}}
    assert Observe.model_validate(observed).rows is not None
    columns = {column.name for column in View.model_validate(yaml.safe_load(view)).columns}
    rules = Observe.model_validate(observed | yaml.safe_load(viewed)["observe"]).views
    assert rules
    assert all(rule.needed <= columns for rule in rules)
    documents = [yaml.safe_load(part) for part in entries.split("---")]
    named = {subject.id for subject in Vocabulary.model_validate(yaml.safe_load(subjects)).subjects}
    assert {predicate.subject for predicate in PhenomenonEntry.model_validate(documents[0]).means} <= named
    assert PhenomenonEntry.model_validate(documents[0]).id == documents[0]["id"]
    assert RootCauseEntry.model_validate(documents[1]).links[0].phenomenon == documents[0]["id"]
    assert TicketEntry.model_validate_json(shown["json"]).root_cause_id == documents[1]["id"]
