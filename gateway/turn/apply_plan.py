"""Applies the steps of a plan that need no tool: answers by reference, retractions, small talk, reset."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.matcher.v1.matcher_types import Reading
from dbdiag.planner.v1.planner_types import (
    AppliedCorrection,
    ClarifyKind,
    ClarifyStep,
    CorrectionStep,
    FeedbackStep,
    Group,
    ItemList,
    LookStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    Reference,
    SmalltalkKind,
    SmalltalkStep,
)
from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.session.ledger import LedgerEntry
from gateway.session.references import NoSuchItem, items_of, resolve
from gateway.turn.amendments import ask_which, is_explicit, resolve_if_possible
from gateway.turn.answers.asked_last import says_only
from gateway.turn.context import Turn
from gateway.turn.contradictions import settle
from gateway.turn.objections.keeping import put_back
from gateway.turn.opening.looks import asked_beside
from gateway.turn.proposed_readings import propose, settle_proposal
from lang.cues import word_set
from lang.judging.amending import only_errs, puts_back
from lang.modality import is_out_of_reach
from lang.tokens import read_text

UNDO = "/undo"
# After so many turns a bare retraction is of nothing in particular.
_STALE = 3


def apply_plan(turn: Turn) -> None:
    """Applies every step that refers to its object; free words are the matcher's."""
    if any(limit.lifted for limit in turn.plan.limits):
        turn.session.unlooked = ()  # What could not be looked at is asked for again.
    for step in turn.plan.steps:
        match step:
            case FeedbackStep():
                _feedback(turn, step)
            case CorrectionStep(words=None):
                _correction(turn, step)
            case SmalltalkStep(kind=SmalltalkKind() as kind):
                turn.smalltalk.append(kind)
                if kind is SmalltalkKind.NOT_LOOKED:
                    turn.session.unlooked += asked_beside(turn.session, turn.catalog)
            case LookStep(declined=True):
                turn.look_declined = True
    for step in turn.plan.steps:
        if isinstance(step, ClarifyStep):
            _clarify(turn, step)


def _feedback(turn: Turn, step: FeedbackStep) -> None:
    clarification = turn.session.clarification
    if clarification is not None and clarification.contested and settle(turn, step):
        return
    if clarification is not None and clarification.retracts and step.reference.list in (None, ItemList.OPTIONS):
        _take_back_chosen(turn, step)
        return
    options = {item.phenomenon_id for item in clarification.options} if clarification else set()
    if clarification is not None and _refuses_all(step):
        # "None of them" says that the words meant something else, not that the options are absent.
        for item in clarification.options:
            turn.session.withdraw(item.phenomenon_id)
        turn.unclear.append(clarification.words or step.words)
        return
    proposed = clarification is not None and clarification.proposed
    if step.verdict is Verdict.UNKNOWN and not _is_of_check(turn, step):
        return
    verdict = step.verdict or Verdict.UNKNOWN
    for phenomenon_id in _resolve_or_ask(turn, step.reference, step.words):
        if proposed and phenomenon_id in options:
            alone = says_only(turn.message, turn.message)
            if settle_proposal(turn, phenomenon_id, verdict, alone):
                continue
        # An option stands for the words that it explains, so the ledger keeps these words, or those that describe it.
        pointed = clarification is not None and phenomenon_id in options and step.reference.id is None
        chosen = clarification.words if clarification and pointed else ""
        words = chosen or step.words or turn.message
        turn.note(turn.session.entry(phenomenon_id, verdict, step.certainty or 1.0, words, "answer"))


def _is_of_check(turn: Turn, step: FeedbackStep) -> bool:
    """Whether words say of a check that nobody can tell: they name one, or nothing else is said."""
    if not any(map(str.isalnum, turn.message.replace(step.words, " ", 1))):
        return True
    if step.reference.ordinal is None:
        return step.reference.id is None or is_out_of_reach(step.words)
    tokens = {token.text for token in read_text(step.words).tokens}
    return any(map(str.isdigit, step.words)) or bool(word_set("places") & tokens)


def _take_back_chosen(turn: Turn, step: FeedbackStep) -> None:
    """Takes back the entries that a person picks of those that may be wrong; "none of them" picks none."""
    if step.verdict is Verdict.CONFIRMED:
        for phenomenon_id in _resolve_or_ask(turn, step.reference, step.words):
            if (entry := turn.session.active_for(phenomenon_id)) is not None:
                turn.take_back(entry)


def _refuses_all(step: FeedbackStep) -> bool:
    of_options = step.reference.list in (None, ItemList.OPTIONS)
    return step.reference.group is Group.ALL and of_options and step.verdict is not Verdict.CONFIRMED


def _correction(turn: Turn, step: CorrectionStep) -> None:
    if step.original.words is not None:
        return
    if step.retract is False:
        if puts_back(turn.message):
            put_back(turn)
        return
    if step.retract and step.original.group is Group.LAST_TURN and _withdraw_last(turn):
        return
    if step.retract and step.original.group is not None and _is_stale(turn) and ask_which(turn, turn.message):
        return
    words = turn.message if step.original.group is not None else ""
    found = _resolve_or_ask(turn, step.original, words)
    if step.retract and step.original.group is not None:
        found = _retract_absent(turn, found)
    for phenomenon_id in found:
        correct(turn, step, phenomenon_id)


def _withdraw_last(turn: Turn) -> bool:
    """Takes back what the last message said where all of it waits for a yes; False where any of it is on record."""
    session, last = turn.session, turn.session.turn - 1
    waiting = [each for each in session.proposed if each.turn == last]
    if not waiting or any(entry.turn == last for entry in session.active()):
        return False
    for each in waiting:
        session.withdraw(each.phenomenon_id)
        name = turn.catalog.phenomenon_name(each.phenomenon_id)
        turn.corrections.append(AppliedCorrection(name, each.words, "", each.verdict))
    session.telling = tuple(each for each in session.telling if each != last)
    return True


def _is_stale(turn: Turn) -> bool:
    """Whether other things were talked of since the last entry: then nobody can tell which one is taken back."""
    last = max((entry.turn for entry in turn.session.active()), default=0)
    return turn.message.strip().lower() != UNDO and turn.session.turn - last > _STALE


def _retract_absent(turn: Turn, found: tuple[str, ...]) -> tuple[str, ...]:
    """The remaining entries after retracting all that an investigation found absent, which is reported as one."""
    entries = [entry for name in found if (entry := turn.session.active_for(name)) is not None]
    absent = [entry for entry in entries if entry.collected and entry.verdict is Verdict.DENIED]
    for entry in absent:
        turn.session.retract(entry)
    if absent:
        turn.session.unlooked = ()
        name = name_absent(len(absent))
        turn.corrections.append(AppliedCorrection(name, "", verdict_before=Verdict.DENIED))
    gone = {entry.phenomenon_id for entry in absent}
    return tuple(name for name in found if name not in gone)


def name_absent(count: int) -> LocalizedText:
    """One phrase for all the phenomena that an investigation did not find."""
    return LocalizedText(f"看过、没有的 {count} 项", f"{count} things that I looked for")


def correct(turn: Turn, step: CorrectionStep, phenomenon_id: str) -> None:
    """Retracts or replaces the active entry of a phenomenon; without one, a verdict is plain evidence."""
    old = turn.session.active_for(phenomenon_id)
    if step.verdict is not None:
        turn.note(turn.session.entry(phenomenon_id, step.verdict, 1.0, turn.message, "answer"))
    elif old is not None:
        turn.take_back(old)


def replace_entry(turn: Turn, old: LedgerEntry | None, new: LedgerEntry) -> None:
    """Replaces `old` by `new`, which may concern another phenomenon."""
    if old is not None and old.phenomenon_id != new.phenomenon_id:
        turn.take_back(old, new.words)
        new = replace(new, corrected_from=old.entry_id)
    turn.note(new)


def _clarify(turn: Turn, step: ClarifyStep) -> None:
    if only_errs(turn.message) and turn.session.clarification is None and ask_which(turn, turn.message.strip()):
        return
    ids = [found for reference in step.references for found in resolve_if_possible(turn, reference)]
    if _is_hedged_choice(turn, step):
        propose(turn, Reading(ids[0], verdict=Verdict.CONFIRMED, words=step.words, probability=0.9, kind="named_item"))
        return
    if not ids and step.kind in (ClarifyKind.AMBIGUOUS_FEEDBACK, ClarifyKind.NO_SUCH_ITEM):
        ids = _list_phenomena(turn, None)
    words = step.words or turn.message
    if step.kind is ClarifyKind.AMBIGUOUS_FEEDBACK and len(step.references) > 1 and not says_only(turn.message, words):
        return  # Which of several a yes is of is asked only where nothing else was said.
    if not turn.ask_back(step.kind or ClarifyKind.VAGUE, words, ids):
        turn.unclear.append(words)


def _is_hedged_choice(turn: Turn, step: ClarifyStep) -> bool:
    """True for "the second one i guess" after a list of options: that one is meant, and asked about."""
    asked = turn.session.clarification
    chooses = step.kind is ClarifyKind.AMBIGUOUS_FEEDBACK and len(step.references) == 1
    open_ = asked is not None and len(asked.options) > 1 and not (asked.contested or asked.proposed)
    return chooses and open_ and step.references[0].list is ItemList.OPTIONS


def _resolve_or_ask(turn: Turn, reference: Reference, words: str) -> tuple[str, ...]:
    """The phenomena of a reference; an unresolvable one leads to a clarification."""
    try:
        return resolve(turn.session, reference, turn.plan, turn.catalog.phenomena)
    except NoSuchItem as error:
        ids = _list_phenomena(turn, reference.list)
        named = words or error.words
        if not turn.ask_back(ClarifyKind.NO_SUCH_ITEM, named, ids):
            turn.unclear.append(named)
        return ()


def _list_phenomena(turn: Turn, named: ItemList | None) -> list[str]:
    """The phenomena of a list without duplicates: both sides of a contradiction concern the same one."""
    return list(dict.fromkeys(item.phenomenon_id for item in items_of(turn.session, named)))


def list_assumptions(turn: Turn, reference: Reference, verdict: Verdict) -> list[tuple[str, Verdict]]:
    """The phenomena of a supposition, with their supposed verdicts."""
    return [(found, verdict) for found in resolve_if_possible(turn, reference)]


def undo_reset(turn: Turn) -> None:
    """Takes a new start back, if that is what the message can take back; alone, it is told where the case stands."""
    rest = tuple(step for step in turn.plan.steps if not _undoes(step))
    undone = len(rest) < len(turn.plan.steps) or turn.message.strip().lower() == UNDO
    if undone and turn.session.reopen_case():
        turn.corrections.append(AppliedCorrection(LocalizedText("重新开始", "the new start"), ""))
        turn.plan = replace(turn.plan, steps=rest or (QuestionStep(QuestionKind.PROGRESS, text=turn.message),))


def _undoes(step: PlanStep) -> bool:
    """Whether a step takes back, or puts back, whatever was last."""
    return isinstance(step, CorrectionStep) and step.retract is not None and not is_explicit(step.original)
