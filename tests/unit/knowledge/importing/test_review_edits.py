"""review.yaml: a person's edits are applied, remembered and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import InvalidLibrary, load
from tests.support.sample_libraries import as_export, exported, tree_hash

TICKETS = [
    exported("T-1", "原因甲", "水管漏水", "电线短路"),
    exported("T-2", "原因乙", "水龙头滴水", "水管漏水"),
]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A library with two tickets, three phenomena and two causes."""
    import_tickets(as_export(TICKETS), "json", tmp_path, ())
    return tmp_path


def again(site: Path) -> None:
    """Imports the same tickets once more."""
    import_tickets(as_export(TICKETS), "json", site, ())


def review_of(site: Path) -> dict[str, Any]:
    """The review file's values."""
    value: dict[str, Any] = yaml.safe_load((site / "review.yaml").read_text(encoding="utf-8"))
    return value


def ruling(review: dict[str, Any], said: str) -> dict[str, Any]:
    """The ruling on a statement."""
    rulings: list[dict[str, Any]] = [*review["phenomena"], *review["root_causes"]]
    return next(item for item in rulings if item["statement"] == said)


def edit(site: Path, said: str, /, **changes: Any) -> None:
    """Changes a ruling as a person would; None removes a key."""
    review = review_of(site)
    found = ruling(review, said)
    found.update(changes)
    for key in [key for key, value in changes.items() if value is None]:
        del found[key]
    (site / "review.yaml").write_text(yaml.safe_dump(review, allow_unicode=True), encoding="utf-8")


def id_of(site: Path, ticket: str, anomaly: int) -> str:
    """The phenomenon of an anomaly."""
    return str(load([site]).tickets[ticket].anomalies[anomaly].phenomenon_id)


def test_a_merge_is_applied_and_remembered(site: Path) -> None:
    """Every anomaly of the statement moves, the empty phenomenon goes, its number is never used again."""
    target, gone = id_of(site, "T-1", 0), id_of(site, "T-2", 0)
    edit(site, "水龙头滴水", decision="merge", into=target)
    again(site)
    assert id_of(site, "T-2", 0) == target
    assert gone not in load([site]).phenomena
    assert "水龙头滴水" in load([site]).phenomena[target].aliases.zh
    assert ruling(review_of(site), "水龙头滴水")["decided_by"] == "person"
    settled = tree_hash(site)
    again(site)
    assert tree_hash(site) == settled
    more = [*TICKETS, exported("T-3", "原因丙", "水龙头滴水", "从未见过")]
    import_tickets(as_export(more), "json", site, ())
    assert id_of(site, "T-3", 0) == target
    assert id_of(site, "T-3", 1) not in (gone, target)


def test_a_split_makes_a_new_phenomenon(site: Path) -> None:
    """A statement that a person calls new after it was merged gets an id of its own, once."""
    target, gone = id_of(site, "T-1", 0), id_of(site, "T-2", 0)
    edit(site, "水龙头滴水", decision="merge", into=target)
    again(site)
    edit(site, "水龙头滴水", decision="new", into=None)
    again(site)
    made = id_of(site, "T-2", 0)
    assert made not in (gone, target)
    assert load([site]).phenomena[made].name.zh == "水龙头滴水"
    assert "水龙头滴水" not in load([site]).phenomena[target].aliases.zh
    settled = tree_hash(site)
    again(site)
    assert tree_hash(site) == settled


def test_causes_are_reviewed_the_same_way(site: Path) -> None:
    """A cause merged by a person moves its tickets, and the empty cause goes."""
    library = load([site])
    target, gone = library.tickets["T-1"].root_cause_id, library.tickets["T-2"].root_cause_id
    edit(site, "原因乙", decision="merge", into=target)
    again(site)
    assert load([site]).tickets["T-2"].root_cause_id == target
    assert gone not in load([site]).root_causes


def test_agreeing_is_remembered(site: Path) -> None:
    """`unclear: false` stays what a person made it."""
    edit(site, "电线短路", unclear=True)
    again(site)
    assert ruling(review_of(site), "电线短路")["unclear"] is True
    edit(site, "电线短路", unclear=False)
    again(site)
    assert ruling(review_of(site), "电线短路")["unclear"] is False


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"decision": "merge", "into": "P-0404"}, "P-0404 does not exist; the nearest id is P-500"),
        ({"decision": "new", "into": "P-7000"}, "leave `into` out"),
        ({"decision": "new", "into": None}, "write into:"),
        ({"decision": "maybe"}, "'merge' or 'new'"),
        ({"inot": "P-5000"}, "nearest known one is into"),
    ],
)
def test_an_edit_that_cannot_be_applied_is_refused(site: Path, changes: dict[str, Any], word: str) -> None:
    """The file, the statement or field, and what to write instead are named; the library stays as it was."""
    edit(site, "电线短路", **changes)
    before = tree_hash(site)
    with pytest.raises(InvalidLibrary, match=r"review\.yaml") as caught:
        again(site)
    assert word in str(caught.value)
    assert tree_hash(site) == before


def test_a_statement_that_stands_twice_is_refused(site: Path) -> None:
    """Two rulings on one statement are named instead of one being picked."""
    edit(site, "电线短路", statement="水管漏水")
    with pytest.raises(InvalidLibrary, match="appears twice"):
        again(site)


def test_the_unclear_stands_first(site: Path) -> None:
    """What a person should look at is at the top of the file."""
    edit(site, "电线短路", unclear=True)
    again(site)
    assert [item["unclear"] for item in review_of(site)["phenomena"]] == [True, False, False]
