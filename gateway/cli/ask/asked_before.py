"""A named conversation: the questions asked in it, one a line of JSON in the data folder."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from gateway.cli import output

_MOST = 20


class Conversation:
    """Raises BadUsage for a name that is no plain file name."""

    def __init__(self, data_dir: Path, name: str) -> None:
        if not re.fullmatch(r"[\w.-]{1,100}", name) or name.startswith("."):
            raise output.BadUsage("bad_usage.session_name", name=name)
        self._path = data_dir / "conversations" / f"{name}.jsonl"

    def read(self) -> tuple[str, ...]:
        """The last twenty questions, oldest first."""
        return tuple(str(line["question"]) for line in self._lines()[-_MOST:])

    def asked(self, question: str) -> str:
        """What was asked before a question that only chooses an option; else the question itself."""
        for line in reversed(self._lines()):
            if line.get("status") != "clarify":
                break
            question = str(line["question"])
        return question

    def add(self, question: str, status: str) -> None:
        """Keeps a question with what became of it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"question": question, "status": status}, ensure_ascii=False) + "\n")

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._path.read_text("utf-8").splitlines()] if self._path.exists() else []
