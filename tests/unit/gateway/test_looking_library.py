from __future__ import annotations

from pathlib import Path

import pytest

from gateway.cli.looking_parts import knowledge_of


def families(folder: Path, engine: str) -> set[str]:
    """The thousands of the phenomena of a target's snapshot: each library has its own."""
    return {f"{name[:3]}" for name in knowledge_of(folder, engine=engine).words.phenomena}


def test_a_target_is_judged_by_the_library_of_its_kind(tmp_path: Path) -> None:
    """A host is diagnosed with the host's causes although the default library is PostgreSQL's, which stays current."""
    database = knowledge_of(tmp_path, engine="postgres")
    host = knowledge_of(tmp_path, engine="host")
    assert {name[:3] for name in host.words.phenomena} == {"P-3"}
    assert knowledge_of(tmp_path).snapshot_id == database.snapshot_id != host.snapshot_id
    assert knowledge_of(tmp_path, host.snapshot_id).words.causes.keys() == host.words.causes.keys()


def test_a_configured_library_that_speaks_of_the_host_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who configured the host's library beside others gets what was configured, whole."""
    monkeypatch.setenv("DBDIAG_KNOWLEDGE_LIBRARIES", "postgresql:host")
    assert families(tmp_path, "host") == families(tmp_path, "postgres") >= {"P-0", "P-3"}
