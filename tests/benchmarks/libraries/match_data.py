"""Libraries for the matcher's benchmarks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lang.concepts.text import has_han
from services.matcher.index.entries import Library
from services.matcher.training.texts import load_shipped_library

HERE = Path(__file__).parent


def only(language: str) -> Library:
    """The curated library with the texts of one language left."""
    return spoken(load_shipped_library(), language)


def spoken(whole: Library, language: str) -> Library:
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
