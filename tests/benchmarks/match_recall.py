"""Measures the matcher: `python -m tests.benchmarks.match_recall [dev|held_out] [--misses]`.

The last lines ask texts of one language against the library with only the other language's texts left, and each alias
against the library without it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from services.matcher.index import embedding, search_index
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import Clarification, Interpretation, Match, MatchPhenomenaRequest, Observation
from services.matcher.ranking import features, rerank
from services.matcher.reading import glossary, topics
from services.matcher.reading.text import normalise
from services.matcher.training.fit import is_asked, learn_topics
from services.matcher.training.texts import Paraphrase, load_paraphrases, load_shipped_library
from tests.benchmarks.match_data import only
from tests.support.matching import outcome_of


@dataclass
class Figures:
    """Counts of one language."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, row: Paraphrase, found: Interpretation) -> None:
        """Counts one text."""
        ids, outcome = [item.phenomenon_id for item in found.candidates], outcome_of(found)
        if not row.right:
            self.counts["outside"] += 1
            self.counts["forced"] += isinstance(outcome, Match)
            self.counts["asked_outside"] += isinstance(outcome, Clarification)
            return
        self.counts["texts"] += 1
        self.counts["at_1"] += bool(ids) and ids[0] in row.right
        self.counts["at_5"] += any(name in row.right for name in ids[:5])
        if isinstance(outcome, Match):
            self.counts["matched"] += 1
            self.counts["matched_right"] += outcome.phenomenon_id in row.right
            self.counts["verdict_right"] += outcome.phenomenon_id in row.right and outcome.verdict == row.verdict
        elif isinstance(outcome, Clarification):
            self.counts["asked"] += 1
            self.counts["offered"] += any(item.phenomenon_id in row.right for item in outcome.options)

    def line(self) -> str:
        """The figures as text."""
        count = self.counts
        return (
            f"n {count['texts']:3d}  recall@1 {share(count['at_1'], count['texts'])}  recall@5 "
            f"{share(count['at_5'], count['texts'])}  matched {share(count['matched'], count['texts'])} of these right "
            f"{share(count['matched_right'], count['matched'])} verdict "
            f"{share(count['verdict_right'], count['matched_right'])}  asked {share(count['asked'], count['texts'])} "
            f"right one offered {share(count['offered'], count['asked'])}"
            f"  outside {count['outside']} forced {count['forced']} asked {count['asked_outside']}"
        )


def share(part: int, whole: int) -> str:
    """A ratio with three digits."""
    return f"{part / whole:.3f}" if whole else "  -  "


async def across(split: str, asked: str, stored: str) -> None:
    """Prints the figures of texts in `asked` against the library in `stored`."""
    words, embedder = glossary.load(), embedding.static_embedder()
    matcher = Matcher(Snapshots(FixedSource(only(stored)), Store(None, 5.0), words, embedder), words, embedder)
    figures = Figures()
    for row in [row for row in load_paraphrases() if row.split == split and row.lang == asked and row.right]:
        answer = await matcher.match(MatchPhenomenaRequest("", (Observation(row.text),)))
        figures.add(row, answer.interpretations[0])
    print(f"{split}: {asked} against {stored} only: {figures.line()}")


def aliases() -> None:
    """Prints the figures of half of the aliases, asked of the library and of topics without them.

    What its writers said, half blind.
    """
    words, embedder, weights = glossary.load(), embedding.static_embedder(), rerank.load()
    curated = load_shipped_library().phenomena
    known = topics.assemble(len(curated), learn_topics(curated, everything=False))
    entries = search_index.build(curated, words, embedder, known)
    aliases_of = {
        entry.id: {normalise(alias).lower() for alias in entry.aliases if is_asked(alias)} for entry in curated
    }
    counts: Counter[str] = Counter()
    for profile in entries.profiles:
        for number, surface in enumerate(profile.surfaces):
            if surface.text in aliases_of[profile.id] and surface.kind == "alias":
                query = features.prepare(surface.text, entries, words, embedder)
                table = features.compare(query, entries.profiles, entries, words, profile.first_row + number)
                order = rerank.rank(query, table, [0.0] * len(table), weights).order
                ids = [entries.profiles[position].id for position in order[:5]]
                counts.update(texts=1, at_1=ids[0] == profile.id, at_5=profile.id in ids)
    at_1, at_5 = share(counts["at_1"], counts["texts"]), share(counts["at_5"], counts["texts"])
    print(f"aliases left out one by one: n {counts['texts']}  recall@1 {at_1}  recall@5 {at_5}")


async def measure(split: str, misses: bool) -> None:
    """Prints the figures of one split."""
    words, embedder = glossary.load(), embedding.static_embedder()
    started = time.process_time()
    snapshots = Snapshots(FixedSource(load_shipped_library()), Store(None, 5.0), words, embedder)
    await snapshots.get("")
    print(f"{split}: library read and indexed in CPU seconds {time.process_time() - started:.2f}")
    matcher, figures, seconds = Matcher(snapshots, words, embedder), defaultdict[str, Figures](Figures), []
    for row in [row for row in load_paraphrases() if row.split == split]:
        begun = time.process_time()
        answer = await matcher.match(MatchPhenomenaRequest("", (Observation(row.text),)))
        seconds.append(time.process_time() - begun)
        for name in (row.lang, "all"):
            figures[name].add(row, answer.interpretations[0])
        if misses:
            show(row, answer.interpretations[0])
    for name in sorted(figures):
        print(f"{name:6}{figures[name].line()}")
    seconds.sort()
    print(
        f"CPU ms a text: p50 {seconds[len(seconds) // 2] * 1e3:.1f} p95 {seconds[len(seconds) * 95 // 100] * 1e3:.1f}"
    )


def show(row: Paraphrase, found: Interpretation) -> None:
    """Prints a text that came out wrong."""
    outcome = outcome_of(found)
    right = isinstance(outcome, Match) and outcome.phenomenon_id in row.right and outcome.verdict == row.verdict
    if right or (not row.right and not isinstance(outcome, Match)):
        return
    first = [f"{item.phenomenon_id} {item.score:.2f}" for item in found.candidates[:3]]
    said = outcome.verdict if isinstance(outcome, Match) else type(outcome).__name__
    print(f"  {row.text} | right {row.right} {row.verdict} | {said} {first}")


if __name__ == "__main__":
    wanted = [name for name in ("dev", "held_out") if name in sys.argv[1:]] or ["dev", "held_out"]
    for name in wanted:
        asyncio.run(measure(name, "--misses" in sys.argv))
        asyncio.run(across(name, "zh", "en"))
        asyncio.run(across(name, "en", "zh"))
    aliases()
