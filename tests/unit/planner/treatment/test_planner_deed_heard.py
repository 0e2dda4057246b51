"""What the person did is heard, whatever the words, and what it ended is no sign of another fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import (
    Aftermath,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    Treatment,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.speak.case.meant import meant
from services.planner.speak.compose import compose
from services.planner.speak.voice import Voice
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.case_talk import add_case_talk
from services.planner.treatment.named_steps import step_numbers
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each


def after(*shown: str) -> SessionView:
    """A case in which these answers were given."""
    return SessionView(
        turn=5, history=tuple(Utterance(Speaker.ASSISTANT, each) for each in shown), status=Status.CONCLUDED
    )


SEEN = EvidenceView("P-1", Text("等锁", "Lock waits"), Verdict.CONFIRMED, "seen")
SLOT = after("Not needed: drop the slot\n   `SELECT pg_drop_replication_slot('cdc_old');`")
CANCEL = after("先取消在等的 DDL。\n`SELECT pg_cancel_backend(21544);`")
IDLE = after("End the idle ones.\n`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle';`")


@for_each(
    ("said", "view", "action"),
    [
        ("no! its MORE full, 93%. dropped it, pg_wal still 302G, did it not work?", SLOT, "drop_slot"),
        ("I ALREADY DROPPED IT. slot is gone. why is the disk not going down??", SLOT, "drop_slot"),
        ("slot dropped, now what", SLOT, "drop_slot"),
        ("21544 取消了,登录秒开!", CANCEL, "cancel"),
        ("ran it, 280 rows t. shop is back, fatals stopped", IDLE, "terminate"),
        ("6个实例也挨个重启了,现在下单好了", IDLE, "restart_app"),
    ],
)
def test_a_deed_is_that_of_the_step_spoken_of_last(said: str, view: SessionView, action: str) -> None:
    """What stands before it, a number of the session or a question after it, takes nothing of it away."""
    assert {each.action for each in treatments_in(said, view) if not each.undone} == {action}
    assert treatments_in(said, view)[0].words != "did it not work?"


def test_what_is_gone_after_a_deed_is_told_of_it() -> None:
    """The slot that was dropped does not exist: that is no error of another cause."""
    told = treatments_in("I ALREADY DROPPED IT. slot is gone.", SLOT)
    assert [(each.action, each.words) for each in told] == [
        ("drop_slot", "I ALREADY DROPPED IT."),
        ("drop_slot", "slot is gone."),
    ]


@for_each("said", ["I ALREADY DROPPED IT. slot is gone.", "杀了,20817没了", "dropped it"])
def test_that_something_was_ended_is_no_recovery(said: str) -> None:
    """Only trouble that is gone is good news."""
    assert not tells_recovery(read_text(said))


@pytest.mark.parametrize("said", ["21544 取消了,登录秒开!", "ran it, 280 rows t. shop is back, fatals stopped"])
def test_good_news_beside_a_deed_is_its_outcome(said: str) -> None:
    """Nobody who tells so is asked whether it is any better since."""
    assert aftermath_in(said, CANCEL) is Aftermath.WELL


def leave_for(said: str, language: Language, *known: NamedObject, done: tuple[Treatment, ...] = ()) -> str:
    """The answer to a message that asks for leave, in a case with these sessions."""
    view = replace(CANCEL, evidence=(SEEN,), treatments=done)
    asked = next(step for step in add_case_talk(TurnPlan(), said, said, view).steps if isinstance(step, QuestionStep))
    answer = HelpAnswer((), None, asked.text, asked.topic, action=asked.action)
    return compose(TurnResults(answers=(answer,), treatments=done, objects=known, turn=6), language)


@for_each("said", ["小王那个20817还挂着呢,要不要管?", "20817 is still there, should i touch it?"])
@for_each("language", list(Language))
def test_of_what_still_stands_it_is_told_whether_to_end_it(said: str, language: Language) -> None:
    """Once the change of the table was cancelled, what it waited for is to be ended before it runs again."""
    sessions = (NamedObject("pid", "20817", "root", said=True), NamedObject("pid", "21544", "ddl", said=True))
    done = (Treatment("cancel", "21544 取消了", ("21544",), 5),)
    told = leave_for(said, language, *sessions, done=done)
    assert "pg_terminate_backend(20817)" in told
    assert len(told.split("\n")) == 1


@for_each(
    ("said", "how"),
    [
        ("pg_wal 4.1G, disk 58%", Aftermath.WELL),
        ("pg_wal still 302G", Aftermath.UNCHANGED),
        ("base 4.1G", None),
        ("why is the disk not going down??", None),
        ("大部分都正常!只有读members的慢", None),
    ],
)
def test_figures_after_a_deed_tell_how_it_is(said: str, how: Aftermath | None) -> None:
    """A third of the size or less is good news; a question, the same size and a part that is slow are none."""
    before = (Utterance(Speaker.USER, "pg_wal is 302G"), *SLOT.history)
    view = replace(SLOT, history=before, treatments=(Treatment("drop_slot", "dropped it", ("cdc_old",), 4),))
    assert aftermath_in(said, view) is how


@pytest.mark.parametrize("said", ["第2第3步是啥", "what are steps 2 and 3?"])
def test_every_step_that_is_numbered_is_told(said: str) -> None:
    """Two numbers ask for two steps."""
    assert step_numbers(said) == [2, 3]


def test_ok_before_a_deed_is_no_good_news() -> None:
    """How things are since is told by other words."""
    view = replace(SLOT, evidence=(SEEN,))
    recovered = QuestionStep(QuestionKind.HELP, text="ok dropped it. next?", topic=QuestionTopic.RECOVERED)
    plan = add_case_talk(TurnPlan((recovered,)), recovered.text, recovered.text, view)
    assert [each.topic for each in plan.steps if isinstance(each, QuestionStep)] == [QuestionTopic.TREATED]


def test_a_thing_without_a_name_is_the_one_that_holds() -> None:
    """Where the remedy ends no session, "kill that thing" is of the slot that is known."""
    drop = SolutionStep(Text("删槽", "Drop the slot"), "SELECT pg_drop_replication_slot('<slot>');", "high")
    found = ConclusionView("RC-1", Text("复制槽", "A slot"), 0.9, solution=(drop,))
    asked = "is it safe to just kill that thing?"
    assert meant("terminate", asked, found, Voice(Language.EN, 3, "", {"slot": "cdc_old"})) == "drop_slot"
    assert meant("terminate", asked, found, Voice(Language.EN, 3, "", {"slot": "x", "pid": "123"})) == "terminate"


@pytest.mark.parametrize("language", list(Language))
def test_after_a_deed_the_next_step_of_a_likely_cause_follows(language: Language) -> None:
    """A cause that leads so clearly that it was acted on is treated to the end."""
    end = SolutionStep(Text("断开", "End it"), "SELECT pg_terminate_backend(:pid);", "medium")
    vacuum = SolutionStep(Text("清理", "Vacuum"), "VACUUM (VERBOSE) orders;", "low")
    found = ConclusionView("RC-1", Text("长事务", "A long transaction"), 0.9, solution=(end, vacuum))
    answer = HelpAnswer((), None, "杀了", QuestionTopic.TREATED, leading=found)
    done = (Treatment("terminate", "杀了", ("18832",), 6),)
    told = compose(TurnResults(answers=(answer,), treatments=done, turn=6), language)
    assert "VACUUM (VERBOSE) orders;" in told
    assert "pg_terminate_backend" not in told


@pytest.mark.parametrize("language", list(Language))
def test_what_a_step_does_after_ending_a_session_is_left(language: Language) -> None:
    """The session is ended, its table is still to be vacuumed: only that is shown of the step."""
    end = "SELECT pg_terminate_backend(18832); VACUUM (VERBOSE, ANALYZE) orders;"
    step = SolutionStep(Text("断开，随后清理", "End it, then vacuum"), end, "medium")
    found = ConclusionView("RC-1", Text("长事务", "A long transaction"), 0.99, solution=(step,))
    answer = HelpAnswer((), found, "杀了。接下来呢", QuestionTopic.REMAINING)
    done = (Treatment("terminate", "杀了", ("18832",), 6),)
    told = compose(TurnResults(answers=(answer,), treatments=done, turn=6), language)
    assert "VACUUM (VERBOSE, ANALYZE) orders;" in told
    assert "pg_terminate_backend" not in told


@pytest.mark.parametrize("said", ["杀了。现在咋办?表还是55G", "killed it. the table is still 55G"])
def test_no_table_shrinks_by_the_end_of_a_session(said: str) -> None:
    """That it is as big as before is no failure of the deed."""
    assert aftermath_in(said, after("`SELECT pg_terminate_backend(18832);`")) is None
