"""Tables of patterns: YAML with parts, patterns by name, and rules of a pattern and what stands in its place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from services.knowledge.library.yaml_text import read_yaml

Rules = tuple[tuple[re.Pattern[str], str], ...]
_PART = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True)
class Patterns:
    """The patterns of a table, which ignore case, and its rules in their order, both by name."""

    patterns: Mapping[str, re.Pattern[str]]
    rules: Mapping[str, Rules]


def read_patterns(path: Path) -> Patterns:
    """The table in a file. Lines of a pattern are one, alternatives are a list, {{name}} stands for a part."""
    table = read_yaml(path.read_text(encoding="utf-8"))
    parts: dict[str, str] = {}

    def filled(text: str | Sequence[str]) -> str:
        whole = text.replace("\n", "") if isinstance(text, str) else "|".join(text)
        return _PART.sub(lambda found: parts[found[1]], whole)

    def compiled(text: str | Sequence[str]) -> re.Pattern[str]:
        return re.compile(filled(text), re.IGNORECASE)

    for name, text in table.get("parts", {}).items():
        parts[name] = filled(text)
    rules = {
        name: tuple((compiled(text), instead) for text, instead in pairs)
        for name, pairs in table.get("rules", {}).items()
    }
    return Patterns({name: compiled(text) for name, text in table.get("patterns", {}).items()}, rules)
