"""Measures the recall of candidates: `python -m tests.benchmarks.match_recall [dev|held_out]`.

After the shipped library come harder ones: with the texts of one language only, asked in the other; without aliases;
and each of half of the aliases, asked of the library without it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace

from lang import embedding
from lang.concepts import glossary
from lang.concepts.text import normalise
from services.matcher.index import search_index
from services.matcher.index.entries import Library
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import SearchPhenomenaRequest
from services.matcher.ranking import features, rerank
from services.matcher.training.fit import is_asked, learn_without_asked
from services.matcher.training.texts import Paraphrase, load_paraphrases, load_shipped_library
from tests.benchmarks.libraries.match_data import only

SPLITS = ("dev", "held_out")


def share(part: int, whole: int) -> str:
    """A ratio with three digits."""
    return f"{part / whole:.3f}" if whole else "  -  "


def show_counts(title: str, counts: Counter[str]) -> None:
    """Prints how often the right entry was first and among the first five."""
    at_1, at_5 = share(counts["at_1"], counts["texts"]), share(counts["at_5"], counts["texts"])
    print(f"{title:32} n {counts['texts']:4d}  recall@1 {at_1}  recall@5 {at_5}")


async def measure(title: str, library: Library, rows: list[Paraphrase]) -> None:
    """Prints the recall of labelled texts against a library, by language, and the time a text takes."""
    words, embedder = glossary.load(), embedding.load()
    matcher = Matcher(Snapshots(FixedSource(library), Store(None, 5.0), words, embedder), words, embedder)
    await matcher.search(SearchPhenomenaRequest("", "warm up"))
    counts, seconds = defaultdict[str, Counter[str]](Counter), list[float]()
    for row in rows:
        begun = time.process_time()
        found = await matcher.search(SearchPhenomenaRequest("", row.text, 5))
        seconds.append(time.process_time() - begun)
        ids = [item.phenomenon_id for item in found.candidates]
        for name in {row.lang, "all"}:
            counts[name].update(texts=1, at_1=bool({*ids[:1]} & {*row.right}), at_5=bool({*ids} & {*row.right}))
    for name in sorted(counts):
        show_counts(f"{title} {name}", counts[name])
    seconds.sort()
    print(f"{title:32} CPU ms a text: p50 {seconds[len(seconds) // 2] * 1e3:.1f}")


def measure_aliases() -> None:
    """Prints the recall of half of the aliases, asked of the library, and of topics and vectors without them."""
    words, weights = glossary.load(), rerank.load()
    curated = load_shipped_library().phenomena
    learned = learn_without_asked(curated)
    embedder = learned.embedder
    entries = search_index.build(curated, words, embedder, learned.known)
    asked = {entry.id: {normalise(alias).lower() for alias in entry.aliases if is_asked(alias)} for entry in curated}
    counts: Counter[str] = Counter()
    for profile in entries.profiles:
        for number, surface in enumerate(profile.surfaces):
            if surface.text in asked[profile.id] and surface.kind == "alias":
                query = features.prepare(surface.text, entries, words, embedder)
                table = features.compare(query, entries.profiles, entries, profile.first_row + number)
                order = rerank.rank(query, table, [0.0] * len(table), weights).order
                ids = [entries.profiles[position].id for position in order[:5]]
                counts.update(texts=1, at_1=ids[0] == profile.id, at_5=profile.id in ids)
    show_counts("aliases left out one by one", counts)


async def main(splits: list[str]) -> None:
    """Prints all figures of these splits."""
    library = load_shipped_library()
    bare = replace(library, phenomena=tuple(replace(entry, aliases=()) for entry in library.phenomena))
    for split in splits:
        rows = [row for row in load_paraphrases() if row.split == split and row.right]
        await measure(split, library, rows)
        await measure(f"{split} without aliases", bare, rows)
        for asked, stored in (("zh", "en"), ("en", "zh")):
            crossing = [row for row in rows if row.lang == asked]
            await measure(f"{split} against {stored} only", only(stored), crossing)
    measure_aliases()


if __name__ == "__main__":
    asyncio.run(main([name for name in SPLITS if name in sys.argv[1:]] or [*SPLITS]))
