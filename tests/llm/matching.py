"""Texts that the rules do not read and ask about, by rules alone and with a model that reranks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lang import embedding
from services.chassis.llm import LanguageModel
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.llm_rerank import SURE
from services.matcher.matcher import Matcher
from services.matcher.model import Interpretation, MatchPhenomenaRequest, Observation
from services.matcher.reading import glossary
from services.matcher.training.texts import Paraphrase, load_paraphrases, load_shipped_library
from tests.llm.remembering import Remembering
from tests.support.matching import asked_of


def matcher(model: LanguageModel | None) -> Matcher:
    """A matcher of the curated library."""
    words, embedder = glossary.load(), embedding.load()
    return Matcher(
        Snapshots(FixedSource(load_shipped_library()), Store(None, 5.0), words, embedder), words, embedder, model
    )


async def read_by(by: Matcher, row: Paraphrase) -> tuple[Interpretation, int]:
    """What a matcher makes of a text, and the calls of its model."""
    answer = await by.match(MatchPhenomenaRequest("", (Observation(row.text),)))
    return answer.interpretations[0], answer.usage.calls


async def unsure_texts(by: Matcher) -> tuple[list[Paraphrase], int]:
    """The texts that are compared and whose first candidate is not sure, and how many there are in all."""
    rows = load_paraphrases()
    read = [(row, (await read_by(by, row))[0].candidates) for row in rows]
    return [row for row, found in read if found and found[0].score < SURE], len(rows)


def sampled(rows: Sequence[Paraphrase], count: int) -> list[Paraphrase]:
    """At most `count` texts, evenly spread; a third of them is about things that are not in the library."""
    outside = [row for row in rows if not row.right]
    inside = [row for row in rows if row.right]
    return [*_spread(inside, count - count // 3), *_spread(outside, count // 3)]


def _spread(rows: Sequence[Paraphrase], count: int) -> Sequence[Paraphrase]:
    return rows[:: max(1, len(rows) // max(count, 1))][:count]


@dataclass
class Figures:
    """Counts over texts."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, row: Paraphrase, found: Interpretation) -> None:
        """Counts one text."""
        ids, asked = [item.phenomenon_id for item in found.candidates], asked_of(found)
        if not row.right:
            self.counts.update(outside=1, asked_outside=bool(asked))
            return
        self.counts.update(
            texts=1,
            at_1=bool(ids) and ids[0] in row.right,
            at_5=any(name in row.right for name in ids[:5]),
            offered=any(name in row.right for name in asked),
            misled=bool(asked) and not any(name in row.right for name in asked),
        )

    def rows(self) -> dict[str, float]:
        """The figures by name; higher is better but for those that say wrong or needless."""
        count = self.counts
        texts, outside = max(count["texts"], 1), max(count["outside"], 1)
        return {
            "recall@1": count["at_1"] / texts,
            "recall@5": count["at_5"] / texts,
            "right one asked about": count["offered"] / texts,
            "only wrong ones asked about": count["misled"] / texts,
            "needless question, not in the library": count["asked_outside"] / outside,
        }


@dataclass
class Compared:
    """Both columns over the same texts, the model's calls, seconds, and the texts whose first candidate it changed."""

    rules: Figures = field(default_factory=Figures)
    model: Figures = field(default_factory=Figures)
    calls: int = 0
    seconds: float = 0.0
    changed: list[str] = field(default_factory=list)


async def compared(model: Remembering, rows: Sequence[Paraphrase]) -> Compared:
    """The texts by rules alone and with the model."""
    alone, helped, found = matcher(None), matcher(model), Compared()
    before = model.seconds
    for row in rows:
        (ruled, _), (read, calls) = await read_by(alone, row), await read_by(helped, row)
        found.rules.add(row, ruled)
        found.model.add(row, read)
        found.calls += calls
        if asked_of(ruled) != asked_of(read):
            found.changed.append(f"{row.text[:60]!r} {row.right}: {asked_of(ruled)} -> {asked_of(read)}")
    found.seconds = model.seconds - before
    return found
