"""An index as it is kept in a file: all that a search needs of every entry, and what was read of each, packed.

What takes seconds of a library is done once: reading its texts, embedding them, counting their words.
"""

from __future__ import annotations

import hashlib
import io
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from lang.embedding import Embedder, Vectors, digest_rules
from services.matcher.index.entries import Entry
from services.matcher.index.readings import Readings, Said, pack, unpack
from services.matcher.reading.topics import Topics

KIND_WEIGHT = {"statement": 1.0, "alias": 1.0, "present": 0.5, "terms": 1.0, "identifier": 0.5}
_SATURATION = 1.2
_KEYS_PER_POINT = 28
_BREAK = "\0"


@dataclass(frozen=True, eq=False)
class Compiled:
    """keys: those of all entries, rising, and `rarity`, float64, of each. packed: what was read of each entry, and
    `sizes`, how many surfaces it has. means, topics: float32, a row an entry.

    terms: of each entry its strongest keys, by number, rising, and float64 how strong they are; those of entry n are
    `[ends[n]:ends[n + 1]]`. fingerprint: equal entries read and embedded by equal rules have equal ones.
    """

    keys: tuple[str, ...]
    rarity: npt.NDArray[np.float64]
    packed: tuple[bytes, ...]
    sizes: npt.NDArray[np.int64]
    means: Vectors
    topics: Vectors
    terms: npt.NDArray[np.int64]
    strengths: npt.NDArray[np.float64]
    ends: npt.NDArray[np.int64]
    default_rarity: float
    fingerprint: str


def compile_index(entries: Sequence[Entry], readings: Readings, embedder: Embedder, known: Topics) -> Compiled:
    """The index of entries that were read; takes seconds for some hundred."""
    rarity = _rarity(readings, known)
    keys = tuple(sorted(rarity))
    numbers = {key: number for number, key in enumerate(keys)}
    terms = [_strongest(said, rarity, numbers) for said in readings]
    return Compiled(
        keys=keys,
        rarity=np.array([rarity[key] for key in keys], dtype=np.float64),
        packed=tuple(map(pack, readings)),
        sizes=np.array([len(said) for said in readings], dtype=np.int64),
        means=_means(readings, embedder),
        topics=_topics(readings, rarity, known),
        terms=np.array([number for own in terms for number, _ in own], dtype=np.int64),
        strengths=np.array([strength for own in terms for _, strength in own], dtype=np.float64),
        ends=np.cumsum([0, *map(len, terms)], dtype=np.int64),
        default_rarity=math.log(1 + max(len(entries), 1) + known.size),
        fingerprint=_fingerprint(entries, readings, rarity),
    )


def saturate(count: float) -> float:
    """Saturating term frequency in [0, 1): count / (count + constant)."""
    return count / (count + _SATURATION)


def rarity_of(count: float, number: int) -> float:
    """Inverse document frequency of what stands in `count` of `number` documents."""
    return math.log(1 + (number - count + 0.5) / (count + 0.5))


def count_keys(said: Sequence[Said]) -> dict[str, float]:
    """How often each key occurs in an entry's texts; presence tests and identifiers count half."""
    counts: dict[str, float] = {}
    for each in said:
        for key, weight in each.weights.items():
            counts[key] = counts.get(key, 0.0) + weight * KIND_WEIGHT[each.kind]
    return counts


def _rarity(readings: Readings, known: Topics) -> dict[str, float]:
    """Rarity by key. The topics' counts are added, since a small library's own counts are unreliable."""
    counts: Counter[str] = Counter()
    for group in readings:
        counts.update(dict.fromkeys(chain.from_iterable(said.weights for said in group)).keys())
    number = len(readings) + known.size
    return {key: rarity_of(count + known.documents(key), number) for key, count in counts.items()}


def _strongest(said: Sequence[Said], rarity: dict[str, float], numbers: dict[str, int]) -> list[tuple[int, float]]:
    """The strongest keys of an entry as (key number, strength), in key order."""
    strengths = {key: saturate(count) * rarity[key] for key, count in count_keys(said).items()}
    strongest = sorted(strengths.items(), key=lambda item: (-item[1], item[0]))[:_KEYS_PER_POINT]
    return sorted((numbers[key], strength) for key, strength in strongest)


def _means(readings: Readings, embedder: Embedder) -> Vectors:
    """The mean of an entry's vectors, of texts and glosses, at length 1."""
    rows = [(_embed(embedder, said, "text") + _embed(embedder, said, "gloss")).mean(axis=0) for said in readings]
    stacked = np.asarray(rows, dtype=np.float32).reshape(len(rows), embedder.embed([""]).shape[1])
    lengths = np.linalg.norm(stacked, axis=1, keepdims=True)
    unit: Vectors = np.divide(stacked, lengths, out=np.zeros_like(stacked), where=lengths > 0)
    return unit


def _embed(embedder: Embedder, said: Sequence[Said], field: str) -> Vectors:
    return embedder.embed([getattr(each, field) for each in said])


def _topics(readings: Readings, rarity: dict[str, float], known: Topics) -> Vectors:
    rows = [known.of(_own(said, rarity)) for said in readings]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), known.size)


def _own(said: Sequence[Said], rarity: dict[str, float]) -> dict[str, float]:
    """Key masses of an entry without its aliases."""
    found: dict[str, float] = {}
    for each in said:
        if each.kind != "alias":
            for key, weight in each.weights.items():
                found[key] = found.get(key, 0.0) + weight * rarity[key] * KIND_WEIGHT[each.kind]
    return found


def _fingerprint(entries: Sequence[Entry], readings: Readings, rarity: dict[str, float]) -> str:
    digest = hashlib.sha256(digest_rules())
    for key in sorted(rarity):
        digest.update(f"{key} {rarity[key]:.6f}\n".encode(errors="replace"))
    for entry, said in zip(entries, readings, strict=True):
        digest.update(f"{entry.id} {len(said)}\n".encode())
    return digest.hexdigest()


def to_bytes(compiled: Compiled) -> bytes:
    """The file of an index."""
    file = io.BytesIO()
    words = _BREAK.join((compiled.fingerprint, *compiled.keys))
    np.savez_compressed(
        file,
        words=np.frombuffer(words.encode(errors="surrogatepass"), dtype=np.uint8),
        packed=np.frombuffer(b"".join(compiled.packed), dtype=np.uint8),
        packed_ends=np.cumsum([0, *map(len, compiled.packed)], dtype=np.int64),
        default_rarity=np.array([compiled.default_rarity]),
        **{name: getattr(compiled, name) for name in _ARRAYS},
    )
    return file.getvalue()


_ARRAYS = ("rarity", "sizes", "means", "topics", "terms", "strengths", "ends")


def from_bytes(content: bytes) -> Compiled:
    """The index that `to_bytes` wrote. Raises ValueError if it is none."""
    with np.load(io.BytesIO(content), allow_pickle=False) as file:
        arrays: dict[str, npt.NDArray[Any]] = {name: file[name] for name in _ARRAYS}
        fingerprint, *keys = file["words"].tobytes().decode(errors="surrogatepass").split(_BREAK)
        return Compiled(
            keys=tuple(keys),
            packed=tuple(_cut(file["packed"].tobytes(), file["packed_ends"].tolist())),
            default_rarity=float(file["default_rarity"][0]),
            fingerprint=fingerprint,
            **arrays,
        )


def _cut(content: bytes, ends: Sequence[int]) -> Iterator[bytes]:
    return (content[start:end] for start, end in pairwise(ends))


def read_back(compiled: Compiled) -> Readings:
    """What was read of all entries."""
    return [unpack(packed) for packed in compiled.packed]
