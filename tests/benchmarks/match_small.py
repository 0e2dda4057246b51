"""Measures recall on a small library without aliases: `python -m tests.benchmarks.match_small LIBRARY.json`.

The library is one JSON file whose English descriptions are those of small_world.txt. The texts were written from the
descriptions alone, before the glossary was read, and are parted by the hash of each text.
`--real FILE` asks labelled symptoms (one JSON object a line: text, lang, right) of the shipped library.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections import Counter
from pathlib import Path

from lang import embedding
from lang.concepts import glossary
from lang.concepts.text import has_han
from services.matcher.index.entries import Library, read_world
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, Observation
from services.matcher.training.texts import Paraphrase, load_shipped_library
from tests.benchmarks.libraries.match_data import HERE, spoken
from tests.benchmarks.match_recall import measure
from tests.support.matching import asked_of, counted

DEV, HELD_OUT = "dev", "held_out"


def part(text: str) -> str:
    """60 % dev, the rest held out, by the text itself."""
    return DEV if hashlib.sha256(text.encode()).digest()[0] < 154 else HELD_OUT


def texts(library: Library, name: str = "small_world") -> list[Paraphrase]:
    """The texts for the entries of a library, named by their English description."""
    by_name = {entry.name.en: entry.id for entry in library.phenomena}
    rows, right = [], ""
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            right = by_name[line[2:]]
        else:
            said, verdict = (line[2:], "denied") if line.startswith("! ") else (line, "confirmed")
            rows.append(Paraphrase(said, _language_of(said), (right,), verdict, part(said)))
    return rows


async def measure_outside(library: Library, name: str = "small_world") -> None:
    """Prints how many texts about other things are read as something, or asked about."""
    words, embedder = glossary.load(), embedding.load()
    matcher = Matcher(Snapshots(FixedSource(library), Store(None, 5.0), words, embedder), words, embedder)
    lines = (HERE / f"{name}_outside.txt").read_text(encoding="utf-8").splitlines()
    counts: Counter[str] = Counter()
    for line in lines:
        found = (await matcher.match(MatchPhenomenaRequest("", (Observation(line),)))).interpretations[0]
        counts.update(counted=bool(counted(found)), read=bool(found.readings), asked=bool(asked_of(found)))
    print(f"about other things               n {len(lines):4d}", dict(sorted(counts.items())))


def _language_of(text: str) -> str:
    return "zh" if has_han(text) else "en"


def real_texts(path: Path) -> list[Paraphrase]:
    """Labelled symptoms that are in the shipped library."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Paraphrase(row["text"], row["lang"], tuple(row["right"]), "", HELD_OUT) for row in rows if row["right"]]


async def main() -> None:
    """Reads the command line and prints all figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--texts", default="small_world")
    parser.add_argument("--real", type=Path)
    given = parser.parse_args()
    library = read_world(given.library.read_bytes())
    rows = texts(library, given.texts)
    for split in (DEV, HELD_OUT):
        await measure(f"small, {split}", library, [row for row in rows if row.split == split])
    for asked, stored in (("zh", "en"), ("en", "zh")):
        await measure(f"small in {stored} only", spoken(library, stored), [row for row in rows if row.lang == asked])
    await measure_outside(library, given.texts)
    if given.real:
        await measure("real symptoms", load_shipped_library(), real_texts(given.real))


if __name__ == "__main__":
    asyncio.run(main())
