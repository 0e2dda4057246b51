"""Each shipped library as a whole: valid, complete in both languages, told apart, within its own ids."""

from __future__ import annotations

import re
from collections import Counter

import pytest
import sqlglot

from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.knowledge.library.lint.lint import lint
from services.knowledge.library.load import Library
from services.knowledge.library.schema import PhenomenonEntry, RootCauseEntry
from services.knowledge.library.shipped_libraries import POSTGRESQL, locate, names
from services.knowledge.snapshots.compile import compile_libraries, count_entries
from tests.support.shipped_libraries import shipped_library

# The least that each is worth shipping with: phenomena, causes, tickets that teach; and the ids it may use.
SIZES = {"postgresql": (150, 40, 80), "host": (70, 25, 0), "mysql": (100, 40, 0)}
IDS = {"postgresql": range(1, 1000), "host": range(3001, 4000), "mysql": range(2001, 3000)}
CATEGORIES = {"CPU", "IO_WAIT", "RUN_QUEUE", "MEMORY", "GC", "LOCK_CONTEND", "NET", "EXTERNAL_DEP"}


@pytest.fixture(scope="module", params=names())
def name(request: pytest.FixtureRequest) -> str:
    """Every shipped library by its short name."""
    return str(request.param)


@pytest.fixture(scope="module")
def shipped(name: str) -> Library:
    """Its entries."""
    return shipped_library(name)


def test_it_is_as_large_as_it_says(name: str) -> None:
    """At least so many phenomena, causes and tickets that teach."""
    counts = count_entries(compile_libraries([locate(name)]))
    least = SIZES[name]
    assert (counts.phenomena >= least[0], counts.root_causes >= least[1], counts.tickets >= least[2]) == (True,) * 3


def test_every_phenomenon_is_explained_by_a_cause(shipped: Library) -> None:
    """A phenomenon that no cause links to could never help."""
    linked = {link.phenomenon for cause in shipped.root_causes.values() for link in cause.links}
    assert sorted(shipped.phenomena.keys() - linked) == []


def test_causes_can_be_told_apart(shipped: Library) -> None:
    """No two causes link to the same phenomena."""
    links = Counter(frozenset(link.phenomenon for link in cause.links) for cause in shipped.root_causes.values())
    assert [sorted(phenomena) for phenomena, causes in links.items() if causes > 1] == []


@pytest.mark.sampled
def test_lint_finds_nothing_wrong(name: str) -> None:
    """No error and no warning, so that a site's own findings stand out."""
    findings = lint([locate(name)], DEFAULT_PARAMETERS.expert_rates)
    assert [str(finding) for finding in findings if finding.severity != "hint"] == []


def test_every_entry_speaks_both_languages(shipped: Library) -> None:
    """Nothing shipped is left untranslated, and everything has aliases in both languages."""
    entries: list[PhenomenonEntry | RootCauseEntry] = [*shipped.phenomena.values(), *shipped.root_causes.values()]
    assert [entry.id for entry in entries if entry.untranslated] == []
    assert [entry.id for entry in entries if not (entry.aliases.zh and entry.aliases.en)] == []


def test_how_to_look_is_told_in_both_languages(shipped: Library) -> None:
    """What a person is told to do by hand stands in Chinese, unless it is a statement and nothing else."""
    told = {
        e.id: next(iter(e.observe.texts.values())) for e in shipped.phenomena.values() if e.observe.kind == "manual"
    }
    statement = re.compile(r"\s*(EXPLAIN|SELECT|SHOW)\b")
    assert {key: how for key, how in told.items() if not re.search("[一-鿿]", how) and not statement.match(how)} == {}


def test_every_cause_has_a_remedy(shipped: Library) -> None:
    """A cause without a step to take ends a conversation with nothing."""
    assert [cause.id for cause in shipped.root_causes.values() if not cause.solution] == []


def test_ids_stay_in_their_range(name: str, shipped: Library) -> None:
    """Shipped libraries share no id, and stay below 5000, where imports begin."""
    assert [key for key in (*shipped.phenomena, *shipped.root_causes) if int(key.split("-")[1]) not in IDS[name]] == []


def test_all_are_valid_together() -> None:
    """No id stands in two of them, and every link finds its phenomenon."""
    together = shipped_library(*names())
    assert len(together.root_causes) == sum(len(shipped_library(each).root_causes) for each in names())


def test_the_host_library_covers_every_category() -> None:
    """A host's trouble is of one of eight kinds, and each has a cause."""
    assert {cause.category for cause in shipped_library("host").root_causes.values()} == CATEGORIES


def test_the_queries_for_mysql_are_readable() -> None:
    """Each parses as MySQL reads it and only reads; no server is here to run them."""
    entries = [entry for entry in shipped_library("mysql").phenomena.values() if entry.observe.kind == "sql"]
    reads = re.compile(r"(SELECT|SHOW|XA RECOVER)\b")
    assert len(entries) > 50
    assert [entry.id for entry in entries if not reads.match(entry.observe.method)] == []
    for entry in entries:
        if entry.observe.method.startswith("SELECT"):
            assert len(sqlglot.parse(entry.observe.method, read="mysql")) == 1, entry.id


def test_mysql_orders_by_numbers() -> None:
    """The views of sys write times and sizes for people ("1.2 s"): what is ordered by one is read from its x$ view."""
    entries = shipped_library("mysql").phenomena.values()
    spoken = re.compile(r"FROM sys\.(?!x\$).* ORDER BY \w*(latency|alloc|size)")
    assert [entry.id for entry in entries if spoken.search(" ".join(entry.observe.method.split()))] == []


def test_a_shipped_library_has_a_short_name() -> None:
    """`postgresql` means the shipped one; any other name is a path."""
    assert locate("postgresql") == POSTGRESQL
    assert locate("no-such") != POSTGRESQL
