"""Log lines: JSON on stderr, from a level up, with the ids that are bound."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from services.chassis import logs

Lines = Callable[[], list[dict[str, Any]]]

_SCRIPT = """
from services.chassis import logs
logs.configure("warning")
logs.logger("room").info("left out")
logs.logger("room").warning("kept", name="连接")
print("answer")
"""


def test_a_line_is_one_json_object_on_stderr() -> None:
    """Stdout is left to the program; below the level nothing is written; text stays readable in any language."""
    run = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True, encoding="utf-8")
    assert run.stdout == "answer\n"
    [line] = run.stderr.splitlines()
    assert "连接" in line
    parsed = json.loads(line)
    assert parsed.pop("timestamp").endswith("Z")
    assert parsed == {"component": "room", "event": "kept", "level": "warning", "name": "连接"}


def test_bound_ids_stand_in_every_line(log_lines: Lines) -> None:
    """What is bound for a call stands in each of its lines, from whichever component they come."""
    logs.bind(request_id="r1")
    logs.bind(session_id="s1")
    logs.logger("one").info("first")
    logs.logger("two").error("second")
    logs.unbind_all()
    logs.logger("one").info("third")
    ids = [(line["component"], line.get("request_id"), line.get("session_id")) for line in log_lines()]
    assert ids == [("one", "r1", "s1"), ("two", "r1", "s1"), ("one", None, None)]
