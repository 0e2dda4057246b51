"""Dense embeddings: the mean of static token vectors, whose weights ship inside a Python package."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from services.chassis.errors import DependencyDown

Vectors = npt.NDArray[np.float32]
_PACKAGE = "wordllama"
_WEIGHTS = "weights/l2_supercat_256.safetensors"
_TENSOR = "embedding.weight"
_TOKENIZER = "tokenizers/l2_supercat_tokenizer_config.json"


class Embedder(Protocol):
    """Embeds texts as unit vectors."""

    @property
    def size(self) -> int:
        """Dimensions of a vector."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """float32 (texts, size): rows of norm 1, or 0 for a text without tokens."""


class StaticEmbedder:
    """Embeds by table look-up; never accesses the network."""

    def __init__(self, table: npt.NDArray[np.float16], tokenizer: Any) -> None:
        self._table, self._tokenizer = table, tokenizer

    @property
    def size(self) -> int:
        """See Embedder."""
        return int(self._table.shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See Embedder."""
        encoded = self._tokenizer.encode_batch_fast([text.lower() for text in texts], add_special_tokens=False)
        counts = [len(encoding) for encoding in encoded]
        ids = np.fromiter(chain.from_iterable(encoding.ids for encoding in encoded), np.int64, sum(counts))
        rows = np.zeros((len(texts), self.size), dtype=np.float32)
        end = 0
        for row, count in zip(rows, counts, strict=True):
            start, end = end, end + count
            np.add.reduce(self._table[ids[start:end]], axis=0, dtype=np.float32, out=row)
        rows /= np.maximum(np.asarray(counts, dtype=np.float32), 1)[:, None]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Vectors = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        return unit


@cache
def static_embedder() -> StaticEmbedder:
    """The embedder of the installed package. Raises DependencyDown if its files are missing."""
    from tokenizers import Tokenizer

    # Importing the package would configure logging and import a network client, so only its files are read.
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise DependencyDown("index_unreachable.package_missing", package=_PACKAGE)
    folder = Path(found.origin).parent
    try:
        table = _mapped(folder / _WEIGHTS)
        tokenizer = Tokenizer.from_file(str(folder / _TOKENIZER))
    except Exception as error:
        raise DependencyDown("index_unreachable.package_damaged", folder=folder.name, problem=str(error)) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return StaticEmbedder(table, tokenizer)


def _mapped(path: Path) -> npt.NDArray[np.float16]:
    """Memory-maps the table of a safetensors file (header length, JSON header, numbers)."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry = json.loads(file.read(size))[_TENSOR]
    if entry["dtype"] != "F16":
        raise ValueError(f"its numbers are {entry['dtype']}, expected F16")
    begin = 8 + size + entry["data_offsets"][0]
    return np.memmap(path, dtype="<f2", mode="r", offset=begin, shape=tuple(entry["shape"]))
