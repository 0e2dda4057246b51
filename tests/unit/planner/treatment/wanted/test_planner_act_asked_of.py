"""An act that is asked about is the one that the question means: another session, another setting, no step at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    HypothesisView,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SolutionStep,
    Speaker,
    Status,
    Text,
    Treatment,
    TurnResults,
    Utterance,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import bearing_on_treatment
from services.planner.treatment.reports import treatments_in
from services.planner.treatment.sentences import two_in
from services.planner.treatment.shown_actions import SESSION
from tests.support.cases import for_each
from tests.unit.planner.turns.test_planner_deeds import view

LANGUAGES = (Language.ZH, Language.EN)
CANCEL = SolutionStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low")
END = SolutionStep(Text("结束旧事务", "End the old transaction"), "SELECT pg_terminate_backend(<pid>);", "medium")
QUEUE = ConclusionView(
    "RC-0001", Text("长事务挡住 DDL", "A long transaction blocks a DDL"), 0.97, solution=(CANCEL, END)
)
SIZE = SolutionStep(Text("调大", "Raise it"), "ALTER SYSTEM SET max_wal_size = '16GB'; SELECT pg_reload_conf();", "low")
WAL = ConclusionView("RC-0002", Text("检查点过于频繁", "Checkpoints come too often"), 0.96, solution=(SIZE,))
ENDED = (Treatment("terminate", "killed 30444", ("30444",), turn=3),)
HELD = (NamedObject("pid", "30444", "ddl"), NamedObject("pid", "28101", "root"))


def said_to(
    asked: str, action: str, found: ConclusionView, language: Language, topic: QuestionTopic = QuestionTopic.RISK
) -> str:
    answer = HelpAnswer((), replace(found, repeated_conclusion=True), asked, topic, action=action)
    return compose(TurnResults(answers=(answer,), treatments=ENDED, objects=HELD, turn=5), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_done_to_one_session_is_not_done_to_another(language: Language) -> None:
    """Asked of the session that still holds on, nothing is called done because another one was ended."""
    done = str(load_phrases(language)["leave_done"]).split("{")[0]
    assert done not in said_to("do i have to kill the notebook session first?", "terminate", QUEUE, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_session_by_its_number_gets_no_step_for_the_ddl(language: Language) -> None:
    """The step whose DDL nobody named is not shown as the one for the session that is asked about."""
    answer = HelpAnswer(
        (), replace(QUEUE, repeated_conclusion=True), "kill 28101?", QuestionTopic.RISK, action="terminate"
    )
    text = compose(TurnResults(answers=(answer,), objects=HELD[1:], turn=5), language)
    assert "28101" in text
    assert "ddl_pid" not in text


@for_each("language", LANGUAGES)
@for_each(("asked", "action"), [("should we fail over?", "fail_over"), ("要不要做 VACUUM FULL", "vacuum_full")])
def test_what_treats_no_likely_cause_is_answered_with_no(asked: str, action: str, language: Language) -> None:
    """Yes or no comes first: an act that is no step against a likely cause gets a no and the step that is."""
    text = said_to(asked, action, QUEUE, language)
    assert text.startswith(str(load_phrases(language)["leave_not_called_for"]).split("{")[0])
    assert END.action.say(language) in text or CANCEL.action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_a_change_may_run_again_is_answered_by_what_still_holds_on(language: Language) -> None:
    """When to start again is for a change of a table: not while the one in the way has its transaction open."""
    text = said_to("what about tonight, before they start it again?", "", QUEUE, language, QuestionTopic.RESUMING)
    assert "28101" in text


@for_each("language", LANGUAGES)
@for_each("asked", ["do i have to touch checkpoint_completion_target too?", "checkpoint_completion_target 要不要也改"])
def test_a_setting_that_is_no_step_is_left_as_it_is(asked: str, language: Language) -> None:
    """Asked of a setting that the remedy does not change, the answer names it, and gives no leave for another."""
    text = said_to(asked, "set_parameter", WAL, language)
    assert "checkpoint_completion_target" in text
    assert "max_wal_size" not in text


@pytest.mark.parametrize(
    "said", ["checkpoint_completion_target 要不要也动？", "and do i have to touch checkpoint_completion_target?"]
)
async def test_a_setting_that_is_named_is_the_one_asked_about(said: str) -> None:
    """A setting named by its whole name is meant, and not the change that was made last."""
    done = replace(view(), treatments=(Treatment("raise_max_wal_size", "set it to 16GB", turn=2),))
    steps = (await Planner().decide(done, said)).plan.steps
    asked = {each.action for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RISK}
    assert asked <= {"set_parameter", "step"}


@for_each(
    ("words", "numbers"),
    [
        ("51877 is Sleep, time 9120", ["51877"]),
        ("51877 idle in transaction, age 9120", ["51877"]),
        ("51877 已经 9120 秒了", ["51877"]),
        ("kill 51877 or 51902", ["51877", "51902"]),
    ],
)
def test_how_long_it_lasts_is_no_number_of_a_session(words: str, numbers: list[str]) -> None:
    """A time behind its word or before its unit names no session."""
    assert SESSION.findall(words) == numbers


def test_a_yes_or_no_is_no_choice_of_two() -> None:
    """ "Yes or no" asks for a ruling and sets no two things against each other."""
    assert two_in("may i kill 51877, yes or no?") == ()
    assert two_in("kill 51877 or 51902?")


@pytest.mark.parametrize("said", ["explain says rows removed by filter 81200345", "做完了，密钥是上周被删的对吧？"])
def test_what_a_plan_says_and_what_is_asked_is_no_deed(said: str) -> None:
    """Rows that a filter removed and what was deleted by others are nothing that the person did."""
    assert not [each for each in treatments_in(said, view()) if each.action in ("drop_data", "delete_wal")]


def test_what_cannot_be_seen_sets_no_step_of_another_sentence_aside() -> None:
    """A refusal that names what it refuses leaves alone what the sentence before it asks for."""
    shown = Utterance(Speaker.ASSISTANT, "1. Build the index (risk: low)")
    told = replace(view(), history=(shown,))
    kept = bearing_on_treatment("can i build the index on the live table? cannot look at the seq scan numbers", told)
    assert not any("index" in each.name for each in kept)


def test_of_two_sessions_in_the_way_the_one_that_stands_is_named() -> None:
    """Where one of two was ended, the statement has the other one, and no choice of both."""
    both = (NamedObject("pid", "30444", "root", True), NamedObject("pid", "28101", "root", True))
    found = replace(QUEUE, solution=(END,), repeated_conclusion=True)
    answer = HelpAnswer(
        (), found, "do i have to kill it, and the exact command", QuestionTopic.RISK, action="terminate"
    )
    text = compose(TurnResults(answers=(answer,), treatments=ENDED, objects=both, turn=5), Language.EN)
    assert "pg_terminate_backend(28101)" in text
    assert "30444" not in text


@pytest.mark.parametrize("said", ["no no its not over, i haven't started yet", "还没好呢，我还没动手"])
async def test_who_has_not_begun_is_told_what_to_begin_with(said: str) -> None:
    """That nothing was done yet is heard before a conclusion as well, where a cause leads clearly."""
    leads = (HypothesisView("RC-0001", QUEUE.name, 0.92),)
    steps = (await Planner().decide(replace(view(status=Status.NARROWING), hypotheses=leads), said)).plan.steps
    assert QuestionTopic.UNTREATED in {each.topic for each in steps if isinstance(each, QuestionStep)}


@pytest.mark.parametrize("said", ["the nightly job is through, ran it again in 40 s", "改这一个服务就够了吗"])
async def test_that_it_ran_again_and_what_is_enough_ask_not_when_to_start(said: str) -> None:
    """When to start something again is answered to who asks that."""
    steps = (await Planner().decide(view(status=Status.NARROWING), said)).plan.steps
    assert QuestionTopic.RESUMING not in {each.topic for each in steps if isinstance(each, QuestionStep)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_that_nobody_named_is_asked_for(language: Language) -> None:
    """Where no setting is named and the remedy changes none, nothing general is told of settings."""
    text = said_to("can i just turn it back on?", "switch_setting", QUEUE, language)
    assert text == load_phrases(language)["leave_which_setting"]
