"""The shipped libraries, read once a process; nobody changes them."""

from __future__ import annotations

from functools import cache

from services.knowledge.library.load import Library, load
from services.knowledge.library.shipped_libraries import locate


@cache
def shipped_library(*names: str) -> Library:
    """The entries of the shipped libraries of these names together."""
    return load([locate(name) for name in names])
