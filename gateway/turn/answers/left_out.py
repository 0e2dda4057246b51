"""Readings that stay off the record: what was taken back, in like words, and what was done to mend the trouble."""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import Aftermath, Timing
from dbdiag.vocabulary import Verdict

from gateway.turn.context import Turn
from gateway.turn.proposed_readings import (
    DONE_BEFORE,
    MEASURED,
    says_it_began,
    says_it_did_not_begin,
    shows_at_once,
    tells_own_deed,
)
from gateway.turn.suspected.timing import compare, said_onset
from lang.cues import telling_keys
from lang.modality import admits_mistake

# How readings are called of what was done as the trouble began, and otherwise of what became of it or happened.
_ONSET, _TOLD = "onset", ("outcome", "event")


def is_left_out(turn: Turn, reading: Reading) -> bool:
    """Whether a reading says nothing for the record: it is ruled out with what it needs, was struck, or is a mend."""
    held = turn.session.active_for(reading.phenomenon_id)
    lacking = held is not None and held.lacking is not None and reading.verdict is held.verdict
    return lacking or _is_struck(turn, reading) or _is_of_the_mend(turn, reading) or _lies_apart(turn, reading)


def _is_struck(turn: Turn, reading: Reading) -> bool:
    """Whether a reading says in the same words what was taken off the record since, and no figure tells it anew."""
    anew = reading.words.strip() == turn.message.strip()  # Nothing else is said: it is meant as told.
    if anew or reading.pasted or reading.kind in MEASURED or admits_mistake(turn.message):
        return False
    said = telling_keys(reading.words)
    gone = (
        entry
        for entry in turn.session.ledger
        if entry.case == turn.session.case
        and entry.retracted_turn is not None
        and entry.phenomenon_id == reading.phenomenon_id
        and entry.verdict is reading.verdict
    )
    return bool(said) and any(said <= telling_keys(entry.words) for entry in gone)


def _is_of_the_mend(turn: Turn, reading: Reading) -> bool:
    """Whether a deed is told after the trouble was treated, so that it did not begin with it: "deployed the fix"."""
    if not _tells_a_beginning(turn, reading) or says_it_began(turn.message, reading.words):
        return False
    treated = bool(turn.session.treatments) or turn.session.concluded() or turn.plan.aftermath is Aftermath.WELL
    return treated or (bool(turn.evidence_before) and tells_own_deed(turn.message, reading.words))


def _lies_apart(turn: Turn, reading: Reading) -> bool:
    """Whether what was done lies apart from the trouble, in plain words, or by the hours or days of a release."""
    if not _tells_a_beginning(turn, reading) or says_it_began(turn.message, reading.words):
        return False
    if says_it_did_not_begin(turn.message, reading.words):
        return True
    at_once = shows_at_once(turn.catalog.phenomenon_name(reading.phenomenon_id).en)
    return at_once and compare(reading.words, said_onset(turn.session, turn.message)) is Timing.APART


def _tells_a_beginning(turn: Turn, reading: Reading) -> bool:
    """Whether words tell what was done before, or that it came with what was done."""
    done = reading.kind in (DONE_BEFORE, _ONSET) or (
        reading.kind in _TOLD and shows_at_once(turn.catalog.phenomenon_name(reading.phenomenon_id).en)
    )
    return done and reading.verdict is Verdict.CONFIRMED
