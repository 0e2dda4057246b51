"""An index as bytes and back, to the last bit; what follows from the entries themselves is left out."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from services.matcher.columns import Condition, Test
from services.matcher.embedding import Vectors
from services.matcher.index import Index, Profile, Surface, assembled, postings_of
from services.matcher.library import Entry
from services.matcher.numbers import Quantity
from services.matcher.topics import Topics

_VECTORS = ("raw", "glossed", "means", "topics")


def to_bytes(index: Index) -> bytes:
    """A line of JSON, then the vectors."""
    values = {"rarity": index.rarity, "profiles": [_values_of(profile) for profile in index.profiles]}
    file = io.BytesIO()
    file.write(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass") + b"\n")
    for name in _VECTORS:
        np.save(file, getattr(index, name), allow_pickle=False)
    return file.getvalue()


def from_bytes(content: bytes, entries: Sequence[Entry], known: Topics) -> Index:
    """The index of these entries whose bytes these are."""
    file = io.BytesIO(content)
    values = json.loads(file.readline())
    profiles: list[Profile] = []
    row = 0
    for entry, found in zip(entries, values["profiles"], strict=True):
        profiles.append(_profile_of(entry, found, (row, len(profiles))))
        row += len(profiles[-1].surfaces)
    vectors: list[Vectors] = [np.load(file, allow_pickle=False) for _ in _VECTORS]
    return assembled(profiles, values["rarity"], known, *vectors)


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
        postings=postings_of(surfaces),
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
