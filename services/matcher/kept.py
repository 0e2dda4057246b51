"""Indexes kept in a folder between starts: reading a library takes seconds, and comes out the same every time.

An index is kept under the digest of all that it follows from: the entries, the files of this room, and what reads and
embeds beside it. A file begins with its own digest: one that is torn or foreign is as good as none. What is not kept is
built, and then kept.
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

from services.matcher import glossary, index, topics
from services.matcher.embedding import Embedder, static_embedder
from services.matcher.glossary import Glossary
from services.matcher.index import Index
from services.matcher.index_bytes import from_bytes, to_bytes
from services.matcher.library import Entry

_ROOM = Path(__file__).parent
_PACKAGES = ("numpy", "OpenCC", "tokenizers", "wordllama")
# A smaller library is read in no time.
_WORTH_KEEPING = 50
# Two versions of the shipped library; the longest unused go. A pod has 64 MiB for all that it keeps.
_MOST_BYTES = 48 * 2**20
_DIGEST_BYTES = hashlib.sha256().digest_size


def index_of(entries: Sequence[Entry], words: Glossary, embedder: Embedder, folder: Path | None) -> Index:
    """The index of these entries: built, or taken from the folder, where only what the shipped words made is kept."""
    shipped = words is glossary.load() and embedder is static_embedder()
    if folder is None or not shipped or len(entries) < _WORTH_KEEPING:
        return index.build(entries, words, embedder)
    name = _name_of(entries)
    path = folder / f"index-{name}"
    try:
        found = from_bytes(_kept(path, name), entries, topics.load())
    except (OSError, ValueError):
        found = index.build(entries, words, embedder)
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
    """The name of how entries are read: of the room's files, the interpreter and the packages."""
    digest = hashlib.sha256(f"{sys.version} {[version(name) for name in _PACKAGES]}".encode())
    for path in sorted(path for path in _ROOM.iterdir() if path.is_file()):
        content = path.read_bytes()
        digest.update(f"\n{path.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _kept(path: Path, name: str) -> bytes:
    """What was kept under a name. Raises OSError, or ValueError when it is not whole."""
    content = path.read_bytes()
    body = content[_DIGEST_BYTES:]
    if content[:_DIGEST_BYTES] != _digest(name, body):
        raise ValueError(f"reading {path}: it is torn or foreign")
    return body


def _digest(name: str, body: bytes) -> bytes:
    return hashlib.sha256(name.encode() + body).digest()


def _keep(path: Path, name: str, body: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _make_room(path.parent, _DIGEST_BYTES + len(body))
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(_digest(name, body) + body)
    # Whole or not at all: another process may read it at any time.
    Path(file.name).replace(path)


def _make_room(folder: Path, size: int) -> None:
    kept = sorted(((path.stat(), path) for path in folder.glob("index-*")), key=lambda one: -one[0].st_mtime)
    for status, path in kept:
        size += status.st_size
        if size > _MOST_BYTES:
            path.unlink(missing_ok=True)
