"""Whole sessions on a machine full of secrets: none of them is in any byte that is written, said or shown."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg
import pytest
from psycopg.sql import SQL, Identifier, Literal

from gateway.cli.main import main
from tests.support.running.processes import Running, embedded
from tests.support.servers.postgres import postgres
from tests.support.texts.planted_secrets import PLANTED, Planted

READER_PASSWORD = "Zx7Reader9QwPassword"
# What a name of PostgreSQL may hold.
_LONGEST_NAME = 63
_SESSIONS = 8


def _plant(connection: psycopg.Connection[Any]) -> None:
    """Names, settings, prepared transactions and statement statistics with secrets in them."""
    connection.execute("CREATE EXTENSION pg_stat_statements")
    for number, one in enumerate(PLANTED):
        name = Identifier(one.text[:_LONGEST_NAME])
        connection.execute(SQL("CREATE TABLE {} (id serial PRIMARY KEY)").format(name))
        connection.execute(SQL("CREATE ROLE {}").format(name))
        connection.execute(SQL("SELECT {} AS {}, {}").format(Literal(one.text), name, Literal(number)))
        connection.execute(SQL("COMMENT ON TABLE {} IS {}").format(name, Literal(one.text)))
    connection.execute("CREATE TABLE account (id int PRIMARY KEY, n int)")
    connection.execute("INSERT INTO account SELECT i, 0 FROM generate_series(1, 9) i")
    connection.execute("ALTER SYSTEM SET primary_conninfo = 'host=db9 user=rep password=Zx7Rep9Qw'")
    connection.execute("ALTER SYSTEM SET archive_command = 'AWS_SECRET_ACCESS_KEY=Zx7Arch9Qw/AbCdEfGh wal-g push %p'")
    connection.execute("ALTER SYSTEM SET cluster_name = 'postgresql://app:Zx7Cluster9Qw@db1/x'")
    connection.execute("SELECT pg_reload_conf()")
    connection.execute(f"CREATE ROLE looker LOGIN PASSWORD '{READER_PASSWORD}' IN ROLE pg_monitor")
    connection.execute("BEGIN")
    connection.execute("UPDATE account SET n = 1 WHERE id = 1")
    connection.execute("PREPARE TRANSACTION 'token=Zx7Gid9Qw'")


OTHERS = tuple(Planted("planted", "", secret) for secret in ("Zx7Rep9Qw", "Zx7Arch9Qw", "Zx7Cluster9Qw", "Zx7Gid9Qw"))


def _waits(dsn: str, texts: list[Planted], name: str) -> None:
    """A session that waits for the prepared transaction, with secrets in its name and its statement."""
    values = SQL(", ").join(Literal(one.text) for one in texts)
    comments = SQL(
        "/* " + " ; ".join(one.text.replace("*/", "") for one in texts).replace("{", "{{").replace("}", "}}") + " */"
    )
    with contextlib.suppress(psycopg.Error), psycopg.connect(dsn, autocommit=True, application_name=name) as connection:
        connection.execute(SQL("UPDATE account SET n = length(concat({})) {} WHERE id = 1").format(values, comments))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A database with a forgotten prepared transaction, whose every text is full of secrets."""
    with postgres() as dsn:
        with psycopg.connect(dsn, autocommit=True) as connection:
            _plant(connection)
        share = [PLANTED[start::_SESSIONS] for start in range(_SESSIONS)]
        waiters = [
            threading.Thread(target=_waits, args=(dsn, list(each), each[0].text[:_LONGEST_NAME]), daemon=True)
            for each in share
        ]
        for waiter in waiters:
            waiter.start()
        yield dsn
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute("ROLLBACK PREPARED 'token=Zx7Gid9Qw'")
        for waiter in waiters:
            waiter.join(10)


@pytest.fixture(scope="module")
def command_line() -> Iterator[None]:
    """A process of this machine with secrets among its arguments."""
    arguments = [sys.executable, "-c", "import sys; sys.stdin.read()", *(one.text for one in PLANTED)]
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE)
    yield
    process.communicate(b"")


class Place(NamedTuple):
    """Everything of one dbdiag: its processes' folder, its data folder, its doors."""

    folder: Path
    data: Path
    running: Running


@pytest.fixture(scope="module")
def place(server: str, command_line: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A dbdiag at level debug that may look at the database and at this machine."""
    folder = tmp_path_factory.mktemp("secrets")
    data = folder / "data"
    data.mkdir()
    conninfo = server.replace("user=postgres", "user=looker")
    entry = f"id: orders, kind: postgres, conninfo: '{conninfo}', password_env: ORDERS_PASSWORD, host_here: true"
    text = f"targets:\n  - {{{entry}}}\n"
    (data / "targets.yaml").write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("ORDERS_PASSWORD", READER_PASSWORD)
        with embedded(folder, log_level="debug", knowledge_holdout_share="0") as running:
            yield Place(folder, data, running)


def _left(texts: dict[str, str]) -> dict[str, set[str]]:
    """Which secrets stand where, however JSON writes them."""
    secrets = {one.secret for one in (*PLANTED, *OTHERS)} | {READER_PASSWORD}
    found = {
        where: {secret for secret in secrets if secret in text or json.dumps(secret)[1:-1] in text}
        for where, text in texts.items()
    }
    return {where: kinds for where, kinds in found.items() if kinds}


def _files(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes().decode("utf-8", "replace") for path in files}


def _talk(url: str) -> dict[str, str]:
    """A conversation with secrets in every message, a look, a closed case; every answer and page that there is."""
    said: dict[str, str] = {}
    with httpx.Client(base_url=url, timeout=120) as client:

        def keep(name: str, answer: httpx.Response) -> Any:
            said[f"{len(said)} {name}"] = answer.text + str(answer.headers)
            return answer.json() if "json" in answer.headers.get("content-type", "") else None

        session = None
        for start in range(0, len(PLANTED), 21):
            told = "；".join(one.text for one in PLANTED[start : start + 21])
            body = {"message": f"很多会话在等锁，应用报错：{told}，帮我看看", "session_id": session}
            session = keep("chat", client.post("/chat", json=body))["session_id"]
        keep("look", client.post("/chat", json={"message": "你自己看看", "session_id": session}))
        keep("stream", client.post("/chat/stream", json={"message": f"还有 {PLANTED[0].text}", "session_id": session}))
        texts = [one.text for one in PLANTED]
        for language in ("zh", "en"):
            wrong = {"message": "；".join(texts), "session_id": "none", "language": language}
            keep("wrong", client.post("/chat", json=wrong))
        keep(
            "unreadable",
            client.post("/chat", content="\n".join(texts).encode(), headers={"content-type": "application/json"}),
        )
        keep("unfit", client.post("/chat", json={"message": texts, "target": texts[0], "language": texts[1]}))
        words = "\n".join(one.text for one in PLANTED)
        verdict = {"root_cause": f"忘了提交的两阶段事务 {words[:1500]}", "solution": words[-1500:]}
        closed = keep("close", client.post(f"/sessions/{session}/close", json=verdict))
        decision = {"reviewer": PLANTED[0].text, "reason": words[:1500]}
        identity = closed["proposal"]["proposal_id"]
        keep("reject", client.post(f"/knowledge/proposals/{identity}/reject", json=decision))
        for path in (f"/sessions/{session}", f"/sessions/{session}/trace", f"/knowledge/proposals/{identity}"):
            keep(path, client.get(path))
        for path in ("/", "/metrics", "/readyz", "/knowledge/proposals", "/knowledge/root-causes"):
            keep(path, client.get(path))
    return said


def _verbs(place: Place, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """What the verbs say that look by themselves."""
    said: dict[str, str] = {}
    data = ["--data-dir", str(place.data)]
    question = "报表突然变慢 " + " ".join(one.text for one in PLANTED)
    sessions = place.data / "report"
    before = set(sessions.iterdir())
    calls = [
        ["diagnose", "--target", "orders", "--question", question, *data],
        ["collect", "--target", "orders", *data],
    ]
    for call in calls:
        main(call)
    for folder in sorted(set(sessions.iterdir()) - before):
        main(["report", folder.name, *data])
        main(["report", folder.name, "--json", *data])
        main(["audit", "verify", str(folder)])
        trace = folder / "index" / "diagnosis_trace.json"
        if trace.exists():
            main(["replay", str(trace), *data])
    told = capsys.readouterr()
    return said | {"output": told.out, "errors": told.err}


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_no_secret_is_written_or_shown(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """After conversations, looks, closed cases and wrong requests no secret is in any file, log, answer or page."""
    shown = _talk(place.running.url) | _verbs(place, capsys)
    assert _left(shown) == {}
    written = _files(place.folder)
    written.pop("data/targets.yaml")
    assert _left(written) == {}
    looked = [name for name in written if "/redacted/" in name]
    assert len(looked) > 20
    assert any("[password]" in written[name] for name in looked)
    assert len(PLANTED) > 50
