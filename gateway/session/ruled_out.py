"""What a site does without, as the entries of all that its lack rules out."""

from __future__ import annotations

from collections.abc import Sequence

from gateway.session.ledger import LedgerEntry


def one_a_facility(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """The entries, of those that one facility's lack ruled out in one turn the first only."""
    firsts = {(entry.lacking, entry.turn): entry for entry in reversed(entries)}
    return [entry for entry in entries if entry.lacking is None or firsts[entry.lacking, entry.turn] is entry]
