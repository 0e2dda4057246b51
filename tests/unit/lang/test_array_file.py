from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lang.linear.array_file import map_file, pack_arrays, view_arrays

ARRAYS: dict[str, npt.NDArray[Any]] = {
    "steps": np.arange(-60, 60, dtype=np.int8).reshape(40, 3),
    "nothing": np.zeros((0, 7), dtype=np.float32),
    "rarity": np.linspace(0, 9, 101).astype(np.float16),
    "ends": np.arange(5, dtype=np.int32),
    "one": np.array([0.1]),
}


def test_what_is_packed_is_viewed_unchanged(tmp_path: Path) -> None:
    """Type, shape and every bit stay, whether the file is read or mapped, and each array is aligned."""
    content = pack_arrays(**ARRAYS)
    (tmp_path / "some.arrays").write_bytes(content)
    for found in (view_arrays(content), view_arrays(map_file(tmp_path / "some.arrays"))):
        assert found.keys() == ARRAYS.keys()
        for name, array in ARRAYS.items():
            assert (found[name].dtype, found[name].shape) == (array.dtype, array.shape)
            assert found[name].tobytes() == array.tobytes()
            assert found[name].flags.aligned


def test_what_is_viewed_cannot_be_changed(tmp_path: Path) -> None:
    """A model of the package is the same for as long as the process runs."""
    (tmp_path / "some.arrays").write_bytes(pack_arrays(**ARRAYS))
    found = view_arrays(map_file(tmp_path / "some.arrays"))
    with pytest.raises(ValueError, match="read-only"):
        found["steps"][0] = 1
