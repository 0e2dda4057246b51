"""What is asked at three in the morning beside the diagnosis itself: relief, other databases, poems, the same again."""

from __future__ import annotations

import pytest

from services.planner.model import (
    DiagnosisView,
    EngineGap,
    EvidenceView,
    FeedbackStep,
    HelpAnswer,
    Item,
    ItemList,
    Language,
    LookStep,
    NotedEvidence,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReasoningAnswer,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.understand.text.engines import find_engine
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
ITEM = Item(1, "P-0129", Text("pg_wal 太大", "pg_wal is too large"))
CHECK = RankedRecommendation(
    1, "P-0129", ITEM.name, "sql", "SELECT count(*) FROM pg_ls_waldir()", related=(), information_gain_bits=0.5
)


async def steps_of(message: str, view: SessionView | None = None) -> tuple[object, ...]:
    """The steps of a message's plan."""
    return tuple((await Planner().decide(view or SessionView(), message)).plan.steps)


@for_each(
    "message",
    [
        "先别找根因，怎么让业务先好起来",
        "有没有什么能先顶着的",
        "anything we can do meanwhile to keep it up",
        "how do I get users unblocked right now",
    ],
)
async def test_who_wants_relief_is_not_sent_to_the_next_check_alone(message: str) -> None:
    """Words that ask for relief, none of them learned, get the topic of relief."""
    steps = await steps_of(message)
    assert [getattr(step, "topic", None) for step in steps] == [QuestionTopic.RELIEF]


@pytest.mark.parametrize("language", LANGUAGES)
def test_relief_without_a_clear_leader_names_the_next_check(language: Language) -> None:
    """While no cause leads clearly nothing is to be done against it, and the next check is named."""
    leader = RankedHypothesis("RC-0001", Text("触发器", "Triggers"), 0.1, 0.1)
    results = TurnResults(
        diagnosis=DiagnosisView((leader,), (CHECK,)), answers=(HelpAnswer(topic=QuestionTopic.RELIEF),)
    )
    text = compose(results, language)
    assert str(load_phrases(language)["relief_any"]) in text
    assert CHECK.name.say(language) in text


@for_each(
    ("message", "engine"),
    [
        ("my MySQL 8 server is slow", "mysql"),
        ("我们用的是 Oracle，今天特别慢", "oracle"),
        ("not postgres, it's mongodb", "mongodb"),
        ("不是 pg，是 mysql", "mysql"),
        ("pg 和 mysql 都慢", ""),
        ("we migrated from mysql last month, now it is slow", ""),
        ("以前是 mysql，现在换了 pg", ""),
        ("reports are slow", ""),
        ("报表读的是从库，mysql 8.0 一主一从", "mysql"),
        ("从库是 mysql 5.7，延迟很大", "mysql"),
        ("copied it from there, postgres 14 here", "postgresql"),
        ("isn't that for postgres? we run mysql 8.4 here", "mysql"),
        ("这是 mysql 的吧？我们跑的是 pg 15", "postgresql"),
        ("库是 MySQL，你刚才的 pg 语句报语法错", "mysql"),
        ("mysql query is slow", "mysql"),
    ],
)
def test_only_the_database_in_trouble_is_named(message: str, engine: str) -> None:
    """A database is taken for the person's own unless several are named, or it is one of before or elsewhere."""
    assert find_engine(message) == engine


@for_each("language", LANGUAGES)
@for_each(("named", "said"), [("mysql", "MySQL"), ("oracle", "Oracle")])
def test_another_database_is_told_that_it_is_not_covered(language: Language, named: str, said: str) -> None:
    """Who names a database without a library is told so, and for which one the library is."""
    text = compose(TurnResults(engine_gap=EngineGap(named, ("postgresql",)), unmatched=("x",)), language)
    assert said in text
    assert "PostgreSQL" in text
    assert ("dbdiag up --library mysql" in text) is (named == "mysql")


@for_each("message", ["讲个段子听听", "帮我写一首情诗", "sing a song for me", "write me a limerick"])
async def test_what_is_no_work_of_dbdiag_is_declined(message: str) -> None:
    """A wish for something else than a diagnosis is talk out of scope, never a complaint."""
    assert await steps_of(message) == (SmalltalkStep(SmalltalkKind.OUT_OF_SCOPE),)


@for_each(
    ("message", "thing"),
    [
        ("再给我一条看优惠券的 SQL", "优惠券"),
        ("帮我写个 SQL 查慢查询", "慢查询"),
        ("give me a query that shows stuck orders", "stuck orders"),
    ],
)
async def test_a_statement_is_asked_for_by_what_it_is_to_show(message: str, thing: str) -> None:
    """The subject of a wish for a statement is what it is for, without the words that only ask."""
    (step,) = await steps_of(message)
    assert isinstance(step, QuestionStep)
    assert step.subject is not None
    assert step.subject.words == thing


@pytest.mark.parametrize("message", ["what should I check next?", "下一步看什么"])
async def test_what_is_open_comes_next_while_nothing_else_is_known(message: str) -> None:
    """Who asks what to look at while one reading waits for an answer is shown how to look at that."""
    (step,) = await steps_of(message, SessionView(turn=1, options=(ITEM,), clarified_words="pg_wal keeps growing"))
    assert isinstance(step, QuestionStep)
    assert step.kind is QuestionKind.HELP
    assert step.subject is not None
    assert (step.subject.ordinal, step.subject.list) == (1, ItemList.OPTIONS)


@for_each("message", ["问这个干嘛", "你问这个有什么用", "why do you ask that"])
async def test_why_something_is_asked_is_about_the_question(message: str) -> None:
    """Who asks why dbdiag asks means what is asked now, not the leading cause."""
    (step,) = await steps_of(message, SessionView(turn=1, pending=(ITEM,)))
    assert isinstance(step, QuestionStep)
    assert step.kind is QuestionKind.REASONING
    assert step.subject is not None
    assert step.subject.list is ItemList.PENDING


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_reason_is_not_given_in_the_same_words(language: Language) -> None:
    """Asked again why, dbdiag says it in other words and offers a way out."""
    results = TurnResults(answers=(ReasoningAnswer(question=CHECK),))
    first = compose(results, language)
    assert compose(results, language, first) != first


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_is_spelled_out_as_often_as_it_is_asked_for(language: Language) -> None:
    """Who asks again how to look at something gets the command again."""
    results = TurnResults(answers=(HelpAnswer((CHECK,)),))
    first = compose(results, language)
    assert CHECK.observation_method in first
    assert CHECK.observation_method in compose(results, language, first)


@pytest.mark.parametrize("language", LANGUAGES)
def test_readings_of_the_same_words_are_told_together(language: Language) -> None:
    """Two things read from the same words quote them once, and one asks for objections once."""
    noted = tuple(
        NotedEvidence(
            f"P-{at}", Text(name, name), Verdict.CONFIRMED, "CPU 98 and IO high", 0.95, matched_from_words=True
        )
        for at, name in enumerate(("CPU", "IO"))
    )
    text = compose(TurnResults(noted=noted, turn=1), language)
    assert text.count("CPU 98 and IO high") == 1
    assert text.count("不对请说" if language is Language.ZH else "correct me if not") == 1


@for_each(
    "message",
    [
        "dropped the old slot. space is coming back",
        "停了那个任务，都能下单了",
        "did it, orders flow again",
        "killed. lag is going down",
    ],
)
async def test_good_news_after_an_action_is_heard_before_a_conclusion(message: str) -> None:
    """What somebody did and that it became better is good news, whatever else its words could be."""
    seen = EvidenceView("P-0016", Text("盘满", "Disk full"), Verdict.CONFIRMED, "disk full", 1)
    steps = await steps_of(message, SessionView(turn=3, evidence=(seen,), pending=(ITEM,)))
    assert [getattr(step, "topic", None) for step in steps] == [QuestionTopic.RECOVERED]


@for_each(
    "message", ["will i lose data if i drop the slot", "如果我删了这个槽会丢数据吗", "what happens if i kill 4711"]
)
async def test_what_an_action_would_do_is_a_question_of_its_risk(message: str) -> None:
    """A supposition of something that the person would do asks for its risk; one of an answer is played through."""
    view = SessionView(turn=3, pending=(ITEM,))
    assert [getattr(step, "topic", None) for step in await steps_of(message, view)] == [QuestionTopic.RISK]
    (step,) = await steps_of("what if 1 is no", view)
    assert isinstance(step, QuestionStep)
    assert step.kind is QuestionKind.WHAT_IF


@for_each(
    "message", ["帮我瞧瞧我们的库", "please take a quick look at our database", "你去查不就行了", "go and check it"]
)
async def test_who_wants_dbdiag_to_look_is_not_answered_with_relations(message: str) -> None:
    """A wish that dbdiag looks for itself, in words of no list, is an order to look."""
    assert [type(step) for step in await steps_of(message)] == [LookStep]


@for_each(
    ("message", "denies"),
    [
        ("no index on token i think. nope there is none", False),
        ("token 上没建索引。没有，真没有", False),
        ("cpu is at 20. none of those", True),
        ("none of those. the app was restarted yesterday", True),
        ("no none of them, the disk is fine", True),
        ("一个也没有。应用昨天重启过", True),
        ("昨天重启过。都没有", True),
    ],
)
async def test_a_no_after_a_statement_is_about_it_unless_it_names_the_list(message: str, denies: bool) -> None:
    """A no that only stresses the statement before it denies nothing of the list that was asked."""
    items = tuple(Item(at, f"P-{at}", Text(name, name)) for at, name in enumerate(("No index", "OFFSET", "Locks"), 1))
    steps = await steps_of(message, SessionView(turn=2, pending=items))
    assert any(isinstance(step, FeedbackStep) for step in steps) is denies
