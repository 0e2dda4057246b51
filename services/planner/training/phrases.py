"""The example phrases: `examples/<language>/<label>.txt`, one phrase per line, `{}` for a reference to an item."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from services.planner.reader.labels import LABELS, Label
from services.planner.reader.ngrams import TOKEN
from services.planner.understand.text import read

FOLDER = Path(__file__).parent / "examples"
# What only a message tells, and no phrase alone.
IN_CONTEXT = (Label.INSTEAD, Label.MORE)
PHRASED = tuple(label for label in LABELS if label not in IN_CONTEXT)


@cache
def load_examples() -> tuple[tuple[str, Label], ...]:
    """All example phrases, normalised, with their labels; ordered by language, label and line."""
    found: list[tuple[str, Label]] = []
    for language in ("en", "zh"):
        for label in PHRASED:
            lines = (FOLDER / language / f"{label.value}.txt").read_text(encoding="utf-8").splitlines()
            found += [(read(line).normal.strip(), label) for line in lines if line.strip()]
    return tuple(found)


def words_of_examples() -> frozenset[str]:
    """Every word and Chinese character of the example phrases."""
    return frozenset(word for phrase, _ in load_examples() for word in TOKEN.findall(phrase) if word[0].isalpha())
