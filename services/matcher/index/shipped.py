"""What reading the shipped library gives, shipped beside the code: reading it takes seconds at the first start.

`make train` writes a file for each kind of entry, which begins with the digest of what it was made from: the entries,
and the files that read them. Any other library, and a stale file, is read as ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from services.matcher.index.entries import Entry
from services.matcher.index.search_index import Described, describe
from services.matcher.index.serialisation import described_from_bytes, described_to_bytes
from services.matcher.reading import glossary, topics

HERE = Path(__file__).parent
FILES = (HERE / "phenomena.readings", HERE / "root_causes.readings")
_READERS = (HERE, HERE.parent / "reading")
_KINDS = (".py", ".yaml", ".json")
_DIGEST_BYTES = hashlib.sha256().digest_size


def find_shipped(entries: Sequence[Entry]) -> Described | None:
    """What reading these entries gives, if it is shipped."""
    digest = digest_inputs(entries)
    for path in FILES:
        content = path.read_bytes() if path.is_file() else b""
        if content.startswith(digest):
            return described_from_bytes(content[_DIGEST_BYTES:], entries)
    return None


def make_shipped(entries: Sequence[Entry]) -> bytes:
    """The content of a file for these entries."""
    return digest_inputs(entries) + described_to_bytes(describe(entries, glossary.load(), topics.load()))


def digest_inputs(entries: Sequence[Entry]) -> bytes:
    """Digest of everything that decides what reading these entries gives."""
    # A snapshot has this text without the line break at its end; `hows`, `rows` and `means` are no part of a reading.
    said = repr([replace(entry, how=entry.how.strip(), hows=(), rows=None, means=()) for entry in entries])
    return hashlib.sha256(_readers() + said.encode(errors="replace")).digest()


@cache
def _readers() -> bytes:
    digest = hashlib.sha256()
    for path in sorted(path for folder in _READERS for path in folder.iterdir() if path.suffix in _KINDS):
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.digest()
