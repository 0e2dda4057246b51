"""Reading libraries: what is wrong is named with its file and place, all of it in one pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from services.knowledge.library.load import InvalidLibrary, Problem, fingerprint, load
from tests.support.sample_libraries import both, phenomenon, root_cause, ticket, write_library


def problems_of(*paths: Path) -> tuple[Problem, ...]:
    """What is wrong with libraries that are known to be wrong."""
    with pytest.raises(InvalidLibrary) as caught:
        load(paths)
    assert caught.value.reason == "invalid_library"
    return caught.value.problems


def test_a_valid_library_is_read_whole(tmp_path: Path) -> None:
    """Every entry of every kind is there by its id, in id order."""
    many = [phenomenon("P-0003", "c"), phenomenon("P-0001", "a"), phenomenon("P-0002", "b")]
    library = load([write_library(tmp_path, phenomena=many)])
    assert list(library.phenomena) == ["P-0001", "P-0002", "P-0003"]
    assert list(library.root_causes) == ["RC-0001"]
    assert list(library.tickets) == ["TK-1"]


@pytest.mark.parametrize(
    ("entry", "place", "word"),
    [
        (phenomenon(alias=["x"]), "alias", "aliases"),
        (phenomenon("P-1"), "id", "pattern"),
        ({**phenomenon(), "name": {"zh": "慢"}}, "name.en", "required"),
        (phenomenon(cost=4), "cost", "1, 2, 3 or 5"),
        (phenomenon(description={"zh": " ", "en": "x"}), "description.zh", "at least 1"),
    ],
)
def test_a_bad_phenomenon_is_refused_by_file_and_field(
    tmp_path: Path, entry: dict[str, Any], place: str, word: str
) -> None:
    """A phenomenon with a wrong field is named with its file, the field's path and what is valid."""
    found = problems_of(write_library(tmp_path, phenomena=[phenomenon("P-0009"), entry], root_causes=[], tickets=[]))
    assert [(Path(problem.file).name, problem.place) for problem in found] == [("001.yaml", place)]
    assert word in found[0].what


@pytest.mark.parametrize(
    ("entries", "place", "word"),
    [
        ([phenomenon("P-0001", same_as=["P-0001"])], "same_as.0", "itself"),
        ([phenomenon("P-0001", same_as=["P-9999", "P-9999"])], "same_as.1", "already named by P-0001"),
        ([phenomenon("P-0001", same_as=["P-9"])], "same_as.0", "pattern"),
        ([phenomenon("P-0001", same_as=["RC-0001"])], "same_as.0", "pattern"),
        (
            [phenomenon("P-0001", same_as=["P-9999"]), phenomenon("P-0002", same_as=["P-9999"])],
            "same_as.0",
            "already named by P-0001",
        ),
        (
            [phenomenon("P-0001", same_as=["P-0002"]), phenomenon("P-0002", same_as=["P-9999"])],
            "same_as.0",
            "names others in turn",
        ),
    ],
)  # fmt: skip
def test_an_entry_is_clearly_the_same_as_others(
    tmp_path: Path, entries: list[dict[str, Any]], place: str, word: str
) -> None:
    """An id of another library stands at one entry only, is of its kind, and leads to no further id."""
    found = problems_of(write_library(tmp_path, phenomena=entries, root_causes=[], tickets=[]))
    assert [problem.place for problem in found] == [place]
    assert word in found[0].what


def test_what_is_needed_is_a_facility_of_the_vocabulary(tmp_path: Path) -> None:
    """A phenomenon that needs what no vocabulary names could never be ruled out."""
    found = problems_of(write_library(tmp_path, phenomena=[phenomenon("P-0001", needs=["standby"])]))
    assert [(problem.place, "does not exist" in problem.what) for problem in found] == [("needs.0", True)]


def test_an_entry_may_be_the_same_as_one_that_is_not_at_hand(tmp_path: Path) -> None:
    """A library stands alone: the ids by which other libraries know its entries need not exist there."""
    library = load([write_library(tmp_path, phenomena=[phenomenon("P-0001", same_as=["P-7777"])])])
    assert library.phenomena["P-0001"].same_as == ("P-7777",)


@pytest.mark.parametrize(
    ("entry", "place", "word"),
    [
        (root_cause(links=["P-0001", "P-0001"]), "links.1.phenomenon", "linked twice"),
        (root_cause(links=["P-0002"]), "links.0.phenomenon", "nearest id is P-0001"),
        (root_cause(not_to_confuse_with={"RC-0007": both("x")}), "not_to_confuse_with.RC-0007", "does not exist"),
        (root_cause(category="query"), "category", "pattern"),
        (
            {**root_cause(), "links": [{"phenomenon": "P-0001", "strength": "often", "why": both("x")}]},
            "links.0.strength",
            "'always', 'usually', 'sometimes' or 'rarely'",
        ),
    ],
)
def test_a_bad_cause_is_refused_by_file_and_field(tmp_path: Path, entry: dict[str, Any], place: str, word: str) -> None:
    """A cause with a wrong field, an unknown strength or a dangling link is named with its file and field."""
    found = problems_of(write_library(tmp_path, root_causes=[entry], tickets=[]))
    assert [problem.place for problem in found] == [place]
    assert word in found[0].what


@pytest.mark.parametrize(
    ("entry", "place"),
    [
        (ticket(seen=["P-0404"]), "ticket TK-1: anomalies.0.phenomenon_id"),
        (ticket(cause="RC-0404"), "ticket TK-1: root_cause_id"),
        (ticket(descriptoin="x"), "line 1: descriptoin"),
        (ticket(description=""), "line 1: description"),
    ],
)
def test_a_bad_ticket_is_refused_by_line_and_field(tmp_path: Path, entry: dict[str, Any], place: str) -> None:
    """A ticket with a wrong field is named with its file, its line or id, and the field's path."""
    assert [problem.place for problem in problems_of(write_library(tmp_path, tickets=[entry]))] == [place]


def test_an_id_is_used_once_across_libraries(tmp_path: Path) -> None:
    """The same id in two libraries is refused and both files are named."""
    one, other = write_library(tmp_path / "one"), write_library(tmp_path / "other", root_causes=[], tickets=[])
    (found,) = problems_of(one, other)
    assert str(other) in found.file
    assert str(one) in found.what


def test_every_problem_is_listed_at_once(tmp_path: Path) -> None:
    """Unreadable files do not hide what is wrong in the others, and the message says how many there are."""
    library = write_library(tmp_path, tickets=[ticket(cause="RC-0404")])
    (library / "phenomena" / "broken.yaml").write_text("id: [P-0002\nname: x: y", encoding="utf-8")
    (library / "phenomena" / "latin.yaml").write_bytes("id: P-0003 # é".encode("latin-1"))
    (library / "phenomena" / "twice.yaml").write_text("id: P-0004\nid: P-0005", encoding="utf-8")
    (library / "phenomena" / "other.yml").write_text("", encoding="utf-8")
    found = problems_of(library)
    assert [Path(problem.file).name for problem in found] == [
        "broken.yaml",
        "latin.yaml",
        "other.yml",
        "twice.yaml",
        "all.jsonl",
    ]
    assert "line 2" in found[0].place
    assert "line 2" in found[3].place
    with pytest.raises(InvalidLibrary, match="5 found wrong"):
        load([library])


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    """What was loaded before does not outlive an edit of its file, and comes back with it."""
    first = load([write_library(tmp_path, phenomena=[phenomenon(cost=1)])])
    second = load([write_library(tmp_path, phenomena=[phenomenon(cost=5)])])
    again = load([write_library(tmp_path, phenomena=[phenomenon(cost=1)])])
    assert [library.phenomena["P-0001"].cost for library in (first, second, again)] == [1, 5, 1]


def test_a_folder_without_entries_is_refused(tmp_path: Path) -> None:
    """A path that holds no library is told so instead of giving an empty one."""
    (found,) = problems_of(tmp_path / "nowhere")
    assert "no files in phenomena/" in found.what


def test_the_fingerprint_follows_names_and_bytes(tmp_path: Path) -> None:
    """Equal files give equal fingerprints wherever they lie; a changed byte or name gives another."""
    one, other = write_library(tmp_path / "one"), write_library(tmp_path / "other")
    before = fingerprint([one])
    assert fingerprint([other]) == before
    file = other / "phenomena" / "000.yaml"
    file.rename(file.with_name("renamed.yaml"))
    assert fingerprint([other]) != before
    file = one / "tickets" / "all.jsonl"
    file.write_bytes(file.read_bytes() + b"\n")
    assert fingerprint([one]) != before
