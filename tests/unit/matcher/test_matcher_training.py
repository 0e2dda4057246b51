"""The shipped weights match today's library, glossary and texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from services.matcher.ranking import rerank
from services.matcher.reading import topics
from services.matcher.training.fit import digest_inputs, fit_weights, learn_topics
from services.matcher.training.texts import load_shipped_library


def test_the_weights_were_fitted_to_these_inputs() -> None:
    """weights.json records the digest of today's inputs; if not, run `make train`."""
    assert json.loads(rerank.FILE.read_text(encoding="utf-8"))["inputs"] == digest_inputs()


def test_learning_the_topics_again_gives_the_shipped_file(tmp_path: Path) -> None:
    """topics.json is what `make train` writes, byte for byte."""
    entries = load_shipped_library().phenomena
    topics.save(len(entries), learn_topics(entries, everything=True), tmp_path / "topics.json")
    assert (tmp_path / "topics.json").read_bytes() == topics.FILE.read_bytes()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fitting_again_gives_the_shipped_weights() -> None:
    """weights.json is what `make train` writes, byte for byte."""
    assert fit_weights() == rerank.FILE.read_text(encoding="utf-8")
