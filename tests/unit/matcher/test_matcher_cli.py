from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gateway.cli.tools.match import match

WORLD = Path(__file__).parents[4] / "shared/data/utterances_world.json"


def run(arguments: list[str], text: str) -> tuple[int, list[dict[str, object]]]:
    result = CliRunner().invoke(match, arguments, input=text, standalone_mode=False)
    return int(result.return_value), [json.loads(line) for line in result.output.splitlines()]


@pytest.fixture
def library_file(tmp_path: Path, snapshot_bytes: bytes) -> str:
    path = tmp_path / "world.json"
    path.write_bytes(snapshot_bytes)
    return str(path)


def test_each_line_gets_one_object(library_file: str) -> None:
    """Each line of input gives one JSON object with its decision, candidates and language."""
    code, answers = run(
        ["--json", "--library", library_file], "没有锁等待\n\nredis is down\ndata disk 97% used\nlow disk space\n"
    )
    assert code == 0
    assert [answer["decision"] for answer in answers] == ["match", "no_match", "match", "proposed"]
    assert [answer["language"] for answer in answers] == ["zh", "en", "en", "en"]
    assert answers[0]["verdict"] == "denied"


def test_the_exit_code_reports_no_match(library_file: str) -> None:
    """The exit code is 1 if no line matches the library."""
    assert run(["--json", "--library", library_file], "order a pizza\n")[0] == 1


@pytest.mark.slow
def test_an_overlong_line_is_truncated(library_file: str) -> None:
    """A line above the length limit is matched by its beginning, and the next lines are read as usual."""
    _, answers = run(["--json", "--library", library_file], "数据盘用了 97% " * 9000 + "\n没有锁等待\n")
    assert [answer["phenomenon_id"] for answer in answers] == ["P-0001", "P-0002"]


@pytest.mark.skipif(not WORLD.exists(), reason="the shared sample data is not beside the repository")
def test_the_sample_world_finds_its_own_descriptions() -> None:
    """Each description of the sample world is read as its own phenomenon or ranks it first, in both languages."""
    phenomena = json.loads(WORLD.read_text(encoding="utf-8"))["phenomena"]
    texts = [(item["description"][side], item["id"]) for item in phenomena for side in ("zh", "en")]
    _, answers = run(["--json", "--library", str(WORLD)], "\n".join(text for text, _ in texts))
    rows: list[dict[str, Any]] = list(answers)
    found = [{item["phenomenon_id"] for item in (row["readings"] or row["candidates"][:1])} for row in rows]
    missed = [text for (text, name), ids in zip(texts, found, strict=True) if name not in ids]
    assert missed == []
