"""A statement that says the opposite of what stands, and is no correction: asked once which of the two holds.

Until that is settled the earlier one counts. What was asked about before, or is about to be looked at again anyway, is
not asked: there the later statement holds, and the answer tells what changed.
"""

from __future__ import annotations

from dataclasses import replace

from gateway.language import Verdict, absent
from gateway.plan import ClarifyKind, FeedbackStep, ItemList
from gateway.results import Clarification, ClarificationOption
from gateway.session import COLLECTED, LedgerEntry
from gateway.turn import Turn

_OPPOSITE = {Verdict.CONFIRMED, Verdict.DENIED}


def ask_which_holds(turn: Turn, later: LedgerEntry) -> bool:
    """Asks whether the earlier or the later statement holds; False when the later one is to be recorded as it is."""
    earlier = turn.session.active_for(later.phenomenon_id)
    if earlier is not None and earlier.collected and {earlier.verdict, later.verdict} == _OPPOSITE:
        # What a person says counts at once, and is asked about all the same.
        _ask(turn, (earlier, later), seen_ordinal=1)
        return False
    if earlier is None or {earlier.verdict, later.verdict} != _OPPOSITE or earlier.turn == turn.session.turn:
        return False
    contested = (earlier, later)
    options = tuple(_option(turn, ordinal, entry) for ordinal, entry in enumerate(contested, 1))
    asked = Clarification(ClarifyKind.CONTRADICTION, later.words, options, earlier.words)
    # One question back a turn; that something is vague is worth less than a contradiction.
    taken = turn.clarification is not None and turn.clarification.kind is not ClarifyKind.VAGUE
    if taken or _doubted(turn, later.phenomenon_id) or not turn.ask(asked):
        return False
    turn.contested = contested
    return True


def ask_about_what_was_seen(turn: Turn, said: LedgerEntry, seen: LedgerEntry) -> bool:
    """Asks whether what was said or what a check saw holds; until that is settled the former counts."""
    return _ask(turn, (said, seen), seen_ordinal=2)


def _ask(turn: Turn, contested: tuple[LedgerEntry, LedgerEntry], seen_ordinal: int) -> bool:
    earlier, later = contested
    options = tuple(_option(turn, ordinal, entry) for ordinal, entry in enumerate(contested, 1))
    asked = Clarification(ClarifyKind.CONTRADICTION, later.words, options, earlier.words, seen_ordinal)
    taken = turn.clarification is not None and turn.clarification.kind is not ClarifyKind.VAGUE
    if taken or not turn.ask(asked):
        return False
    turn.contested = contested
    return True


def _doubted(turn: Turn, phenomenon_id: str) -> bool:
    """Whether the person was asked to look at this again."""
    points = turn.session.case_points()
    return bool(points) and phenomenon_id in points[-1].contradiction


def _option(turn: Turn, ordinal: int, entry: LedgerEntry) -> ClarificationOption:
    name = turn.catalog.phenomenon_name(entry.phenomenon_id)
    return ClarificationOption(ordinal, entry.phenomenon_id, absent(name) if entry.verdict is Verdict.DENIED else name)


def settle(turn: Turn, step: FeedbackStep) -> bool:
    """Applies an answer to the open contradiction; False when the step does not answer it."""
    asked = turn.session.clarification
    chosen = step.reference.ordinal
    if asked is None or chosen is None or step.reference.list not in (None, ItemList.OPTIONS):
        return False
    if not 0 < chosen <= len(asked.contested):
        return False
    if step.verdict is Verdict.UNKNOWN:
        # Nobody can tell: what stood stays.
        chosen, step = 1, replace(step, verdict=Verdict.CONFIRMED)
    if step.verdict is Verdict.DENIED:
        chosen = len(asked.contested) + 1 - chosen
    entry = asked.contested[chosen - 1]
    now = turn.session
    turn.note(replace(entry, case=now.case, turn=now.turn, origin=COLLECTED if entry.collected else "correction"))
    return True
