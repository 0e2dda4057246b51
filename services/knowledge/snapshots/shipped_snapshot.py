"""The shipped library's snapshot, for a first start that reads its YAML takes a second longer.

`python -m services.knowledge.snapshots`, which is a part of `make train`, writes it. Its first line is the mark of what
it was compiled from: a stale file, and any other library, is compiled as ever.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from pathlib import Path

from services.knowledge.library.load import fingerprint
from services.knowledge.snapshots.compile import COMPILER_VERSION

FILE = Path(__file__).with_name("postgresql.snapshot")


def mark_of(paths: Sequence[Path]) -> str:
    """What names the compiler and the files of libraries: equal ones give equal snapshots."""
    return f"{COMPILER_VERSION}-{fingerprint(paths)}"


def find_shipped(mark: str) -> bytes | None:
    """The canonical bytes of the libraries with this mark, if they are shipped."""
    first, _, packed = FILE.read_bytes().partition(b"\n")
    return zlib.decompress(packed) if first == mark.encode() else None


def make_shipped(mark: str, content: bytes) -> bytes:
    """The file of a snapshot."""
    return mark.encode() + b"\n" + zlib.compress(content, 9)
