"""Texts and library of the matcher's measurements."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import yaml

from services.matcher import library
from services.matcher.text import has_han

HERE = Path(__file__).parent
LIBRARY = HERE.parents[1] / "services/knowledge/library/postgresql"


@dataclass(frozen=True)
class Paraphrase:
    """A line of paraphrases.jsonl; `right` is empty for a text from outside the library."""

    text: str
    lang: str
    right: tuple[str, ...]
    verdict: str
    split: str


def paraphrases() -> list[Paraphrase]:
    """All lines, in file order."""
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


def outside() -> list[str]:
    """Further texts that are in no library, for calibration only."""
    return (HERE / "outside.txt").read_text(encoding="utf-8").splitlines()


@cache
def current_library() -> library.Library:
    """The curated library as it stands in the project, compiled in the plainest way."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    parts = {
        name: [yaml.load(path.read_bytes(), Loader=loader) for path in sorted((LIBRARY / name).glob("*.yaml"))]
        for name in ("phenomena", "root_causes")
    }
    return library.read_world(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode())


def only(language: str) -> library.Library:
    """The curated library with the texts of one language left."""
    return spoken(current_library(), language)


def spoken(whole: library.Library, language: str) -> library.Library:
    """A library with the texts of one language left."""
    entries = tuple(
        replace(
            entry,
            statements=tuple(text for text in entry.statements if has_han(text) == (language == "zh")),
            aliases=tuple(text for text in entry.aliases if has_han(text) == (language == "zh")),
            present_when=tuple(text for text in entry.present_when if has_han(text) == (language == "zh")),
        )
        for entry in whole.phenomena
    )
    return replace(whole, snapshot_id=f"{whole.snapshot_id}-{language}", phenomena=entries)
