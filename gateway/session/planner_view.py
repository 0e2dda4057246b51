"""What the planner may see of a session."""

from __future__ import annotations

from dataclasses import replace

from dbdiag.planner.v1.planner_types import EvidenceView, HypothesisView, SessionView, Speaker

from gateway.session.case_talk import look_waits
from gateway.session.catalog import Catalog
from gateway.session.ledger import Session
from lang.objects.settings_said import OF_SETTINGS

# So many utterances are read, and in so many nothing is told once more.
_VIEWED_UTTERANCES, _TOLD_UTTERANCES = 6, 60
# So many causes are seen, and so many of them, from this belief on, with the questions that they answer.
_CAUSES, _ASKED_ABOUT, _LIKELY = 5, 2, 0.2


def view_of(session: Session, evidence: tuple[EvidenceView, ...], stuck_rounds: int, catalog: Catalog) -> SessionView:
    """The planner's view: names, the last three exchanges, no scores."""
    clarification, before = session.clarification, session.data_before()
    return SessionView(
        language=session.language,
        turn=session.turn,
        pending=session.pending,
        options=clarification.options if clarification else (),
        clarified_words=clarification.words if clarification else "",
        evidence=evidence,
        hypotheses=_believed(session, catalog),
        history=tuple(session.dialogue[-_VIEWED_UTTERANCES:]),
        status=session.status(stuck_rounds),
        look_offered=session.look_offered > 0 and session.look_offered == session.turn - 1,
        look_shown=look_waits(session),
        treatments=session.treatments,
        aftermath=session.aftermath,
        brief=session.brief,
        briefed=session.briefed,
        data_asked=before is not None,
        data_options=before.options if before else (),
        opening=_opening(session),
        settings=tuple(each for each in session.objects if each.kind in OF_SETTINGS),
        engine=catalog.engine,
    )


def answers_before(session: Session) -> tuple[str, tuple[str, ...]]:
    """The last answer of a session, empty in a new one, and those before it, oldest first."""
    seen = session.dialogue[-_TOLD_UTTERANCES:]
    *earlier, last = ["", *(each.text for each in seen if each.speaker is Speaker.ASSISTANT)]
    return last, tuple(filter(None, earlier))


def _believed(session: Session, catalog: Catalog) -> tuple[HypothesisView, ...]:
    """The leading causes, the likely ones with the questions that the library answers for them."""
    causes = session.beliefs()[:_CAUSES]
    likely = [each for each in causes[:_ASKED_ABOUT] if each.confidence >= _LIKELY]
    known = [catalog.root_causes.get(each.root_cause_id) for each in likely]
    asked = [each.questions if each is not None else () for each in known]
    told = [replace(each, questions=found) for each, found in zip(likely, asked, strict=True)]
    return (*told, *causes[len(told) :])


def _opening(session: Session) -> str:
    said = (item.text for item in session.dialogue if item.speaker is Speaker.USER)
    return next(said, "") if session.case == 1 else ""
