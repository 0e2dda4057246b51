"""An action that is told without an object was done to that of the step that was shown for it last."""

from __future__ import annotations

from services.planner.model import Aftermath, SessionView, Speaker, Status, Utterance
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each

SHOWN = (
    Utterance(Speaker.ASSISTANT, "Cancel the waiting DDL.\n`SELECT pg_cancel_backend(21544);`"),
    Utterance(Speaker.USER, "if i kill 20817 does he lose anything?"),
    Utterance(Speaker.ASSISTANT, "What is not committed is rolled back.\n`SELECT pg_terminate_backend(20817);`"),
)
VIEW = SessionView(turn=4, history=SHOWN, status=Status.NARROWING)


@for_each(
    ("said", "action", "objects"),
    [
        ("cancelled. logins r back instantly, the other one is still idle", "cancel", ("21544",)),
        ("取消了，登录马上好了", "cancel", ("21544",)),
        ("i cancelled 21590, it did not help", "cancel", ("21590",)),
        ("killed it", "terminate", ("20817",)),
    ],
)
def test_a_deed_is_of_the_step_that_was_shown_for_it(said: str, action: str, objects: tuple[str, ...]) -> None:
    """Whatever else was talked of since; a number that is named beside the deed goes first."""
    assert [(each.action, each.objects) for each in treatments_in(said, VIEW)] == [(action, objects)]


@for_each("said", ["cancelled. logins r back instantly", "cancelled, payments are back", "取消了，登录马上好了"])
def test_a_deed_that_is_told_with_its_outcome_helped(said: str) -> None:
    """Nobody who says so is asked whether it is any better since."""
    assert aftermath_in(said, VIEW) is Aftermath.WELL


def test_a_deed_is_of_what_was_planned_before() -> None:
    """Who said what to end first did it to that, though another statement was shown since."""
    history = (*SHOWN[1:], Utterance(Speaker.USER, "i'll cancel 21610 first then. and if i end 20817, what is lost?"))
    told = treatments_in("cancelled. logins are back", SessionView(turn=4, history=history, status=Status.NARROWING))
    assert [(each.action, each.objects) for each in told] == [("cancel", ("21610",))]
