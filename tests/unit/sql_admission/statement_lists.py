"""The lists of statements beside this module: attacks, and what people really ask a database."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

_ENGINES = {"p": "postgres", "d": "duckdb"}


class Listed(NamedTuple):
    engine: str
    sql: str


def listed(name: str) -> list[Listed]:
    """A list's statements; ⏎ in it stands for a line break, \\u and four digits for a character."""
    text = (Path(__file__).parent / "statements" / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return [Listed(_ENGINES[line[0]], _written(line[2:])) for line in lines]


def _written(line: str) -> str:
    spelled = re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), line)
    return spelled.replace("⏎", "\n")
