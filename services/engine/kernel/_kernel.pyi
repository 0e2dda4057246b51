"""The extension module that the C files of this package compile to; see the README."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# The digest of the sources that it was compiled from; see build.sources_digest.
BUILT_FROM: str

class Tables:
    """The arrays of a reasoning model, and the objects that replies consist of."""

    def __new__(
        cls, arrays: Mapping[str, npt.NDArray[Any]], parts: tuple[object, ...], rest: float, dearest: float, /
    ) -> Tables: ...

def prepare(
    logs: Sequence[float], atanh: Sequence[float], roots: Sequence[float], power: Sequence[float], /
) -> None: ...
def read(tables: Tables, evidence: tuple[object, ...], /) -> Any: ...
def diagnose(
    tables: Tables,
    answers: tuple[object, ...],
    excluded: tuple[int, ...],
    hypotheses: int,
    questions: int,
    threshold: float,
    /,
) -> Any: ...
def believe(tables: Tables, answers: tuple[object, ...], belief: npt.NDArray[np.float64], /) -> float: ...
def is_concluded(tables: Tables, answers: tuple[object, ...], threshold: float, /) -> bool: ...
def best(
    tables: Tables, answers: tuple[object, ...], excluded: tuple[int, ...], count: int, /
) -> list[tuple[int, float, float, float]]: ...
def expect(tables: Tables, answers: tuple[object, ...], sums: npt.NDArray[np.float64], /) -> None: ...
def write_diagnosis(diagnosis: tuple[object, ...], /) -> bytes: ...
