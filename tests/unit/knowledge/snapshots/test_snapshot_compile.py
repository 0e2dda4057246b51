"""Compiling libraries into canonical bytes, and what two snapshots have different."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from services.chassis.errors import InvalidInput
from services.knowledge.model import Change, ChangeKind, SnapshotCounts
from services.knowledge.snapshots.compile import compile_libraries, count_entries, hex_of, snapshot_id
from services.knowledge.snapshots.diff import diff
from tests.support.cases import for_each
from tests.support.sample_libraries import phenomenon, root_cause, ticket, write_library

ROOT = Path(__file__).parents[4]


def test_the_bytes_are_canonical_and_named_by_their_hash(tmp_path: Path) -> None:
    """UTF-8, sorted keys, no spaces; the id is sha256: and the digest of exactly these bytes."""
    content = compile_libraries([write_library(tmp_path, phenomena=[phenomenon(name="查询变慢")])])
    again = json.dumps(json.loads(content), ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    assert content == again
    assert "查询变慢".encode() in content
    assert snapshot_id(content) == f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_the_form_is_the_one_the_house_states(tmp_path: Path) -> None:
    """Every key of the snapshot stands there, absent optional values as null."""
    cause = root_cause(solution=[{"do": {"zh": "建", "en": "build"}, "risk": "low"}])
    value = json.loads(compile_libraries([write_library(tmp_path, root_causes=[cause])]))
    assert value.keys() == {"format", "phenomena", "root_causes", "tickets"}
    (shown,) = value["phenomena"]
    assert shown.keys() >= {"id", "name", "description", "aliases", "observe", "cost"}
    assert shown["observe"].keys() == {"kind", "engine", "how", "present_when", "versions"}
    (cause,) = value["root_causes"]
    assert cause.keys() == {
        *("id", "name", "category", "mechanism", "aliases"),
        *("solution", "verify", "references", "links"),
    }
    assert cause["solution"][0] == {
        **{"do": {"zh": "建", "en": "build"}, "how": None, "risk": "low"},
        **{"undo": None, "helps": None, "prevents": False},
    }
    assert value["tickets"] == [{"id": "TK-1", "root_cause": "RC-0001", "phenomena": ["P-0001"], "description": "slow"}]


def test_the_plain_sentence_of_a_cause_is_in_where_there_is_one(tmp_path: Path) -> None:
    """A library without such sentences compiles to the bytes it always had."""
    plain = {"zh": "纸没了", "en": "no paper"}
    value = json.loads(compile_libraries([write_library(tmp_path, root_causes=[root_cause(plain=plain)])]))
    assert value["root_causes"][0]["plain"] == plain


def test_the_questions_of_a_cause_are_in_where_there_are_any(tmp_path: Path) -> None:
    """As they are written and in their order; a library without them compiles to the bytes it always had."""
    asked = [
        {"asked": {"zh": ["会丢吗", "数据还在吗"], "en": ["is it lost"]}, "answer": {"zh": "不会", "en": "no"}},
        {"asked": {"zh": ["还会来吗"], "en": ["again?"]}, "answer": {"zh": "会", "en": "yes"}},
    ]
    value = json.loads(compile_libraries([write_library(tmp_path, root_causes=[root_cause(questions=asked)])]))
    assert value["root_causes"][0]["questions"] == asked


def test_a_rule_for_the_output_is_in_where_there_is_one(tmp_path: Path) -> None:
    """A library without such rules compiles to the bytes it always had."""
    observe = {"kind": "sql", "how": "SELECT pid FROM pg_stat_activity", "rows": {"confirmed": "n() >= 3"}}
    entry = phenomenon() | {"observe": observe | {"present_when": {"zh": "有", "en": "rows"}}}
    value = json.loads(compile_libraries([write_library(tmp_path, phenomena=[entry])]))
    assert value["phenomena"][0]["observe"]["rows"] == {
        **{"confirmed": "n() >= 3", "denied": None, "key": [], "repeat": None, "empty": "denied"},
        **{"lines": None, "alone": False, "likely": None, "asked_only": False, "held": [], "sign": None},
    }


def test_only_tickets_that_teach_are_in(tmp_path: Path) -> None:
    """A ticket without a cause's id or without any phenomenon's id is left out."""
    tickets = [ticket("TK-1"), ticket("TK-2", cause=None), ticket("TK-3", seen=[])]
    assert count_entries(compile_libraries([write_library(tmp_path, tickets=tickets)])) == SnapshotCounts(1, 1, 1, 1)


@pytest.mark.slow
def test_neither_files_nor_processes_change_the_bytes(tmp_path: Path) -> None:
    """Other file names, another order of the libraries, another hash seed and locale give the same id."""
    many = [phenomenon(f"P-{number:04d}", f"n{number}") for number in range(1, 9)]
    one = write_library(tmp_path / "a", phenomena=many[:4])
    two = write_library(tmp_path / "b", phenomena=many[4:], root_causes=[], tickets=[])
    turned = write_library(tmp_path / "c", phenomena=many[::-1])
    here = snapshot_id(compile_libraries([one, two]))
    assert snapshot_id(compile_libraries([two, one])) == here
    assert snapshot_id(compile_libraries([turned])) == here
    program = (
        "import sys, pathlib; from services.knowledge.snapshots.compile import *;"
        "print(snapshot_id(compile_libraries([pathlib.Path(item) for item in sys.argv[1:]])))"
    )
    for seed in ("0", "4711"):
        environ = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C", "PYTHONPATH": str(ROOT)}
        run = [sys.executable, "-c", program, str(one), str(two)]
        assert subprocess.run(run, env=environ, capture_output=True, text=True, check=True).stdout.strip() == here


def test_a_diff_names_each_entity_that_changed(tmp_path: Path) -> None:
    """Added, removed and changed phenomena, causes, links and tickets, by kind and id, with the changed fields."""
    before = compile_libraries([write_library(tmp_path / "a", phenomena=[phenomenon(), phenomenon("P-0002", "b")])])
    changed = [phenomenon(cost=3), phenomenon("P-0003", "c")]
    after = compile_libraries(
        [write_library(tmp_path / "b", changed, [root_cause(links=["P-0001", "P-0003"])], [ticket("TK-9")])]
    )
    assert diff(before, after) == (
        Change(ChangeKind.ADDED, "link", "RC-0001/P-0003", strength_after="usually"),
        Change(ChangeKind.CHANGED, "phenomenon", "P-0001", ("cost",)),
        Change(ChangeKind.REMOVED, "phenomenon", "P-0002"),
        Change(ChangeKind.ADDED, "phenomenon", "P-0003"),
        Change(ChangeKind.REMOVED, "ticket", "TK-1"),
        Change(ChangeKind.ADDED, "ticket", "TK-9"),
    )
    assert diff(after, after) == ()


@for_each("text", ["", "sha256:", "sha256:../../etc/passwd", "sha256:" + "G" * 64, "0" * 64])
def test_only_an_id_becomes_a_file_name(text: str) -> None:
    """Anything but sha256: and 64 hex digits is refused before a path is made of it."""
    with pytest.raises(InvalidInput):
        hex_of(text)
