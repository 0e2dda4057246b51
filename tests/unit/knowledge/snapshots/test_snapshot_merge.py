"""A database's library and its host's as one snapshot."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from services.chassis.errors import InvalidInput
from services.engine.inference.reasoner import open_model
from services.engine.tables.snapshot import read_snapshot
from services.knowledge.library.shipped_libraries import FOLDER
from services.knowledge.snapshots.compile import compile_libraries, snapshot_id
from services.knowledge.snapshots.publish import join

DATABASES = ["postgresql", "mysql"]


@cache
def content(name: str) -> bytes:
    """The snapshot of a shipped library."""
    return compile_libraries([FOLDER / name])


@cache
def entries(snapshot: bytes, kind: str) -> dict[str, dict[str, Any]]:
    """The entries of a snapshot by id."""
    return {entry["id"]: entry for entry in json.loads(snapshot)[kind]}


@cache
def same() -> dict[str, list[str]]:
    """The host's entries that say which entries of other libraries they are the same as."""
    every = {**entries(content("host"), "phenomena"), **entries(content("host"), "root_causes")}
    return {identity: entry["same_as"] for identity, entry in every.items() if "same_as" in entry}


@pytest.mark.parametrize("name", DATABASES)
def test_every_entry_is_there_once(name: str) -> None:
    """All of both is there; what both know under ids of their own stands under the database's alone."""
    joined = join(content(name), content("host"))
    for kind in ("phenomena", "root_causes", "tickets"):
        one, two, both = (entries(part, kind) for part in (content(name), content("host"), joined))
        gone = (one.keys() | two.keys()) - both.keys()
        assert gone <= same().keys()
        assert all(set(same()[entry]) & one.keys() for entry in gone)
        assert list(both) == sorted(both)


@pytest.mark.sampled
@pytest.mark.parametrize("name", DATABASES)
def test_what_is_the_same_is_told_in_the_databases_words(name: str) -> None:
    """The database's own entries are as they were, but for links that a cause of both has from the host."""
    joined = join(content(name), content("host"))
    assert all(
        entries(joined, "phenomena")[identity] == entry
        for identity, entry in entries(content(name), "phenomena").items()
    )
    causes = entries(joined, "root_causes")
    for identity, cause in entries(content(name), "root_causes").items():
        links = {link["phenomenon"]: link for link in causes[identity]["links"]}
        assert causes[identity] | {"links": cause["links"]} == cause
        assert {link["phenomenon"]: link for link in cause["links"]}.items() <= links.items()


@pytest.mark.sampled
@pytest.mark.parametrize("name", DATABASES)
def test_the_engine_reads_it(name: str) -> None:
    """Every link and ticket names what is there, and the engine opens it."""
    joined = join(content(name), content("host"))
    library = open_model(read_snapshot(joined, snapshot_id(joined)))
    phenomena = entries(joined, "phenomena").keys()
    assert library.snapshot.phenomenon_index.keys() == phenomena
    assert all(
        link["phenomenon"] in phenomena for cause in entries(joined, "root_causes").values() for link in cause["links"]
    )
    assert all(phenomena >= set(ticket["phenomena"]) for ticket in entries(joined, "tickets").values())


@pytest.mark.slow
@pytest.mark.parametrize("name", DATABASES)
def test_joining_twice_adds_nothing(name: str) -> None:
    """What is there already is not joined again, and a snapshot joined to itself is itself."""
    joined = join(content(name), content("host"))
    assert join(joined, content(name)) == joined
    assert join(content(name), content(name)) == content(name)


def test_all_that_is_called_the_same_is_there() -> None:
    """The host's library names ids of its kind that the databases' libraries have, and merging finds some in each."""
    others = [{*entries(content(name), "phenomena"), *entries(content(name), "root_causes")} for name in DATABASES]
    named = {name for names in same().values() for name in names}
    assert named <= set.union(*others)
    assert all(named & ids for ids in others)


@pytest.mark.slow
@pytest.mark.parametrize("name", DATABASES)
def test_the_views_that_people_query_are_kept(name: str) -> None:
    """A joined snapshot has the views of both, and the rules of the database's phenomena over them."""
    joined = join(content(name), content("host"))
    assert entries(joined, "views") == entries(content(name), "views")
    rules = [rule for entry in entries(joined, "phenomena").values() for rule in entry["observe"].get("views", ())]
    assert {rule["view"] for rule in rules} == set(entries(joined, "views"))


def test_what_is_no_snapshot_is_refused() -> None:
    """Bytes of another form are named as such."""
    with pytest.raises(InvalidInput):
        join(content("host"), b"{}")
