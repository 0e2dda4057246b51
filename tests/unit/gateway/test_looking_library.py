from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.investigations import knowledge_of

pytestmark = pytest.mark.sampled


def families(folder: Path, *engines: str) -> set[str]:
    """The thousands of the phenomena of a target's snapshot: each library has its own."""
    return {f"{name[:3]}" for name in knowledge_of(folder, engines=engines).words.phenomena}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which each set of libraries is compiled once."""
    return tmp_path_factory.mktemp("data")


def test_a_target_is_judged_by_the_library_of_its_kind(tmp_path: Path) -> None:
    """A host is diagnosed with the host's causes although the default library is PostgreSQL's, which stays current."""
    database = knowledge_of(tmp_path, engines=["postgres"])
    host = knowledge_of(tmp_path, engines=["host"])
    assert {name[:3] for name in host.words.phenomena} == {"P-3"}
    assert knowledge_of(tmp_path).snapshot_id == database.snapshot_id != host.snapshot_id
    assert knowledge_of(tmp_path, host.snapshot_id).words.causes.keys() == host.words.causes.keys()


@pytest.mark.slow
def test_a_configured_library_that_speaks_of_the_host_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who configured the host's library beside others gets what was configured, whole."""
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_LIBRARIES", "postgresql:host")
    assert families(tmp_path, "host") == families(tmp_path, "postgres") >= {"P-0", "P-3"}


@pytest.mark.parametrize(
    ("engines", "wanted"),
    [
        (("mysql", "host"), {"P-2", "P-3"}),
        (("postgres", "host", "java"), {"P-0", "P-3"}),
        (("node_exporter", "postgres_exporter"), {"P-0", "P-3"}),
        (("mysql",), {"P-2"}),
        (("host", "java"), {"P-3"}),
    ],
)
def test_a_target_is_judged_by_all_that_looks_at_it(folder: Path, engines: tuple[str, ...], wanted: set[str]) -> None:
    """Each kind of check brings the library that speaks of what it sees, once; what is current stays."""
    current = knowledge_of(folder).snapshot_id
    joined = knowledge_of(folder, engines=engines)
    assert {name[:3] for name in joined.words.phenomena} == wanted
    assert knowledge_of(folder, engines=engines).snapshot_id == joined.snapshot_id
    assert knowledge_of(folder, joined.snapshot_id).content == joined.content
    assert knowledge_of(folder).snapshot_id == current
