"""Lossless serialisation of an index; fields that the entries determine are omitted."""

from __future__ import annotations

import io
import json
import zlib
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from services.matcher.index.embedding import Vectors
from services.matcher.index.entries import Entry
from services.matcher.index.search_index import Described, Index, Profile, Surface, assemble
from services.matcher.reading.columns import Condition, Test
from services.matcher.reading.numbers import Quantity
from services.matcher.reading.topics import Topics

_VECTORS = ("raw", "glossed", "means", "topics")


def to_bytes(index: Index) -> bytes:
    """Serialises an index: one line of JSON, then the vectors in NumPy's format."""
    values = {"rarity": index.rarity, "profiles": [_values_of(profile) for profile in index.profiles]}
    file = io.BytesIO()
    file.write(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass") + b"\n")
    for name in _VECTORS:
        np.save(file, getattr(index, name), allow_pickle=False)
    return file.getvalue()


def from_bytes(content: bytes, entries: Sequence[Entry], known: Topics) -> Index:
    """Restores the index of these entries."""
    file = io.BytesIO(content)
    values = json.loads(file.readline())
    profiles = _profiles_of(entries, values["profiles"])
    vectors: list[Vectors] = [np.load(file, allow_pickle=False) for _ in _VECTORS]
    return assemble(profiles, values["rarity"], known, *vectors)


def described_to_bytes(found: Described) -> bytes:
    """Serialises what reading gave: one line of JSON, compressed."""
    values = {"rarity": found.rarity, "profiles": [_values_of(profile) for profile in found.profiles]}
    document = json.dumps(values | {"glosses": found.glosses}, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(document.encode(errors="surrogatepass"), 9)


def described_from_bytes(content: bytes, entries: Sequence[Entry]) -> Described:
    """Restores what reading these entries gave."""
    values = json.loads(zlib.decompress(content))
    return Described(_profiles_of(entries, values["profiles"]), values["rarity"], values["glosses"])


def _profiles_of(entries: Sequence[Entry], found: Sequence[dict[str, Any]]) -> list[Profile]:
    profiles: list[Profile] = []
    row = 0
    for entry, values in zip(entries, found, strict=True):
        profiles.append(_profile_of(entry, values, (row, len(profiles))))
        row += len(profiles[-1].surfaces)
    return profiles


def _values_of(profile: Profile) -> dict[str, Any]:
    test = profile.test
    return {
        "surfaces": [(one.kind, one.text, one.keys, one.mass, one.length) for one in profile.surfaces],
        "strengths": profile.strengths,
        "counts": profile.counts,
        "negated": profile.negated,
        "normal": profile.normal,
        "thresholds": [astuple(quantity) for quantity in profile.thresholds],
        "names": sorted(test.names),
        "conditions": [astuple(condition) for condition in test.conditions],
        "alternatives": test.alternatives,
        "any_row": test.any_row,
    }


def _profile_of(entry: Entry, found: dict[str, Any], place: tuple[int, int]) -> Profile:
    surfaces = tuple(Surface(*values) for values in found["surfaces"])
    return Profile(
        id=entry.id,
        name=entry.name,
        surfaces=surfaces,
        first_row=place[0],
        number=place[1],
        strengths=found["strengths"],
        counts=found["counts"],
        negated=found["negated"],
        normal=found["normal"],
        thresholds=tuple(Quantity(*values) for values in found["thresholds"]),
        test=Test(
            frozenset(found["names"]),
            tuple(Condition(*values) for values in found["conditions"]),
            found["alternatives"],
            found["any_row"],
        ),
    )
