"""What the planner may see of a session."""

from __future__ import annotations

from dbdiag.planner.v1.planner_types import EvidenceView, SessionView, Speaker

from gateway.session.case_talk import look_waits
from gateway.session.ledger import Session

_VIEWED_UTTERANCES = 6
# For so many turns a summary may be rewritten.
_KEPT_BRIEF = 3


def view_of(session: Session, evidence: tuple[EvidenceView, ...], stuck_rounds: int) -> SessionView:
    """The planner's view: names, the last three exchanges, no scores."""
    clarification, before = session.clarification, session.data_before()
    return SessionView(
        language=session.language,
        turn=session.turn,
        pending=session.pending,
        options=clarification.options if clarification else (),
        clarified_words=clarification.words if clarification else "",
        evidence=evidence,
        hypotheses=session.beliefs()[:5],
        history=tuple(session.dialogue[-_VIEWED_UTTERANCES:]),
        status=session.status(stuck_rounds),
        look_offered=session.look_offered > 0 and session.look_offered == session.turn - 1,
        look_shown=look_waits(session),
        treatments=session.treatments,
        aftermath=session.aftermath,
        brief=session.brief if session.briefed >= session.turn - _KEPT_BRIEF else None,
        briefed=session.briefed,
        data_asked=before is not None,
        data_options=before.options if before else (),
        opening=_opening(session),
    )


def _opening(session: Session) -> str:
    said = (item.text for item in session.dialogue if item.speaker is Speaker.USER)
    return next(said, "") if session.case == 1 else ""
