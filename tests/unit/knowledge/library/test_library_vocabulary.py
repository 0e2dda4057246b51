"""The vocabulary of a library: read from its files, united over libraries, compiled, joined and compared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lang.vocabulary import Vocabulary
from services.knowledge.library.load import InvalidLibrary, load
from services.knowledge.library.yaml_text import entry_yaml, read_yaml
from services.knowledge.model import Change, ChangeKind
from services.knowledge.snapshots.compile import compile_libraries
from services.knowledge.snapshots.diff import diff
from services.knowledge.snapshots.publish import join
from tests.support.sample_libraries import both, phenomenon, write_library


def disk(*terms: str, **more: Any) -> dict[str, Any]:
    """A vocabulary document with one quantity that these terms name."""
    quantity = {"id": "disk_used", "name": {"zh": "磁盘用量", "en": "disk usage"}, "say": {"en": [*terms]}, "unit": "%"}
    return {"quantities": [quantity | more]}


DEADLOCK = {"events": [{"id": "deadlock", "name": {"zh": "死锁", "en": "deadlock"}, "say": {"zh": ["死锁"]}}]}
FULL = {"quantity": "disk_used", "test": "> 90 %"}
PAUSED = {"state": "replay", "is": "good"}


def vocabulary_of(content: bytes) -> Vocabulary:
    """The vocabulary in a snapshot."""
    return Vocabulary.model_validate(json.loads(content)["vocabulary"])


def test_terms_of_one_subject_are_united_whatever_the_order(tmp_path: Path) -> None:
    """Files and libraries with the same subject give one subject with all terms, and equal bytes in any order."""
    one = write_library(tmp_path / "a", vocabulary=[disk("disk"), disk("volume", complement={"en": ["free"]})])
    two = write_library(tmp_path / "b", [], [], [], vocabulary=[disk("Use%", values={"100": {"zh": ["满"]}}), DEADLOCK])
    content = compile_libraries([one, two])
    found = vocabulary_of(content)
    assert [subject.id for subject in found.subjects] == ["disk_used", "deadlock"]
    assert set(found.quantities[0].say.en) == {"disk", "volume", "Use%"}
    assert found.quantities[0].complement.en == ("free",)
    assert found.quantities[0].values["100"].zh == ("满",)
    assert compile_libraries([two, one]) == content


@pytest.mark.parametrize(
    ("other", "place"),
    [
        (disk("disk", unit="B"), "quantities.0.unit"),
        (disk("disk", name=both("space")), "quantities.0.name"),
        (disk("disk", bad="down"), "quantities.0.bad"),
        ({"events": [DEADLOCK["events"][0] | {"id": "disk_used"}]}, "events.0.id"),
        (disk("disk", sya={}), "quantities.0.sya"),
    ],
)
def test_what_else_differs_is_a_problem_with_its_place(tmp_path: Path, other: dict[str, Any], place: str) -> None:
    """All but the terms of a subject is the same wherever it stands; the later file is named with the field."""
    with pytest.raises(InvalidLibrary) as caught:
        load([write_library(tmp_path, vocabulary=[disk("disk"), other])])
    (problem,) = caught.value.problems
    assert (Path(problem.file).name, problem.place) == ("001.yaml", place)


def test_a_library_without_a_vocabulary_keeps_its_bytes(tmp_path: Path) -> None:
    """An empty vocabulary does not stand in the snapshot."""
    plain = compile_libraries([write_library(tmp_path / "a")])
    assert compile_libraries([write_library(tmp_path / "b", vocabulary=[{}])]) == plain
    assert "vocabulary" not in json.loads(plain)


def test_an_empty_list_of_predicates_is_not_a_missing_one(tmp_path: Path) -> None:
    """An empty `means` ("only asked for") stands in the snapshot; without one there is none."""
    plain = compile_libraries([write_library(tmp_path / "a")])
    empty = compile_libraries([write_library(tmp_path / "b", [phenomenon(means=[])])])
    assert ["means" in entry for entry in json.loads(plain)["phenomena"]] == [False]
    assert [entry["means"] for entry in json.loads(empty)["phenomena"]] == [[]]


def test_predicates_come_through_files_and_snapshots(tmp_path: Path) -> None:
    """A phenomenon's predicates stand in the snapshot, and in a file written from it, as a person wrote them."""
    library = load([write_library(tmp_path, [phenomenon(means=[FULL, PAUSED])], vocabulary=[disk("disk")])])
    (entry,) = library.phenomena.values()
    assert read_yaml(entry_yaml(entry))["means"] == [FULL, PAUSED]
    (compiled,) = json.loads(compile_libraries([tmp_path]))["phenomena"]
    assert compiled["means"] == [FULL, PAUSED]


def test_joined_snapshots_have_the_subjects_of_both(tmp_path: Path) -> None:
    """Of a subject that both have the terms are united, and all else is the first's."""
    one = compile_libraries([write_library(tmp_path / "a", vocabulary=[disk("disk")])])
    two = compile_libraries([write_library(tmp_path / "b", vocabulary=[disk("volume", bad="down"), DEADLOCK])])
    joined = vocabulary_of(join(one, two))
    (quantity,) = joined.quantities
    assert (quantity.say.en, quantity.bad) == (("disk", "volume"), "up")
    assert [event.id for event in joined.events] == ["deadlock"]


def test_a_diff_names_the_subjects_that_changed(tmp_path: Path) -> None:
    """Subjects are entities of a snapshot like phenomena and causes; a predicate is a field of its phenomenon."""
    before = compile_libraries([write_library(tmp_path / "a", vocabulary=[disk("disk")])])
    changed = [phenomenon(means=[FULL])]
    after = compile_libraries([write_library(tmp_path / "b", changed, vocabulary=[disk("volume"), DEADLOCK])])
    assert diff(before, after) == (
        Change(ChangeKind.CHANGED, "phenomenon", "P-0001", ("means",)),
        Change(ChangeKind.ADDED, "subject", "deadlock"),
        Change(ChangeKind.CHANGED, "subject", "disk_used", ("say",)),
    )
