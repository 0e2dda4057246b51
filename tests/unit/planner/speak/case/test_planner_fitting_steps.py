"""Steps and commands fit the case: whose session it is, what the steps are, what comes first, what is to be kept."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lang.objects import role_told
from lang.objects.named_objects import objects_named
from services.planner.model import (
    ConclusionView,
    EvidenceView,
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
    Verdict,
)
from services.planner.speak.case.wishes import goes_against
from services.planner.speak.compose import compose
from services.planner.speak.conclusion import goes_back_first
from services.planner.speak.objects import choices
from services.planner.speak.voice import Voice, load_phrases
from services.planner.treatment.going_on import asked_by
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
RELIEF = ReliefStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(<ddl_pid>);", "low")
STEPS = (
    SolutionStep(Text("取消在等的 DDL", "Cancel the waiting DDL"), "SELECT pg_cancel_backend(:ddl_pid);", "low"),
    SolutionStep(Text("取消该 worker", "Cancel the worker"), "SELECT pg_cancel_backend(:autovacuum_pid);", "medium"),
)
WORKER = ConclusionView(
    "RC-0016",
    Text("防回卷 autovacuum 挡住 DDL", "Anti-wraparound autovacuum blocks a DDL"),
    0.98,
    relief=(RELIEF,),
    solution=STEPS,
    repeated_conclusion=True,
)
FEATURE = ReliefStep(
    Text("限流或关掉发出这条语句的功能", "Throttle or switch off the feature that runs this statement"), "", "low"
)
INDEX = SolutionStep(Text("在线建索引", "Build the index online"), "CREATE INDEX CONCURRENTLY x ON orders (c);", "low")
MISSING = ConclusionView(
    "RC-0020",
    Text("缺少需要的索引", "A needed index is missing"),
    0.9,
    relief=(FEATURE,),
    solution=(INDEX,),
    repeated_conclusion=True,
)
ROWS = (
    " waiter | waiting_statement | autovacuum_pid | autovacuum\n"
    "--------+-------------------+----------------+-----------------------------------------------\n"
    "  11873 | ALTER TABLE e ADD |           9120 | autovacuum: VACUUM e (to prevent wraparound)\n"
)
QUEUE = " ddl_pid | ddl_blocked_by\n---------+----------------\n   20411 | {18822}\n\n"
REPORT = "  pid  | usename | state  | query\n-------+---------+--------+----------------------\n"
RUNNING = EvidenceView("P-0073", Text("正在跑防回卷", "Autovacuum to prevent wraparound is running"), Verdict.CONFIRMED)


def named(message: str) -> tuple[NamedObject, ...]:
    """What the messages of a case name, as the session keeps it."""
    return tuple(NamedObject(each.kind, each.name, role_told(each), each.said) for each in objects_named(message))


def said(asked: str, action: str, found: ConclusionView, language: Language, results: TurnResults) -> str:
    """The answer to whether something may be done."""
    answer = HelpAnswer((), found, asked, QuestionTopic.RISK, action=action)
    return compose(replace(results, answers=(answer,)), language)


@for_each("language", LANGUAGES)
@for_each("action", ["cancel", "terminate"])
def test_an_end_is_among_the_steps_whatever_verb_asks_for_it(language: Language, action: str) -> None:
    """Cancelling the DDL is shown as the step that it is, though it was called a kill."""
    text = said(f"{action} 11873?", action, WORKER, language, TurnResults(objects=named(ROWS)))
    assert "pg_cancel_backend(11873)" in text
    assert str(load_phrases(language)["leave_no_step"]).rsplit("**", 1)[1][:6] not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_worker_against_wraparound_is_left_alone_but_for_its_own_step(language: Language) -> None:
    """By its number alone it is known as the worker; the step that ends it comes with its condition."""
    results = TurnResults(objects=named(ROWS), seen=(RUNNING,))
    text = said("why not kill 9120?", "terminate", WORKER, language, results)
    assert text.startswith(str(load_phrases(language)["leave_wraparound"])[:8])
    assert "pg_cancel_backend(9120)" in text
    assert "pg_cancel_backend(11873)" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_relief_without_a_statement_is_a_step_as_well(language: Language) -> None:
    """Switching the feature off is the relief; where it is none, the step that treats the cause is named."""
    asked = {Language.ZH: "能用开关把搜索功能关掉吗", Language.EN: "may he turn the search off with a flag?"}[language]
    text = said(asked, "switch_setting", MISSING, language, TurnResults())
    assert FEATURE.action.say(language) in text
    other = said("restart?", "restart", MISSING, language, TurnResults())
    assert INDEX.action.say(language) in other


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_a_ddl_and_a_report_the_ddl_goes_first_and_a_query_loses_nothing(language: Language) -> None:
    """Which of the two first is answered with the order, and with what the row tells of the other one."""
    reads = named(f"{QUEUE}{REPORT} 18822 | finance | active | SELECT sum(x) FROM o\n")
    writes = named(f"{QUEUE}{REPORT} 18822 | finance | active | UPDATE o SET x = 1\n")
    phrases = load_phrases(language)
    for objects, lost in ((reads, "cost_reads"), (writes, "cost_terminate")):
        text = said("先 20411 还是 18822", "cancel", WORKER, language, TurnResults(objects=objects))
        assert text.index("pg_cancel_backend(20411)") < text.index("pg_terminate_backend(18822)")
        assert str(phrases[lost]) in text


@for_each(
    ("message", "asks"),
    [
        ("那到底先弄哪个，20411还是18822？杀了会丢东西吗", True),
        ("which one first, 20411 or 18822? do we lose data if i kill it", True),
        ("20411 还是 18822 是 DDL？", False),
        ("先调到 4096 还是 8192？", False),
    ],
)
def test_which_of_two_sessions_goes_first_is_one_question(message: str, asks: bool) -> None:
    """It is asked with the whole message, where both sessions were named before."""
    view = SessionView(history=(Utterance(Speaker.ASSISTANT, "20411 waits for 18822"),))
    steps = [step for _, found in asked_by(message, view) for step in found]
    orders = [step for step in steps if step.action == "cancel" and step.text == message]
    assert bool(orders) is asks
    assert not asks or not [each for each in steps if each.topic is QuestionTopic.RISK and each not in orders]


def test_a_report_that_replay_cancels_is_kept_by_what_is_on_record() -> None:
    """Relief that cancels the query goes against a record of queries that replay has cancelled."""
    name = Text("备库查询因恢复冲突被取消", "Standby queries cancelled by recovery conflict")
    relief = ReliefStep(
        Text("取消挡住回放的长查询", "Cancel the long query"), "SELECT pg_cancel_backend(<pid>);", "low"
    )
    seen = EvidenceView("P-0137", name, Verdict.CONFIRMED)
    for evidence, against in (((seen,), True), ((replace(seen, verdict=Verdict.DENIED),), False), ((), False)):
        voice = Voice(Language.EN, choices=choices(TurnResults(seen=evidence)))
        assert goes_against(relief, voice) is against


def test_a_release_on_record_is_rolled_back_before_riskier_relief() -> None:
    """Going back comes before relief of medium risk, after relief of low risk, and once."""
    release = EvidenceView("P-0030", Text("发布后开始", "Began right after a release or migration"), Verdict.CONFIRMED)
    results = TurnResults(seen=(release,))
    voice = Voice(Language.EN, choices=choices(results))
    medium = replace(RELIEF, risk="medium")
    assert goes_back_first((medium,), results, voice)
    assert not goes_back_first((RELIEF,), results, voice)
    done = replace(results, treatments=(Treatment("roll_back_release", "rolled back"),))
    assert not goes_back_first((medium,), done, voice)
    assert not goes_back_first((medium,), TurnResults(), Voice(Language.EN))
