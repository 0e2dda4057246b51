"""A matcher over a small library and over the shipped one."""

from tests.support.matching import (
    curated,
    curated_matcher,
    entries,
    kept_in,
    matcher,
    small_library,
    snapshot_bytes,
    snapshots,
)

__all__ = [
    "curated",
    "curated_matcher",
    "entries",
    "kept_in",
    "matcher",
    "small_library",
    "snapshot_bytes",
    "snapshots",
]
