"""What a site is said to do without: all that needs it is ruled out, until it is said to be there after all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Facility
from dbdiag.planner.v1.planner_types import AppliedCorrection
from dbdiag.vocabulary import Verdict

from gateway.session.taken_back import own_words
from gateway.turn.context import Turn


def apply_facilities(turn: Turn, told: Iterable[Facility]) -> None:
    """Records what is told of facilities, in the order of the message."""
    for facility in told:
        if facility.there:
            _bring_back(turn, facility)
        else:
            _rule_out(turn, facility)


def _rule_out(turn: Turn, facility: Facility) -> None:
    """Denies what needs a facility; what was seen or told to be there stays. What is on record is said once more."""
    new, known = [], []
    for phenomenon_id in facility.phenomenon_ids:
        old = turn.session.active_for(phenomenon_id)
        entry = turn.session.entry(phenomenon_id, Verdict.DENIED, 1.0, facility.words, "words")
        if old is None or old.verdict is Verdict.UNKNOWN:
            turn.session.withdraw(phenomenon_id)
            new.append(replace(entry, lacking=facility.name))
        elif old.lacking is not None and old.turn < turn.session.turn:
            known.append(entry)
    for entry in new or known[:1]:
        turn.note(entry)


def _bring_back(turn: Turn, facility: Facility) -> None:
    """Takes back what the lack of a facility ruled out."""
    bears = set(facility.phenomenon_ids)
    held = [each for each in turn.session.active() if each.lacking is not None]
    held = [each for each in held if each.lacking == facility.name or each.phenomenon_id in bears]
    for entry in held:
        turn.session.retract(entry)
    if held:
        said = (own_words(held[0]), facility.words, Verdict.DENIED, Verdict.CONFIRMED)
        turn.corrections.append(AppliedCorrection(facility.name, *said))
