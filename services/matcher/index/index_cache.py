"""On-disk cache of compiled indexes, for libraries other than the shipped one.

The cache key is the digest of all inputs: the entries, the files that read and embed, the interpreter and the packages.
A file starts with its own digest; a corrupt or foreign file counts as a cache miss.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lang import embedding
from lang.concepts import glossary
from lang.concepts.glossary import Glossary
from lang.embedding import Embedder
from services.matcher.index import compiled, readings, search_index, shipped_index
from services.matcher.index.entries import Entry
from services.matcher.index.search_index import Index

_PACKAGES = ("numpy", "OpenCC")
# Smaller libraries build fast enough without a cache.
_WORTH_KEEPING = 50
# Room for two versions of the shipped library, evicted least recently used first. A pod's cache volume has 64 MiB.
_MOST_BYTES = 48 * 2**20
_DIGEST_BYTES = hashlib.sha256().digest_size


def load_or_build(entries: Sequence[Entry], words: Glossary, embedder: Embedder, folder: Path | None) -> Index:
    """The index of these entries: the shipped one, or from the cache, if possible.

    Caches only indexes made with the shipped glossary.
    """
    shipped = words is glossary.load() and embedder is embedding.load()
    if not shipped or len(entries) < _WORTH_KEEPING:
        return search_index.build(entries, words, embedder)
    if (found := shipped_index.find_compiled(entries)) is not None:
        return search_index.open_index(entries, found, embedder)
    if folder is None:
        return search_index.build(entries, words, embedder)
    name = hashlib.sha256(_rules() + shipped_index.digest_index(readings.digest_inputs(entries))).hexdigest()[:32]
    path = folder / f"index-{name}"
    try:
        index = search_index.open_index(entries, compiled.from_bytes(_kept(path, name)), embedder)
    except (OSError, ValueError):
        index = search_index.build(entries, words, embedder)
        with contextlib.suppress(OSError):
            _keep(path, name, compiled.to_bytes(index.compiled))
    else:
        with contextlib.suppress(OSError):
            os.utime(path)
    return index


@cache
def _rules() -> bytes:
    """Digest of the interpreter and the packages that read and embed."""
    packages = f"{sys.version} {[version(name) for name in _PACKAGES]}".encode()
    return hashlib.sha256(packages).digest()


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
