"""The steps that are told fit the state of the session and what the person refused, cannot do, or has done."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Aftermath,
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    Treatment,
    TurnResults,
    Utterance,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.agreed import conditions_told
from services.planner.treatment.bearing import ASIDE, LACKS, bearing_on_treatment
from services.planner.treatment.shown_actions import SESSION
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
NAME = Text("长事务拖住清理", "A long transaction holds back vacuum")
CANCEL, END = "SELECT pg_cancel_backend(<pid>);", "SELECT pg_terminate_backend(<pid>);"
TIMEOUT = "ALTER ROLE <app> SET idle_in_transaction_session_timeout = '5min';"
RETRY = Text("让应用按 40P01 重试几次", "Let the application retry on 40P01, a few times with backoff")
SINGLE = Text("让报死锁的那个任务单线程跑", "Run the job that deadlocks with a single worker")
HELD = ConclusionView(
    "RC-1",
    NAME,
    0.99,
    relief=(ReliefStep(Text("取消它", "Cancel it"), CANCEL, "low"),),
    solution=(
        SolutionStep(Text("先取消正在跑的语句", "Cancel the statement that runs"), CANCEL, "low"),
        SolutionStep(Text("结束会话", "End the session"), END, "medium"),
        SolutionStep(Text("设空闲事务超时", "Set a timeout for idle transactions"), TIMEOUT, "low", prevents=True),
    ),
)
DEADLOCK = ConclusionView(
    "RC-2",
    Text("互相死锁", "Deadlocks"),
    0.99,
    relief=(ReliefStep(SINGLE, "", "low"),),
    solution=(
        SolutionStep(RETRY, "", "low"),
        SolutionStep(Text("按主键顺序加锁", "Lock rows by primary key"), "", "low"),
        SolutionStep(
            Text("一小时死锁超过 5 次就告警", "Alarm at more than 5 deadlocks an hour"), "", "none", prevents=True
        ),
    ),
)
DDL = ConclusionView(
    "RC-3",
    Text("长事务挡住 DDL", "A long transaction blocks DDL"),
    0.98,
    relief=(
        ReliefStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low"),
    ),
    solution=(SolutionStep(Text("结束老事务", "End the old transaction"), END, "medium"),) * 2,
)
SHOWN = SessionView(turn=3, history=(Utterance(Speaker.ASSISTANT, "1. Step (risk: low)"),))


def row(state: str) -> tuple[NamedObject, ...]:
    """The objects of one pasted row of the session in the way."""
    does = {"idle": ">idle", "reads": ">reads", "": ""}[state]
    return (
        NamedObject("pid", "20713", "idle" if state == "idle" else "holds", True),
        NamedObject("whose", f"20713>zhouwei{does}", said=True),
        NamedObject("app", "psql", "holds", True),
    )


def told(
    found: ConclusionView,
    asked: str,
    language: Language,
    objects: tuple[NamedObject, ...] = (),
    topic: QuestionTopic | None = None,
    action: str = "",
    done: tuple[Treatment, ...] = (),
    aftermath: Aftermath | None = None,
) -> str:
    """The answer to one question after this conclusion."""
    answer = HelpAnswer((), found, asked, topic, action=action)
    results = TurnResults(answers=(answer,), objects=objects, turn=5, treatments=done, aftermath=aftermath)
    return compose(results, language)


def aside(*said: str) -> tuple[NamedObject, ...]:
    """What is kept of messages as setting a step aside, after steps were shown."""
    kept = (each for words in said for each in bearing_on_treatment(words, SHOWN))
    return tuple(each for each in kept if each.kind == ASIDE)


@for_each("language", LANGUAGES)
@for_each("state", ["idle", "reads", ""])
def test_the_state_of_a_session_decides_how_it_is_ended(state: str, language: Language) -> None:
    """No statement is cancelled of a session that is idle in a transaction; one that runs a statement may be."""
    for topic, action in ((None, ""), (QuestionTopic.RELIEF, ""), (QuestionTopic.RISK, "terminate")):
        text = told(HELD, "?", language, row(state), topic, action)
        assert state != "idle" or "pg_cancel_backend(20713)" not in text
        assert state != "idle" or "pg_terminate_backend(20713)" in text
    assert ("pg_cancel_backend(20713)" in told(HELD, "?", language, row(state))) is (state != "idle")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cancel_in_vain_leaves_the_end_of_an_idle_session(language: Language) -> None:
    """After a cancel that did nothing to an idle transaction the step that ends it comes next."""
    done = (Treatment("cancel", "cancelled it", turn=5),)
    text = told(HELD, "?", language, row("idle"), QuestionTopic.TREATED, done=done)
    assert "pg_terminate_backend(20713)" in text
    assert str(load_phrases(language)["after_cancel_idle"]).rstrip("。.") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_role_is_altered_and_no_application(language: Language) -> None:
    """What stands after ALTER ROLE is the role of the session, never the name of its program."""
    text = told(HELD, "?", language, row("idle"))
    assert "ALTER ROLE zhouwei SET" in text
    assert "psql" not in text


@for_each("words", ["131 of em", "131 of them", "131 sessions", "131个", "131 条连接"])
def test_a_count_is_no_session(words: str) -> None:
    """A number that counts things is the number of no session; one that stands for a session still is."""
    assert not SESSION.findall(f"killed {words}")
    assert SESSION.findall("killed 20713, slots are free") == ["20713"]
    assert SESSION.findall("杀了 20713 之后好了") == ["20713"]


@for_each("language", LANGUAGES)
@for_each(
    ("said", "gone", "stays"),
    [
        ("the app retry i cant do, the code is the vendor's", RETRY, SINGLE),
        ("not doing that retry thing", RETRY, SINGLE),
        ("single worker? its one worker already", SINGLE, RETRY),
        ("应用那边重试做不了", RETRY, SINGLE),
        ("那个任务本来就是单线程跑的", SINGLE, RETRY),
    ],
)
def test_what_was_set_aside_is_not_offered_again(said: str, gone: Text, stays: Text, language: Language) -> None:
    """A step that was refused, cannot be taken or is taken already is told no more; the others are."""
    in_other = Language.ZH if any("\u4e00" <= each <= "\u9fff" for each in said) else Language.EN
    text = told(DEADLOCK, "what do i do", in_other, aside(said))
    assert gone.say(in_other) not in text
    assert stays.say(in_other) in text
    assert gone.say(language) in told(DEADLOCK, "what do i do", language)


@for_each("said", ["can't i just retry?", "disk is already full", "能不能重试", "还是会不会丢"])
def test_a_question_or_a_symptom_sets_no_step_aside(said: str) -> None:
    """Whoever asks about a step, or tells how bad things are, refuses nothing."""
    assert aside(said) == ()


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_right_the_way_round_is_told(language: Language) -> None:
    """Who may not take the next step hears what to do without and whom to ask, not the same step again."""
    objects = (NamedObject("pid", "20911", "ddl", True), NamedObject(LACKS, "cancel", "holds", said=True))
    text = told(DDL, "what else can i do", language, objects, QuestionTopic.RELIEF)
    assert "pg_signal_backend" in text
    job = told(DDL, "can i stop the ci job?", language, objects, QuestionTopic.RISK, "stop_job")
    assert job.startswith(("Yes", "可以"))


@for_each("language", LANGUAGES)
@for_each("asked", ["重启应用是一台一台来还是一起", "restart the app one by one or all at once?"])
def test_a_choice_of_manner_is_answered(asked: str, language: Language) -> None:
    """One by one or all together gets which, with the reason, before anything else."""
    text = told(DEADLOCK, asked, language, topic=QuestionTopic.RISK, action="restart_app")
    assert text.startswith(("One after the other", "一台一台来"))


@pytest.mark.parametrize("said", ["pause it till morning, nobody needs it b4 9", "停到明早，没人等着看"])
def test_conditions_that_are_told_are_met(said: str) -> None:
    """A pause that ends by itself and that nobody waits for needs no further condition."""
    assert {"rerun", "owner"} <= conditions_told(said)


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_what_treats_this_cause_is_told_as_done(language: Language) -> None:
    """What was done for another cause is not announced before the steps against this one."""
    other, own = Treatment("terminate", "killed 3 of em", turn=2), Treatment("retry", "added a retry", turn=2)
    line = {Language.ZH: "已做：", Language.EN: "Done: "}[language]
    assert line not in told(DEADLOCK, "?", language, done=(other,))
    assert line in told(DEADLOCK, "?", language, done=(own,))
