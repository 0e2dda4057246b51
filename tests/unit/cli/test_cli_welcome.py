"""The welcome of `dbdiag up`: what it says of language models."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from gateway.cli.up.up import make_object, render_welcome
from gateway.settings import GatewaySettings


def _told(settings: GatewaySettings, url: str) -> dict[str, str]:
    lines = (line.split(None, 1) for line in render_welcome(settings, url, 1.0).splitlines()[1:-1])
    return {key: value for key, value in lines}


@pytest.mark.parametrize(
    ("locale", "listening", "names", "token"),
    [("en_US", "listening", "names", "token"), ("zh_CN", "监听", "名字", "令牌")],
)
def test_the_welcome_tells_who_may_come_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locale: str, listening: str, names: str, token: str
) -> None:
    """The real address beside the page's, the allowed names, and that a token is needed, but never the token."""
    monkeypatch.setenv("LC_ALL", locale)
    alone = _told(GatewaySettings(data_dir=tmp_path), "http://127.0.0.1:8080")
    assert not {listening, names, token} & alone.keys()
    secret = SecretStr("only-for-this-test-0001")
    shared = GatewaySettings(data_dir=tmp_path, host="0.0.0.0", allowed_hosts=("db.example",), token=secret)
    told = _told(shared, "http://0.0.0.0:8080")
    assert (told[listening], told[names]) == ("0.0.0.0:8080", "db.example")
    assert "DBDIAG_TOKEN" in told[token]
    assert "only-for" not in f"{told} {shared!r} {make_object(shared, 'http://0.0.0.0:8080', 1.0)}"


def _model_line(folder: Path) -> str:
    lines = render_welcome(GatewaySettings(data_dir=folder), "http://127.0.0.1:8080", 1.0).splitlines()
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
