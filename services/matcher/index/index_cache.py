"""On-disk cache of indexes: building the index of a library takes seconds and is deterministic.

The cache key is the digest of all inputs: the entries, the files of this service, the interpreter and the packages
that read and embed. A file starts with its own digest; a corrupt or foreign file counts as a cache miss.
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

from services.matcher.index import search_index
from services.matcher.index.embedding import Embedder, static_embedder
from services.matcher.index.entries import Entry
from services.matcher.index.search_index import Index
from services.matcher.index.serialisation import from_bytes, to_bytes
from services.matcher.index.shipped import find_shipped
from services.matcher.reading import glossary, topics
from services.matcher.reading.glossary import Glossary

_ROOM = Path(__file__).parents[1]
_PACKAGES = ("numpy", "OpenCC", "tokenizers", "wordllama")
# Smaller libraries build fast enough without a cache.
_WORTH_KEEPING = 50
# Room for two versions of the shipped library, evicted least recently used first. A pod's cache volume has 64 MiB.
_MOST_BYTES = 48 * 2**20
_DIGEST_BYTES = hashlib.sha256().digest_size


def load_or_build(entries: Sequence[Entry], words: Glossary, embedder: Embedder, folder: Path | None) -> Index:
    """The index of these entries, from the cache if possible. Caches only indexes made with the shipped glossary."""
    shipped = words is glossary.load() and embedder is static_embedder()
    if folder is None or not shipped or len(entries) < _WORTH_KEEPING:
        return search_index.build(entries, words, embedder)
    name = _name_of(entries)
    path = folder / f"index-{name}"
    try:
        found = from_bytes(_kept(path, name), entries, topics.load())
    except (OSError, ValueError):
        shipped_readings = find_shipped(entries)
        if shipped_readings is not None:
            found = search_index.embed(shipped_readings, embedder, topics.load())
        else:
            found = search_index.build(entries, words, embedder)
        with contextlib.suppress(OSError):
            _keep(path, name, to_bytes(found))
    else:
        with contextlib.suppress(OSError):
            os.utime(path)
    return found


def _name_of(entries: Sequence[Entry]) -> str:
    return hashlib.sha256(f"{_rules()}\n{entries!r}".encode(errors="replace")).hexdigest()[:32]


@cache
def _rules() -> str:
    """Digest of everything but the entries that an index depends on: this service's files, interpreter, packages."""
    digest = hashlib.sha256(f"{sys.version} {[version(name) for name in _PACKAGES]}".encode())
    files = (path for path in _ROOM.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    for path in sorted(files):
        content = path.read_bytes()
        digest.update(f"\n{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _kept(path: Path, name: str) -> bytes:
    """Reads a cached index. Raises OSError, or ValueError if the file is corrupt."""
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
