"""Which words of the field go together: what a library without aliases cannot know of itself.

Glossary: a topic is one phenomenon of the curated library, rich in aliases; topics.json says how strongly each key
stands for each topic. Two texts that share no word are alike when their words stand for the same topics. Any library
is read with it, and each text costs one row of numbers a key.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lang.concepts.glossary import Glossary
from lang.concepts.reading import read
from lang.embedding import Vectors

FILE = Path(__file__).with_name("topics.json")
_SATURATION = 1.2
_DECIMALS = 2
# What lies below this share of a text's strongest topic is chance.
_FLOOR = 0.25


@dataclass(frozen=True)
class Topics:
    """The key of number k stands in the topics `places[ends[k]:ends[k + 1]]` of `size`, with float32 `strengths`."""

    size: int
    numbers: Mapping[str, int]
    ends: npt.NDArray[np.int32]
    places: npt.NDArray[np.uint16]
    strengths: Vectors

    @property
    def default_rarity(self) -> float:
        """The rarity of a key that stands in no topic."""
        return math.log(1 + self.size)

    def documents(self, key: str) -> int:
        """In how many topics a key stands."""
        return len(self.row(key)[0])

    def row(self, key: str) -> tuple[npt.NDArray[np.uint16], Vectors]:
        """The topics that a key stands in, and how strongly."""
        number = self.numbers.get(key)
        own = slice(0) if number is None else slice(self.ends[number], self.ends[number + 1])
        return self.places[own], self.strengths[own]

    def of(self, weights: Mapping[str, float]) -> Vectors:
        """float32 (topics,), length 1: what weighted keys stand for; zeros when nothing is known of them."""
        found: Vectors = np.zeros(self.size, dtype=np.float32)
        for key, weight in weights.items():
            places, strengths = self.row(key)
            found[places] += np.float32(weight) * strengths
        strongest = found.max(initial=0.0)
        if not strongest > 0:
            return found
        found = np.maximum(found / strongest - np.float32(_FLOOR), 0.0)
        return found / np.linalg.norm(found)


def learn(documents: Sequence[Iterable[str]], glossary: Glossary) -> dict[str, dict[int, float]]:
    """Key to topic to strength; a document holds the texts of one topic."""
    counts = [_counted(texts, glossary) for texts in documents]
    within = Counter(key for counted in counts for key in counted)
    strengths: dict[str, dict[int, float]] = {}
    for topic, counted in enumerate(counts):
        for key, count in counted.items():
            rarity = math.log(1 + (len(counts) - within[key] + 0.5) / (within[key] + 0.5))
            strength = round(count / (count + _SATURATION) * rarity, _DECIMALS)
            if strength > 0:
                strengths.setdefault(key, {})[topic] = strength
    return strengths


def _counted(texts: Iterable[str], glossary: Glossary) -> dict[str, float]:
    counts: dict[str, float] = {}
    for text in texts:
        for key, weight in read(text, glossary).weights().items():
            counts[key] = counts.get(key, 0.0) + weight
    return counts


def assemble(size: int, strengths: Mapping[str, Mapping[int, float]]) -> Topics:
    """Topics from what `learn` found."""
    return Topics(
        size=size,
        numbers={key: number for number, key in enumerate(strengths)},
        ends=np.cumsum([0, *map(len, strengths.values())], dtype=np.int32),
        places=np.fromiter((topic for found in strengths.values() for topic in found), np.uint16),
        strengths=np.fromiter((strong for found in strengths.values() for strong in found.values()), np.float32),
    )


@cache
def load(path: Path = FILE) -> Topics:
    """The topics of a file; read once."""
    content = json.loads(path.read_text(encoding="utf-8"))
    strengths = {key: {int(topic): value for topic, value in found.items()} for key, found in content["keys"].items()}
    return assemble(int(content["size"]), strengths)


def save(size: int, strengths: Mapping[str, Mapping[int, float]], path: Path = FILE) -> None:
    """Writes a file that `load` reads, one key a line."""
    lines = (
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(dict(sorted(found.items())))}"
        for key, found in sorted(strengths.items())
    )
    body = ",\n".join(lines)
    path.write_text(f'{{"size": {size}, "keys": {{\n{body}\n}}}}\n', encoding="utf-8")
