"""What goes wrong is told in the language that was asked for, by every verb that looks."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from gateway.cli import output
from gateway.cli.diagnose.report_text import render_report as report_told
from gateway.cli.language import LanguageCode
from gateway.cli.main import main
from gateway.investigation.model import Stop
from gateway.investigation.reasons import render_reason
from services.chassis.messages import Message, table, to_plain
from tests.contract.test_message_keys import error_names
from tests.support.house import tree

pytestmark = pytest.mark.sampled

ROOT = Path(__file__).parents[4]
NOWHERE = "host=127.0.0.1 port=1 dbname=x"
_VALUE = re.compile(r"\{(\w+)\}")
_FIELD = re.compile(r"\{\w+(?:!r)?\}")
# Three words in a row are a sentence; names, paths and options are none.
_ENGLISH = re.compile(r"(?<![-\w/.`'\"])[A-Za-z]+(?: [A-Za-z]+){2,}")
_HAN = re.compile(r"[一-鿿]")
_QUOTED = re.compile(r"`[^`]*`|'[^']*'|\"[^\"]*\"")


TEMPLATES: dict[str, str] = yaml.load(
    Path(output.__file__).with_name("parser_language.yaml").read_bytes(), yaml.CSafeLoader
)


def test_each_template_of_the_parser_is_one_that_click_has() -> None:
    """Each translated template stands in click or names a type there or here: an upgrade leaves none behind."""
    code = "".join(path.read_text("utf-8") for path in Path(click.__file__).parent.glob("*.py")).lower()
    code += (ROOT / "gateway/cli/options.py").read_text("utf-8")
    assert [template for template in TEMPLATES if template.lower() not in code] == []


def test_no_value_is_lost() -> None:
    """The Chinese of a template has no values but the template's, and lacks only the kind of a path."""
    values = {english: (set(_FIELD.findall(english)), set(_FIELD.findall(TEMPLATES[english]))) for english in TEMPLATES}
    assert [english for english, (one, other) in values.items() if not one - {"{name}"} <= other <= one] == []


def test_the_parser_speaks_either_language_in_turn(capsys: pytest.CaptureFixture[str]) -> None:
    """The language of one run of the parser is not that of the next, and programs are always answered in English."""
    for options, expected in (
        (["--lang", "zh"], "没有选项 '--colour'。"),
        (["--lang", "en"], "No such option '--colour'."),
        (["--json", "--lang", "zh"], "No such option '--colour'."),
    ):
        assert main(["audit", "verify", "x", "--colour", *options]) == 2
        assert expected in capsys.readouterr().err


_VERBS = ("tools/audit", "tools/check_sql", "up/demo", "diagnose/*", "faults/*", "tools/replay")


def _sample(node: ast.expr, named: dict[str, str]) -> str:
    """A message with values in it; empty for anything but a text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.JoinedStr):
        return "".join(_sample(part, {}) if isinstance(part, ast.Constant) else "x1" for part in node.values)
    return named.get(node.id, "") if isinstance(node, ast.Name) else ""


def _raised(path: Path) -> Iterator[str]:
    """The messages of the errors that a file makes."""
    errors = error_names() | {"ValueError"}
    for function in ast.walk(tree(path)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        nodes = list(ast.walk(function))
        assigned = [node for node in nodes if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)]
        named = {
            node.targets[0].id: _sample(node.value, {}) for node in assigned if isinstance(node.targets[0], ast.Name)
        }
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute) and node.args:
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                if name in errors:
                    yield _sample(node.args[0], named)


def _has_chinese(message: str) -> bool:
    """True if its Chinese has Chinese words, or no words but values."""
    words = _VALUE.sub("", table()[message]["zh"]) if message in table() else message
    return bool(_HAN.search(words)) or not re.search(r"[a-z]{3}", words.replace("x1", ""))


@pytest.mark.slow
def test_every_failure_of_these_verbs_has_chinese() -> None:
    """Each message that the parts of these verbs can fail with has Chinese."""
    files = [
        path
        for part in ("services/collector", "sql_admission", "faultlab", "gateway/investigation")
        for path in (ROOT / part).rglob("*.py")
    ]
    files += [path for name in _VERBS for path in (ROOT / "gateway/cli").glob(f"{name}.py")]
    files += [ROOT / "services/knowledge" / name for name in ("snapshots/store.py", "snapshots/compile.py")]
    said = {message for path in files for message in _raised(path)}
    assert len(said) > 200
    assert {message for message in said if not _has_chinese(message)} == set()


def test_a_reason_is_rendered_from_its_key_and_details() -> None:
    """A reason with key and details has Chinese; one of an older document, or of a newer build, shows its words."""
    reason = "missing_privilege: permission denied for view x"
    message = {"key": "missing_privilege.server", "details": {"words": "permission denied for view x"}}
    assert render_reason(reason, message, "en") == "missing privilege: permission denied for view x"
    assert render_reason(reason, message, "zh") == "权限不够：permission denied for view x"
    assert render_reason(reason, None, "zh") == "missing privilege: permission denied for view x"
    assert render_reason(reason, {"key": "unheard_of", "details": {"words": "y"}}, "zh") == "unheard_of words=y"
    malformed: list[dict[str, Any]] = [{"key": 3}, {"details": {}}, {"key": "timed_out.source", "details": {}}]
    for damaged in malformed:
        assert render_reason(reason, damaged, "zh") == "permission denied for view x"


def _broken(folder: Path) -> None:
    """Files that are torn, foreign, newer, binary or empty, and a folder that is none."""
    texts = {
        "empty.yaml": b"",
        "torn.yaml": b"targets: [",
        "kind.yaml": b"targets: [{id: a, kind: oracle}]",
        "field.yaml": b"targets: [{id: a, kind: host, colour: red}]",
        "secret.yaml": b"targets: [{id: a, kind: postgres, conninfo: 'host=x password=planted'}]",
        "away.yaml": b"targets: [{id: a, kind: postgres, conninfo: 'host=x', password_env: NOT_THERE}]",
        "binary.yaml": b"\xff\xfe\x00",
        "torn.json": b'{"format": "dbdiag.trace.v1", "eve',
        "newer.json": b'{"format": "dbdiag.trace.v9", "events": []}',
        "binary.json": b"\xff\xfe\x00",
        "file": b"",
    }
    reports = {
        "torn": b'{"format": "dbdiag.report.v1", "verd',
        "newer": b'{"format": "dbdiag.report.v9"}',
        "list": b"[1]",
        "partly": b'{"format": "dbdiag.report.v1", "verdict": "found"}',
        "binary": b"\xff\xfe",
    }
    packs = {"pack-torn": b"{", "pack-newer": b'{"format": "dbdiag.evidence_pack.v9"}', "pack-odd": b'{"format": 1}'}
    packs["pack-partly"] = b'{"format": "dbdiag.evidence_pack.v1", "case": 3, "looks": []}'
    for name, content in texts.items():
        (folder / name).write_bytes(content)
    for part, stored in (("diagnosis_report", reports), ("evidence_pack", packs)):
        for name, content in stored.items():
            (folder / "report" / name / "index").mkdir(parents=True)
            (folder / "report" / name / "index" / f"{part}.json").write_bytes(content)
    for name, journal in (("begun", "diagnosis_trace"), ("gathering", "collection")):
        (folder / "report" / name / "index").mkdir(parents=True)
        (folder / "report" / name / "index" / f"{journal}.jsonl").touch()
    (folder / "report" / "torn" / "audit.jsonl").write_bytes(b"\xff\n")


def _targets(name: str) -> list[str]:
    return ["diagnose", "--target", "a", "--targets", f"{{folder}}/{name}.yaml"]


CASES: dict[str, tuple[int, list[str]]] = {
    "nowhere": (3, ["diagnose", "--dsn", NOWHERE]),
    "nowhere to collect from": (3, ["collect", "--dsn", NOWHERE]),
    "password": (2, ["diagnose", "--dsn", "host=db1 password=planted"]),
    "no conninfo": (2, ["diagnose", "--dsn", "nonsense"]),
    "nothing named": (2, ["diagnose"]),
    "unknown target": (2, ["diagnose", "--target", "nope"]),
    **{
        f"targets {name}": (2, _targets(name))
        for name in ("empty", "torn", "kind", "field", "secret", "away", "binary")
    },
    "no targets file": (2, _targets("missing")),
    "too many rounds": (2, ["diagnose", "--max-rounds", "99"]),
    "no such option": (2, ["diagnose", "--colour"]),
    "no session to resume": (2, ["diagnose", "--dsn", NOWHERE, "--resume", "nosuch"]),
    "no collection to resume": (2, ["collect", "--dsn", NOWHERE, "--resume", "nosuch"]),
    **{
        f"report {name}": (2, ["report", name])
        for name in ("torn", "newer", "list", "partly", "binary", "nosuch", "../x", "", "begun", "gathering")
    },
    **{f"pack {name}": (2, ["report", f"pack-{name}"]) for name in ("torn", "newer", "odd", "partly")},
    **{f"trace {name}": (2, ["replay", f"{{folder}}/{name}.json"]) for name in ("torn", "newer", "binary")},
    "no session to replay": (2, ["replay", "nosuch"]),
    "no audit log": (2, ["audit", "verify", "{folder}"]),
    "torn audit log": (1, ["audit", "verify", "{folder}/report/torn"]),
    "audit of a file": (2, ["audit", "verify", "{folder}/file"]),
    "a statement that writes": (1, ["check-sql", "DELETE FROM t"]),
    "a function": (1, ["check-sql", "SELECT pg_sleep(1)"]),
    "no statement": (2, ["check-sql"]),
    "no such fault": (2, ["faults", "inject", "nope"]),
    "no fault to clear": (2, ["faults", "clear"]),
}
_WITHOUT_FOLDER = ("audit", "check-sql")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("broken")
    _broken(made)
    return made


@pytest.fixture
def said(folder: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[list[str], str], tuple[int, str]]:
    """What a verb says, whether it failed or not, and its exit code."""

    def run(asked: list[str], language: str) -> tuple[int, str]:
        given = [part.replace("{folder}", str(folder)) for part in asked]
        more = [] if given[0] in _WITHOUT_FOLDER else ["--data-dir", str(folder)]
        code = main([*given, *more, "--lang", language])
        captured = capsys.readouterr()
        return code, (captured.out + captured.err).replace(str(folder), "FOLDER")

    return run


@pytest.mark.parametrize("name", CASES)
def test_what_goes_wrong_is_told_in_either_language(
    name: str, said: Callable[[list[str], str], tuple[int, str]]
) -> None:
    """The exit code is the case's, nothing is a traceback or shows a secret, and each language is told in itself."""
    code, asked = CASES[name]
    chinese, english = said(asked, "zh"), said(asked, "en")
    assert (chinese[0], english[0]) == (code, code)
    for words in (chinese[1], english[1]):
        assert words.strip()
        assert "planted" not in words
        assert len(words) < 1000
    assert _HAN.search(chinese[1])
    assert _ENGLISH.findall(_QUOTED.sub("", chinese[1])) == []
    assert _HAN.search(english[1]) is None


@pytest.mark.parametrize(("name", "verb"), [("begun", "diagnose"), ("gathering", "collect")])
def test_a_session_that_was_cut_is_told_how_to_go_on(
    name: str, verb: str, said: Callable[[list[str], str], tuple[int, str]]
) -> None:
    """Its report is not there yet; the command that finishes it is told."""
    for language in ("zh", "en"):
        assert f"`dbdiag {verb} --resume {name}`" in said(["report", name], language)[1]


def test_a_reason_that_all_checks_share_is_told_once(said: Callable[[list[str], str], tuple[int, str]]) -> None:
    """Where nothing could be seen for one reason it stands there once, with what to do."""
    for language, advice in (("zh", "口令"), ("en", "password")):
        lines = said(["diagnose", "--dsn", NOWHERE], language)[1].splitlines()
        assert sum("127.0.0.1" in line for line in lines) == 1
        assert any(advice in line for line in lines)


def test_machines_are_told_the_same_in_any_language(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With --json a failure has its stable reason and its message as ever, whatever language is spoken."""
    told = []
    for language in ("zh", "en"):
        arguments = ["diagnose", "--target", "nope", "--data-dir", str(folder), "--json", "--lang", language]
        assert main(arguments) == 2
        told.append(json.loads(capsys.readouterr().err))
    assert all(one == other for one, other in pairwise(told))
    assert told[0]["reason"] == "target_not_found"


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_report_is_told_whole_in_either_language(language: LanguageCode) -> None:
    """Why it ended and why something was not seen are words, not codes; reasons that checks share stand once, what is
    not made for the target is not told, and healthy is said with what could not be seen."""
    late = Message("timed_out.not_ended", {"seconds": "2"})
    messages = {"a": late, "b": late, "c": Message("role_not_supported.for_standby", {"check": "pg.standby"})}
    body: dict[str, Any] = {
        "verdict": "healthy",
        "root_cause": None,
        "hypotheses": [],
        "evidence_table": [],
        "next_actions": [],
    }
    body |= {"to_be_decided": [], "checks": 3, "rounds": 0, "seconds": 1.0}
    body["not_seen"] = [
        {"check_id": name, "reason": f"{message.reason}: {message.text()}", "message": to_plain(message)}
        for name, message in messages.items()
    ]
    for stop in Stop:
        words = report_told(body | {"stop_reason": stop.value}, "FOLDER", language)
        assert stop.value not in words
        assert (words.count("2 s"), words.count("2 秒")) == ((0, 1) if language == "zh" else (1, 0))
        assert "a, b: " in words
        assert "standby" not in words
        assert ("不能排除" if language == "zh" else "cannot be ruled out") in words
        assert bool(_HAN.search(words)) is (language == "zh")
