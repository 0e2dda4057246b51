"""Files of arrays that are used where they lie: nothing is unpacked or copied, and only what is used is read.

A line of JSON has the type, the shape and the place of each array; the arrays follow, each at a multiple of 64 bytes.
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_STEP = 64
Content = bytes | mmap.mmap


def pack_arrays(**arrays: npt.NDArray[Any]) -> bytes:
    """The file of these arrays; equal arrays give equal bytes."""
    listed: dict[str, tuple[str, tuple[int, ...], int]] = {}
    body = b""
    for name, array in arrays.items():
        listed[name] = array.dtype.str, array.shape, len(body)
        body += array.tobytes()
        body += bytes(-len(body) % _STEP)
    head = json.dumps(listed).encode()
    return head + b" " * (-(len(head) + 1) % _STEP) + b"\n" + body


def view_arrays(content: Content) -> Mapping[str, npt.NDArray[Any]]:
    """The arrays of a file, which cannot be written to."""
    begin = _end_of_line(content)
    listed = json.loads(content[:begin])
    return {
        name: np.frombuffer(content, kind, int(np.prod(shape, dtype=np.int64)), begin + at).reshape(shape)
        for name, (kind, shape, at) in listed.items()
    }


def _end_of_line(content: Content) -> int:
    end = _STEP
    while content[end - 1] != ord("\n"):
        end += _STEP
    return end


def map_file(path: Path) -> mmap.mmap:
    """The content of a file of the package, read as it is used."""
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
