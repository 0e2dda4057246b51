"""What reading a library's entries gives; reading some hundred entries takes seconds."""

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

_READERS = (Path(__file__), *sorted((Path(__file__).parent.parent / "reading").iterdir()))


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


def pack(said: Sequence[Said]) -> bytes:
    """What was read of one entry as compressed JSON: most entries are never looked at."""
    return zlib.compress(json.dumps(said, ensure_ascii=False).encode(errors="surrogatepass"), 9)


def unpack(packed: bytes) -> list[Said]:
    """What `pack` packed."""
    return [Said(*said) for said in json.loads(zlib.decompress(packed).decode(errors="surrogatepass"))]


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
