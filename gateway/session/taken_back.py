"""What was taken off the record and can be put back, and what one lack rules out as one entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dbdiag.vocabulary import Verdict

from gateway.session.ledger import LedgerEntry, Session

# Longer words, and rows of output, are told by the name of what they mean.
_QUOTED = 40


def restorable(session: Session) -> list[LedgerEntry]:
    """What was taken back or changed in the last turn in which anything was, unless it is on record again.

    What the person disowned can only be put back at once.
    """
    gone = [each for each in session.ledger if each.case == session.case and _is_gone(session, each)]
    last = max((entry.retracted_turn or 0 for entry in gone), default=0)
    return [entry for entry in gone if entry.retracted_turn == last]


def _is_gone(session: Session, entry: LedgerEntry) -> bool:
    if entry.retracted_turn is None or entry.retracted_turn >= session.turn:
        return False
    if entry.disowned and entry.retracted_turn < session.turn - 1:
        return False
    active = session.active_for(entry.phenomenon_id)
    return active is None or active.verdict is not entry.verdict


def disown(session: Session, entry: LedgerEntry) -> None:
    """Takes an entry back for good: the person never said so, or says that it is not so."""
    session.retract(entry)
    session.ledger[entry.entry_id] = replace(session.ledger[entry.entry_id], disowned=True)


def is_disowned(session: Session, phenomenon_id: str, verdict: Verdict | None) -> bool:
    """Whether the person said that they never said this; what was recorded since stands by itself."""
    told = [each for each in session.ledger if each.case == session.case and each.phenomenon_id == phenomenon_id]
    return any(each.disowned and each.verdict is verdict for each in told) and session.active_for(phenomenon_id) is None


def replaced_by(session: Session, entry: LedgerEntry) -> LedgerEntry | None:
    """What a statement replaced that did not call it wrong; it holds again once the statement is taken back."""
    if entry.origin != "words" or entry.corrected_from is None:
        return None
    before = session.ledger[entry.corrected_from]
    return before if before.phenomenon_id == entry.phenomenon_id and before.verdict is not entry.verdict else None


def replaced_last(session: Session) -> list[tuple[LedgerEntry, LedgerEntry]]:
    """What was replaced in the turn before, each with what stands in its place."""
    placed = [each for each in session.active() if each.corrected_from is not None and each.turn == session.turn - 1]
    return [(session.ledger[each.corrected_from or 0], each) for each in placed]


def again(session: Session, entry: LedgerEntry) -> LedgerEntry:
    """An entry as it is put back in this turn."""
    return replace(entry, turn=session.turn, retracted_turn=None, corrected_from=None)


def own_words(entry: LedgerEntry) -> str:
    """The person's own words; empty if they mean nothing by themselves, like "1 yes"."""
    pasted = len(entry.words) > _QUOTED or "|" in entry.words or "\n" in entry.words
    return "" if entry.origin == "answer" or entry.collected or pasted else entry.words


def one_a_facility(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """The entries, of those that one facility's lack ruled out in one turn the first only."""
    firsts = {(entry.lacking, entry.turn): entry for entry in reversed(entries)}
    return [entry for entry in entries if entry.lacking is None or firsts[entry.lacking, entry.turn] is entry]
