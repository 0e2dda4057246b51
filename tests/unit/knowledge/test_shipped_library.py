"""The shipped library as a whole: valid, complete in both languages, quick to compile."""

from __future__ import annotations

import re
import time
from collections import Counter

from services.knowledge.compile import compile_libraries, count
from services.knowledge.entries import PhenomenonEntry, RootCauseEntry
from services.knowledge.library import Library, load
from services.knowledge.shipped import POSTGRESQL, locate


def shipped() -> Library:
    """The shipped PostgreSQL library."""
    return load([POSTGRESQL])


def test_it_is_as_large_as_it_says() -> None:
    """At least 150 phenomena, 40 causes and 80 tickets that teach."""
    counts = count(compile_libraries([POSTGRESQL]))
    assert counts.phenomena >= 150
    assert counts.root_causes >= 40
    assert counts.tickets >= 80


def test_it_compiles_in_a_moment() -> None:
    """A cold compile takes less than 1.5 s."""
    started = time.perf_counter()
    compile_libraries([POSTGRESQL])
    assert time.perf_counter() - started < 1.5


def test_every_phenomenon_is_explained_by_a_cause() -> None:
    """A phenomenon that no cause links to could never help."""
    library = shipped()
    linked = {link.phenomenon for cause in library.root_causes.values() for link in cause.links}
    assert sorted(library.phenomena.keys() - linked) == []


def test_causes_can_be_told_apart() -> None:
    """No two causes link to the same phenomena."""
    links = Counter(frozenset(link.phenomenon for link in cause.links) for cause in shipped().root_causes.values())
    assert [sorted(phenomena) for phenomena, causes in links.items() if causes > 1] == []


def test_every_entry_speaks_both_languages() -> None:
    """Nothing shipped is left untranslated, and everything has aliases in both languages."""
    library = shipped()
    entries: list[PhenomenonEntry | RootCauseEntry] = [*library.phenomena.values(), *library.root_causes.values()]
    assert [entry.id for entry in entries if entry.untranslated] == []
    assert [entry.id for entry in entries if not (entry.aliases.zh and entry.aliases.en)] == []


def test_how_to_look_is_told_in_both_languages() -> None:
    """What a person is told to do by hand stands in Chinese, unless it is a statement and nothing else."""
    told = {e.id: e.observe.in_chinese for e in shipped().phenomena.values() if e.observe.kind == "manual"}
    statement = re.compile(r"\s*(EXPLAIN|SELECT|SHOW)\b")
    assert {name: how for name, how in told.items() if not re.search("[一-鿿]", how) and not statement.match(how)} == {}


def test_every_cause_has_a_remedy() -> None:
    """A cause without a step to take ends a conversation with nothing."""
    assert [cause.id for cause in shipped().root_causes.values() if not cause.solution] == []


def test_site_ids_stay_free() -> None:
    """Shipped ids stay below 5000, where imports begin."""
    library = shipped()
    assert [name for name in (*library.phenomena, *library.root_causes) if int(name.split("-")[1]) >= 5000] == []


def test_a_shipped_library_has_a_short_name() -> None:
    """`postgresql` means the shipped one; any other name is a path."""
    assert locate("postgresql") == POSTGRESQL
    assert locate("no-such") != POSTGRESQL
