"""Applies the steps of a plan that need no tool: answers by reference, take-backs, reset, small talk, unclear items."""

from __future__ import annotations

from dataclasses import replace

from gateway.contradictions import settle
from gateway.language import LocalizedText, Verdict
from gateway.plan import ClarifyKind, ClarifyStep, CorrectionStep, FeedbackStep, ItemList, Reference
from gateway.references import NoSuchItem, items_of, resolve
from gateway.results import AppliedCorrection
from gateway.session import LedgerEntry
from gateway.turn import Turn


def apply_plan(turn: Turn) -> None:
    """Applies every step that names its object; words are left to the matcher."""
    for step in turn.plan.steps:
        if step.feedback is not None:
            _feedback(turn, step.feedback)
        elif step.correction is not None and step.correction.words is None:
            _correction(turn, step.correction)
        elif step.smalltalk is not None:
            turn.smalltalk.append(step.smalltalk.kind)
        elif step.look is not None and step.look.declined:
            turn.look_declined = True
    for step in turn.plan.steps:
        if step.clarify is not None:
            _clarify(turn, step.clarify)


def _feedback(turn: Turn, step: FeedbackStep) -> None:
    if settle(turn, step):
        return
    clarification = turn.session.clarification
    options = {item.phenomenon_id for item in clarification.options} if clarification else set()
    for phenomenon_id in _resolved(turn, step.reference, step.words):
        # An option stands for the words it explains, so the ledger keeps those.
        chosen = clarification.words if clarification and phenomenon_id in options else ""
        words = chosen or step.words or turn.message
        turn.note(turn.session.entry(phenomenon_id, step.verdict, step.certainty or 1.0, words, "answer"))


def _correction(turn: Turn, step: CorrectionStep) -> None:
    if step.original.words is not None:
        return
    words = turn.message if step.original.group is not None else ""
    found = _resolved(turn, step.original, words)
    if step.retract and step.original.group is not None:
        found = _without_absent(turn, found)
    for phenomenon_id in found:
        correct(turn, step, phenomenon_id)


def _without_absent(turn: Turn, found: tuple[str, ...]) -> tuple[str, ...]:
    """What is left once what a look found absent is taken back, which is told as one."""
    entries = [entry for name in found if (entry := turn.session.active_for(name)) is not None]
    absent = [entry for entry in entries if entry.collected and entry.verdict is Verdict.DENIED]
    for entry in absent:
        turn.session.retract(entry)
    if absent:
        turn.session.unlooked = ()
        name = found_absent(len(absent))
        turn.corrections.append(AppliedCorrection(name, "", verdict_before=Verdict.DENIED))
    gone = {entry.phenomenon_id for entry in absent}
    return tuple(name for name in found if name not in gone)


def found_absent(count: int) -> LocalizedText:
    """How a person is told of many things that a look did not find."""
    return LocalizedText(f"看过、没有的 {count} 项", f"{count} things that I looked for")


def correct(turn: Turn, step: CorrectionStep, phenomenon_id: str) -> None:
    """Takes back or replaces what is active on a phenomenon; with nothing active, a verdict is plain evidence."""
    old = turn.session.active_for(phenomenon_id)
    if step.verdict is not None:
        turn.note(turn.session.entry(phenomenon_id, step.verdict, 1.0, turn.message, "answer"))
    elif old is not None:
        turn.take_back(old)


def replace_entry(turn: Turn, old: LedgerEntry | None, new: LedgerEntry) -> None:
    """Puts `new` in place of `old`, which may be about another phenomenon."""
    if old is None or old.phenomenon_id == new.phenomenon_id:
        turn.note(new)
        return
    turn.take_back(old, new.words, new.verdict)
    turn.session.record(replace(new, corrected_from=old.entry_id))


def _clarify(turn: Turn, step: ClarifyStep) -> None:
    ids = [found for reference in step.references for found in _quietly(turn, reference)]
    if not ids and step.kind in (ClarifyKind.AMBIGUOUS_FEEDBACK, ClarifyKind.NO_SUCH_ITEM):
        ids = _listed(turn, None)
    words = step.words or turn.message
    if not turn.ask_back(step.kind, words, ids):
        turn.unclear.append(words)


def _resolved(turn: Turn, reference: Reference, words: str) -> tuple[str, ...]:
    """The phenomena meant; a reference to nothing is asked back."""
    try:
        return resolve(turn.session, reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem as error:
        ids = _listed(turn, reference.list)
        named = words or error.words
        if not turn.ask_back(ClarifyKind.NO_SUCH_ITEM, named, ids):
            turn.unclear.append(named)
        return ()


def _listed(turn: Turn, named: ItemList | None) -> list[str]:
    """The phenomena of a list, each once: both sides of a contradiction are about the same."""
    return list(dict.fromkeys(item.phenomenon_id for item in items_of(turn.session, named)))


def _quietly(turn: Turn, reference: Reference) -> tuple[str, ...]:
    try:
        return resolve(turn.session, reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem:
        return ()


def assumed(turn: Turn, reference: Reference, verdict: Verdict) -> list[tuple[str, Verdict]]:
    """The phenomena a supposition names, with the verdict it supposes."""
    return [(found, verdict) for found in _quietly(turn, reference)]
