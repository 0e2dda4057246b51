"""Dense vectors of texts by a small model that lies in its package: no network, equal texts give equal vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Turns texts into vectors of length 1."""

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """float32 array (texts, dimensions), in the order given."""


class PackagedEmbedder:
    """The 256-dimensional word vectors of the wordllama package, loaded on first use."""

    def __init__(self) -> None:
        self._model: Any = None

    def vectors(self, texts: Sequence[str]) -> FloatArray:
        """See Embedder."""
        if self._model is None:
            import wordllama

            folder = Path(wordllama.__file__).parent
            self._model = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)
        if not texts:
            return np.zeros((0, 256), dtype=np.float32)
        found: FloatArray = self._model.embed(list(texts), norm=True)
        return found
