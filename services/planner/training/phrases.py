"""The example phrases: `examples/<language>/<label>.txt`, one phrase per line, `{}` for a reference to an item."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from services.planner.understand.acts.labels import LABELS, Label
from services.planner.understand.acts.ngrams import TOKEN
from services.planner.understand.text.messages import read

FOLDER = Path(__file__).parent / "examples"


@cache
def load_phrases() -> tuple[tuple[str, Label], ...]:
    """All example phrases, normalised, with their labels; ordered by language, label and line."""
    found: list[tuple[str, Label]] = []
    for language in ("en", "zh"):
        for label in LABELS:
            path = FOLDER / language / f"{label.value}.txt"
            lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
            found += [(read(line).normal.strip(), label) for line in lines if line.strip()]
    return tuple(found)


def count_words(phrases: tuple[tuple[str, Label], ...]) -> dict[str, int]:
    """Document frequency of each word over the phrases, sorted by word."""
    counts = Counter(word for phrase, _ in phrases for word in set(TOKEN.findall(phrase)) if word[0].isalpha())
    return dict(sorted(counts.items()))
