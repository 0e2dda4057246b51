"""What reading a library's entries gives; that of the shipped library is shipped, for reading it takes seconds.

`make train` writes a file for each kind of entry, which begins with the digest of what it was made from: the entries,
and the files that read them. Any other library, and a stale file, is read as ever.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lang.concepts.glossary import Glossary
from lang.concepts.reading import read
from services.matcher.index.entries import Entry

HERE = Path(__file__).parent
FILES = (HERE / "phenomena.readings", HERE / "root_causes.readings")
_READERS = (Path(__file__), *sorted((HERE.parent / "reading").iterdir()))
_DIGEST_BYTES = hashlib.sha256().digest_size


class Said(NamedTuple):
    """One text of an entry, lower-case, with its English gloss and the weights of its keys."""

    kind: str
    text: str
    gloss: str
    weights: Mapping[str, float]


Readings = Sequence[Sequence[Said]]


def read_entries(entries: Sequence[Entry], glossary: Glossary) -> Readings:
    """Reads every text of the entries; takes seconds for a library of some hundred entries."""
    return [[_said(kind, text, glossary) for kind, text in _texts(entry)] for entry in entries]


def _texts(entry: Entry) -> list[tuple[str, str]]:
    texts = [("statement", text) for text in entry.statements] + [("alias", text) for text in entry.aliases]
    texts += [("present", text) for text in entry.present_when]
    texts += [("terms", text) for text in entry.terms]
    if entry.identifiers:
        texts.append(("identifier", " ".join(entry.identifiers)))
    return texts


def _said(kind: str, text: str, glossary: Glossary) -> Said:
    reading = read(text, glossary)
    return Said(kind, reading.text.lower(), reading.gloss, reading.weights())


def to_bytes(readings: Readings) -> bytes:
    """Readings as compressed JSON."""
    return zlib.compress(json.dumps(readings, ensure_ascii=False).encode(errors="surrogatepass"), 9)


def from_bytes(content: bytes) -> Readings:
    """The readings that `to_bytes` wrote."""
    return [[Said(*said) for said in entry] for entry in json.loads(zlib.decompress(content))]


def find_shipped(entries: Sequence[Entry]) -> Readings | None:
    """What reading these entries gives, if it is shipped."""
    digest = digest_inputs(entries)
    for path in FILES:
        content = path.read_bytes() if path.is_file() else b""
        if content.startswith(digest):
            return from_bytes(content[_DIGEST_BYTES:])
    return None


def make_shipped(entries: Sequence[Entry], glossary: Glossary) -> bytes:
    """The content of a file for these entries."""
    return digest_inputs(entries) + to_bytes(read_entries(entries, glossary))


def digest_inputs(entries: Sequence[Entry]) -> bytes:
    """Digest of everything that decides what reading these entries gives."""
    said = repr([(entry.id, _texts(entry)) for entry in entries])
    return hashlib.sha256(_readers() + said.encode(errors="replace")).digest()


@cache
def _readers() -> bytes:
    digest = hashlib.sha256()
    for path in _READERS:
        if path.suffix in (".py", ".yaml"):
            content = path.read_bytes()
            digest.update(f"{path.name} {len(content)}\n".encode() + content)
    return digest.digest()
