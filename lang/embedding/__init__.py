"""Dense vectors of texts, for likeness beyond common words."""

from lang.embedding.embedder import (
    DIMENSIONS,
    FILE,
    TERMS,
    Embedder,
    ProjectedEmbedder,
    Vectors,
    digest_rules,
    load,
    save,
    weigh_terms,
)

__all__ = [
    "DIMENSIONS",
    "FILE",
    "TERMS",
    "Embedder",
    "ProjectedEmbedder",
    "Vectors",
    "digest_rules",
    "load",
    "save",
    "weigh_terms",
]
