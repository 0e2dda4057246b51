"""What a person wants kept: what was taken back without their asking for it, and both of two opposite statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dbdiag.planner.v1.planner_types import AppliedCorrection, ClarifyStep, FeedbackStep
from dbdiag.vocabulary import LocalizedText

from gateway.session.ledger import LedgerEntry
from gateway.session.taken_back import again, replaced_last, restorable
from gateway.turn.amendments import named_in
from gateway.turn.context import Turn
from gateway.turn.findings import ToolResult
from gateway.turn.objections.protests import steps_beside, without_words
from lang.judging.amending import clauses_in, keeps_both, was_kept
from lang.judging.protesting import clauses_of


def put_back(turn: Turn, gone: Sequence[LedgerEntry] | None = None) -> None:
    """Records again what was taken back or changed last, in place of what took its place."""
    gone = restorable(turn.session) if gone is None else gone
    for entry in gone:
        for other in turn.session.active():
            if other.corrected_from == entry.entry_id and other.phenomenon_id != entry.phenomenon_id:
                turn.take_back(other)
        turn.note(again(turn.session, entry))
    if not gone:
        turn.corrections.append(AppliedCorrection(LocalizedText(), ""))


def hear_objections(turn: Turn, result: ToolResult) -> ToolResult:
    """Puts back the entry that a message names as never taken back; its words say nothing else."""
    for clause in filter(was_kept, clauses_of(turn.message)):
        gone = named_in(turn, [clause], restorable(turn.session))
        named = gone or named_in(turn, [clause], turn.session.active())
        if named:
            put_back(turn, gone)
            turn.plan = replace(turn.plan, steps=tuple(steps_beside(turn, [clause])))
            kept = {entry.phenomenon_id for entry in named}
            retracted = tuple(name for name in result.retracted if name not in kept)
            result = replace(without_words(result, [clause]), retracted=retracted)
    return result


def keep_both(turn: Turn) -> None:
    """Keeps both of two statements where they are of two things; of one thing the answer says which one counts."""
    pairs = _opposites(turn)
    opening = next(iter(clauses_in(turn.message)), "").strip() if pairs else ""
    if not (pairs and keeps_both(opening)):
        return
    turn.pointing = (*turn.pointing, opening)
    steps = (each for each in turn.plan.steps if not _is_of(each, opening))
    turn.plan = replace(turn.plan, steps=tuple(steps))
    for before, now in pairs:
        if before.phenomenon_id != now.phenomenon_id:
            turn.note(again(turn.session, before))
            continue
        name = turn.catalog.phenomenon_name(now.phenomenon_id)
        turn.corrections.append(AppliedCorrection(name, before.words, now.words, now.verdict, now.verdict))


def _opposites(turn: Turn) -> list[tuple[LedgerEntry, LedgerEntry]]:
    """The statements of which the last reply said, or asked, that only one holds; the one that counts last."""
    asked = turn.session.clarification
    if asked is None or not asked.contested:
        return replaced_last(turn.session)
    counts = turn.session.active_for(asked.contested[0].phenomenon_id)
    others = (each for each in asked.contested if counts is not None and each.verdict is not counts.verdict)
    return [(each, counts) for each in others if counts is not None]


def _is_of(step: object, clause: str) -> bool:
    """Whether a step takes the clause for an answer to what is asked."""
    return isinstance(step, FeedbackStep | ClarifyStep) and clause in step.words
