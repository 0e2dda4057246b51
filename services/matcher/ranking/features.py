"""The reranker's features of a text and an entry.

Every feature lies in [0, 1]; the cost is linear in the entry's own surfaces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz, process

from lang.concepts.glossary import Glossary
from lang.concepts.reading import Reading, read
from lang.embedding import Embedder, Vectors
from services.matcher.index.search_index import Index, Profile, is_name, saturate

NAMES = (
    "dense",
    "dense_glossed",
    "cosine",
    "covered",
    "surface_covered",
    "overlap",
    "fuzzy",
    "said_often",
    "name",
    "sparse_share",
    "dense_share",
    "topic",
    "topic_share",
)
COLUMN = {name: number for number, name in enumerate(NAMES)}
# Below this shared mass (in units of `Query.scale`) the coverage of a surface is discounted.
_ENOUGH = 0.6
_SHARES = (("sparse_share", "said_often"), ("dense_share", "dense_glossed"), ("topic_share", "topic"))
Table = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Query:
    """A text prepared for comparison: reading, key masses, vectors.

    `unheard` is the share of mass in words unknown to library and topics. `scale`, the largest rarity of the index,
    normalises masses, which grow with the library.
    """

    reading: Reading
    keys: Mapping[str, float]
    mass: float
    scale: float
    unheard: float
    raw: Vectors
    glossed: Vectors
    topics: Vectors

    @property
    def norm(self) -> float:
        """Euclidean norm of the key masses."""
        return math.sqrt(sum(value * value for value in self.keys.values()))


def prepare(text: str, index: Index, glossary: Glossary, embedder: Embedder) -> Query:
    """Reads, weighs and embeds a text against an index."""
    reading = read(text, glossary)
    keys = index.masses(reading.weights())
    vectors = embedder.embed([reading.text, reading.gloss])
    return Query(
        reading=reading,
        keys=keys,
        mass=sum(keys.values()),
        scale=index.default_rarity,
        unheard=_unheard(keys, index),
        raw=vectors[0],
        glossed=vectors[1],
        topics=index.known.of(keys),
    )


def _unheard(keys: Mapping[str, float], index: Index) -> float:
    """The share of a text's mass in words unknown to library and topics, identifiers excluded."""
    strange = sum(mass for key, mass in keys.items() if not (index.knows(key) or is_name(key)))
    return strange / (sum(keys.values()) or 1.0)


def compare(query: Query, profiles: Sequence[Profile], index: Index, without: int | None = None) -> Table:
    """Feature table, float64 (profiles, len(NAMES)). `without` omits one surface (a row of the index) in training."""
    alike = _alike(query.reading.text.lower(), profiles)
    rows = []
    for profile, ratios in zip(profiles, alike, strict=True):
        left_out = -1 if without is None else without - profile.first_row
        near = zip(profile.vectors, (query.raw, query.glossed), strict=True)
        nearest = [_nearest(vectors, one, left_out) for vectors, one in near]
        nearest.append(float(index.topics[profile.number] @ query.topics))
        kept = (ratio for number, ratio in enumerate(ratios) if number != left_out)
        rows.append(_row(query, profile, left_out, nearest, max(kept, default=0.0)))
    table = np.asarray(rows, dtype=np.float64).reshape(len(rows), len(NAMES))
    for share, source in _SHARES:
        best = table[:, COLUMN[source]].max(initial=0.0)
        if best > 0:
            table[:, COLUMN[share]] = table[:, COLUMN[source]] / best
    return np.clip(table, 0.0, 1.0)


def _nearest(vectors: Vectors, one: Vectors, left_out: int) -> float:
    # A few rows at a time stay on one thread; the whole matrix would start BLAS's thread pool.
    rows = vectors @ one
    kept = np.delete(rows, left_out) if 0 <= left_out < len(rows) else rows
    return float(kept.max(initial=0.0))


def _row(query: Query, profile: Profile, left_out: int, nearest: Sequence[float], fuzzy: float) -> list[float]:
    counts = _counts(profile, left_out)
    known = [(key, value) for key, value in query.keys.items() if key in counts]
    said = sum(value * saturate(counts[key]) for key, value in known)
    mass = query.mass or 1.0
    words = _word_fit(query, profile, left_out)
    values = {
        "dense": nearest[0],
        "dense_glossed": nearest[1],
        "topic": nearest[2],
        "cosine": words.cosine,
        "covered": sum(value for _, value in known) / mass,
        "surface_covered": words.surface_covered,
        "overlap": words.overlap,
        "fuzzy": fuzzy,
        "said_often": said / mass,
        "name": words.name,
    }
    return [values.get(name, 0.0) for name in NAMES]


@dataclass(slots=True)
class _WordFit:
    """The maximum over the entry's surfaces."""

    cosine: float = 0.0
    surface_covered: float = 0.0
    overlap: float = 0.0
    name: float = 0.0


def _word_fit(query: Query, profile: Profile, left_out: int) -> _WordFit:
    common: dict[int, float] = {}
    products: dict[int, float] = {}
    for key, value in query.keys.items():
        for number, mass in profile.postings.get(key, ()):
            common[number] = common.get(number, 0.0) + min(value, mass)
            products[number] = products.get(number, 0.0) + value * mass
    best, norm = _WordFit(), query.norm
    for number, shared in common.items():
        if number == left_out:
            continue
        surface = profile.surfaces[number]
        best.cosine = max(best.cosine, products[number] / (norm * surface.length))
        best.surface_covered = max(
            best.surface_covered, shared / surface.mass * min(1.0, shared / (_ENOUGH * query.scale))
        )
        best.overlap = max(best.overlap, 2 * shared / (surface.mass + query.mass))
        if surface.kind == "statement":
            best.name = max(best.name, shared / surface.mass)
    return best


def _counts(profile: Profile, left_out: int) -> Mapping[str, float]:
    if not 0 <= left_out < len(profile.surfaces):
        return profile.counts
    gone = profile.surfaces[left_out].keys
    return {
        key: count - 1 if key in gone else count
        for key, count in profile.counts.items()
        if count > 1 or key not in gone
    }


def _alike(text: str, profiles: Sequence[Profile]) -> list[list[float]]:
    """Fuzzy partial-match ratio of the text with each surface, in [0, 1]; discounted below eight characters."""
    surfaces = [surface.text for profile in profiles for surface in profile.surfaces]
    if not surfaces or not text:
        return [[0.0] * len(profile.surfaces) for profile in profiles]
    ratios = process.cdist([text], surfaces, scorer=fuzz.partial_ratio, score_cutoff=50)[0]
    lengths = np.minimum([len(surface) for surface in surfaces], len(text))
    values = (np.maximum(ratios / 50 - 1, 0.0) * np.minimum(lengths / 8, 1.0)).tolist()
    found, start = [], 0
    for profile in profiles:
        found.append(values[start : start + len(profile.surfaces)])
        start += len(profile.surfaces)
    return found
