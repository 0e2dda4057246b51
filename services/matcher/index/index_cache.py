"""On-disk cache of what an index takes seconds to make: the readings of its entries, and their vectors.

The cache key is the digest of all inputs: the entries, the files that read and embed, the interpreter and the packages.
A file starts with its own digest; a corrupt or foreign file counts as a cache miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from lang import embedding
from lang.concepts import glossary
from lang.concepts.glossary import Glossary
from lang.embedding import Embedder
from services.matcher.index import readings, search_index
from services.matcher.index.entries import Entry
from services.matcher.index.search_index import Index, SurfaceVectors

_PACKAGES = ("numpy", "OpenCC")
# Smaller libraries build fast enough without a cache.
_WORTH_KEEPING = 50
# Room for two versions of the shipped library, evicted least recently used first. A pod's cache volume has 64 MiB.
_MOST_BYTES = 48 * 2**20
_DIGEST_BYTES = hashlib.sha256().digest_size


def load_or_build(entries: Sequence[Entry], words: Glossary, embedder: Embedder, folder: Path | None) -> Index:
    """The index of these entries, from the cache if possible. Caches only indexes made with the shipped glossary."""
    shipped = words is glossary.load() and embedder is embedding.load()
    if folder is None or not shipped or len(entries) < _WORTH_KEEPING:
        return search_index.build(entries, words, embedder)
    name = hashlib.sha256(_rules() + readings.digest_inputs(entries)).hexdigest()[:32]
    path = folder / f"index-{name}"
    try:
        said, vectors = _from_bytes(_kept(path, name))
    except (OSError, ValueError):
        said = readings.find_shipped(entries) or readings.read_entries(entries, words)
        vectors = search_index.embed(said, embedder)
        with contextlib.suppress(OSError):
            _keep(path, name, _to_bytes(said, vectors))
    else:
        with contextlib.suppress(OSError):
            os.utime(path)
    return search_index.assemble(entries, said, vectors)


def _to_bytes(said: readings.Readings, vectors: SurfaceVectors) -> bytes:
    file = io.BytesIO()
    for matrix in vectors:
        np.save(file, matrix, allow_pickle=False)
    return file.getvalue() + readings.to_bytes(said)


def _from_bytes(content: bytes) -> tuple[readings.Readings, SurfaceVectors]:
    file = io.BytesIO(content)
    vectors = SurfaceVectors(np.load(file, allow_pickle=False), np.load(file, allow_pickle=False))
    return readings.from_bytes(file.read()), vectors


@cache
def _rules() -> bytes:
    """Digest of what embeds: its files, the interpreter, the packages."""
    packages = f"{sys.version} {[version(name) for name in _PACKAGES]}".encode()
    return hashlib.sha256(packages + embedding.digest_rules()).digest()


def _kept(path: Path, name: str) -> bytes:
    """Reads a cached file. Raises OSError, or ValueError if the file is corrupt."""
    content = path.read_bytes()
    body = content[_DIGEST_BYTES:]
    if content[:_DIGEST_BYTES] != _digest(name, body):
        raise ValueError(f"reading {path}: it is corrupt or foreign")
    return body


def _digest(name: str, body: bytes) -> bytes:
    return hashlib.sha256(name.encode() + body).digest()


def _keep(path: Path, name: str, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _make_room(path.parent, _DIGEST_BYTES + len(body))
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(_digest(name, body) + body)
    # Atomic: another process may read the cache at any time.
    Path(file.name).replace(path)


def _make_room(folder: Path, size: int) -> None:
    kept = sorted(((path.stat(), path) for path in folder.glob("index-*")), key=lambda one: -one[0].st_mtime)
    for status, path in kept:
        size += status.st_size
        if size > _MOST_BYTES:
            path.unlink(missing_ok=True)
