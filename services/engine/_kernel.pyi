"""The kernel that the files of kernel/ are compiled to; compiled.py says what it is for."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

# The digest of the files it was compiled from.
BUILT_FROM: str

class Tables:
    """A library's arrays, and what its replies are made of."""

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
