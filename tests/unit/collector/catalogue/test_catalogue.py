from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from lang.expressions import Reads, Row, Scope, Value, parse
from services.chassis.errors import InvalidInput
from services.collector.catalogue.reader import FOLDER, Catalogue, read_catalogue, shipped
from services.collector.catalogue.schema import CatalogueCheck, Versions
from services.collector.catalogue.verdicts import judge, unknown
from services.collector.model import Finding, Verdict
from sql_admission import admit
from tests.support.cases import for_each

LIBRARY = Path(__file__).parents[4] / "services/knowledge/library/shipped"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return shipped()


def said(text: str, *reads: list[dict[str, Value]], key: tuple[str, ...] = (), elapsed: float = 2.0) -> Value:
    """What an expression comes to over reads."""
    return parse(text).value(Scope.of(Reads(tuple(map(tuple, reads)), elapsed, key), {}))


def check_of(**fields: Any) -> CatalogueCheck:
    """A PostgreSQL check with one statement."""
    entry = {"id": "pg.test", "name": {"zh": "测", "en": "test"}, "engine": "postgres", "sql": "SELECT 1 AS a"}
    return CatalogueCheck.model_validate({**entry, "signals": {"a": "a"}, "findings": {}, **fields})


@for_each(
    ("text", "expected"),
    [
        ("a + 2 * b", 7.0),
        ("a / 0", None),
        ("gone + 1", None),
        ("gone > 1 or a == 1", True),
        ("gone > 1 and a == 2", False),
        ("gone > 1 and a == 1", None),
        ("not gone", None),
        ("a < b < 4", True),
        ("name == 'x'", True),
        ("name > 1", None),
        ("'yes' if a == 1 else 'no'", "yes"),
        ("coalesce(gone, b)", 3.0),
        ("max(a, b)", 3.0),
        ("max(a, gone)", None),
        ("has(name, 'x')", True),
    ],
)
def test_what_is_not_known_stays_unknown(text: str, expected: Value) -> None:
    """Arithmetic and comparisons keep None; `and` and `or` are decided by what is known where that is enough."""
    assert said(text, [{"a": 1.0, "b": 3.0, "name": "x"}]) == expected


@for_each(
    ("text", "expected"),
    [
        ("n()", 2.0),
        ("maxof(rate(c))", 50.0),
        ("at_max(rate(c), t)", "second"),
        ("sumof(c)", 130.0),
        ("countif(c > 20)", 1.0),
        ("overall(c)", 150.0),
        ("reads_where(c >= 20)", 1.0),
        ("same(c)", False),
        ("same(t)", True),
        ("rise(c)", 10.0),
    ],
)
def test_rows_are_found_again_by_their_key(text: str, expected: Value) -> None:
    """Rates and rises compare a row with the one of the same key in the first read, wherever it stands there."""
    before: list[dict[str, Value]] = [{"t": "second", "c": 10.0}, {"t": "first", "c": 10.0}]
    after: list[dict[str, Value]] = [{"t": "first", "c": 20.0}, {"t": "second", "c": 110.0}]
    assert said(text, before, after, key=("t",)) == expected


def test_no_rows_are_none_but_rows_without_values_are_unknown() -> None:
    """The largest of no rows is 0; the largest of rows that cannot be read is not known."""
    assert said("maxof(v)", []) == 0.0
    assert said("maxof(v)", [{"v": None}]) is None
    assert said("countif(v > 1)", [{"v": None}]) is None


@for_each(
    "text",
    ["__import__('os')", "a.b", "a[0]", "lambda: 1", "[x for x in y]", "f'{a}'", "a ** 9", "open('x')", "n(*a)", "1 +"],
)
def test_nothing_beyond_the_language_is_parsed(text: str) -> None:
    """Attributes, subscripts, other calls and other operators are refused when the catalogue is read."""
    with pytest.raises(ValueError, match=r".+"):
        parse(text)


def test_versions_are_bounds() -> None:
    """A range holds for the versions between its bounds, the empty one for all; anything else is refused."""
    assert [version for version in range(13, 20) if Versions(">=14,<17").hold(version)] == [14, 15, 16]
    assert Versions().hold(99)
    with pytest.raises(ValueError, match="not a range"):
        Versions("14-16")


def test_words_are_the_value_that_decided() -> None:
    """A finding's words name the signals of its predicate with value and unit, also where nothing can be said."""
    check = check_of(
        signals={"a": {"value": "a", "unit": "s"}, "b": "b"},
        findings={"P-0001": {"confirmed": "a > 1"}, "P-0002": {"denied": "a > 1"}, "P-0003": {"confirmed": "b > 1"}},
    )
    _, findings = judge(check, Reads((({"a": 12.345, "b": None},),)))
    assert findings == (
        Finding("P-0001", Verdict.CONFIRMED, "a = 12.3 s"),
        Finding("P-0002", Verdict.DENIED, "a = 12.3 s"),
        Finding("P-0003", Verdict.UNKNOWN, "b = not readable"),
    )
    assert {finding.verdict for finding in unknown(check, "locked: x")} == {Verdict.UNKNOWN}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"timeout_seconds": 0}, "timeout_seconds"),
        ({"findings": {"P-1": {}}}, "findings"),
        ({"findings": {"P-0001": {"confirmed": "nope > 1"}}}, "no signal"),
        ({"parameters": {"x": {"pattern": "[a-z]+", "default": "1"}}}, "does not match"),
        ({"surprise": 1}, "surprise"),
        ({"signals": {"a": "a.b"}}, "not part of the language|Attribute"),
        ({"engine": "host"}, "one look"),
    ],
)
def test_an_error_in_the_catalogue_names_entry_and_field(tmp_path: Path, change: Mapping[str, Any], field: str) -> None:
    """A catalogue with an error is refused whole, with the file, the entry and what is wrong."""
    entry = {"id": "pg.broken", "name": {"zh": "坏", "en": "broken"}, "engine": "postgres", "sql": "SELECT 1 AS a"}
    entry |= {"signals": {"a": "a"}, "findings": {}, **change}
    (tmp_path / "postgresql").mkdir()
    (tmp_path / "postgresql/one.yaml").write_text(yaml.safe_dump([entry]))
    with pytest.raises(InvalidInput, match=rf"one\.yaml: pg\.broken: (.|\n)*({field})"):
        read_catalogue(tmp_path)


def test_routing_names_only_checks_that_are_there(tmp_path: Path, catalogue: Catalogue) -> None:
    """A category or the baseline that names a check which the catalogue lacks is refused."""
    (tmp_path / "routing.yaml").write_text((FOLDER / "routing.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"routing names .*pg\.sessions"):
        read_catalogue(tmp_path)


def test_every_statement_is_admitted(catalogue: Catalogue) -> None:
    """Each SQL text for PostgreSQL passes the admission that a stranger's text would have to pass."""
    asked = [check for check in catalogue.checks.values() if check.engine == "postgres"]
    statements = [(check.id, item.sql) for check in asked for item in check.statements]
    assert len(statements) > 10
    refused = {name: admission.reason for name, sql in statements if not (admission := admit(sql, "postgres")).allow}
    assert refused == {}


def test_every_phenomenon_is_one_of_the_libraries(catalogue: Catalogue) -> None:
    """Findings and routing speak only of phenomena that a shipped library has."""
    known = {
        yaml.safe_load(path.read_text(encoding="utf-8").split("\nname:")[0])["id"]
        for path in LIBRARY.glob("*/phenomena/*.yaml")
    }
    spoken = {phenomenon for check in catalogue.checks.values() for phenomenon in check.findings}
    for category in catalogue.routing.categories.values():
        spoken |= category.speaks_for.keys() | category.speaks_against.keys()
    assert spoken - known == set()


def test_every_check_is_reached_and_every_sign_can_be_seen(catalogue: Catalogue) -> None:
    """Routing leads to each check, and what speaks for a category is a finding of some check."""
    routed = set(catalogue.routing.baseline)
    seen = {phenomenon for check in catalogue.checks.values() for phenomenon in check.findings}
    for category in catalogue.routing.categories.values():
        routed |= set(category.checks)
        assert category.speaks_for.keys() <= seen
    assert set(catalogue.checks) - routed == set()


def rows(**columns: Value) -> tuple[Row, ...]:
    """One read of one row."""
    return (columns,)


def test_a_hot_row_a_holder_and_an_orphan_are_told_apart(catalogue: Catalogue) -> None:
    """The same waiters mean three things: the blocker changes, stays, or is no session at all."""
    check = catalogue.checks["pg.locks"]
    common: dict[str, Value] = dict.fromkeys(
        ("for_advisory", "advisory_wait", "for_ddl", "behind_ddl", "on_one_table"), 0.0
    )
    common |= {
        "waiting": 4.0,
        "for_rows": 4.0,
        "victims": 4.0,
        "root_state": "active",
        "root_transaction": 9.0,
        "on_one_row": 3.0,
    }

    def confirmed(first: Mapping[str, Value], second: Mapping[str, Value]) -> set[str]:
        reads = Reads((rows(**(common | dict(first))), rows(**(common | dict(second)))), 0.5)
        return {item.phenomenon_id for item in judge(check, reads)[1] if item.verdict is Verdict.CONFIRMED}

    hot = {"without_session": 0.0, "oldest_wait": 0.02}
    held = {"without_session": 0.0, "root_pid": 7.0}
    orphan: dict[str, Value] = {"without_session": 4.0, "root_pid": None, "victims": 0.0}
    changing = confirmed(hot | {"root_pid": 7.0}, hot | {"root_pid": 8.0})
    constant = confirmed(held | {"oldest_wait": 2.0}, held | {"oldest_wait": 2.5})
    without = confirmed(orphan | {"oldest_wait": 2.0}, orphan | {"oldest_wait": 2.5})
    assert {"P-0026"} == changing & {"P-0025", "P-0026", "P-0030"}
    assert {"P-0025"} == constant & {"P-0025", "P-0026", "P-0030"}
    assert {"P-0030"} == without & {"P-0025", "P-0026", "P-0030"}
