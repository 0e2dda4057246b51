"""The shared example tickets, imported as they are and judged by labels made by hand. Skipped where they are absent."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from services.knowledge.importing.importer import import_tickets
from services.knowledge.library.load import load
from services.knowledge.library.schema import TicketEntry
from services.knowledge.library.shipped_libraries import POSTGRESQL
from services.knowledge.snapshots.compile import compile_libraries, count_entries
from tests.support.figures.example_labels import CAUSES, GROUPS, LIBRARY
from tests.support.sample_libraries import tree_hash

EXPORT = Path(__file__).parents[4] / "../shared/data/example_tickets.json"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not EXPORT.is_file(), reason="../shared/data/example_tickets.json is not there"),
]
Place = tuple[str, int]


@dataclass(frozen=True)
class Judged:
    """Merges into the library: right, wrong, and those a person would make that were not made."""

    right: int
    wrong: int
    missed: int


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export imported over the shipped library."""
    folder = tmp_path_factory.mktemp("site")
    report = import_tickets(EXPORT.read_bytes(), "json", folder, (POSTGRESQL,))
    assert (report.tickets, report.anomalies, report.rejected) == (25, 95, ())
    return folder


def test_it_compiles_with_the_shipped_library(site: Path) -> None:
    """All 25 tickets with all their anomalies are in the snapshot, and the shipped entries are as they were."""
    alone, together = (
        count_entries(compile_libraries([POSTGRESQL])),
        count_entries(compile_libraries([POSTGRESQL, site])),
    )
    assert together.tickets == alone.tickets + 25
    assert together.links == alone.links


def test_importing_it_again_in_any_order_changes_nothing(site: Path, tmp_path: Path) -> None:
    """The same library byte for byte: again, and from a shuffled export."""
    before = tree_hash(site)
    import_tickets(EXPORT.read_bytes(), "json", site, (POSTGRESQL,))
    tickets = json.loads(EXPORT.read_text(encoding="utf-8"))
    random.Random(7).shuffle(tickets)
    import_tickets(json.dumps(tickets).encode(), "json", tmp_path, (POSTGRESQL,))
    assert tree_hash(site) == tree_hash(tmp_path) == before


def test_merges_into_the_library_are_mostly_right(site: Path) -> None:
    """At least nine of ten merges are right, and at least half of those that a person would make are made."""
    tickets = imported(site)
    labels = {(name, index): label for name, row in LIBRARY.items() for index, label in enumerate(row)}
    found = {place: seen(tickets, place) for place in labels}
    judged = judge(found, labels, below="P-5")
    report("phenomena", judged)
    assert judged.right / (judged.right + judged.wrong) >= 0.9
    assert judged.right / (judged.right + judged.missed) >= 0.5


def test_causes_merge_rightly(site: Path) -> None:
    """No cause is taken for another one of the library, and a third of the known ones are recognised."""
    labels = {(name, 0): label for name, label in CAUSES.items()}
    found = {(name, 0): str(ticket.root_cause_id) for name, ticket in imported(site).items() if name in CAUSES}
    judged = judge(found, labels, below="RC-5")
    report("causes", judged)
    assert judged.wrong == 0
    assert judged.right >= 8


def test_alone_they_fall_into_the_right_groups(tmp_path: Path) -> None:
    """Without a base, B-cubed F1 against the labelled groups is at least 0.95 and no pair is merged wrongly."""
    import_tickets(EXPORT.read_bytes(), "json", tmp_path, ())
    tickets = load([tmp_path]).tickets
    places = [(name, index) for name, row in LIBRARY.items() for index in range(len(row))]
    found = {place: seen(tickets, place) for place in places}
    gold = {
        place: str(next((number for number, group in enumerate(GROUPS) if place in group), place)) for place in places
    }
    precision, recall = b_cubed(found, gold)
    print(f"B-cubed: precision {precision:.3f}, recall {recall:.3f}")
    assert precision == 1.0
    assert 2 * precision * recall / (precision + recall) >= 0.95


def imported(site: Path) -> Mapping[str, TicketEntry]:
    """The tickets of the site's library and of its base."""
    return load([POSTGRESQL, site]).tickets


def seen(tickets: Mapping[str, TicketEntry], place: Place) -> str:
    """The phenomenon that an anomaly became."""
    return str(tickets[place[0]].anomalies[place[1]].phenomenon_id)


def judge(found: Mapping[Place, str], labels: Mapping[Place, str], below: str) -> Judged:
    """Compares ids with labels; ids from `below` on are the site's own, that is, not merged."""
    merged = {place for place, identity in found.items() if identity < below}
    right = sum(found[place] in labels[place].split("|") for place in merged)
    missed = sum("new" not in labels[place].split("|") for place in found.keys() - merged)
    return Judged(right, len(merged) - right, missed)


def b_cubed(found: Mapping[Place, str], gold: Mapping[Place, str]) -> tuple[float, float]:
    """Mean share of an item's group that belongs to it, and of what belongs to it that is in its group."""
    precision = recall = 0.0
    for place in found:
        group = {other for other in found if found[other] == found[place]}
        wanted = {other for other in gold if gold[other] == gold[place]}
        precision += len(group & wanted) / len(group)
        recall += len(group & wanted) / len(wanted)
    return precision / len(found), recall / len(found)


def report(kind: str, judged: Judged) -> None:
    """Prints the figures; `pytest -rP` shows them."""
    print(f"{kind}: right {judged.right}, wrong {judged.wrong}, missed {judged.missed}")
