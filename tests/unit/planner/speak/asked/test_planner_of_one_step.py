"""Talk about what to do: one step that is asked about, a step that is objected to, and what is left once it is done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    Aftermath,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    Treatment,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

pytestmark = pytest.mark.sampled

LANGUAGES = (Language.ZH, Language.EN)
SEEN = EvidenceView("P-0001", Text("查询被取消", "Queries are cancelled"), Verdict.CONFIRMED, "canceled", 1)
LOOK = SolutionStep(Text("看哪些查询长", "See which are long"), "SELECT * FROM pg_stat_activity;", "none")
CANCEL = SolutionStep(Text("取消长查询", "Cancel the long one"), "SELECT pg_cancel_backend(:pid);", "low")
DELAY = SolutionStep(
    Text("放宽等待", "Wait longer"),
    "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();",
    "low",
)
FEEDBACK = SolutionStep(
    Text("打开反馈", "Feedback on"),
    "ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf();",
    "medium",
)
JITTER = SolutionStep(Text("改另一个", "Another one"), "ALTER SYSTEM SET bgwriter_delay = '20ms';", "low")
ALARM = SolutionStep(Text("加告警", "Add an alarm"), "SELECT 1;", "none", prevents=True)
FOUND = ConclusionView(
    "RC-0050",
    Text("备库冲突", "Conflicts on the standby"),
    0.99,
    solution=(LOOK, CANCEL, DELAY, FEEDBACK, JITTER, ALARM),
    repeated_conclusion=True,
)
ENDS = ConclusionView(
    "RC-0051", Text("长查询", "A long query"), 0.99, solution=(LOOK, CANCEL), repeated_conclusion=True
)
TOLD = "\n".join(f"{at}. `{step.how}`" for at, step in enumerate(FOUND.solution, 1))


def view_of(last: str = TOLD, *treatments: Treatment) -> SessionView:
    """A case that was concluded, after this answer."""
    history = (Utterance(Speaker.USER, "ok"), Utterance(Speaker.ASSISTANT, last))
    return SessionView(turn=5, status=Status.CONCLUDED, evidence=(SEEN,), history=history, treatments=treatments)


async def steps_of(message: str, view: SessionView | None = None) -> tuple[PlanStep, ...]:
    """The plan of a message."""
    return (await Planner().decide(view or view_of(), message)).plan.steps


async def answered(
    message: str, language: Language, found: ConclusionView = FOUND, *done: Treatment, previous: str = ""
) -> str:
    """The answer to the questions of a message."""
    asked = [step for step in await steps_of(message, view_of(TOLD, *done)) if isinstance(step, QuestionStep)]
    answers = tuple(HelpAnswer((), found, step.text, step.topic, action=step.action) for step in asked)
    results = TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=answers, treatments=done, turn=5)
    return compose(results, language, previous)


@for_each(
    ("message", "shown", "language"),
    [
        ("那第4步在哪台上改", FEEDBACK, Language.ZH),
        ("我问的是第四步那个feedback在从库改还是主库改", FEEDBACK, Language.ZH),
        ("feedback是off 要不要开 开了主库会怎样", FEEDBACK, Language.ZH),
        ("打开hot_standby_feedback有什么风险 是在备库改吗", FEEDBACK, Language.ZH),
        ("30min够吗 月报要跑俩钟头啊", DELAY, Language.ZH),
        ("max_standby_streaming_delay 设多大", DELAY, Language.ZH),
        ("步骤3 要重启吗", DELAY, Language.ZH),
        ("step 4, on which server?", FEEDBACK, Language.EN),
        ("is 30min enough? the report takes two hours", DELAY, Language.EN),
        ("how big should i set max_standby_streaming_delay", DELAY, Language.EN),
        ("that feedback thing, do i set it on the standby or on the primary?", FEEDBACK, Language.EN),
        ("does step 5 need a restart", JITTER, Language.EN),
        ("what value for the 5th step?", JITTER, Language.EN),
    ],
)
async def test_the_step_that_is_asked_about_is_the_one_that_is_answered(
    message: str, shown: SolutionStep, language: Language
) -> None:
    """By its number, its setting or its value: that step alone is shown, after what is known of what is asked."""
    text = await answered(message, language)
    assert [step for step in FOUND.solution if step.how.split(";")[0] in text] == [shown]
    assert str(load_phrases(language)["act_set_parameter"]) not in text


@for_each("language", LANGUAGES)
@for_each(
    ("messages", "known"),
    [
        (("第4步在哪台上改", "step 4, on which server?"), ("step_where_standby", "hot_standby_feedback")),
        (("第5步在哪台上改", "step 5, on which server?"), ("step_open_where", "")),
        (("第3步设多大", "how big should i set it in step 3"), ("size_max_standby_streaming_delay", "")),
        (("第5步设多大", "how big should i set it in step 5"), ("step_open_size", "")),
        (("第4步要重启吗", "does step 4 need a restart?"), ("step_takes_reload", "")),
        (("第5步要重启吗", "does step 5 need a restart?"), ("step_takes_open", "bgwriter_delay")),
    ],
)
async def test_what_is_not_known_of_a_step_is_said_in_a_line(
    messages: tuple[str, str], known: tuple[str, str], language: Language
) -> None:
    """Beside the step stands what is known of what is asked, or one line that it is not known."""
    text = await answered(messages[LANGUAGES.index(language)], language)
    phrase, name = known
    assert text.splitlines()[0] == str(load_phrases(language)[phrase]).format(name=name)
    assert len(text.splitlines()) == 3


@pytest.mark.parametrize("message", ["30min够吗 那第4步在哪台上改", "is 30min enough, and step 4 is on which server?"])
async def test_a_question_of_a_step_is_no_evidence(message: str) -> None:
    """Words that ask about a step are not read as something that was seen."""
    assert not any(isinstance(step, ObservationStep) for step in await steps_of(message))


OBJECTIONS = (
    "你让我把月报cancel掉? 它挂掉就是我的问题啊 我要的是它别被干掉",
    "你叫我取消月报？ 我要它跑完",
    "不能取消 财务等着要 有没有别的办法",
    "u want me to cancel the report? thats the whole problem, i need it to finish",
    "you say i should cancel it?? that is exactly what must not happen",
    "i can't cancel that, finance needs it. is there another way",
)


@for_each("message", OBJECTIONS)
@for_each("language", LANGUAGES, every=3)
async def test_who_objects_to_a_step_is_shown_the_others(message: str, language: Language) -> None:
    """An objection asks no leave: the steps without that action follow, or that there are none."""
    phrases = load_phrases(language)
    text = await answered(message, language)
    assert "pg_cancel_backend" not in text
    assert DELAY.how.split(";")[0] in text
    assert FEEDBACK.how.split(";")[0] in text
    assert str(phrases["leave_yes"]) not in text
    none = str(phrases["other_steps_none"]).format(name=ENDS.name.say(language), done=phrases["name_cancel"])
    assert await answered(message, language, ENDS) == none


@for_each("message", ["can i cancel it?", "能取消吗", "取消会丢数据吗"])
@for_each("language", LANGUAGES)
async def test_a_question_of_leave_begins_with_yes_or_no(message: str, language: Language) -> None:
    """Asked for leave, the first word is yes or no, and the step is shown."""
    text = await answered(message, language)
    assert text.startswith(str(load_phrases(language)["leave_yes"]))
    assert CANCEL.how.split("(")[0] in text


@for_each("language", LANGUAGES)
@for_each("action", ["analyze", "create_index", "set_parameter"])
@for_each(
    "message",
    ["its the same query that ran before i did the analyze. do i kill it or what", "还是之前那条查询在跑，要不要杀掉"],
    every=3,
)
async def test_what_ran_before_a_step_for_new_statements_is_started_again(
    message: str, action: str, language: Language
) -> None:
    """After a step that no running statement has, whoever asks to end one is told to cancel it and run it again."""
    found = ConclusionView("RC-9", Text("统计过期", "Stale"), 0.98, solution=(LOOK,), repeated_conclusion=True)
    told = str(load_phrases(language)["start_again"]).split("{", maxsplit=1)[0]
    text = await answered(message, language, found, Treatment(action, "ran it", (), 4))
    assert text.startswith(told)
    assert "pg_cancel_backend" in text
    assert not (await answered(message, language, found, Treatment("vacuum", "ran it", (), 4))).startswith(told)


@for_each("language", LANGUAGES)
@for_each("aftermath", [None, Aftermath.WELL])
def test_who_asks_for_prevention_after_a_deed_is_told_prevention_alone(
    aftermath: Aftermath | None, language: Language
) -> None:
    """What was done is acknowledged in a line after what was asked; nothing of the treatment is repeated."""
    done = (Treatment("cancel", "i just cancelled it", (), 5),)
    asked = (QuestionTopic.TREATED, QuestionTopic.PREVENTION)
    answers = tuple(HelpAnswer((), FOUND, "cancelled it, 2 s now. how do i prevent it", topic) for topic in asked)
    results = TurnResults(
        diagnosis=DiagnosisView(conclusion=FOUND), answers=answers, treatments=done, turn=5, aftermath=aftermath
    )
    text = compose(results, language)
    asked_for, _, last = text.rpartition("\n\n")
    assert len(last.splitlines()) == 1
    assert str(load_phrases(language)["after_cancel"]) not in text
    assert ALARM.how in asked_for
    assert DELAY.how not in text


@for_each("language", LANGUAGES)
@for_each("action", ["restart", "restart_app"])
def test_whether_it_takes_a_restart_is_asked_of_the_step(action: str, language: Language) -> None:
    """Where a restart is no step, the question is what the next step takes, and not whether to restart."""
    asked = "能直接改吗 要不要重启" if language is Language.ZH else "do i have to restart for that?"
    found = ConclusionView(
        "RC-43",
        Text("WAL 太小", "WAL too small"),
        0.99,
        solution=(SolutionStep(Text("调大", "Raise"), "ALTER SYSTEM SET max_wal_size = '16GB';", "low"),),
        repeated_conclusion=True,
    )
    answer = HelpAnswer((), found, asked, QuestionTopic.RISK, action=action)
    text = compose(TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,)), language)
    assert str(load_phrases(language)["restart_raise_max_wal_size"]) in text
    assert str(load_phrases(language)["act_restart"]) not in text


@for_each(
    ("message", "deed"),
    [
        ("夜里有个导数任务 现在早跑完了", False),
        ("刚才说跑完了不对", False),
        ("the nightly job is done by now", False),
        ("跑完了", True),
        ("ran it", True),
    ],
)
async def test_a_job_that_ended_is_no_step_that_was_done(message: str, deed: bool) -> None:
    """That something named ended, or was said to have ended, records no step that was shown."""
    plan = (await Planner().decide(view_of("`ALTER SYSTEM SET max_wal_size = '16GB';`"), message)).plan
    assert bool(plan.treatments) is deed


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_session_that_is_known_the_answer_is_yes_or_no_first(language: Language) -> None:
    """A known culprit gets its yes before the conditions, and what is lost by its end only where that is asked."""
    end = SolutionStep(Text("结束它", "End it"), "SELECT pg_terminate_backend(:root_pid);", "medium")
    found = ConclusionView("RC-1", Text("忘提交", "Forgotten"), 0.99, solution=(end,), repeated_conclusion=True)
    held = (NamedObject("pid", "18733", "holds", True),)
    phrases = load_phrases(language)
    for asked, general in (("is it safe to shoot 18733?", False), ("what is lost if i kill 18733?", True)):
        answer = HelpAnswer((), found, asked, QuestionTopic.RISK, action="terminate")
        text = compose(TurnResults(answers=(answer,), objects=held), language)
        assert text.startswith(str(phrases["leave_check_known"]).split("{", maxsplit=1)[0])
        assert (str(phrases["cost_terminate"]) in text) is general
        assert "pg_terminate_backend(18733)" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_step_is_told_with_the_step_that_is(language: Language) -> None:
    """After a conclusion an action that is none of its steps gets a no, the step that treats it, and what it does."""
    answer = HelpAnswer((), FOUND, "can i fail over?", QuestionTopic.RISK, action="fail_over")
    text = compose(TurnResults(answers=(answer,)), language)
    phrases = load_phrases(language)
    assert text.startswith(str(phrases["leave_not_called_for"]).split("{", maxsplit=1)[0])
    assert FOUND.name.say(language) in text
    assert str(phrases["act_fail_over"]) in text


CAP = ReliefStep(Text("封顶", "Cap them"), "ALTER SYSTEM SET max_slot_wal_keep_size = '100GB';", "medium")
DROP = SolutionStep(Text("删掉没人要的", "Drop the one"), "SELECT pg_drop_replication_slot('<slot>');", "high")


@for_each("language", LANGUAGES)
@for_each("asked", ["那具体咋处理这个slot啊 命令给我", "what about that slot, give me the command"])
def test_the_command_is_that_for_the_object_that_was_named(asked: str, language: Language) -> None:
    """A step whose blank is filled by what is abandoned goes before relief that names nothing, with its condition."""
    found = ConclusionView("RC-48", Text("槽", "A slot"), 0.97, relief=(CAP,), solution=(LOOK, DROP))
    answer = HelpAnswer((), found, asked, QuestionTopic.COMMAND)
    need = str(load_phrases(language)["leave_check"]).split("{", maxsplit=1)[0]
    for role, dropped in (("holds", True), ("fine", False)):
        slots = (NamedObject("slot", "bi_sub_old", role),)
        text = compose(TurnResults(answers=(answer,), objects=slots), language)
        assert ("pg_drop_replication_slot('bi_sub_old')" in text) is dropped
        assert CAP.how not in text or not dropped
        assert need in text or not dropped


@for_each(
    "message",
    [
        "pg_wal 380G 你看到没 这说明啥",
        "连接数 297/300 你看到没 说明啥",
        "disk is 92% full, did you see that, what does that tell you",
    ],
)
async def test_a_fact_that_is_pointed_at_is_read(message: str) -> None:
    """Whoever points at a figure and asks what it shows has told it: that is an observation, no call for the manual."""
    view = SessionView(turn=4, status=Status.NARROWING, evidence=(SEEN,), history=view_of().history)
    steps = await steps_of(message, view)
    assert any(isinstance(step, ObservationStep) for step in steps)
    assert not any(
        isinstance(step, QuestionStep) and step.topic is None and step.kind is QuestionKind.HELP for step in steps
    )


@pytest.mark.parametrize(
    ("message", "language"),
    [("第2步和第4步具体是啥", Language.ZH), ("what exactly are steps 2 and 4?", Language.EN)],
)
async def test_a_step_that_is_done_is_said_to_be_done(message: str, language: Language) -> None:
    """Of steps asked about by number, one that was done is not shown again with its statement."""
    text = await answered(message, language, FOUND, Treatment("cancel", "cancelled the long one", (), 4))
    assert str(load_phrases(language)["step_done"]).format(number=2) in text
    assert CANCEL.how not in text
    assert "hot_standby_feedback" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_that_is_as_the_step_sets_it_is_left(language: Language) -> None:
    """Whether to change a setting that has the value of the step by what was told: no, it has it."""
    asked = (
        "checkpoint_completion_target 要不要改" if language is Language.ZH else "should i change checkpoint_timeout?"
    )
    how = {
        Language.ZH: "ALTER SYSTEM SET checkpoint_completion_target = 0.9;",
        Language.EN: "ALTER SYSTEM SET checkpoint_timeout = '15min';",
    }[language]
    found = replace(FOUND, solution=(LOOK, replace(DELAY, how=how)))
    answer = HelpAnswer((), found, asked, QuestionTopic.RISK, action="set_parameter")
    results = TurnResults(
        diagnosis=DiagnosisView(conclusion=found),
        answers=(answer,),
        objects=tuple(
            NamedObject("setting", each) for each in ("checkpoint_completion_target=0.9", "checkpoint_timeout=15min")
        ),
    )
    assert "ALTER SYSTEM" not in compose(results, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_of_the_size_after_a_deed_is_told_the_step_that_is_left(language: Language) -> None:
    """After the end of a session whose snapshot held vacuum up, the vacuum is still to be run."""
    ends = replace(CANCEL, how="SELECT pg_terminate_backend(:pid); VACUUM (VERBOSE) events;", risk="medium")
    found = replace(FOUND, solution=(LOOK, ends, ALARM))
    said = "杀了，表还是80G，现在咋办？" if language is Language.ZH else "killed it. what now? the table is still 80 GB"
    answer = HelpAnswer((), found, said, QuestionTopic.TREATED)
    done = Treatment("terminate", said, (), 5)
    text = compose(
        TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,), treatments=(done,), turn=5), language
    )
    assert "VACUUM (VERBOSE) events" in text
    assert "pg_terminate_backend" not in text


@pytest.mark.parametrize(
    ("asked", "language"),
    [("到底先做什么后做什么，全部步骤列一遍", Language.ZH), ("give me the full plan, step by step", Language.EN)],
)
def test_who_asks_for_the_list_gets_the_list(asked: str, language: Language) -> None:
    """The steps are all told again to who asks for all of them, though an answer before the last one had them."""
    answer = HelpAnswer((), FOUND, asked)
    results = TurnResults(diagnosis=DiagnosisView(conclusion=FOUND), answers=(answer,), turn=9)
    first = compose(results, language)
    again = compose(results, language, "ok", "", (first,))
    assert [step.how for step in FOUND.solution if step.how.split(";")[0] not in again] == []
