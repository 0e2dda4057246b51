"""What is asked of an action near a conclusion is answered for that action, and not for what shares a word."""

from __future__ import annotations

import pytest

from lang.objects.named_objects import objects_named
from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    PlanStep,
    QuestionStep,
    QuestionTopic,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
SEEN = EvidenceView("P-0001", Text("在等锁", "They wait"), Verdict.CONFIRMED, "31 waiting", 1)
END = "SELECT pg_terminate_backend(<pid>);"
LONG = ConclusionView(
    "RC-0001",
    Text("长事务", "A long transaction"),
    0.99,
    relief=(
        ReliefStep(Text("请对方提交", "Have it commit"), END, "medium", not_when=Text("备份在跑", "a backup runs")),
    ),
    solution=(SolutionStep(Text("结束它", "End it"), END, "medium"),),
    repeated_conclusion=True,
)
WAL = ConclusionView(
    "RC-0002",
    Text("WAL 太小", "WAL too small"),
    0.99,
    solution=(
        SolutionStep(
            Text("调大", "Raise it"), "ALTER SYSTEM SET max_wal_size = '16GB'; SELECT pg_reload_conf();", "low"
        ),
        SolutionStep(Text("拉长", "Longer"), "ALTER SYSTEM SET checkpoint_timeout = '15min';", "low", prevents=True),
    ),
    repeated_conclusion=True,
)
# An answer whose caveats name a backup and an asynchronous standby beside its statement.
TOLD = "End it, not if it is a backup or dump under way (备份在跑就别动)\n   `SELECT pg_terminate_backend(<pid>);`"
SET = "`ALTER SYSTEM SET checkpoint_timeout = '15min';`\n**An asynchronous failover lost the last commits**, 异步切换"


async def answered(message: str, last: str, found: ConclusionView, language: Language, *objects: NamedObject) -> str:
    """The answer to the one question of an action in a message, after this last answer."""
    history = (Utterance(Speaker.USER, "ok"), Utterance(Speaker.ASSISTANT, last))
    view = SessionView(turn=5, status=Status.CONCLUDED, evidence=(SEEN,), history=history)
    steps: tuple[PlanStep, ...] = (await Planner().decide(view, message)).plan.steps
    (asked,) = [step for step in steps if isinstance(step, QuestionStep) and step.topic is QuestionTopic.RISK]
    answer = HelpAnswer((), found, asked.text, QuestionTopic.RISK, action=asked.action)
    results = TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,), objects=objects, turn=5)
    return compose(results, language)


@for_each(
    ("message", "language"),
    [
        ("so what do i do now, kill it?", Language.EN),
        ("what backup?? nobody takes a backup. can i pg_terminate_backend it, yes or no, and what after", Language.EN),
        ("yes or no: kill the report?", Language.EN),
        ("wait for karen or kill her query?", Language.EN),
        ("能直接干掉18833吗", Language.ZH),
        ("杀了会丢账吗", Language.ZH),
        ("到底杀不杀？", Language.ZH),
    ],
)
async def test_a_verb_alone_is_about_the_statement_that_was_shown(message: str, language: Language) -> None:
    """Asked whether to end it, the ruling is of the session of the cure, not of what a caveat of the answer names."""
    text = await answered(message, TOLD, LONG, language, NamedObject("pid", "18833", "root"))
    phrases = load_phrases(language)
    assert str(phrases["first_terminate"]) in text
    assert (str(phrases["cost_terminate"]) in text) is ("丢" in message)
    assert "pg_terminate_backend(18833)" in text
    assert str(phrases["act_stop_backup"]) not in text


@pytest.mark.parametrize("language", LANGUAGES)
async def test_another_session_than_the_root_is_never_answered_with_the_step_for_the_root(language: Language) -> None:
    """Asked to end a session that nothing was seen of, the answer names the root and gives no go-ahead for either."""
    message = "kill 20411, yes or no?" if language is Language.EN else "能直接干掉 20411 吗"
    text = await answered(message, TOLD, LONG, language, NamedObject("pid", "18833", "root"))
    assert "20411" in text
    assert "18833" in text
    assert "SELECT pg_terminate_backend" not in text


@pytest.mark.parametrize("message", ["can i set 16GB anyway? need restart?", "能设成 16GB 吗？要不要重启？"])
async def test_a_value_means_the_step_that_has_it(message: str) -> None:
    """A value that stands in one step's statement is asked of that setting, and of no setting that prose names."""
    language = Language.EN if message.isascii() else Language.ZH
    text = await answered(message, SET, WAL, language)
    assert str(load_phrases(language)["act_raise_max_wal_size"]) in text
    assert "synchronous" not in text


@for_each("language", LANGUAGES)
@for_each(("asked", "phrase"), [("does it lock?", "nothing_locks"), ("how long does it take?", "nothing_takes")])
def test_what_nothing_is_known_of_is_said_in_a_line(asked: str, phrase: str, language: Language) -> None:
    """Where no fact of the action is known, the answer says so and tells of nothing else."""
    found = ConclusionView(
        "RC-0003", Text("甲", "One"), 0.99, solution=(SolutionStep(Text("换网卡", "Swap the card")),)
    )
    answer = HelpAnswer((), found, asked, QuestionTopic.RISK)
    text = compose(TurnResults(answers=(answer,), turn=5), language)
    name = "换网卡" if language is Language.ZH else "Swap the card"
    assert text == str(load_phrases(language)[phrase]).format(name=name)


@for_each("language", LANGUAGES)
@for_each(
    ("said", "step", "shown", "hidden"),
    [
        ("max_connections本来就300了", "ALTER SYSTEM SET max_connections = 300;", "= <value>", "= 300"),
        ("max_connections is 300", "ALTER SYSTEM SET max_connections = 300;", "= <value>", "= 300"),
        ("max_connections is 200", "ALTER SYSTEM SET max_connections = 300;", "= 300", "<value>"),
        (" max_wal_size\n--------------\n 1GB\n(1 row)", "ALTER SYSTEM SET max_wal_size = '16GB';", "16GB", "<value>"),
        ("现在240个连接左右", "ALTER ROLE app CONNECTION LIMIT 80;", "LIMIT <value>", "LIMIT 80"),
        ("we have 60 connections", "ALTER ROLE app CONNECTION LIMIT 80;", "LIMIT 80", "<value>"),
    ],
)
def test_what_is_so_already_is_never_proposed(
    said: str, step: str, shown: str, hidden: str, language: Language
) -> None:
    """The person's own figure of a setting stands beside an example value, and the same value is left open."""
    objects = tuple(NamedObject(each.kind, each.name, "", each.said) for each in objects_named(said))
    found = ConclusionView(
        "RC-0004", Text("甲", "One"), 0.99, solution=(SolutionStep(Text("改", "Set it"), step, "low"),)
    )
    answer = HelpAnswer((), found, "")
    text = compose(TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,), objects=objects), language)
    assert shown in text
    assert hidden not in text
    figure = "".join(each for each in said if each.isdigit())[:3] if "wal" not in said else "1GB"
    assert figure in text or figure == "60"


@for_each("said", ["should i set max_connections = 300", "i asked about max_wal_size 16GB", "is work_mem = 64MB ok?"])
def test_what_is_to_be_set_is_no_figure_yet(said: str) -> None:
    """A value that is asked for or planned is not what a setting is now."""
    assert not any(each.kind == "setting" for each in objects_named(said))
