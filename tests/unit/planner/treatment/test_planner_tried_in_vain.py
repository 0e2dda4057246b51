"""What was tried and ended in an error was not done, and its error is no symptom of the database."""

from __future__ import annotations

import pytest

from services.planner.model import SessionView, Speaker, Status, Treatment, Utterance
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each

SHOWN = Utterance(Speaker.ASSISTANT, "`SELECT pg_terminate_backend(4711);`")
VIEW = SessionView(status=Status.CONCLUDED, history=(SHOWN,))


@for_each(
    "said",
    [
        "ran that pg_terminate thing: ERROR:  must be a superuser to terminate superuser process",
        "killed 4711, permission denied",
        "I cancelled it. got permission denied",
        "tried to kill 4711 but it failed",
        "我杀了4711，报错说没有权限",
        "4711 我杀了，没成功",
    ],
)
def test_an_attempt_that_ended_in_an_error_is_not_done(said: str) -> None:
    """Whatever verb tells the attempt, an error after it makes it undone."""
    found = treatments_in(said, VIEW)
    assert found
    assert all(each.undone for each in found)


@pytest.mark.parametrize(
    "said", ["killed 4711, but the app still shows ERROR: timeout", "我杀了4711，应用日志还是报错"]
)
def test_the_errors_of_others_undo_nothing(said: str) -> None:
    """What the application meets afterwards is no failure of the attempt."""
    assert [each.undone for each in treatments_in(said, VIEW)] == [False]


@for_each("said", ["no, it did NOT end", "permission denied again", "没杀掉", "还是没权限"])
def test_a_denial_without_a_verb_takes_back_what_was_told_last(said: str) -> None:
    """What is told to be there as before, or refused, is off the record."""
    view = SessionView(status=Status.CONCLUDED, treatments=(Treatment("terminate", "killed it", ("4711",), 3),))
    assert [(each.action, each.undone) for each in treatments_in(said, view)] == [("terminate", True)]
