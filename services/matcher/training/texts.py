"""Labelled texts and the shipped library, for training and benchmarks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from services.matcher.index.entries import Library, read_world

HERE = Path(__file__).parent
LIBRARY = HERE.parents[1] / "knowledge/library/shipped/postgresql"


@dataclass(frozen=True)
class Paraphrase:
    """A line of paraphrases.jsonl; `right` is empty for a text from outside the library."""

    text: str
    lang: str
    right: tuple[str, ...]
    verdict: str
    split: str


def load_paraphrases() -> list[Paraphrase]:
    """All labelled texts, in file order."""
    lines = (HERE / "paraphrases.jsonl").read_text(encoding="utf-8").splitlines()
    return [_paraphrase(json.loads(line)) for line in lines]


def _paraphrase(row: dict[str, object]) -> Paraphrase:
    also = row.get("also")
    right = (str(row["phenomenon_id"]),) if row["phenomenon_id"] else ()
    return Paraphrase(
        text=str(row["text"]),
        lang=str(row["lang"]),
        right=right + tuple(str(other) for other in (also if isinstance(also, list) else [])),
        verdict=str(row["verdict"] or ""),
        split=str(row["split"]),
    )


def load_outside_texts() -> list[str]:
    """Texts about matters outside any library, for calibration only."""
    return (HERE / "outside.txt").read_text(encoding="utf-8").splitlines()


@cache
def load_shipped_library() -> Library:
    """The shipped library, read from its YAML files without the knowledge service."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parts: dict[str, object] = {
        name: [yaml.load(path.read_bytes(), Loader=loader) for path in sorted((LIBRARY / name).glob("*.yaml"))]
        for name in ("phenomena", "root_causes", "views")
    }
    vocabulary: dict[str, list[object]] = {}
    for path in sorted((LIBRARY / "vocabulary").glob("*.yaml")):
        for kind, subjects in yaml.load(path.read_bytes(), Loader=loader).items():
            vocabulary.setdefault(kind, []).extend(subjects)
    return read_world(json.dumps(parts | {"vocabulary": vocabulary}, ensure_ascii=False, sort_keys=True).encode())
