"""The search index of a snapshot's entries: surfaces, term weights, vectors.

Glossary: a surface is one text of an entry (name, description, alias, presence test); a key is a token's normal form;
the rarity of a key is its inverse document frequency; the mass of a set of keys is the sum of weight times rarity.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

from lang.concepts.glossary import Glossary
from lang.embedding import Embedder, Vectors
from services.matcher.index.compiled import Compiled, compile_index, count_keys, rarity_of, saturate
from services.matcher.index.entries import Entry
from services.matcher.index.readings import Said, read_entries, unpack
from services.matcher.model import LocalizedText
from services.matcher.reading.topics import Topics
from services.matcher.reading.topics import load as load_topics

__all__ = ["Index", "Profile", "Surface", "SurfaceVectors", "build", "is_name", "open_index", "saturate"]

_UNKNOWN_WORD, _UNKNOWN_NAME = 0.6, 0.15


@dataclass(frozen=True, slots=True)
class Surface:
    """One text of an entry with the masses of its keys, their sum and their Euclidean norm."""

    kind: str
    text: str
    keys: Mapping[str, float]
    mass: float
    length: float


class SurfaceVectors(NamedTuple):
    """float32, one row per surface: of its text, and of its gloss."""

    raw: Vectors
    glossed: Vectors


class _Counted(NamedTuple):
    surfaces: tuple[Surface, ...]
    counts: Mapping[str, float]


@dataclass(frozen=True)
class Profile:
    """An entry's texts and term statistics, made when it is first compared: few entries ever are.

    `first_row` is the row of its first surface among those of all entries, `number` its own row, `packed` what was
    read of it.
    """

    id: str
    name: LocalizedText
    first_row: int
    number: int
    packed: bytes
    rarity: Mapping[str, float] = field(repr=False, compare=False)
    embedder: Embedder = field(repr=False, compare=False)

    @cached_property
    def _counted(self) -> _Counted:
        said = unpack(self.packed)
        return _Counted(tuple(_surface(each, self.rarity) for each in said), count_keys(said))

    @property
    def surfaces(self) -> tuple[Surface, ...]:
        """Its texts, in order."""
        return self._counted.surfaces

    @property
    def counts(self) -> Mapping[str, float]:
        """How often each key occurs in all surfaces."""
        return self._counted.counts

    @cached_property
    def vectors(self) -> SurfaceVectors:
        """Those of its surfaces."""
        said = unpack(self.packed)
        return SurfaceVectors(
            self.embedder.embed([each.text for each in said]), self.embedder.embed([each.gloss for each in said])
        )

    @cached_property
    def postings(self) -> Mapping[str, Sequence[tuple[int, float]]]:
        """Key -> (surface number, mass) of the surfaces that have it."""
        found: dict[str, list[tuple[int, float]]] = {}
        for number, surface in enumerate(self.surfaces):
            for key, mass in surface.keys.items():
                found.setdefault(key, []).append((number, mass))
        return found


@dataclass(frozen=True)
class Index:
    """All profiles in id order; `compiled` has what a search needs of all of them. learned: other than the shipped
    topics.
    """

    profiles: tuple[Profile, ...]
    rarity: Mapping[str, float]
    keys: Mapping[str, int]
    compiled: Compiled = field(compare=False)
    learned: Topics | None = None
    by_id: Mapping[str, Profile] = field(default_factory=dict)

    @property
    def known(self) -> Topics:
        """The topics that texts are compared by; the shipped ones are loaded at the first text."""
        return self.learned or load_topics()

    @property
    def topics(self) -> Vectors:
        """One row per profile."""
        return self.compiled.topics

    @property
    def default_rarity(self) -> float:
        """The rarity of a key that no entry has."""
        return self.compiled.default_rarity

    def masses(self, weights: Mapping[str, float]) -> dict[str, float]:
        """Weight times rarity of each key. User-defined names (`customer_id`) count little."""
        return {key: weight * (self.rarity.get(key) or self._unknown(key)) for key, weight in weights.items()}

    def knows(self, key: str) -> bool:
        """True if the key occurs in the library or in the shipped topics."""
        return key in self.rarity or self.known.documents(key) > 0

    def _unknown(self, key: str) -> float:
        documents = self.known.documents(key)
        if documents:
            return rarity_of(documents, len(self.profiles) + self.known.size)
        return self.default_rarity * (_UNKNOWN_NAME if is_name(key) else _UNKNOWN_WORD)


def is_name(key: str) -> bool:
    """True if a word looks like an identifier: `customer_id`, `nvme0n1`, `40p01`."""
    return "_" in key or any(character.isdigit() for character in key)


def build(entries: Sequence[Entry], glossary: Glossary, embedder: Embedder, known: Topics | None = None) -> Index:
    """Builds the index: reads and embeds every surface of the entries. `known` defaults to the shipped topics."""
    compiled = compile_index(entries, read_entries(entries, glossary), embedder, known or load_topics())
    return open_index(entries, compiled, embedder, known)


def open_index(
    entries: Sequence[Entry], compiled: Compiled, embedder: Embedder, learned: Topics | None = None
) -> Index:
    """The index of these entries, which was compiled from them."""
    rarity = dict(zip(compiled.keys, compiled.rarity.tolist(), strict=True))
    rows = accumulate(compiled.sizes.tolist(), initial=0)
    profiles = tuple(
        Profile(entry.id, entry.name, row, number, packed, rarity, embedder)
        for number, (entry, packed, row) in enumerate(zip(entries, compiled.packed, rows, strict=False))
    )
    return Index(
        profiles=profiles,
        rarity=rarity,
        keys={key: number for number, key in enumerate(compiled.keys)},
        compiled=compiled,
        learned=learned,
        by_id={profile.id: profile for profile in profiles},
    )


def _surface(said: Said, rarity: Mapping[str, float]) -> Surface:
    keys = {key: weight * rarity[key] for key, weight in said.weights.items()}
    length = math.sqrt(sum(value * value for value in keys.values()))
    return Surface(said.kind, said.text, keys, sum(keys.values()), length)
