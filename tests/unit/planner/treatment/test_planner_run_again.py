"""Whether a change that was cancelled may run again follows from what it waited for, and so does the order of steps."""

from __future__ import annotations

from services.planner.model import HypothesisView, Language, QuestionStep, SessionView, Text
from services.planner.treatment.going_on import RERUN, asked_by, ends_before_ddl, weighs_ends
from tests.support.cases import for_each

LOCKED = HypothesisView("RC-0002", Text("长事务挡住 DDL", "A long transaction blocks a DDL"), 0.9)
VIEW = SessionView(Language.EN, turn=4, hypotheses=(LOCKED,))


def actions(said: str, view: SessionView = VIEW) -> list[str]:
    """The actions that a message asks about."""
    return [step.action for _, steps in asked_by(said, view) for step in steps if isinstance(step, QuestionStep)]


@for_each(
    "said",
    [
        "can i rerun the deploy now or?",
        "if i rerun the alter while the bi tx is still open, same mess again?",
        "so kill 20817 first then alter w lock_timeout, thats the order?",
        "现在能重跑改表吗？",
        "先断开 20817 再改表，是这个顺序吗？",
    ],
)
def test_a_change_that_waited_is_asked_about_again(said: str) -> None:
    """Where a change of a table is what everybody waits behind; elsewhere such words mean something else."""
    assert RERUN in actions(said)
    assert RERUN not in actions(said, SessionView(Language.EN, turn=4))


@for_each(
    ("said", "first"),
    [
        ("kill 20817 first then alter it", True),
        ("先断开 20817 再改表", True),
        ("run the alter first and then kill 20817", False),
        ("alter it now", None),
    ],
)
def test_what_ends_comes_before_the_change_or_after(said: str, first: bool | None) -> None:
    """The order of two steps is read by their places."""
    assert ends_before_ddl(said) is first


@for_each(("said", "both"), [("cancel or kill his session?", True), ("取消还是杀掉？", True), ("kill it", False)])
def test_cancelling_weighed_against_ending_is_heard(said: str, both: bool) -> None:
    """Either of the two is answered, never by a bare yes."""
    assert weighs_ends(said) is both
