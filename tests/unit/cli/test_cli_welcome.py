"""The welcome of `dbdiag up`: what it says of language models."""

from __future__ import annotations

from pathlib import Path

import pytest

from gateway.cli.welcome import for_a_person
from gateway.settings import GatewaySettings


def _model_line(folder: Path) -> str:
    lines = for_a_person(GatewaySettings(data_dir=folder), "http://127.0.0.1:8080", 1.0).splitlines()
    return next(line.split(None, 1)[1] for line in lines if line.split()[:1] in (["model"], ["模型"]))


@pytest.mark.parametrize(
    ("locale", "none", "named"), [("en_US", "none (rules)", "a, b at h"), ("zh_CN", "无", "a, b，在 h")]
)
def test_the_welcome_tells_whether_a_model_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str, none: str, named: str
) -> None:
    """None and rules without one; the names and the host with one, and never what else the address holds."""
    monkeypatch.setenv("LC_ALL", locale)
    assert none in _model_line(tmp_path)
    monkeypatch.setenv("DBDIAG_AGENT_MODEL", "a")
    monkeypatch.setenv("DBDIAG_RESPONSE_MODEL", "b")
    assert none in _model_line(tmp_path)
    monkeypatch.setenv("DBDIAG_LLM_BASE_URL", "http://user:secret@h:8000/v1")
    assert _model_line(tmp_path) == named
