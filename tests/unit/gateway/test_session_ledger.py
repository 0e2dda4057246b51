"""The ledger of a session."""

from dataclasses import replace

from dbdiag.planner.v1.planner_types import HypothesisView, Status
from dbdiag.vocabulary import LocalizedText, Verdict
from hypothesis import given
from hypothesis import strategies as st

from gateway.session.belief_points import BeliefPoint
from gateway.session.ledger import Session

PHENOMENA = st.sampled_from(["P-0001", "P-0002", "P-0003"])
VERDICTS = st.sampled_from(list(Verdict))
STATEMENTS = st.lists(st.tuples(PHENOMENA, VERDICTS, st.sampled_from([0.7, 1.0])), max_size=12)


def new_session() -> Session:
    return Session("s", 0.0, 0.0)


def say(session: Session, phenomenon_id: str, verdict: Verdict, score: float = 1.0) -> None:
    session.turn += 1
    session.record(session.entry(phenomenon_id, verdict, score, "words", "answer"))


def active(session: Session) -> list[tuple[str, Verdict, float]]:
    return sorted((entry.phenomenon_id, entry.verdict, entry.score) for entry in session.active())


def add_point(session: Session, confidence: float, evidence_changed: bool = True, concluded: str = "") -> None:
    point = BeliefPoint(session.case, session.turn, belief(confidence), evidence_changed, concluded)
    session.points.append(point)


def belief(confidence: float, root_cause_id: str = "RC-0001") -> tuple[HypothesisView, ...]:
    return (HypothesisView(root_cause_id, LocalizedText("因", "cause"), confidence),)


@given(STATEMENTS)
def test_one_active_entry_a_phenomenon(statements: list[tuple[str, Verdict, float]]) -> None:
    """Whatever is said, at most one entry a phenomenon counts, and it is the last thing said."""
    session = new_session()
    for statement in statements:
        say(session, *statement)
    last = {phenomenon: (phenomenon, verdict, score) for phenomenon, verdict, score in statements}
    assert active(session) == sorted(last.values())


@given(STATEMENTS)
def test_the_ledger_only_grows(statements: list[tuple[str, Verdict, float]]) -> None:
    """Recording never removes an entry or changes what one says, and entries are numbered by position."""
    session = new_session()
    for statement in statements:
        before = [replace(entry, retracted_turn=None) for entry in session.ledger]
        say(session, *statement)
        after = [replace(entry, retracted_turn=None) for entry in session.ledger]
        assert after[: len(before)] == before
    assert [entry.entry_id for entry in session.ledger] == list(range(len(session.ledger)))


@given(STATEMENTS, PHENOMENA, VERDICTS)
def test_retracted_equals_never_said(
    statements: list[tuple[str, Verdict, float]], phenomenon_id: str, verdict: Verdict
) -> None:
    """Saying something new and taking it back leaves what counts as if it had not been said."""
    session = new_session()
    for statement in statements:
        if statement[0] != phenomenon_id:
            say(session, *statement)
    before = active(session)
    say(session, phenomenon_id, verdict)
    entry = session.active_for(phenomenon_id)
    assert entry is not None
    session.retract(entry)
    assert active(session) == before


@given(STATEMENTS, VERDICTS, VERDICTS)
def test_a_correction_equals_saying_it_right_at_once(
    statements: list[tuple[str, Verdict, float]], wrong: Verdict, right: Verdict
) -> None:
    """A corrected session counts the same evidence as one that was told the right thing first."""
    corrected, straight = new_session(), new_session()
    for session, first in ((corrected, wrong), (straight, right)):
        say(session, "P-0001", first)
        for statement in statements:
            if statement[0] != "P-0001":
                say(session, *statement)
    say(corrected, "P-0001", right)
    assert active(corrected) == active(straight)


def test_a_new_case_counts_nothing_of_the_old_one() -> None:
    """After a reset the ledger still shows what was said, and none of it counts."""
    session = new_session()
    say(session, "P-0001", Verdict.CONFIRMED)
    add_point(session, 0.9)
    session.start_case()
    assert session.active() == []
    assert len(session.ledger) == 1
    assert session.status(3) is Status.EXPLORING


def test_three_answers_that_move_nothing_mean_stuck() -> None:
    """The status is stuck after as many unmoving answers as configured, and not one before."""
    session = new_session()
    statuses = []
    for _ in range(4):
        session.turn += 1
        add_point(session, 0.4)
        statuses.append(session.status(3))
    assert statuses == [Status.EXPLORING, Status.EXPLORING, Status.EXPLORING, Status.STUCK]


def test_questions_do_not_count_as_answers_that_moved_nothing() -> None:
    """A turn without new evidence neither brings the status nearer to stuck nor away from it."""
    session = new_session()
    for changed in (True, False, False, False, True):
        session.turn += 1
        add_point(session, 0.4, changed)
    assert session.idle_turns() == 1


def test_status_follows_the_leader() -> None:
    """Exploring below one half, narrowing from it, confirming from four fifths, concluded when the engine says so."""
    session = new_session()
    seen = []
    for confidence, concluded in ((0.3, ""), (0.5, ""), (0.8, ""), (0.97, "RC-0001")):
        session.turn += 1
        add_point(session, confidence, concluded=concluded)
        seen.append(session.status(3))
    assert seen == [Status.EXPLORING, Status.NARROWING, Status.CONFIRMING, Status.CONCLUDED]
