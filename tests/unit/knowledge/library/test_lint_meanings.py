"""`dbdiag knowledge lint` on the vocabulary and the predicates of phenomena."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from lang.vocabulary import Unit, parse_test
from services.engine.tables.parameters import DEFAULT_PARAMETERS
from services.knowledge.library.lint.findings import Finding
from services.knowledge.library.lint.lint import lint
from services.knowledge.library.lint.meanings import contradicts, values_in
from services.knowledge.library.shipped_libraries import locate, names
from tests.support.cases import for_each
from tests.support.sample_libraries import both, phenomenon, root_cause, write_library
from tests.support.shipped_libraries import shipped_library

pytestmark = pytest.mark.sampled

RULES = {
    *("no-predicate", "predicate-subject", "predicate-unit", "predicate-of-two", "predicate-text"),
    *("term-of-two", "unused-subject"),
}
VOCABULARY: dict[str, list[dict[str, Any]]] = {
    "quantities": [
        {"id": "disk_used", "name": both("disk"), "say": {"en": ["disk"]}, "unit": "%", "whole": "disk_size"},
        {"id": "disk_size", "name": both("size"), "say": {"en": ["disk size"]}, "unit": "B"},
    ],
    "events": [{"id": "deadlock", "name": both("deadlock"), "say": {"en": ["deadlock"]}}],
    "states": [{"id": "autovacuum", "name": both("autovacuum"), "say": {"en": ["autovacuum"]}, "bad": {"en": ["off"]}}],
    "actions": [{"id": "restart", "name": both("restart"), "say": {"en": ["restart"]}}],
}
MEANS: list[list[dict[str, Any]]] = [
    [{"quantity": "disk_used", "test": "> 90 %"}, {"quantity": "disk_used", "test": "> 3 times the usual"}],
    [{"event": "deadlock"}, {"event": "deadlock", "test": "> 3 per minute"}],
    [{"state": "autovacuum"}],
    [{"action": "restart", "outcome": "helped"}],
]


def found(folder: Path, means: list[list[dict[str, Any]]], vocabulary: dict[str, Any], **texts: Any) -> list[Finding]:
    """What the rules of this file say of a library whose phenomena mean this; `texts` change the first one."""
    phenomena = [phenomenon(f"P-000{at}", f"sight {'x' * at}", means=own) for at, own in enumerate(means, 1)]
    phenomena[0] |= texts
    causes = [root_cause(links=[entry["id"] for entry in phenomena])]
    library = write_library(folder, phenomena, causes, [], [vocabulary])
    return [item for item in lint([library], DEFAULT_PARAMETERS.expert_rates) if item.rule in RULES]


def test_predicates_that_fit_have_no_finding(tmp_path: Path) -> None:
    """What the other tests spoil is clean before."""
    assert found(tmp_path, MEANS, VOCABULARY) == []


@pytest.mark.parametrize(
    ("predicate", "rule"),
    [
        ({"quantity": "disk", "test": "> 90 %"}, "predicate-subject"),
        ({"event": "disk_used"}, "predicate-subject"),
        ({"quantity": "disk_used", "test": "> 2 of nothing"}, "predicate-subject"),
        ({"quantity": "disk_used", "test": "> 90 GB"}, "predicate-unit"),
        ({"quantity": "disk_size", "test": "> 90 %"}, "predicate-unit"),
        ({"event": "deadlock", "test": "> 10 s"}, "predicate-unit"),
        ({"state": "autovacuum", "test": "> 1"}, "predicate-unit"),
    ],
)
def test_a_predicate_that_does_not_fit_is_named_with_its_place(
    tmp_path: Path, predicate: dict[str, Any], rule: str
) -> None:
    """An unknown subject, one of another kind, or a limit in another unit."""
    (finding,) = found(tmp_path, [*MEANS, [predicate]], VOCABULARY)
    assert (finding.rule, finding.entry, finding.field) == (rule, "P-0005", "means.0")


@pytest.mark.parametrize("at", range(4))
def test_two_phenomena_with_equal_predicates_are_reported(tmp_path: Path, at: int) -> None:
    """Equal but for what no statement tells apart, such as `> 90` and `>= 90`; one may mean more than the other."""
    same = [predicate | {"bare": "nothing"} for predicate in MEANS[at]]
    if at == 0:
        same[0]["test"] = ">= 90 %"
    (finding,) = found(tmp_path / "a", [*MEANS, same], VOCABULARY)
    assert (finding.rule, finding.entry, finding.field) == ("predicate-of-two", "P-0005", "means")
    more = {"quantity": "disk_size", "test": "> 1 GB"}
    assert found(tmp_path / "b", [*MEANS, [*same, more]], VOCABULARY) == []


def test_two_entries_that_are_the_same_may_mean_the_same(tmp_path: Path) -> None:
    """A host's and a database's phenomenon of one thing share their predicate."""
    assert found(tmp_path, [*MEANS, MEANS[0]], VOCABULARY, same_as=["P-0005"]) == []


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("Use% is above 90 %", True),
        ("Use% is above 95 %", False),
        ("above 90 % in 3 of 10 reads", True),
        ("nothing is free", True),
    ],
)
def test_a_number_shown_is_the_limit(tmp_path: Path, text: str, agrees: bool) -> None:
    """A text that names values in the limit's unit names the limit itself; other numbers do not matter."""
    observe = {"kind": "manual", "how": "ask", "present_when": {"zh": "满", "en": text}}
    findings = found(tmp_path, MEANS, VOCABULARY, observe=observe)
    assert [(item.rule, item.field) for item in findings] == (
        [] if agrees else [("predicate-text", "observe.present_when.en")]
    )


@for_each(
    ("text", "unit", "values"),
    [
        ("超过 5 分钟或 300 毫秒", Unit.SECONDS, [300, 0.3]),
        ("more than 5 GB in 10 minutes", Unit.BYTES, [5 * 2**30]),
        ("three or more rows within 24 hours", Unit.COUNT, [3]),
        ("over 1 000 000 and 10 亿", Unit.COUNT, [1e6, 1e9]),
        ("P-0016 of pg_stat_activity", Unit.COUNT, []),
    ],
)
def test_values_are_read_in_a_unit(text: str, unit: Unit, values: list[float]) -> None:
    """Numbers with another unit, and digits in names, are no values of this one."""
    assert list(values_in(text, unit)) == values


def test_a_limit_in_another_unit_contradicts_nothing() -> None:
    """Percent and seconds are never compared."""
    assert not contradicts("above 90 %", [parse_test("> 5 min")])
    assert contradicts("above 5 s", [parse_test("> 5 min")])


def test_a_term_of_two_subjects_needs_what_tells_them_apart(tmp_path: Path) -> None:
    """The same term for two quantities of one unit is reported, unless something beside it makes it the other."""
    vocabulary = copy.deepcopy(VOCABULARY)
    more = {"id": "inodes_used", "name": both("inodes"), "say": {"en": ["Disk"]}, "unit": "%"}
    vocabulary["quantities"].append(more)
    means = [*MEANS, [{"quantity": "inodes_used", "test": "> 95 %"}]]
    (finding,) = found(tmp_path / "a", means, vocabulary)
    assert (finding.rule, finding.entry, finding.field) == ("term-of-two", "inodes_used", "say.en.0")
    assert "disk_used" in finding.what
    vocabulary["quantities"][0] |= {"beside": {"en": ["inode"]}}
    assert found(tmp_path / "b", means, vocabulary) == []


def test_an_unused_subject_is_a_hint(tmp_path: Path) -> None:
    """A subject that no predicate names is reported at its line, unless it is the whole of one that is named."""
    (finding,) = found(tmp_path, MEANS[:-1], VOCABULARY)
    assert (finding.severity, finding.rule, finding.entry) == ("hint", "unused-subject", "restart")
    lines = Path(finding.file).read_text(encoding="utf-8").splitlines()
    assert "restart" in lines[finding.line - 1]


def test_a_subject_named_beside_another_is_used(tmp_path: Path) -> None:
    """A subject counts as used where a predicate only asks for it together with another one."""
    together = [{"state": "autovacuum", "with": [{"action": "restart", "outcome": "helped"}]}]
    assert found(tmp_path, [*MEANS[:-1], together], VOCABULARY) == []


def test_a_shipped_phenomenon_says_that_nobody_can_say_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `means` a shipped phenomenon is an error; `means: []` is an answer."""
    monkeypatch.setattr("services.knowledge.library.lint.meanings.FOLDER", tmp_path)
    library = write_library(tmp_path, [phenomenon(), phenomenon("P-0002", "other", means=[])])
    rules = [(item.rule, item.entry) for item in lint([library], DEFAULT_PARAMETERS.expert_rates) if item.rule in RULES]
    assert rules == [("no-predicate", "P-0001")]


@pytest.mark.parametrize("name", names())
def test_the_predicates_of_a_shipped_library_agree_with_it(name: str) -> None:
    """No finding about its vocabulary and predicates, and nearly every phenomenon can be said in a sentence."""
    library = [locate(name)]
    findings = [str(item) for item in lint(library, DEFAULT_PARAMETERS.expert_rates) if item.rule in RULES]
    assert findings == []
    phenomena = shipped_library(name).phenomena.values()
    assert sum(bool(entry.means) for entry in phenomena) >= 0.9 * len(phenomena)


def test_the_shipped_libraries_speak_of_the_same_subjects() -> None:
    """Read together, what several of them name differs in its terms only, and one predicate serves each of them."""
    together = shipped_library(*names())
    apart = [shipped_library(name).vocabulary.subjects for name in names()]
    assert {subject.id for subject in together.vocabulary.subjects} == {item.id for part in apart for item in part}
    assert len(together.vocabulary.subjects) < sum(map(len, apart))
