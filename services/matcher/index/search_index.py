"""The search index of a snapshot's entries: surfaces, term weights, vectors.

Glossary: a surface is one text of an entry (name, description, alias, presence test); a key is a token's normal form;
the rarity of a key is its inverse document frequency; the mass of a set of keys is the sum of weight times rarity.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from lang.concepts.glossary import Glossary
from lang.embedding import Embedder, Vectors, digest_rules
from services.matcher.index.entries import Entry
from services.matcher.index.readings import Readings, Said, read_entries
from services.matcher.model import LocalizedText
from services.matcher.reading.topics import Topics
from services.matcher.reading.topics import load as load_topics

_SATURATION = 1.2
_UNKNOWN_WORD, _UNKNOWN_NAME = 0.6, 0.15
_KIND_WEIGHT = {"statement": 1.0, "alias": 1.0, "present": 0.5, "terms": 1.0, "identifier": 0.5}


@dataclass(frozen=True, slots=True)
class Surface:
    """One text of an entry with the masses of its keys, their sum and their Euclidean norm."""

    kind: str
    text: str
    keys: Mapping[str, float]
    mass: float
    length: float


@dataclass(frozen=True)
class Profile:
    """An entry's term statistics over all surfaces: `strengths` and `counts` of its keys.

    `first_row` is the row of its first surface in the index, `number` its own row."""

    id: str
    name: LocalizedText
    surfaces: tuple[Surface, ...]
    first_row: int
    number: int
    strengths: Mapping[str, float]
    counts: Mapping[str, float]

    @cached_property
    def postings(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """Key -> (surface number, mass) of the surfaces that have it. Lazy: few entries are ever compared."""
        found: dict[str, list[tuple[int, float]]] = {}
        for number, surface in enumerate(self.surfaces):
            for key, mass in surface.keys.items():
                found.setdefault(key, []).append((number, mass))
        return found


@dataclass(frozen=True)
class Index:
    """All profiles in id order. `raw` and `glossed` have one row per surface, `means` and `topics` one per profile."""

    profiles: tuple[Profile, ...]
    rarity: Mapping[str, float]
    default_rarity: float
    raw: Vectors
    glossed: Vectors
    means: Vectors
    topics: Vectors
    known: Topics
    keys: Mapping[str, int]
    fingerprint: str
    by_id: Mapping[str, Profile] = field(default_factory=dict)

    def masses(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Weight times rarity of each key. User-defined names (`customer_id`) count little."""
        return {key: weight * (self.rarity.get(key) or self._unknown(key)) for key, weight in weights.items()}

    def knows(self, key: str) -> bool:
        """True if the key occurs in the library or in the shipped topics."""
        return key in self.rarity or key in self.known.rows

    def _unknown(self, key: str) -> float:
        documents = self.known.documents(key)
        if documents:
            return _rarity_of(documents, len(self.profiles) + self.known.size)
        return self.default_rarity * (_UNKNOWN_NAME if is_name(key) else _UNKNOWN_WORD)


def is_name(key: str) -> bool:
    """True if a word looks like an identifier: `customer_id`, `nvme0n1`, `40p01`."""
    return "_" in key or any(character.isdigit() for character in key)


class SurfaceVectors(NamedTuple):
    """float32, one row per surface: of its text, and of its gloss."""

    raw: Vectors
    glossed: Vectors


def build(entries: Sequence[Entry], glossary: Glossary, embedder: Embedder, known: Topics | None = None) -> Index:
    """Builds the index: reads and embeds every surface of the entries. `known` defaults to the shipped topics."""
    readings = read_entries(entries, glossary)
    return assemble(entries, readings, embed(readings, embedder), known)


def embed(readings: Readings, embedder: Embedder) -> SurfaceVectors:
    """The vectors of all surfaces."""
    surfaces = [said for group in readings for said in group]
    return SurfaceVectors(
        embedder.embed([said.text for said in surfaces]), embedder.embed([said.gloss for said in surfaces])
    )


def assemble(
    entries: Sequence[Entry], readings: Readings, vectors: SurfaceVectors, known: Topics | None = None
) -> Index:
    """The index of entries that are read and embedded."""
    known = known or load_topics()
    rarity = _rarity(readings, known)
    profiles: list[Profile] = []
    row = 0
    for entry, said in zip(entries, readings, strict=True):
        profiles.append(_profile(entry, said, rarity, (row, len(profiles))))
        row += len(said)
    return Index(
        profiles=tuple(profiles),
        rarity=rarity,
        default_rarity=math.log(1 + max(len(profiles), 1) + known.size),
        raw=vectors.raw,
        glossed=vectors.glossed,
        means=_means(profiles, vectors),
        topics=_topics(profiles, known),
        known=known,
        keys={key: number for number, key in enumerate(sorted(rarity))},
        fingerprint=_fingerprint(profiles, rarity),
        by_id={profile.id: profile for profile in profiles},
    )


def _fingerprint(profiles: Sequence[Profile], rarity: Mapping[str, float]) -> str:
    """Digest of the index's terms and entries: equal entries read and embedded by equal rules have equal ones."""
    digest = hashlib.sha256(digest_rules())
    for key in sorted(rarity):
        digest.update(f"{key} {rarity[key]:.6f}\n".encode(errors="replace"))
    for profile in profiles:
        digest.update(f"{profile.id} {len(profile.surfaces)}\n".encode())
    return digest.hexdigest()


def _rarity(readings: Readings, known: Topics) -> dict[str, float]:
    """Rarity by key. The topics' counts are added, since a small library's own counts are unreliable."""
    counts: Counter[str] = Counter()
    for group in readings:
        counts.update(dict.fromkeys(chain.from_iterable(said.weights for said in group)).keys())
    number = len(readings) + known.size
    return {key: _rarity_of(count + known.documents(key), number) for key, count in counts.items()}


def _rarity_of(count: float, number: int) -> float:
    return math.log(1 + (number - count + 0.5) / (count + 0.5))


def _topics(profiles: Sequence[Profile], known: Topics) -> Vectors:
    rows = [known.of(_own(profile)) for profile in profiles]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), known.size)


def _own(profile: Profile) -> dict[str, float]:
    """Key masses of an entry without its aliases; presence tests and identifiers count half."""
    found: dict[str, float] = {}
    for surface in profile.surfaces:
        if surface.kind != "alias":
            for key, mass in surface.keys.items():
                found[key] = found.get(key, 0.0) + mass * _KIND_WEIGHT[surface.kind]
    return found


def _profile(entry: Entry, texts: Sequence[Said], rarity: Mapping[str, float], place: tuple[int, int]) -> Profile:
    """Builds a profile; `place` has the row of its first surface and its own."""
    counts: dict[str, float] = {}
    for said in texts:
        for key, weight in said.weights.items():
            counts[key] = counts.get(key, 0.0) + weight * _KIND_WEIGHT[said.kind]
    return Profile(
        id=entry.id,
        name=entry.name,
        surfaces=tuple(_surface(said, rarity) for said in texts),
        first_row=place[0],
        number=place[1],
        strengths={key: saturate(count) * rarity[key] for key, count in counts.items()},
        counts=counts,
    )


def _surface(said: Said, rarity: Mapping[str, float]) -> Surface:
    keys = {key: weight * rarity[key] for key, weight in said.weights.items()}
    length = math.sqrt(sum(value * value for value in keys.values()))
    return Surface(said.kind, said.text, keys, sum(keys.values()), length)


def saturate(count: float) -> float:
    """Saturating term frequency in [0, 1): count / (count + constant)."""
    return count / (count + _SATURATION)


def _means(profiles: Sequence[Profile], vectors: SurfaceVectors) -> Vectors:
    both = vectors.raw + vectors.glossed
    rows = [both[profile.first_row : profile.first_row + len(profile.surfaces)].mean(axis=0) for profile in profiles]
    stacked = np.asarray(rows, dtype=np.float32).reshape(len(rows), both.shape[1])
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    unit: Vectors = np.divide(stacked, lengths, out=np.zeros_like(stacked), where=lengths > 0)
    return unit
