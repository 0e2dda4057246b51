"""Dense vectors of texts: their laws, and what the shipped projection has learned."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lang import embedding
from tests.support.cases import for_each

TEXTS = st.lists(st.text(max_size=60), max_size=6)


@given(TEXTS)
def test_vectors_have_length_one_or_zero(texts: list[str]) -> None:
    """A text has a vector of length 1, or of zeros if none of its terms is known."""
    found = embedding.load().embed(texts)
    assert found.shape == (len(texts), embedding.DIMENSIONS)
    assert found.dtype == np.float32
    lengths = np.linalg.norm(found, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-5) | (lengths == 0))


@given(TEXTS)
def test_a_vector_depends_on_its_text_alone(texts: list[str]) -> None:
    """To the last bit: a text has the same vector alone, among others, and in capitals of ASCII."""
    together = embedding.load().embed(texts)
    for row, text in zip(together, texts, strict=True):
        assert np.array_equal(row, embedding.load().embed([text])[0])
        if text.isascii():
            assert np.array_equal(row, embedding.load().embed([text.upper()])[0])


@for_each("text", ["", " \n", "\u3000"])
def test_a_text_without_terms_is_zero(text: str) -> None:
    """Nothing said has no direction."""
    assert not embedding.load().embed([text]).any()


@given(st.text(max_size=200))
def test_terms_stay_in_the_table_and_weigh_by_their_count(text: str) -> None:
    """Every term has a row; a text said twice has no lighter term."""
    terms, weights = embedding.weigh_terms(text)
    assert np.all((terms >= 0) & (terms < embedding.TERMS))
    assert len(set(terms.tolist())) == len(terms)
    twice = dict(zip(*(part.tolist() for part in embedding.weigh_terms(f"{text} {text}")), strict=True))
    assert all(twice[term] > weight >= 1 for term, weight in zip(terms.tolist(), weights.tolist(), strict=True))


@for_each(
    ("text", "alike", "unlike"),
    [
        ("sessions wait for a lock", "a long lock wait", "the disk is full"),
        ("锁等待很多", "会话在等锁", "磁盘满了"),
        ("复制延迟很大", "replication lag", "checkpoint"),
        ("autovacuum is not running", "vacuum has not run", "connection refused"),
    ],
)
def test_texts_about_the_same_are_alike(text: str, alike: str, unlike: str) -> None:
    """A text is nearer to another about the same matter than to one about another, across languages, too."""
    one, near, far = embedding.load().embed([text, alike, unlike])
    assert one @ near > one @ far + 0.2


def test_a_saved_embedder_is_loaded_again(tmp_path: Path) -> None:
    """Saving what was loaded changes no number by more than its rounding."""
    path, shipped = tmp_path / "projection.npz", embedding.load()
    embedding.save(shipped, path)
    assert np.allclose(embedding.load(path).projection, shipped.projection, rtol=1e-5, atol=0)
    assert path.stat().st_size < 2 * 2**20
