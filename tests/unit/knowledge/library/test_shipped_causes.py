"""What every shipped cause tells people: plain words, steps that prevent it, and what it is the cause of."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from services.engine.diagnose import diagnose
from services.engine.inference.reasoner import ReasoningModel
from services.engine.model import DiagnoseRequest, Evidence, Verdict
from services.knowledge.library.shipped_libraries import POSTGRESQL, locate, names
from services.knowledge.snapshots.compile import compile_libraries
from tests.support.cases import for_each
from tests.support.engine_graphs import library
from tests.support.shipped_libraries import shipped_library

# What somebody who runs no databases would have to look up.
JARGON = re.compile(
    r"\b(WAL|MVCC|xid|xmin|vacuum\w*|autovacuum|checkpoints?|slots?|DDL|DML|OOM|GIN|JIT|PgBouncer|pgbouncer|THP|NUMA"
    r"|InnoDB|binlog|redo|undo|buffer pool|SELECT|UPDATE|VACUUM|[a-z]+_[a-z_]+)\b|检查点|复制槽|回卷|死元组|预写"
)
# As many tickets make a cause frequent.
FREQUENT = 5


def causes(name: str) -> list[dict[str, Any]]:
    """The files of a library's causes as they stand."""
    files = sorted(Path(locate(name), "root_causes").glob("*.yaml"))
    return [yaml.load(file.read_bytes(), yaml.CSafeLoader) for file in files]


@pytest.fixture(scope="module")
def model() -> ReasoningModel:
    """The shipped knowledge of PostgreSQL."""
    return library(json.loads(compile_libraries([POSTGRESQL])))


def leader(model: ReasoningModel, said: str) -> str:
    """The leading cause of a list of phenomena; those with a minus are denied."""
    answers = [
        Evidence(word.lstrip("-"), Verdict.DENIED if word[0] == "-" else Verdict.CONFIRMED) for word in said.split()
    ]
    return diagnose(model, DiagnoseRequest(evidence=tuple(answers))).hypotheses[0].root_cause_id


@for_each("name", names())
def test_every_cause_is_told_in_plain_words(name: str) -> None:
    """Each cause has one short sentence in either language that needs no knowledge of databases."""
    for cause in causes(name):
        zh, en = cause["plain"]["zh"], cause["plain"]["en"]
        assert (zh[-1], en[-1]) == ("。", "."), cause["id"]
        assert (len(zh) <= 60, len(en) <= 200) == (True, True), cause["id"]
        assert JARGON.findall(f"{zh} {en}") == [], cause["id"]


def test_a_frequent_cause_has_a_prevention_with_a_number() -> None:
    """A cause with five tickets or more has a step that prevents it and says a value to set or to alarm at."""
    together = shipped_library(*names())
    tickets = Counter(ticket.root_cause_id for ticket in together.tickets.values())
    for cause in together.root_causes.values():
        if tickets[cause.id] >= FREQUENT:
            steps = [f"{step.do.zh} {step.how or ''}" for step in cause.solution if step.prevents]
            assert any(re.search(r"\d", step) for step in steps), cause.id


@for_each(
    ("said", "cause"),
    [
        ("P-0029 P-0072", "RC-0005"),
        ("P-0029 P-0072 P-0074", "RC-0005"),
        ("P-0024 P-0023 P-0072 P-0074", "RC-0028"),
        ("P-0118 P-0132 P-0072 P-0074", "RC-0029"),
        ("P-0117 P-0072 P-0074", "RC-0029"),
        ("P-0072 P-0074", "RC-0030"),
        ("P-0072 P-0073 P-0071", "RC-0030"),
        ("P-0072 P-0074 -P-0029 -P-0024 -P-0118", "RC-0030"),
        ("P-0132 P-0016 P-0129", "RC-0048"),
        ("P-0144 P-0335 P-0129 P-0016", "RC-0090"),
        ("P-0024 P-0063 P-0064", "RC-0028"),
        ("P-0136 P-0323 P-0139", "RC-0068"),
    ],
)
def test_what_brought_it_about_leads_over_what_it_brought(model: ReasoningModel, said: str, cause: str) -> None:
    """Where the deeper cause is seen it leads over its consequence; where it is not, the consequence stands."""
    assert leader(model, said) == cause


@for_each(
    ("said", "cause"),
    [
        ("P-0139 P-0400", "RC-0100"),
        ("P-0139 P-0401 P-0004 -P-0142", "RC-0100"),
        ("P-0139 P-0004 P-0142 P-0140", "RC-0051"),
        ("P-0135 P-0134 P-0178", "RC-0052"),
        ("P-0135 P-0401 -P-0139", "RC-0052"),
        ("P-0004 P-0127 P-0128 -P-0139", "RC-0045"),
    ],
)
def test_commits_that_wait_are_told_apart(model: ReasoningModel, said: str, cause: str) -> None:
    """A slow synchronous standby, a missing one, a late asynchronous one and a slow local disk are four causes."""
    assert leader(model, said) == cause
