"""The first look: statements whose rows tell most causes apart, shown while no cause stands out."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import (
    Answer,
    Clarification,
    ClarifyKind,
    DiagnosisView,
    HelpAnswer,
    ProgressAnswer,
    QuestionTopic,
    SmalltalkKind,
    SmalltalkStep,
)
from dbdiag.vocabulary import Verdict

from gateway.session.case_talk import look_waits, said_before
from gateway.turn.context import Turn
from gateway.turn.opening.looks import (
    closer_looks,
    instead_of,
    is_of_now,
    is_pasted,
    keep_shown,
    last_shown,
    looks_over_time,
    statement_of,
    was_shown,
    within_reach,
)
from gateway.turn.opening.troubles import UNKNOWN, kind_of_trouble, openings
from gateway.turn.proposed_readings import leaves_open
from gateway.turn.tools.worth_asking import STANDS_OUT

# From these beliefs on a cause stands out: who has all the connections parts the few causes that lead from the start,
# the plan tells why the one statement is heavy, and the log what happens in the night.
_LEADS = {"connections": 0.5, "plan": 0.7, "estimate": 0.7, "log": 0.5, "crash": 0.5}
# What is looked at where the first look told too little.
_AFTER = {"connections": ("activity",)}
# What a paste of sessions has in its header.
_OF_SESSIONS = ("wait_event", "usename", "backend_type")


def add_first_look(turn: Turn) -> None:
    """Adds a look to what is known of the case, where its rows would tell more than the next check.

    It waits for its rows for some turns, and is shown again to whoever asks what to look at.
    """
    view, session = turn.diagnosis_view, turn.session
    refused = SmalltalkStep(SmalltalkKind.NOT_LOOKED) in turn.plan.steps
    if refused or _is_outdated(turn) or any(map(_shows_check, turn.answers)):
        session.look_shown = 0
    if view is None or _asks_first(turn.clarification) or turn.look_offer is not None:
        return
    if session.proposed and leaves_open(turn):
        return
    asks = any(map(_asks_what_to_look_at, turn.answers))
    due = [instead_of(last_shown(session))] if refused else []
    look = last_shown(session) if look_waits(session) else _look_for(turn, due)
    if not look or not _is_open(view, look):
        return
    if look_waits(session) and not asks:
        turn.diagnosis_view = replace(view, look_waits=True)
    elif asks or not turn.answers:
        turn.diagnosis_view = replace(view, first_look=statement_of(turn.catalog, look).say(turn.language))
        keep_shown(session, look)


def _asks_first(asked: Clarification | None) -> bool:
    """Whether something is asked that has to be answered before anything is looked at: a yes or no has not."""
    return asked is not None and asked.kind is not ClarifyKind.PROPOSED


def _asks_what_to_look_at(answer: Answer) -> bool:
    """Whether an answer names the next check."""
    return isinstance(answer, ProgressAnswer) or (
        isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.RELIEF
    )


def _shows_check(answer: Answer) -> bool:
    """Whether an answer shows how to look at a check: what cannot be run then is that one."""
    return isinstance(answer, HelpAnswer) and answer.topic is None and bool(answer.items)


def _is_outdated(turn: Turn) -> bool:
    """Whether anything was pasted, another look can be run, or the one that waits shows nothing while it is well."""
    if turn.plan.pasted:
        return True
    shown = last_shown(turn.session)
    away = is_of_now(shown) and looks_over_time(turn.session, turn.message)
    again = any(each.lifted for each in turn.plan.limits)
    return again or bool(away) or within_reach(turn.session, shown) != shown


def _look_for(turn: Turn, first: list[str]) -> str:
    """The look that is due: one of the first, one at what is on record, or at the kind of trouble; empty if shown.

    What is on record is not looked at where the person's own paste shows what the look would.
    """
    session = turn.session
    messages = (*reversed(said_before(session)), turn.message)
    there = (entry for entry in session.active() if entry.verdict is Verdict.CONFIRMED)
    closer = closer_looks({turn.catalog.phenomenon_name(entry.phenomenon_id).en for entry in there})
    closer = [look for look in closer if not any(is_pasted(look, message) for message in messages)]
    kind = next((kind for kind in map(kind_of_trouble, messages) if kind != UNKNOWN), UNKNOWN)
    wide = looks_over_time(session, turn.message) or [openings()[kind].overview, *_AFTER.get(kind, ())]
    seen = any(each in turn.message for each in _OF_SESSIONS)
    due = (within_reach(session, look) for look in (*first, *closer, *([] if seen else wide)))
    left = (look for look in due if look and not was_shown(session, look))
    return next((look for look in left if statement_of(turn.catalog, look).say(turn.language)), "")


def _is_open(view: DiagnosisView, look: str) -> bool:
    """Whether no cause stands out yet."""
    stands_out = any(cause.confidence >= _LEADS.get(look, STANDS_OUT) for cause in view.hypotheses)
    return view.conclusion is None and bool(view.recommendations) and not stands_out
