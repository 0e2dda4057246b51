"""The compiled index of the shipped library, for compiling it takes seconds.

`make train` writes a file for each kind of entry. It begins with the digest of what reading the entries depends on,
and with that of all that the index depends on: any other library, and a stale file, is read and compiled as ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from lang.concepts.glossary import Glossary
from lang.embedding import Embedder, digest_rules
from services.matcher.index import compiled
from services.matcher.index.compiled import Compiled, compile_index
from services.matcher.index.entries import Entry
from services.matcher.index.readings import Readings, digest_inputs, read_entries
from services.matcher.reading import topics

FILES = tuple(Path(__file__).with_name(f"{kind}.index") for kind in ("phenomena", "root_causes"))
_DIGEST_BYTES = hashlib.sha256().digest_size


def find_compiled(entries: Sequence[Entry]) -> Compiled | None:
    """The index of these entries, if it is shipped."""
    read = digest_inputs(entries)
    content = _find(read + digest_index(read))
    return compiled.from_bytes(content[2 * _DIGEST_BYTES :]) if content else None


def find_readings(entries: Sequence[Entry]) -> Readings | None:
    """What reading these entries gives, if it is shipped."""
    content = _find(digest_inputs(entries))
    return compiled.read_back(compiled.from_bytes(content[2 * _DIGEST_BYTES :])) if content else None


def make_shipped(entries: Sequence[Entry], glossary: Glossary, embedder: Embedder) -> bytes:
    """The content of a file for these entries."""
    read = digest_inputs(entries)
    index = compile_index(entries, read_entries(entries, glossary), embedder, topics.load())
    return read + digest_index(read) + compiled.to_bytes(index)


def digest_index(read: bytes) -> bytes:
    """Digest of all that an index depends on; read: that of its readings."""
    return hashlib.sha256(_rules() + read).digest()


@cache
def _rules() -> bytes:
    return digest_rules() + topics.FILE.read_bytes() + Path(compiled.__file__).read_bytes()


def _find(beginning: bytes) -> bytes:
    for path in FILES:
        if path.is_file():
            with path.open("rb") as file:
                if file.read(len(beginning)) == beginning:
                    return beginning + file.read()
    return b""
