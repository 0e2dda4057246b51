"""Fits the projection of the embedder: a truncated singular value decomposition of a library's entries by terms."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lang.embedding import DIMENSIONS, TERMS, ProjectedEmbedder, weigh_terms
from services.matcher.index.readings import Readings

Floats = npt.NDArray[np.float64]


def learn_projection(readings: Readings) -> ProjectedEmbedder:
    """An entry is one document: its own texts and their glosses, no lists of terms. Rarity is counted by text."""
    documents = [
        [text for said in group if said.kind != "terms" for text in (said.text, said.gloss)] for group in readings
    ]
    rarity = _rarity([text for document in documents for text in document])
    rows = np.stack([_row("\n".join(document), rarity) for document in documents])
    # Few documents, many terms: the eigenvectors of rows @ rows.T give the singular vectors.
    squares, vectors = np.linalg.eigh(rows @ rows.T)
    squares, vectors = squares[: -DIMENSIONS - 1 : -1], vectors[:, : -DIMENSIONS - 1 : -1]
    axes = rows.T @ (vectors / np.sqrt(squares))
    return ProjectedEmbedder((rarity[:, None] * axes).astype(np.float32), np.ones(axes.shape[1], np.float32))


def _rarity(texts: list[str]) -> Floats:
    """float64 (TERMS,): the inverse document frequency."""
    counts = np.zeros(TERMS)
    for text in texts:
        counts[weigh_terms(text)[0]] += 1
    return np.log(1 + (len(texts) - counts + 0.5) / (counts + 0.5))


def _row(text: str, rarity: Floats) -> Floats:
    row = np.zeros(TERMS)
    terms, weights = weigh_terms(text)
    row[terms] = weights * rarity[terms]
    length = float(np.linalg.norm(row))
    return row / length if length else row
