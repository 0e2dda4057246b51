"""Measures the matcher on a small library without aliases: `python -m tests.benchmarks.match_small LIBRARY.json`.

The library is one JSON file whose English descriptions are those of small_world.txt. The texts were written from the
descriptions alone, before the glossary was read, and are parted by the hash of each text: `--misses` shows what came
out wrong in the dev part only.
`--real FILE` asks labelled symptoms (one JSON object a line: text, lang, right; an empty id when none is right as well)
against the shipped library.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from services.matcher.index import embedding
from services.matcher.index.entries import Library, read_world
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import Clarification, Match, MatchPhenomenaRequest, Observation
from services.matcher.reading import glossary
from services.matcher.reading.text import has_han
from services.matcher.training.texts import Paraphrase, load_paraphrases, load_shipped_library
from tests.benchmarks.match_data import HERE, spoken
from tests.benchmarks.match_recall import Figures, share, show
from tests.support.matching import outcome_of

DEV, HELD_OUT = "dev", "held_out"


def part(text: str) -> str:
    """60 % dev, the rest held out, by the text itself."""
    return DEV if hashlib.sha256(text.encode()).digest()[0] < 154 else HELD_OUT


def texts(library: Library, name: str = "small_world") -> list[Paraphrase]:
    """The texts for the entries of a library, named by their English description, and those from outside."""
    by_name = {entry.name.en: entry.id for entry in library.phenomena}
    rows, right = [], ""
    for line in (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            right = by_name[line[2:]]
        else:
            said, verdict = (line[2:], "denied") if line.startswith("! ") else (line, "confirmed")
            rows.append(Paraphrase(said, _side(said), (right,), verdict, part(said)))
    for line in (HERE / f"{name}_outside.txt").read_text(encoding="utf-8").splitlines():
        rows.append(Paraphrase(line, _side(line), (), "", part(line)))
    return rows


def _side(text: str) -> str:
    return "zh" if has_han(text) else "en"


def matcher_of(library: Library) -> Matcher:
    """A matcher that knows one library."""
    words, embedder = glossary.load(), embedding.static_embedder()
    return Matcher(Snapshots(FixedSource(library), Store(None, 5.0), words, embedder), words, embedder)


async def ask(library: Library, rows: list[Paraphrase], title: str, misses: bool = False) -> None:
    """Prints the figures of each language and part."""
    matcher, seconds = matcher_of(library), list[float]()
    await matcher.match(MatchPhenomenaRequest("", (Observation("warm up"),)))
    figures = defaultdict[tuple[str, str], Figures](Figures)
    for row in rows:
        begun = time.process_time()
        answer = await matcher.match(MatchPhenomenaRequest("", (Observation(row.text),)))
        seconds.append(time.process_time() - begun)
        figures[row.split, row.lang].add(row, answer.interpretations[0])
        if misses and row.split == DEV:
            show(row, answer.interpretations[0])
    for split, lang in sorted(figures):
        print(f"{title:12} {split:9}{lang:6}{figures[split, lang].line()}")
    seconds.sort()
    half, most = seconds[len(seconds) // 2] * 1e3, seconds[len(seconds) * 95 // 100] * 1e3
    print(f"{title:12} CPU ms a text: p50 {half:.1f} p95 {most:.1f}")


async def real(path: Path, misses: bool) -> None:
    """Prints how many symptoms find the right entry of the shipped library, or rightly none."""
    matcher = matcher_of(load_shipped_library())
    counts = defaultdict[str, int](int)
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found = (await matcher.match(MatchPhenomenaRequest("", (Observation(row["text"]),)))).interpretations[0]
        outcome, ids = outcome_of(found), [item.phenomenon_id for item in found.candidates]
        kind = "known" if row["right"] else "none"
        offered = [item.phenomenon_id for item in outcome.options] if isinstance(outcome, Clarification) else []
        matched = isinstance(outcome, Match)
        right = ids[0] in row["right"] if matched else not row["right"] or "" in row["right"]
        counts[kind] += 1
        counts[f"{kind} right"] += right
        counts[f"{kind} first"] += bool(ids) and ids[0] in row["right"]
        counts[f"{kind} offered"] += bool(set(offered) & set(row["right"]))
        counts[f"{kind} asked"] += bool(offered)
        counts[f"{kind} wrong"] += matched and not right
        if misses and not right:
            seen = [f"{item.phenomenon_id} {item.score:.2f} {item.name.en}" for item in found.candidates[:3]]
            print(f"  {row['text']} | right {row['right']} | {type(outcome).__name__} {seen}")
    total, good = counts["known"] + counts["none"], counts["known right"] + counts["none right"]
    print(f"real symptoms {total}: right {share(good, total)}", dict(sorted(counts.items())))


async def main() -> None:
    """Reads the command line and prints all figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=Path)
    parser.add_argument("--texts", default="small_world")
    parser.add_argument("--real", type=Path)
    parser.add_argument("--misses", action="store_true")
    given = parser.parse_args()
    library = read_world(given.library.read_bytes())
    rows = texts(library, given.texts)
    await ask(library, rows, "small", given.misses)
    for asked, stored in (("zh", "en"), ("en", "zh")):
        crossing = [row for row in rows if row.lang == asked and row.right]
        await ask(spoken(library, stored), crossing, f"in {stored} only")
    bare = tuple(replace(entry, aliases=()) for entry in load_shipped_library().phenomena)
    await ask(replace(load_shipped_library(), phenomena=bare), load_paraphrases(), "no aliases")
    if given.real:
        await real(given.real, given.misses)


if __name__ == "__main__":
    asyncio.run(main())
