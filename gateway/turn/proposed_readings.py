"""Readings that are not sure: kept without weight, asked about at once, confirmed or refused by the person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import Clarification, ClarificationOption, ClarifyKind
from dbdiag.vocabulary import Verdict

from gateway.session.catalog import absent
from gateway.session.ledger import ProposedReading
from gateway.turn.context import Turn
from lang.modality import is_out_of_reach

# So likely a reading of the first message has to be to be asked about: alone, and beside a fact.
_ALONE, _BESIDE = 0.8, 0.65
# A reading is asked about only if it is so much likelier than another one of the same words.
_AHEAD = 0.15
# What was pointed at, or done before, or is near a limit is asked about however likely it is.
_PLAIN = ("named_item", "done_before", "value_near_limit")


def propose(turn: Turn, reading: Reading) -> None:
    """Keeps a reading for the person to confirm, unless what it says is on record already."""
    verdict = reading.verdict or Verdict.CONFIRMED
    recorded = turn.session.active_for(reading.phenomenon_id)
    if recorded is not None and recorded.verdict == verdict:
        return
    session = turn.session
    session.propose(
        ProposedReading(
            session.case,
            session.turn,
            reading.phenomenon_id,
            verdict,
            reading.words,
            reading.value,
            reading.probability,
            reading.kind,
        )
    )


def readings_of_turn(turn: Turn) -> tuple[ProposedReading, ...]:
    """The readings of this turn that wait for a yes or no, likeliest first."""
    now = [item for item in turn.session.proposed if item.turn == turn.session.turn]
    return tuple(sorted(now, key=lambda item: (-item.probability, item.phenomenon_id)))


def ask_about(turn: Turn) -> None:
    """Asks whether the likeliest of this turn's proposed readings is right, unless something else is being asked."""
    found = readings_of_turn(turn)
    asked = next((item for item in found if _is_worth_asking(turn, item, found)), None)
    if asked is None and not turn.session.active():
        _set_aside(turn, found)
    if asked is None or turn.clarification is not None:
        return
    if not turn.ask(Clarification(ClarifyKind.PROPOSED, asked.words, (_option(turn, 1, asked),))):
        turn.unclear.append(asked.words)


def _set_aside(turn: Turn, found: tuple[ProposedReading, ...]) -> None:
    """Drops readings of an opening message that are too unsure to ask about: their words are asked about instead."""
    for item in found:
        turn.session.withdraw(item.phenomenon_id)
        if item.words not in turn.unmatched:
            turn.unmatched.append(item.words)


def _is_worth_asking(turn: Turn, item: ProposedReading, found: tuple[ProposedReading, ...]) -> bool:
    """Whether a reading is well ahead of others of its words, which no reading that counts has covered."""
    if item.why in _PLAIN:
        return True
    if is_out_of_reach(item.words):
        return False  # "No permission on prod" is of the person, and no error of the system.
    if any(_overlap(item.words, noted.words) for noted in turn.noted if noted.matched_from_words):
        return False
    rivals = [other for other in found if other is not item and _overlap(item.words, other.words)]
    opens = not (turn.evidence_before or turn.session.clarified)
    least = (_BESIDE if turn.noted else _ALONE) if opens else 0.0
    return item.probability >= least and all(item.probability - other.probability >= _AHEAD for other in rivals)


def _overlap(one: str, other: str) -> bool:
    return bool(one and other) and (one in other or other in one)


def present_reading(turn: Turn, item: ProposedReading) -> dict[str, Any]:
    """A reading that waits for a yes or no, as the details of an answer have it."""
    return {
        "phenomenon_id": item.phenomenon_id,
        "description": turn.catalog.phenomena_in(turn.language).get(item.phenomenon_id, item.phenomenon_id),
        "verdict": item.verdict,
        "words": item.words,
        "value": item.value or None,
        "probability": item.probability,
        "why": item.why,
    }


def settle_proposal(turn: Turn, phenomenon_id: str, verdict: Verdict) -> bool:
    """Applies a yes or no to a proposed reading. Returns False if none is open for the phenomenon.

    A yes records what the reading says. A no says that the words meant something else, and denies nothing but what is
    being asked of the person anyway.
    """
    found = turn.session.proposed_for(phenomenon_id)
    if found is None:
        return False
    turn.session.withdraw(phenomenon_id)
    if verdict is Verdict.CONFIRMED:
        entry = turn.session.entry(phenomenon_id, found.verdict, 1.0, found.words, "answer")
        turn.note(replace(entry, value=found.value))
    pending = any(item.phenomenon_id == phenomenon_id for item in turn.session.pending)
    if verdict is Verdict.DENIED and found.verdict is Verdict.CONFIRMED and pending:
        turn.note(turn.session.entry(phenomenon_id, verdict, 1.0, turn.message, "answer"))
    return True


def _option(turn: Turn, ordinal: int, item: ProposedReading) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(item.phenomenon_id)
    denied = item.verdict is Verdict.DENIED
    return ClarificationOption(ordinal, item.phenomenon_id, absent(name) if denied else name, reading=item.why)
