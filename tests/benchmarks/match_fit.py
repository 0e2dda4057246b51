"""Fits services/matcher/topics.json and weights.json: `python -m tests.benchmarks.match_fit`.

Topics: from the texts of the curated library. Order: listwise logistic loss. Calibration: logistic regression.
Asked are the dev half of paraphrases.jsonl and half of the aliases, against the library without the alias that is
asked, and against small libraries drawn from it that have no aliases; while fitting, the topics do not know the asked
half either. What a small library lacks is a text from outside. The held-out part is never read here, nor
small_world.txt.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt

from services.matcher import embedding, features, glossary, index, recall, rerank, store, topics
from services.matcher.library import Entry
from services.matcher.text import has_han
from tests.benchmarks.match_data import Paraphrase, current_library, outside, paraphrases

Floats = npt.NDArray[np.float64]
# A paraphrase is what people type; an alias is terser than that. Their sums are about equal with these.
PARAPHRASE_WEIGHT, OUTSIDE_WEIGHT, ALIAS_WEIGHT = 4.0, 2.0, 0.25
ALIAS_CALIBRATION, LACKING_CALIBRATION = 0.32, 0.4
# The small libraries: how many entries, and how much of all they count.
SIZES = (20, 24, 28, 32, 24, 40, 24, 64, 30, 24, 20, 90)
SMALL_SHARE = 0.25
# A small library may well have what a lacking entry says when it has one whose statements are this alike.
ALIKE = 0.35
PARAPHRASE, ALIAS, OUTSIDE, LACKING = "paraphrase", "alias", "outside", "lacking"
FOREIGN = rerank.PRESENCE_NAMES.index("foreign")
_CALIBRATION = {
    PARAPHRASE: PARAPHRASE_WEIGHT,
    OUTSIDE: OUTSIDE_WEIGHT,
    ALIAS: ALIAS_WEIGHT * ALIAS_CALIBRATION,
    LACKING: LACKING_CALIBRATION,
}
_ORDER = {PARAPHRASE: PARAPHRASE_WEIGHT, ALIAS: ALIAS_WEIGHT}


@dataclass(frozen=True)
class Asked:
    """A text with the entries it means."""

    kind: str
    text: str
    right: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """A text with the features of what was recalled; `right` has the positions that are right."""

    query: features.Query
    table: Floats
    right: tuple[int, ...]
    kind: str
    share: float


def asked_half(text: str) -> bool:
    """Whether an alias is asked while fitting; the others are what the topics know."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


def learnt(entries: Sequence[Entry], everything: bool) -> dict[str, dict[int, float]]:
    """What the topics are, from all texts or without the aliases that are asked while fitting."""
    documents = [
        [*entry.statements, *entry.present_when, *entry.identifiers]
        + [alias for alias in entry.aliases if everything or not asked_half(alias)]
        for entry in entries
    ]
    return topics.learn(documents, glossary.load())


def dev() -> list[Paraphrase]:
    """The half to tune on."""
    return [row for row in paraphrases() if row.split == "dev"]


def inside(entries: Iterable[Entry]) -> list[Asked]:
    """What is asked of a library: dev texts and half of the aliases of its entries."""
    ids = {entry.id for entry in entries}
    said = [Asked(PARAPHRASE, row.text, row.right) for row in dev() if set(row.right) & ids]
    return said + [
        Asked(ALIAS, alias, (entry.id,)) for entry in entries for alias in entry.aliases if asked_half(alias)
    ]


async def gather(
    name: str, entries: Sequence[Entry], asked: Iterable[Asked], known: topics.Topics, share: float
) -> list[Example]:
    """Examples of texts asked against entries."""
    words, embedder = glossary.load(), embedding.static_embedder()
    built = index.build(entries, words, embedder, known)
    qdrant = store.Store(None, 5.0)
    await qdrant.add(name, built)
    rows = {
        (profile.id, surface.text): profile.first_row + number
        for profile in built.profiles
        for number, surface in enumerate(profile.surfaces)
        if surface.kind == "alias"
    }
    found = []
    for item in asked:
        query = features.prepare(item.text, built, words, embedder)
        hits = await recall.recall(qdrant, name, query, built)
        profiles = [built.profiles[hit.number] for hit in hits]
        without = rows.get((item.right[0], query.reading.text.lower())) if item.kind == ALIAS else None
        table = features.compare(query, profiles, built, words, without)
        positions = tuple(number for number, profile in enumerate(profiles) if profile.id in item.right)
        found.append(Example(query, table, positions, item.kind, share))
    return found


def small(number: int, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """A library without aliases, of some entries; some in one language, some with names or descriptions alone."""
    drawn = sorted(Random(number).sample(range(len(entries)), SIZES[number]))
    language = (None, None, "zh", "en")[number % 4]
    kept = []
    for position in drawn:
        entry = entries[position]
        statements = entry.statements if number % 3 == 2 else entry.statements[2 * (number % 3) :][:2]
        texts = [
            tuple(text for text in group if language is None or has_han(text) == (language == "zh"))
            for group in (statements, entry.present_when)
        ]
        kept.append(replace(entry, statements=texts[0] or entry.statements[:2], aliases=(), present_when=texts[1]))
    return tuple(kept)


def lacking(entries: Sequence[Entry], members: Sequence[Entry], known: topics.Topics, random: Random) -> list[Asked]:
    """Texts about entries that are not members, nor like any member."""
    built = index.build(entries, glossary.load(), embedding.static_embedder(), known).topics
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    held = [numbers[entry.id] for entry in members]
    ids = {entry.id for entry in members}
    far = [entry for entry in entries if entry.id not in ids and (built[held] @ built[numbers[entry.id]]).max() < ALIKE]
    said = [item for item in inside(far) if not set(item.right) & ids]
    return [replace(item, kind=LACKING, right=()) for item in random.sample(said, min(120, len(said)))]


async def examples() -> list[Example]:
    """All training texts."""
    entries = current_library().phenomena
    known = topics.assemble(len(entries), learnt(entries, everything=False))
    elsewhere = [Asked(OUTSIDE, text, ()) for text in [*outside(), *(row.text for row in dev() if not row.right)]]
    found = await gather("whole", entries, [*inside(entries), *elsewhere], known, 1.0)
    by_id = {entry.id: entry for entry in entries}
    for number in range(len(SIZES)):
        members = small(number, entries)
        said = inside([by_id[entry.id] for entry in members])
        said += elsewhere + lacking(entries, members, known, Random(number))
        found += await gather(f"small{number}", members, said, known, SMALL_SHARE)
    return found


def descend(
    gradient: Callable[[Floats], Floats], size: int, least: Floats, steps: int = 1500, rate: float = 0.08
) -> Floats:
    """Adam on a convex loss, from zero; no weight falls below its `least`."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        slope = gradient(weights)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
        weights = np.maximum(weights, least)
    return weights


def fit_order(data: list[Example], ridge: float = 0.002) -> Floats:
    """Weights that make a right entry outscore the others; no feature that speaks for an entry may count against it."""
    usable = [example for example in data if example.right and len(example.table) > 1]
    most, width = max(len(example.table) for example in usable), len(features.NAMES)
    tables, there = np.zeros((len(usable), most, width)), np.zeros((len(usable), most), dtype=bool)
    right = np.zeros((len(usable), most), dtype=bool)
    for row, example in enumerate(usable):
        tables[row, : len(example.table)], there[row, : len(example.table)] = example.table, True
        right[row, list(example.right)] = True
    weight = np.asarray([_ORDER[example.kind] * example.share for example in usable])
    weight /= weight.sum()

    def gradient(weights: Floats) -> Floats:
        scores = tables @ weights
        pull = weight[:, None] * (_shares(scores, there) - _shares(scores, right))
        slope: Floats = 2 * ridge * weights + np.tensordot(pull, tables, axes=2)
        return slope

    least = np.asarray([-np.inf if name == "opposite" else 0.0 for name in features.NAMES])
    return descend(gradient, width, least, steps=800, rate=0.15)


def _shares(scores: Floats, among: npt.NDArray[np.bool_]) -> Floats:
    masked = np.where(among, scores, -np.inf)
    raised = np.exp(masked - masked.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def fit_logistic(rows: Floats, truth: Floats, weight: Floats, ridge: float) -> Floats:
    """Logistic regression with a ridge on everything but the last column."""
    penalty = np.full(rows.shape[1], ridge)
    penalty[-1] = 0.0

    def gradient(weights: Floats) -> Floats:
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope: Floats = rows.T @ (weight * (guess - truth)) / weight.sum() + 2 * penalty * weights
        return slope

    return descend(gradient, rows.shape[1], np.full(rows.shape[1], -np.inf))


def main() -> None:
    """Fits and writes the files."""
    data = asyncio.run(examples())
    order = fit_order(data)
    rows, right, within, weight = [], [], [], []
    for example in data:
        raw = example.table @ order
        ranked = [int(number) for number in np.argsort(-raw, kind="stable")]
        if not ranked:
            continue
        rows.append(rerank.presence_features(example.query, example.table, raw, ranked))
        right.append(float(ranked[0] in example.right))
        within.append(float(bool(example.right)))
        weight.append(_CALIBRATION[example.kind] * example.share)
        if example.kind == OUTSIDE and rows[-1][FOREIGN]:
            # No list of other products is whole: half of the time the word might not stand in it.
            rows.append(np.where(np.arange(len(rows[-1])) == FOREIGN, 0.0, rows[-1]))
            right.append(0.0)
            within.append(0.0)
            weight.append(weight[-1])
    stacked, weights = np.asarray(rows), np.asarray(weight)
    fitted = {
        "order": dict(zip(features.NAMES, order.round(4).tolist(), strict=True)),
        "right": named(fit_logistic(stacked, np.asarray(right), weights, 0.0005)),
        "inside": named(fit_logistic(stacked, np.asarray(within), weights, 0.0005)),
        "sharpness": 1.0,
    }
    Path(rerank.FILE).write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    entries = current_library().phenomena
    topics.save(len(entries), learnt(entries, everything=True))
    print(json.dumps(fitted, indent=1))


def named(weights: Floats) -> dict[str, float]:
    """Presence weights by name."""
    return dict(zip(rerank.PRESENCE_NAMES, weights.round(4).tolist(), strict=True))


if __name__ == "__main__":
    main()
