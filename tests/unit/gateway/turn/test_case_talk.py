"""What messages tell of the treatment is kept in the session, case by case."""

from __future__ import annotations

from dbdiag.matcher.v1.matcher_types import Interpretation, Reading, Standing
from dbdiag.planner.v1.planner_types import (
    Aftermath,
    Brief,
    NamedObject,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Treatment,
    TurnPlan,
)
from dbdiag.vocabulary import Verdict

from gateway.session.case_talk import keep_case_talk, restate
from gateway.session.catalog import Catalog
from gateway.session.ledger import Session
from gateway.session.planner_view import view_of
from gateway.turn.context import Turn
from gateway.turn.contradictions import leave_out_aftermath, leave_out_asked
from gateway.turn.findings import ToolResult, Words
from gateway.turn.tools.match import words_to_read
from gateway.turn.unread import is_unread

KILLED = Treatment("terminate", "killed 4711", ("4711",))


def told(session: Session, plan: TurnPlan) -> Turn:
    """A turn of this session with this plan, kept."""
    session.turn += 1
    turn = Turn(session, "words", Catalog("s", {}, {}), 3, 0.95, plan=plan)
    keep_case_talk(session, plan)
    return turn


def test_a_treatment_told_twice_is_one_with_all_its_objects() -> None:
    """The turn of a treatment is the first in which it was told; objects that are named later are added."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(treatments=(KILLED,)))
    told(session, TurnPlan(treatments=(Treatment("terminate", "killed 5802 too", ("5802",)),)))
    assert session.treatments == (Treatment("terminate", "killed 4711", ("4711", "5802"), 1),)


def test_an_aftermath_is_open_again_after_another_step() -> None:
    """Bad news needs something that was done; a further step makes its outcome unknown."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(aftermath=Aftermath.UNCHANGED))
    assert session.aftermath is None
    told(session, TurnPlan(treatments=(KILLED,), aftermath=Aftermath.UNCHANGED))
    assert session.aftermath is Aftermath.UNCHANGED
    told(session, TurnPlan(treatments=(Treatment("restart_app", "restarted it"),)))
    assert session.aftermath is None


def test_what_is_known_of_an_object_adds_up() -> None:
    """A name said in words after a paste keeps the role that the paste told."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(objects=(NamedObject("slot", "dms_old", "holds"),)))
    told(session, TurnPlan(objects=(NamedObject("slot", "dms_old", said=True),)))
    assert session.objects == (NamedObject("slot", "dms_old", "holds", True),)


def test_a_new_case_begins_without_the_treatment_of_the_last() -> None:
    """Treatments, objects and the aftermath belong to their case."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(treatments=(KILLED,), aftermath=Aftermath.WELL, objects=(NamedObject("pid", "4711"),)))
    session.start_case()
    assert (session.treatments, session.objects, session.aftermath) == ((), (), None)


def test_what_is_answered_is_not_asked_back() -> None:
    """Doubts about the words of a question or a treatment are dropped; what counts stays."""
    asked = QuestionStep(QuestionKind.HELP, text="was it the batch", topic=QuestionTopic.RELATED)
    session = Session("s", 0.0, 0.0)
    turn = told(session, TurnPlan((asked,), treatments=(KILLED,)))
    doubt = Reading("P-0003", verdict=Verdict.CONFIRMED, standing=Standing.PROPOSED, words="was it the batch")
    sure = Reading("P-0016", verdict=Verdict.CONFIRMED, standing=Standing.COUNTS, words="disk is at 93 %")
    result = ToolResult(readings=(doubt, sure), words=(Words("killed 4711", Interpretation()),))
    heard = leave_out_asked(turn, result)
    assert heard.readings == (sure,)
    assert heard.words == ()


ORDER = QuestionStep(QuestionKind.HELP, None, "add that orders froze", topic=QuestionTopic.SUMMARY, brief=Brief())


def test_what_a_summary_was_set_right_by_is_kept_for_its_case() -> None:
    """The planner sees how the last summary was asked for, and when, in every later turn, and not in a new case."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan((ORDER,)))
    briefed = session.turn
    for _ in range(9):
        session.turn += 1
        view = view_of(session, (), 3, Catalog("s", {}, {}))
        assert (view.brief, view.briefed) == (Brief(), briefed)
    session.start_case()
    assert session.brief is None


def test_what_is_to_stand_in_a_summary_is_not_read() -> None:
    """The words of an order are blank in what the matcher reads, and an order alone leaves nothing to read."""
    turn = Turn(Session("s", 0.0, 0.0), "disk 95%. add that orders froze", Catalog("s", {}, {}), 3, 0.95)
    turn.plan = TurnPlan((ORDER,))
    assert words_to_read(turn).strip() == "disk 95%."
    assert len(words_to_read(turn)) == len(turn.message)
    assert not is_unread(ORDER.text, turn.plan)


def test_the_beginning_is_told_before_anything_is_done() -> None:
    """Since when the trouble is there is kept until something is done; later it is since when it is better."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(began="02:10"))
    told(session, TurnPlan(treatments=(KILLED,)))
    told(session, TurnPlan(began="03:00"))
    assert session.began == "02:10"


def test_the_figure_that_was_said_last_holds() -> None:
    """What is said again keeps its entry; its words are the last ones with a figure."""
    session = Session("s", 0.0, 0.0)
    session.record(session.entry("P-1", Verdict.CONFIRMED, 0.9, "40 sessions wait", "words"))
    restate(session, session.ledger[0], "60 sessions wait", "")
    restate(session, session.ledger[0], "they still wait", "")
    assert [entry.words for entry in session.active()] == ["60 sessions wait"]


def test_what_was_not_done_leaves_the_record() -> None:
    """A denial removes the action, and opens nothing: how things are since stays as it was told."""
    session = Session("s", 0.0, 0.0)
    told(session, TurnPlan(treatments=(KILLED,), aftermath=Aftermath.UNCHANGED))
    told(session, TurnPlan(treatments=(Treatment("terminate", "i killed nothing", undone=True),)))
    assert session.treatments == ()
    assert session.aftermath is Aftermath.UNCHANGED


def test_the_words_of_a_deed_are_no_finding_and_its_outcome_is_one() -> None:
    """In the middle of a case a deed names no event, what was spared denies no fault, and what came of it counts.

    What a deed would have begun is denied where it was not done, and what has no ground without it.
    """
    session = Session("s", 0.0, 0.0)
    session.record(session.entry("P-0003", Verdict.CONFIRMED, 1.0, "reports are slow", "words"))
    built = Treatment("create_index", "built an index")
    left = (Treatment("restart", "nobody restarted it", undone=True), Treatment("stop", "did not stop it", undone=True))
    turn = told(session, TurnPlan(treatments=(built, *left)))
    turn.evidence_before = turn.active_evidence()

    def counted(phenomenon_id: str, kind: str, words: str, verdict: Verdict = Verdict.CONFIRMED) -> Reading:
        return Reading(phenomenon_id, verdict=verdict, standing=Standing.COUNTS, words=words, kind=kind)

    outcome = counted("P-0082", "outcome", "built an index")
    elsewhere = counted("P-0016", "value", "disk is at 93 %")
    not_begun = counted("P-0015", "not_done", "nobody restarted it", Verdict.DENIED)
    no_ground = counted("P-0151", "none", "nobody restarted it", Verdict.DENIED)
    event = counted("P-0205", "event", "built an index")
    spared = counted("P-0130", "none", "did not stop it", Verdict.DENIED)
    heard = leave_out_aftermath(turn, ToolResult(readings=(outcome, elsewhere, not_begun, no_ground, event, spared)))
    assert heard.readings == (outcome, elsewhere, not_begun, no_ground)


def _case_before(done: Treatment | None, aftermath: Aftermath | None, message: str = "words") -> Turn:
    """A turn after a full disk and no lock waits were recorded and, in a later one, something was done."""
    session = Session("s", 0.0, 0.0)
    session.turn = 1
    session.record(session.entry("P-0016", Verdict.CONFIRMED, 1.0, "disk is at 97 %", "words"))
    session.record(session.entry("P-0033", Verdict.DENIED, 1.0, "no lock waits", "words"))
    told(session, TurnPlan(treatments=(done,) if done else (), aftermath=aftermath))
    session.turn += 1
    return Turn(session, message, Catalog("s", {}, {}), 3, 0.95, plan=TurnPlan())


def _kept(turn: Turn, phenomenon_id: str, verdict: Verdict, kind: str = "value", pasted: bool = False) -> bool:
    reading = Reading(
        phenomenon_id, verdict=verdict, standing=Standing.COUNTS, words="as it is now", kind=kind, pasted=pasted
    )
    return bool(leave_out_aftermath(turn, ToolResult(readings=(reading,))).readings)


def test_the_record_of_the_fault_outlives_the_fix() -> None:
    """From a deed on, how things are turns nothing round that was on record before it, in words or in a paste."""
    for how in (None, Aftermath.WELL, Aftermath.UNCHANGED):
        turn = _case_before(KILLED, how)
        assert not _kept(turn, "P-0016", Verdict.DENIED)
        assert not _kept(turn, "P-0016", Verdict.DENIED, pasted=True)
        assert not _kept(turn, "P-0033", Verdict.CONFIRMED, pasted=True)
    assert _kept(_case_before(None, None), "P-0016", Verdict.DENIED)


def test_a_correction_changes_the_record_after_a_fix() -> None:
    """Who says that something was heard or told wrong speaks of before."""
    for message in ("i never said that the disk is full", "我看错了，盘没满"):
        assert _kept(_case_before(KILLED, Aftermath.WELL, message), "P-0016", Verdict.DENIED)


def test_while_it_goes_on_what_is_new_counts_and_once_it_is_over_it_does_not() -> None:
    """A deed in vain leaves the search open; after a recovery no figure, paste or denial is of the fault."""
    assert _kept(_case_before(KILLED, Aftermath.UNCHANGED), "P-0011", Verdict.CONFIRMED)
    over = _case_before(KILLED, Aftermath.WELL)
    assert not _kept(over, "P-0011", Verdict.CONFIRMED)
    assert not _kept(over, "P-0011", Verdict.DENIED, kind="none")
    assert not _kept(over, "P-0011", Verdict.CONFIRMED, kind="event", pasted=True)
    assert _kept(over, "P-0011", Verdict.CONFIRMED, kind="event")
