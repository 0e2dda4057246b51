"""Fits services/matcher/weights.json: `python -m tests.benchmarks.match_fit`.

Order: listwise logistic loss over recalled entries, on the dev half of paraphrases.jsonl and on every alias of the
library asked against the library without it. Calibration: logistic regression on both, with the dev half's texts
from outside the library. The held-out part is never read here.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from services.matcher import embedding, features, glossary, index, recall, rerank, store
from tests.benchmarks.match_data import Paraphrase, current_library, outside, paraphrases

Floats = npt.NDArray[np.float64]
# A paraphrase is what people type; an alias is terser than that. Their sums are about equal with these.
PARAPHRASE_WEIGHT, OUTSIDE_WEIGHT, ALIAS_WEIGHT = 4.0, 4.0, 0.25
ALIAS_CALIBRATION_WEIGHT = 0.08


@dataclass(frozen=True)
class Example:
    """A text with the features of what was recalled; `right` has the positions that are right."""

    query: features.Query
    table: Floats
    right: tuple[int, ...]
    weight: float


async def examples() -> list[Example]:
    """All training texts."""
    words, embedder, library = glossary.load(), embedding.static_embedder(), current_library()
    entries = index.build(library.phenomena, words, embedder)
    qdrant = store.Store(None, 5.0)
    await qdrant.add(library.snapshot_id, entries)
    found = []

    async def add(text: str, right: tuple[str, ...], weight: float, without: int | None) -> None:
        query = features.prepare(text, entries, words, embedder)
        hits = await recall.recall(qdrant, library.snapshot_id, query, entries)
        recalled = [entries.profiles[hit.number].id for hit in hits]
        table = features.compare(query, [entries.by_id[hit] for hit in recalled], entries, words, without)
        positions = tuple(number for number, hit in enumerate(recalled) if hit in right)
        found.append(Example(query, table, positions, weight))

    for row in dev():
        await add(row.text, row.right, PARAPHRASE_WEIGHT, None)
    for text in outside():
        await add(text, (), OUTSIDE_WEIGHT, None)
    for profile in entries.profiles:
        for number, surface in enumerate(profile.surfaces):
            if surface.kind == "alias":
                await add(surface.text, (profile.id,), ALIAS_WEIGHT, profile.first_row + number)
    return found


def dev() -> list[Paraphrase]:
    """The half to tune on."""
    return [row for row in paraphrases() if row.split == "dev"]


def descend(gradient: Callable[[Floats], Floats], size: int, steps: int = 1500, rate: float = 0.08) -> Floats:
    """Adam on a convex loss, from zero."""
    weights, first, second = np.zeros(size), np.zeros(size), np.zeros(size)
    for step in range(1, steps + 1):
        slope = gradient(weights)
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope**2
        weights = weights - rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-9)
    return weights


def fit_order(data: list[Example], ridge: float = 0.002) -> Floats:
    """Weights that make a right entry outscore the others; no feature that speaks for an entry may count against it."""
    usable = [example for example in data if example.right and len(example.table) > 1]
    total = sum(example.weight for example in usable)

    def gradient(weights: Floats) -> Floats:
        slope = 2 * ridge * weights
        for example in usable:
            scores = example.table @ weights
            share = np.exp(scores - scores.max())
            share /= share.sum()
            right = list(example.right)
            among = share[right] / share[right].sum()
            slope += example.weight / total * (share @ example.table - among @ example.table[right])
        return slope

    return descend(gradient, len(features.NAMES), steps=800, rate=0.15)


def fit_logistic(rows: Floats, truth: Floats, weight: Floats, ridge: float) -> Floats:
    """Logistic regression with a ridge on everything but the last column."""
    penalty = np.full(rows.shape[1], ridge)
    penalty[-1] = 0.0

    def gradient(weights: Floats) -> Floats:
        guess = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope: Floats = rows.T @ (weight * (guess - truth)) / weight.sum() + 2 * penalty * weights
        return slope

    return descend(gradient, rows.shape[1])


def main() -> None:
    """Fits and writes the file."""
    data = asyncio.run(examples())
    order = fit_order(data)
    rows, right, inside, weight = [], [], [], []
    for example in data:
        raw = example.table @ order
        ranked = [int(number) for number in np.argsort(-raw, kind="stable")]
        if not ranked:
            continue
        rows.append(rerank.presence_features(example.query, example.table, raw, ranked))
        right.append(float(ranked[0] in example.right))
        inside.append(float(bool(example.right)))
        weight.append(ALIAS_CALIBRATION_WEIGHT if example.weight == ALIAS_WEIGHT else example.weight)
    stacked, weights = np.asarray(rows), np.asarray(weight)
    fitted = {
        "order": dict(zip(features.NAMES, order.round(4).tolist(), strict=True)),
        "right": named(fit_logistic(stacked, np.asarray(right), weights, 0.0005)),
        "inside": named(fit_logistic(stacked, np.asarray(inside), weights, 0.0005)),
        "sharpness": 1.0,
    }
    Path(rerank.FILE).write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(fitted, indent=1))


def named(weights: Floats) -> dict[str, float]:
    """Presence weights by name."""
    return dict(zip(rerank.PRESENCE_NAMES, weights.round(4).tolist(), strict=True))


if __name__ == "__main__":
    main()
