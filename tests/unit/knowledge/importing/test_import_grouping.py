"""Grouping of anomalies: measured on labelled ones, the same whatever their order, and nothing merged on a guess."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lang import embedding
from services.knowledge.importing.matching.clustering import Item, pairs_of
from services.knowledge.importing.matching.clustering import group as grouped
from services.knowledge.importing.matching.statement import generalise
from services.knowledge.library.shipped_libraries import POSTGRESQL
from tests.support.examples import examples
from tests.support.figures.grouping_figures import Labelled, b_cubed, clusters, labelled, measured

EVERY = labelled()
SEEN = [item for item in EVERY if not item.held_out]
HELD_OUT = [item for item in EVERY if item.held_out]


def test_the_labelled_set_is_what_it_says() -> None:
    """At least 300 different anomalies of both languages in groups of several; a third of them is held out."""
    assert len({item.words for item in EVERY}) == len(EVERY) >= 300
    groups = {item.group: item.held_out for item in EVERY}
    assert all(groups[item.group] == item.held_out for item in EVERY)
    assert all(sum(item.group == name for item in EVERY) >= 5 for name in groups)
    assert len(HELD_OUT) >= len(EVERY) // 3
    for items in (SEEN, HELD_OUT):
        chinese = sum(any("\u4e00" <= sign <= "\u9fff" for sign in item.words) for item in items)
        assert 0.35 < chinese / len(items) < 0.65


@pytest.mark.parametrize(("items", "least"), [(SEEN, 0.65), (HELD_OUT, 0.55)], ids=["seen", "held out"])
def test_groups_without_a_base(items: list[Labelled], least: float) -> None:
    """B-cubed F1 of statements among themselves; what is put together belongs together."""
    score = measured(items)
    print(f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}")
    assert score.precision >= 0.97
    assert score.f1 >= least


@pytest.mark.slow
@pytest.mark.parametrize(
    ("items", "least"),
    [pytest.param(SEEN, 0.78, id="seen", marks=pytest.mark.slow), pytest.param(HELD_OUT, 0.62, id="held out")],
)
def test_groups_over_the_shipped_library(items: list[Labelled], least: float) -> None:
    """B-cubed F1 where the statements are held against the shipped library first, as an import does."""
    found = clusters(items, (POSTGRESQL,))
    score = b_cubed(found, {item.words: item.group for item in items})
    print(f"precision {score.precision:.3f}, recall {score.recall:.3f}, F1 {score.f1:.3f}")
    assert score.precision >= 0.95
    assert score.f1 >= least


def test_b_cubed_is_what_it_is_called() -> None:
    """Perfect clusters score 1; all in one has recall 1, all alone precision 1."""
    truth = {"a": 1, "b": 1, "c": 2}
    assert b_cubed(truth, truth).f1 == 1.0
    assert b_cubed({"a": 0, "b": 0, "c": 0}, truth).recall == 1.0
    alone = b_cubed({"a": 0, "b": 1, "c": 2}, truth)
    assert (alone.precision, round(alone.recall, 3)) == (1.0, 0.667)


def groups_of(items: list[Item]) -> list[list[str]]:
    """The groups of these items."""
    return grouped(items, pairs_of(items, embedding.load()), 0.7)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.sampled_from([item.words for item in EVERY]), min_size=2, max_size=25, unique=True), st.integers())
def test_groups_depend_on_the_set_only(words: list[str], seed: int) -> None:
    """Any order gives the same pairs and groups; each item is in one group; scores are in [0, 1]."""
    items = [Item(generalise(text).digest, generalise(text).text) for text in words]
    mixed = random.Random(seed).sample(items, len(items))
    assert pairs_of(items, embedding.load()) == pairs_of(mixed, embedding.load())
    found = groups_of(items)
    assert found == groups_of(mixed)
    members = [digest for members in found for digest in members]
    assert sorted(members) == sorted({item.digest for item in items})
    assert all(0.0 <= pair.score <= 1.0 and pair.left < pair.right for pair in pairs_of(items, embedding.load()))


def test_two_anomalies_of_one_ticket_are_two_things() -> None:
    """Statements that would be one are near, and no more, when one ticket tells both."""
    words = ["LWLock waits on LockManager dominate", "heavy contention on the lock manager lwlock"]
    apart = [Item(text, text, tickets=frozenset({name})) for name, text in zip("ab", words, strict=True)]
    together = [Item(text, text, tickets=frozenset({"a"})) for text in words]
    assert len(groups_of(apart)) == 1
    assert len(groups_of(together)) == 2
    assert pairs_of(together, embedding.load())[0].score <= 0.6
