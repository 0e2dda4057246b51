"""The example phrases: `examples/<language>/<act>.txt`, one phrase per line, `{}` for a reference to an item."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

from services.planner.understand.classifier.acts import ACTS, TOKEN, Act
from services.planner.understand.text.messages import read

FOLDER = Path(__file__).parent / "examples"


@cache
def load_examples() -> tuple[tuple[str, Act], ...]:
    """All example phrases, normalised, with their acts; ordered by language, act and line."""
    found: list[tuple[str, Act]] = []
    for language in ("en", "zh"):
        for act in ACTS:
            lines = (FOLDER / language / f"{act.value}.txt").read_text(encoding="utf-8").splitlines()
            found += [(read(line).normal.strip(), act) for line in lines if line.strip()]
    return tuple(found)


def count_words(phrases: tuple[tuple[str, Act], ...]) -> dict[str, int]:
    """Document frequency of each word over the phrases, sorted by word."""
    counts = Counter(word for phrase, _ in phrases for word in set(TOKEN.findall(phrase)) if word[0].isalpha())
    return dict(sorted(counts.items()))
