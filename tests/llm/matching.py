"""Labelled sentences as the matcher reads them, by rules alone and with a model that reads first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lang import embedding
from lang.concepts import glossary
from services.chassis.llm import LanguageModel
from services.matcher.index.snapshots import FixedSource, Snapshots
from services.matcher.index.vectors import Store
from services.matcher.matcher import Matcher
from services.matcher.model import MatchPhenomenaRequest, MatchPhenomenaResponse
from services.matcher.training.texts import load_shipped_library
from tests.llm.remembering import Remembering
from tests.support.oracle import Labelled, is_right, read_labelled, recorded_of, shown_of

NEVER_WORSE = "said and counted or asked about"
_SENTENCES = Path(__file__).parents[1] / "unit" / "lang" / "sentences.jsonl"


def matcher(model: LanguageModel | None) -> Matcher:
    """A matcher of the curated library."""
    words, embedder = glossary.load(), embedding.load()
    return Matcher(
        Snapshots(FixedSource(load_shipped_library()), Store(None, 5.0), words, embedder), words, embedder, model
    )


def sampled(count: int) -> list[Labelled]:
    """At most `count` of the labelled sentences, evenly spread."""
    rows = read_labelled(_SENTENCES)
    return rows[:: max(1, len(rows) // max(count, 1))][:count]


@dataclass
class Figures:
    """Counts over messages."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, row: Labelled, answer: MatchPhenomenaResponse) -> None:
        """Counts one message."""
        recorded, shown = recorded_of(answer), shown_of(answer)
        wanted = [{(name, verdict) for name in ids} for verdict, ids in row.wanted]
        self.counts.update(
            messages=1,
            right=is_right(row, answer),
            wrong=not recorded <= row.allowed_labels,
            wanted=len(wanted),
            heard=sum(bool(each & recorded) for each in wanted),
            shown=sum(any(name in shown for name, _ in each) for each in wanted),
        )

    def rows(self) -> dict[str, float]:
        """The figures by name; higher is better but for wrong evidence."""
        count = self.counts
        messages, wanted = max(count["messages"], 1), max(count["wanted"], 1)
        return {
            "messages whole right": count["right"] / messages,
            "messages with wrong evidence": count["wrong"] / messages,
            "said and counted": count["heard"] / wanted,
            NEVER_WORSE: count["shown"] / wanted,
        }


@dataclass
class Compared:
    """Both columns over the same messages, the model's cost, and the messages of which it changed what counts."""

    rules: Figures = field(default_factory=Figures)
    model: Figures = field(default_factory=Figures)
    cost: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    changed: list[str] = field(default_factory=list)


async def compared(model: Remembering, rows: Sequence[Labelled]) -> Compared:
    """The messages by rules alone and with the model."""
    alone, helped, found = matcher(None), matcher(model), Compared()
    before = model.seconds
    for row in rows:
        request = MatchPhenomenaRequest(message=row.message)
        ruled, read = await alone.match(request), await helped.match(request)
        found.rules.add(row, ruled)
        found.model.add(row, read)
        usage = read.usage
        found.cost.update(calls=usage.calls, prompt=usage.prompt_tokens, completion=usage.completion_tokens)
        found.cost[usage.fallback_reason or "used"] += 1
        if recorded_of(ruled) != recorded_of(read):
            change = f"{sorted(recorded_of(ruled))} -> {sorted(recorded_of(read))}"
            found.changed.append(f"{row.id} {row.message[:60]!r}: {change}")
    found.seconds = model.seconds - before
    return found
