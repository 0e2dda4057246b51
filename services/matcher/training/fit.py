"""Fits topics.json, projection.npz and weights.json.

Topics and projection come from the texts of the shipped library, the ranking weights from a listwise logistic loss,
the calibration from logistic regression. Training queries are the dev half of paraphrases.jsonl and half of the
aliases: against the library without the queried alias, and against small libraries sampled from it without aliases.
During the fit topics and projection exclude the queried half, too. Texts about entries that a small library lacks are
its outside texts. The held-out part and small_world.txt are never read here.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np
import numpy.typing as npt

from lang import embedding
from lang.concepts import glossary
from lang.concepts.text import has_han
from lang.linear.linear_model import descend, fit_logistic
from services.matcher.index import readings, search_index, shipped_index, vectors
from services.matcher.index.entries import Entry
from services.matcher.ranking import features, recall, rerank
from services.matcher.reading import topics
from services.matcher.training.projection import learn_projection
from services.matcher.training.texts import Paraphrase, load_outside_texts, load_paraphrases, load_shipped_library

Floats = npt.NDArray[np.float64]
# Increment if the same inputs yield different weights.
VERSION = 2
# Paraphrases resemble real input, aliases are terser; with these weights their totals are about equal.
PARAPHRASE_WEIGHT, OUTSIDE_WEIGHT, ALIAS_WEIGHT = 4.0, 2.0, 0.25
ALIAS_CALIBRATION, LACKING_CALIBRATION = 0.32, 0.4
# Sizes of the small libraries, and the weight of their examples.
SIZES = (20, 24, 28, 32, 24, 40, 24, 64, 30, 24, 20, 90)
SMALL_SHARE = 0.25
# An entry this similar to a member counts as covered by the small library.
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
    """A training query and the entries it means."""

    kind: str
    text: str
    right: tuple[str, ...]


@dataclass(frozen=True)
class Learned:
    """What the texts of a library teach about their words."""

    known: topics.Topics
    embedder: embedding.Embedder


@dataclass(frozen=True)
class Example:
    """A query with the features of its recalled entries; `right` has the positions of the right ones."""

    query: features.Query
    table: Floats
    right: tuple[int, ...]
    kind: str
    share: float


def is_asked(text: str) -> bool:
    """True if an alias is a training query; the other half trains topics and projection."""
    return hashlib.sha256(text.encode()).digest()[0] % 2 == 0


def learn_topics(entries: Sequence[Entry], everything: bool) -> dict[str, dict[int, float]]:
    """Learns the topics, from all texts or without the aliases that are training queries."""
    documents = [
        [*entry.statements, *entry.present_when, *entry.identifiers]
        + [alias for alias in entry.aliases if everything or not is_asked(alias)]
        for entry in entries
    ]
    return topics.learn(documents, glossary.load())


def learn_embedder(entries: Sequence[Entry], everything: bool) -> embedding.ProjectedEmbedder:
    """Learns the projection, from all texts or without the aliases that are training queries."""
    kept = [
        replace(entry, aliases=tuple(alias for alias in entry.aliases if everything or not is_asked(alias)))
        for entry in entries
    ]
    return learn_projection(shipped_index.find_readings(kept) or readings.read_entries(kept, glossary.load()))


def learn_without_asked(entries: Sequence[Entry]) -> Learned:
    """Topics and embedder that have never seen the training queries."""
    known = topics.assemble(len(entries), learn_topics(entries, everything=False))
    return Learned(known, learn_embedder(entries, everything=False))


def load_dev_texts() -> list[Paraphrase]:
    """The half of the paraphrases to tune on."""
    return [row for row in load_paraphrases() if row.split == "dev"]


def list_asked(entries: Iterable[Entry]) -> list[Asked]:
    """The training queries for these entries: dev texts and half of the aliases."""
    ids = {entry.id for entry in entries}
    said = [Asked(PARAPHRASE, row.text, row.right) for row in load_dev_texts() if set(row.right) & ids]
    return said + [Asked(ALIAS, alias, (entry.id,)) for entry in entries for alias in entry.aliases if is_asked(alias)]


async def gather(
    name: str, entries: Sequence[Entry], asked: Iterable[Asked], learned: Learned, share: float
) -> list[Example]:
    """Matches the queries against the entries and collects the examples."""
    words, embedder = glossary.load(), learned.embedder
    built = search_index.build(entries, words, embedder, learned.known)
    qdrant = vectors.Store(None, 5.0)
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
        table = features.compare(query, profiles, built, without)
        positions = tuple(number for number, profile in enumerate(profiles) if profile.id in item.right)
        found.append(Example(query, table, positions, item.kind, share))
    return found


def draw_library(number: int, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Samples a small library without aliases; some have one language only, some names or descriptions only."""
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
        kept.append(
            replace(entry, statements=texts[0] or entry.statements[:2], aliases=(), present_when=texts[1], terms=())
        )
    return tuple(kept)


def draw_lacking(entries: Sequence[Entry], members: Sequence[Entry], learned: Learned, drawn: Random) -> list[Asked]:
    """Samples queries about entries that are neither members nor similar to one."""
    built = search_index.build(entries, glossary.load(), learned.embedder, learned.known).topics
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    held = [numbers[entry.id] for entry in members]
    ids = {entry.id for entry in members}
    far = [entry for entry in entries if entry.id not in ids and (built[held] @ built[numbers[entry.id]]).max() < ALIKE]
    said = [item for item in list_asked(far) if not set(item.right) & ids]
    return [replace(item, kind=LACKING, right=()) for item in drawn.sample(said, min(120, len(said)))]


async def gather_examples() -> list[Example]:
    """All training examples: against the whole library and against the small ones."""
    entries = load_shipped_library().phenomena
    learned = learn_without_asked(entries)
    elsewhere = [
        Asked(OUTSIDE, text, ())
        for text in [*load_outside_texts(), *(row.text for row in load_dev_texts() if not row.right)]
    ]
    found = await gather("whole", entries, [*list_asked(entries), *elsewhere], learned, 1.0)
    by_id = {entry.id: entry for entry in entries}
    for number in range(len(SIZES)):
        members = draw_library(number, entries)
        said = list_asked([by_id[entry.id] for entry in members])
        said += elsewhere + draw_lacking(entries, members, learned, Random(number))
        found += await gather(f"small{number}", members, said, learned, SMALL_SHARE)
    return found


def fit_order(data: list[Example], ridge: float = 0.002) -> Floats:
    """Fits the ranking weights by listwise logistic loss. They are >= 0."""
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

    return descend(gradient, width, np.zeros(width), steps=800, rate=0.15)


def _shares(scores: Floats, among: npt.NDArray[np.bool_]) -> Floats:
    masked = np.where(among, scores, -np.inf)
    raised = np.exp(masked - masked.max(axis=1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=1, keepdims=True)
    return shares


def fit_weights() -> str:
    """Fits all weights and returns the content of weights.json."""
    data = asyncio.run(gather_examples())
    order = fit_order(data)
    rows, right, within, weight = _calibration(data, order)
    found = {
        "inputs": digest_inputs(),
        "order": dict(zip(features.NAMES, order.round(4).tolist(), strict=True)),
        "right": name_weights(fit_logistic(rows, right, weight, 0.0005)),
        "inside": name_weights(fit_logistic(rows, within, weight, 0.0005)),
        "sharpness": 1.0,
    }
    return json.dumps(found, indent=1) + "\n"


def _calibration(data: Sequence[Example], order: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Per first candidate: presence features, whether it is right, whether any entry is, example weight."""
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
            # The list of other products is incomplete, so each such text also trains without the feature.
            rows.append(np.where(np.arange(len(rows[-1])) == FOREIGN, 0.0, rows[-1]))
            right.append(0.0)
            within.append(0.0)
            weight.append(weight[-1])
    return np.asarray(rows), np.asarray(right), np.asarray(within), np.asarray(weight)


def digest_inputs() -> str:
    """Digest of the training inputs: the library's texts, what reads them, the labelled texts, feature names."""
    texts = [*load_outside_texts(), *load_dev_texts()]
    said = repr((VERSION, texts, features.NAMES, rerank.PRESENCE_NAMES)).encode()
    return hashlib.sha256(said + readings.digest_inputs(load_shipped_library().phenomena)).hexdigest()


def name_weights(weights: Floats) -> dict[str, float]:
    """Presence weights by name."""
    return dict(zip(rerank.PRESENCE_NAMES, weights.round(4).tolist(), strict=True))
