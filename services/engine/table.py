"""How large a library may be to be written out in full."""

from __future__ import annotations

from services.engine.snapshot import Snapshot

# Numbers in a table of phenomena by causes.
_MOST = 250_000


def fits(snapshot: Snapshot) -> bool:
    """Whether a library is small enough."""
    return len(snapshot.phenomenon_ids) * (len(snapshot.cause_ids) + 1) <= _MOST
