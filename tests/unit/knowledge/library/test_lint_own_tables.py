"""Views and the rules over them: what loading refuses, and what `dbdiag knowledge lint` says of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.knowledge.library.lint.lint import lint
from services.knowledge.library.load import InvalidLibrary, load
from tests.support.sample_libraries import phenomenon, root_cause, write_library

RULES = {"view-column", "view-no-column", "view-type", "view-value", "view-unused"}
VIEW = {
    "id": "jobs",
    "relations": ["print_queue"],
    "columns": [
        {"name": "job"},
        {"name": "state", "values": ["printing", "waiting"]},
        {"name": "waits", "type": "duration"},
    ],
    "known_by": [["job", "state"]],
    "key": ["job"],
}


def library(folder: Path, rules: list[dict[str, Any]]) -> Path:
    """A library with one view whose only phenomenon has these rules."""
    entry = phenomenon()
    entry["observe"]["views"] = rules
    path = write_library(folder, [entry], [root_cause()], [])
    (path / "views").mkdir()
    (path / "views" / "jobs.yaml").write_text(yaml.safe_dump(VIEW), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        ({"confirmed": "any(waits > 5 min)"}, []),
        ({"confirmed": "sumof(weight if state == 'waiting' else 0) >= 3", "by": ["job"]}, []),
        ({"confirmed": "any(pages > 5)"}, ["view-column"]),
        ({"confirmed": "any(waits > 5 min)", "by": ["printer"]}, ["view-column"]),
        ({"confirmed": "any(waits > 5 min)", "without": ["user == 'root'"]}, ["view-column"]),
        ({"confirmed": "sumof(weight) >= 3"}, ["view-no-column"]),
        ({"confirmed": "any(waits == 'long')"}, ["view-type"]),
        ({"confirmed": "any(state == 'jammed')"}, ["view-value"]),
    ],
)
def test_a_rule_that_can_never_hold_as_meant_is_named(tmp_path: Path, rule: dict[str, Any], found: list[str]) -> None:
    """Unknown columns, no column at all, texts where there are none, and values that a column cannot have."""
    findings = lint([library(tmp_path, [{"view": "jobs", **rule}])], DEFAULT_PARAMETERS.expert_rates)
    named = [finding for finding in findings if finding.rule in RULES]
    assert [finding.rule for finding in named] == found
    assert all(finding.field == "observe.views.0" for finding in named)


def test_a_view_without_rules_is_a_hint(tmp_path: Path) -> None:
    """A view that no phenomenon uses is listed with its file."""
    findings = lint([library(tmp_path, [])], DEFAULT_PARAMETERS.expert_rates)
    assert [finding.entry for finding in findings if finding.rule == "view-unused"] == ["jobs"]


@pytest.mark.parametrize("rule", [{"view": "pages", "confirmed": "any(waits > 5)"}, {"view": "jobs", "confirmed": "("}])
def test_an_unknown_view_or_an_unreadable_rule_is_refused(tmp_path: Path, rule: dict[str, str]) -> None:
    """Loading names the field."""
    with pytest.raises(InvalidLibrary) as refused:
        load([library(tmp_path, [rule])])
    assert refused.value.problems[0].place.startswith("observe.views.0")
