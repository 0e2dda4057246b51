from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from gateway.cli import output
from services.knowledge.library.shipped_libraries import POSTGRESQL
from tests.support.running.forked import run

WORLD = {
    "database": "postgresql",
    "phenomena": [
        {
            "id": "P-0001",
            "description": {"zh": "磁盘空间使用率超过 90%", "en": "Disk space more than 90 % full"},
            "observe": {"how": "df", "present_when": {"zh": "超过 90%", "en": "above 90 %"}},
        },
        {
            "id": "P-0002",
            "description": {"zh": "大量会话在等待锁", "en": "Many sessions are waiting for locks"},
            "observe": {"how": "SELECT 1", "present_when": {"zh": "很多", "en": "many"}},
        },
    ],
    "root_causes": [
        {
            "id": "RC-0001",
            "description": {"zh": "磁盘满", "en": "The disk is full"},
            "category": "storage",
            "solution": {"zh": "清理", "en": "Clean up"},
        }
    ],
    "links": [
        {
            "phenomenon_id": phenomenon,
            "root_cause_id": "RC-0001",
            "strength": "usually",
            "reason": {"zh": "因为", "en": "because"},
        }
        for phenomenon in ("P-0001", "P-0002")
    ],
    "tickets": [],
}


def _case(message: str, name: str = "A-1") -> str:
    pending = [{"ordinal": at, "phenomenon_id": f"P-000{at}", "description": ""} for at in (1, 2)]
    context = {"pending": pending, "confirmed": [], "denied": [], "last_clarification": None, "history": []}
    return json.dumps({"id": name, "lang": "en", "context": context, "message": message}, ensure_ascii=False)


def _understand(*arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    return run("gateway.cli", "understand", *arguments, folder=Path.cwd(), said=said)


def _world(folder: Path) -> str:
    path = folder / "world.json"
    path.write_text(json.dumps(WORLD, ensure_ascii=False), encoding="utf-8")
    return str(path)


def _plans(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    assert done.returncode == output.DONE, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_case_gets_its_plan_in_the_form_of_an_expectation(tmp_path: Path) -> None:
    """One line out for each line in, with its id and every field of a plan; blank lines are passed over."""
    said = "\n".join((_case("1 yes 2 no", "A-1"), "", _case("都没有", "A-2")))
    first, second = _plans(_understand("--json", "--library", _world(tmp_path), said=said))
    assert (first["id"], second["id"]) == ("A-1", "A-2")
    assert (first["plan"]["confirmed"], first["plan"]["denied"]) == (["P-0001"], ["P-0002"])
    assert sorted(second["plan"]["denied"]) == ["P-0001", "P-0002"]
    flags = {"clarify", "smalltalk", "reset"}
    lists = {"confirmed", "denied", "unknown", "observations", "corrections", "suggestions", "questions"}
    assert set(first["plan"]) == flags | lists


@pytest.mark.slow
def test_names_of_a_world_file_are_known(tmp_path: Path) -> None:
    """An item without a description is known by the name that the file has for it, in both languages."""
    said = "\n".join(_case(message) for message in ("锁那条没有", "no on the locks"))
    for found in _plans(_understand("--json", "--library", _world(tmp_path), said=said)):
        assert found["plan"]["denied"] == ["P-0002"]


@pytest.mark.slow
def test_an_id_that_the_library_lacks_is_asked_back(tmp_path: Path) -> None:
    """Unknown ids and ordinals confirm nothing and ask back."""
    said = "\n".join(_case(message) for message in ("P-4711 yes", "7 yes", "第九个有"))
    for found in _plans(_understand("--json", "--library", _world(tmp_path), said=said)):
        assert found["plan"]["clarify"]
        assert found["plan"]["confirmed"] == []


@pytest.mark.slow
def test_a_library_folder_serves_as_well() -> None:
    """A folder with a library in it names phenomena too, and a case without a context is read."""
    (found,) = _plans(_understand("--json", "--library", str(POSTGRESQL), said='{"message": "thanks"}\n'))
    assert found["id"] is None
    assert found["plan"]["smalltalk"]


def test_without_json_a_line_is_for_people(tmp_path: Path) -> None:
    """The other form says what was understood and of which message."""
    done = _understand("--library", _world(tmp_path), said=_case("1 yes"))
    assert done.returncode == output.DONE
    assert "P-0001" in done.stdout
    assert done.stdout.rstrip().endswith("1 yes")


def test_a_line_that_is_no_case_is_named(tmp_path: Path) -> None:
    """Bad JSON, no message, a context of another shape: the line's number is told, and the code is 2."""
    good = _case("1 yes")
    for bad in ('{"id": 1', '{"id": "A-2"}', '{"message": "hi", "context": {"pending": [{"ordinal": "x"}]}}', "[]"):
        done = _understand("--json", "--library", _world(tmp_path), said=f"{good}\n{bad}\n")
        assert done.returncode == output.BAD_INPUT
        assert "line 2" in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stdout.splitlines()) == 1


def test_a_library_that_is_not_there_is_bad_usage(tmp_path: Path) -> None:
    """A path without a library ends with code 2 before anything is read."""
    done = _understand("--library", str(tmp_path / "nowhere"), said=_case("1 yes"))
    assert done.returncode == output.BAD_INPUT
