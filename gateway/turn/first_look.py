"""The first look: statements whose rows tell most causes apart, shown while no cause stands out."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import (
    Answer,
    DiagnosisView,
    HelpAnswer,
    ProgressAnswer,
    QuestionTopic,
    Reach,
    SmalltalkKind,
    SmalltalkStep,
)
from dbdiag.vocabulary import Verdict

from gateway.session.case_talk import look_waits, said_before
from gateway.turn.context import Turn
from gateway.turn.looks import closer_looks, keep_shown, last_shown, statement_of, was_shown
from gateway.turn.opening import STANDS_OUT, UNKNOWN, kind_of_trouble, openings
from gateway.turn.tools.reach import limits_of

# From these beliefs on a cause stands out: who has all the connections parts the few causes that lead from the start,
# and the plan tells why the one statement is heavy.
_LEADS = {"connections": 0.5, "plan": 0.7}
# What is looked at where the first look told too little.
_AFTER = {"connections": ("activity",)}
# What a paste of sessions has in its header.
_OF_SESSIONS = ("wait_event", "usename", "backend_type")


def add_first_look(turn: Turn) -> None:
    """Adds a look to what is known of the case, where its rows would tell more than the next check.

    It waits for its rows for some turns, and is shown again to whoever asks what to look at.
    """
    view, session = turn.diagnosis_view, turn.session
    if turn.plan.pasted or SmalltalkStep(SmalltalkKind.NOT_LOOKED) in turn.plan.steps:
        session.look_shown = 0
    if view is None or turn.clarification is not None or turn.look_offer is not None or not _can_run(turn):
        return
    asks = any(map(_asks_what_to_look_at, turn.answers))
    look = last_shown(session) if look_waits(session) else _look_for(turn)
    if not look or not _is_open(view, look):
        return
    if look_waits(session) and not asks:
        turn.diagnosis_view = replace(view, look_waits=True)
    elif asks or not turn.answers:
        turn.diagnosis_view = replace(view, first_look=statement_of(turn.catalog, look).say(turn.language))
        keep_shown(session, look)


def _asks_what_to_look_at(answer: Answer) -> bool:
    """Whether an answer names the next check."""
    return isinstance(answer, ProgressAnswer) or (
        isinstance(answer, HelpAnswer) and answer.topic is QuestionTopic.RELIEF
    )


def _look_for(turn: Turn) -> str:
    """The look that is due: one at what is on record, else one at the kind of trouble; empty if it was shown."""
    there = (entry for entry in turn.session.active() if entry.verdict is Verdict.CONFIRMED)
    closer = closer_looks({turn.catalog.phenomenon_name(entry.phenomenon_id).en for entry in there})
    messages = (*reversed(said_before(turn.session)), turn.message)
    kind = next((kind for kind in map(kind_of_trouble, messages) if kind != UNKNOWN), UNKNOWN)
    wide = (
        [] if any(each in turn.message for each in _OF_SESSIONS) else [openings()[kind].overview, *_AFTER.get(kind, ())]
    )
    due = (look for look in (*closer, *wide) if not was_shown(turn.session, look))
    return next((look for look in due if statement_of(turn.catalog, look).say(turn.language)), "")


def _is_open(view: DiagnosisView, look: str) -> bool:
    """Whether no cause stands out yet."""
    stands_out = any(cause.confidence >= _LEADS.get(look, STANDS_OUT) for cause in view.hypotheses)
    return view.conclusion is None and bool(view.recommendations) and not stands_out


def _can_run(turn: Turn) -> bool:
    return all(each.reach is not Reach.DATABASE for each in limits_of(turn.session))
