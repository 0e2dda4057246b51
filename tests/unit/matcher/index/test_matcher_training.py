"""The shipped weights match today's library, glossary and texts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lang import embedding
from lang.concepts import glossary
from services.knowledge.blobs.backends import open_blobs
from services.knowledge.settings import KnowledgeSettings
from services.knowledge.snapshots.publish import publish_at_startup
from services.knowledge.snapshots.store import SnapshotStore
from services.matcher.index import compiled, readings, shipped_index
from services.matcher.index.compiled import compile_index
from services.matcher.index.entries import read_snapshot
from services.matcher.ranking import rerank
from services.matcher.reading import topics
from services.matcher.training.fit import digest_inputs, fit_weights, learn_embedder, learn_topics
from services.matcher.training.texts import load_shipped_library


def test_the_weights_were_fitted_to_these_inputs() -> None:
    """weights.json records the digest of today's inputs; if not, run `make train`."""
    assert json.loads(rerank.FILE.read_text(encoding="utf-8"))["inputs"] == digest_inputs()


@pytest.mark.slow
def test_learning_the_topics_again_gives_the_shipped_file(tmp_path: Path) -> None:
    """topics.json is what `make train` writes, byte for byte."""
    entries = load_shipped_library().phenomena
    topics.save(len(entries), learn_topics(entries, everything=True), tmp_path / "topics.json")
    assert (tmp_path / "topics.json").read_bytes() == topics.FILE.read_bytes()


@pytest.mark.slow
def test_learning_the_projection_again_gives_the_shipped_vectors() -> None:
    """The shipped projection is what `make train` learns, but for its rounding to a byte; directions have no sign."""
    entries = load_shipped_library().phenomena
    texts = [alias for entry in entries for alias in entry.aliases[:2]]
    learned, shipped = learn_embedder(entries, everything=True).embed(texts), embedding.load().embed(texts)
    assert np.abs(learned @ learned.T - shipped @ shipped.T).max() < 0.02


@pytest.mark.parametrize("kind", [pytest.param("phenomena", marks=pytest.mark.slow), "root_causes"])
def test_compiling_the_shipped_library_again_gives_the_shipped_index(kind: str) -> None:
    """What is shipped for these entries is what compiling them gives, the rounding of vectors aside; if not, run
    `make train`.
    """
    entries = getattr(load_shipped_library(), kind)
    read = readings.read_entries(entries, glossary.load())
    found, made = shipped_index.find_compiled(entries), compile_index(entries, read, embedding.load(), topics.load())
    assert found is not None
    assert compiled.read_back(found) == read
    assert (found.keys, found.fingerprint) == (made.keys, made.fingerprint)
    for name in ("rarity", "sizes", "means", "topics", "terms", "strengths", "ends"):
        assert np.allclose(getattr(found, name), getattr(made, name), atol=1e-6), name


def test_the_served_library_is_the_one_whose_index_is_shipped(tmp_path: Path) -> None:
    """The snapshot that a first start publishes has the entries that `make train` reads."""
    store = SnapshotStore(open_blobs(str(tmp_path)), lambda: 0.0)
    manifest = publish_at_startup(store, KnowledgeSettings().library_paths())
    served = read_snapshot(store.read(manifest.snapshot_id), manifest.snapshot_id)
    assert shipped_index.find_compiled(served.phenomena) is not None
    assert shipped_index.find_compiled(served.root_causes) is not None


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fitting_again_gives_the_shipped_weights() -> None:
    """weights.json is what `make train` writes, byte for byte."""
    assert fit_weights() == rerank.FILE.read_text(encoding="utf-8")
