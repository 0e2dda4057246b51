"""The search index of a snapshot's entries: surfaces, term weights, vectors.

Glossary: a surface is one text of an entry (name, description, alias, presence test); a key is a token's normal form;
the rarity of a key is its inverse document frequency; the mass of a set of keys is the sum of weight times rarity.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

import numpy as np

from services.matcher.index.embedding import Embedder, Vectors
from services.matcher.index.entries import Entry
from services.matcher.model import LocalizedText
from services.matcher.reading import columns
from services.matcher.reading.glossary import Glossary
from services.matcher.reading.numbers import Quantity, thresholds
from services.matcher.reading.reading import Reading, read
from services.matcher.reading.topics import Topics
from services.matcher.reading.topics import load as load_topics

_SATURATION = 1.2
_UNKNOWN_WORD, _UNKNOWN_NAME = 0.6, 0.15
_KIND_WEIGHT = {"statement": 1.0, "alias": 1.0, "present": 0.5, "identifier": 0.5}


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
    """An entry's term statistics over all surfaces: `strengths`, `counts`, and `negated`, the share of negated uses.

    `first_row` is the row of its first surface in the index, `number` its own row."""

    id: str
    name: LocalizedText
    surfaces: tuple[Surface, ...]
    first_row: int
    number: int
    strengths: Mapping[str, float]
    counts: Mapping[str, float]
    negated: Mapping[str, float]
    normal: bool
    thresholds: tuple[Quantity, ...]
    test: columns.Test

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


@dataclass(frozen=True)
class Described:
    """What reading the entries gave, before anything is embedded. `glosses` has one text per surface."""

    profiles: Sequence[Profile]
    rarity: Mapping[str, float]
    glosses: Sequence[str]


def build(entries: Sequence[Entry], glossary: Glossary, embedder: Embedder, known: Topics | None = None) -> Index:
    """Builds the index: reads and embeds every surface of the entries. `known` defaults to the shipped topics."""
    known = known or load_topics()
    return embed(describe(entries, glossary, known), embedder, known)


def describe(entries: Sequence[Entry], glossary: Glossary, known: Topics) -> Described:
    """Reads every surface of the entries; takes seconds for a library of some hundred entries."""
    texts = [_texts(entry) for entry in entries]
    readings = [[read(text, glossary) for _, text in group] for group in texts]
    weights = [[reading.weights() for reading in group] for group in readings]
    rarity = _rarity(weights, known)
    profiles: list[Profile] = []
    row = 0
    for entry, group, read_group, weighed in zip(entries, texts, readings, weights, strict=True):
        said = list(zip((kind for kind, _ in group), read_group, weighed, strict=True))
        profiles.append(_profile(entry, said, rarity, (row, len(profiles))))
        row += len(group)
    return Described(profiles, rarity, [reading.gloss for group in readings for reading in group])


def embed(found: Described, embedder: Embedder, known: Topics) -> Index:
    """The index of what was read: embeds every surface and its gloss."""
    raw = embedder.embed([surface.text for profile in found.profiles for surface in profile.surfaces])
    glossed = embedder.embed(found.glosses)
    means, topics = _means(found.profiles, raw, glossed), _topics(found.profiles, known)
    return assemble(found.profiles, found.rarity, known, raw, glossed, means=means, topics=topics)


def assemble(
    profiles: Sequence[Profile],
    rarity: Mapping[str, float],
    known: Topics,
    raw: Vectors,
    glossed: Vectors,
    means: Vectors,
    topics: Vectors,
) -> Index:
    """Assembles an index from its profiles and vectors."""
    return Index(
        profiles=tuple(profiles),
        rarity=rarity,
        default_rarity=math.log(1 + max(len(profiles), 1) + known.size),
        raw=raw,
        glossed=glossed,
        means=means,
        topics=topics,
        known=known,
        keys={key: number for number, key in enumerate(sorted(rarity))},
        fingerprint=_fingerprint(profiles, rarity),
        by_id={profile.id: profile for profile in profiles},
    )


def _fingerprint(profiles: Sequence[Profile], rarity: Mapping[str, float]) -> str:
    """Digest of the index's terms and entries: equal entries read by equal rules have equal fingerprints."""
    digest = hashlib.sha256()
    for key in sorted(rarity):
        digest.update(f"{key} {rarity[key]:.6f}\n".encode(errors="replace"))
    for profile in profiles:
        digest.update(f"{profile.id} {len(profile.surfaces)}\n".encode())
    return digest.hexdigest()


def _texts(entry: Entry) -> list[tuple[str, str]]:
    texts = [("statement", text) for text in entry.statements] + [("alias", text) for text in entry.aliases]
    texts += [("present", text) for text in entry.present_when]
    if entry.identifiers:
        texts.append(("identifier", " ".join(entry.identifiers)))
    return texts


def _rarity(weights: Iterable[Sequence[Mapping[str, float]]], known: Topics) -> dict[str, float]:
    """Rarity by key. The topics' counts are added, since a small library's own counts are unreliable."""
    counts: Counter[str] = Counter()
    number = 0
    for group in weights:
        number += 1
        counts.update(dict.fromkeys(chain.from_iterable(group)).keys())
    return {key: _rarity_of(count + known.documents(key), number + known.size) for key, count in counts.items()}


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


def _profile(
    entry: Entry,
    said: Sequence[tuple[str, Reading, Mapping[str, float]]],
    rarity: Mapping[str, float],
    place: tuple[int, int],
) -> Profile:
    """Builds a profile from the kind, reading and weights of each text."""
    surfaces = tuple(_surface(kind, reading, weights, rarity) for kind, reading, weights in said)
    counts: dict[str, float] = {}
    negated: Counter[str] = Counter()
    for kind, reading, weights in said:
        for key, weight in weights.items():
            counts[key] = counts.get(key, 0.0) + weight * _KIND_WEIGHT[kind]
        negated.update({token.key for token in reading.tokens if token.negated})
    described = thresholds([*entry.statements, *entry.present_when])
    present = Counter(key for _, _, weights in said for key in weights)
    return Profile(
        id=entry.id,
        name=entry.name,
        surfaces=surfaces,
        first_row=place[0],
        number=place[1],
        strengths={key: saturate(count) * rarity[key] for key, count in counts.items()},
        counts=counts,
        negated={key: count / present[key] for key, count in negated.items() if key in present},
        normal=any(token.kind == "normal" for _, reading, _ in said[:4] for token in reading.tokens),
        thresholds=described,
        test=columns.test_of(entry.how, entry.present_when, described),
    )


def _surface(kind: str, reading: Reading, weights: Mapping[str, float], rarity: Mapping[str, float]) -> Surface:
    keys = {key: weight * rarity[key] for key, weight in weights.items()}
    length = math.sqrt(sum(value * value for value in keys.values()))
    return Surface(kind, reading.text.lower(), keys, sum(keys.values()), length)


def saturate(count: float) -> float:
    """Saturating term frequency in [0, 1): count / (count + constant)."""
    return count / (count + _SATURATION)


def _means(profiles: Sequence[Profile], raw: Vectors, glossed: Vectors) -> Vectors:
    rows = [
        (raw[profile.first_row : profile.first_row + len(profile.surfaces)].mean(axis=0)
         + glossed[profile.first_row : profile.first_row + len(profile.surfaces)].mean(axis=0))
        for profile in profiles
    ]  # fmt: skip
    stacked = np.asarray(rows, dtype=np.float32).reshape(len(rows), raw.shape[1])
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    unit: Vectors = np.divide(stacked, lengths, out=np.zeros_like(stacked), where=lengths > 0)
    return unit
