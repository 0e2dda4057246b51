from __future__ import annotations

from itertools import product

import pytest

from services.matcher.matcher import Matcher
from services.matcher.model import (
    Interpretation,
    MatchPhenomenaRequest,
    Observation,
    SearchPhenomenaRequest,
    Verdict,
)
from tests.support.matching import asked_of, counted, outcome_of, standings

FAULTS_ZH = (
    "连接不上", "连不上", "登不上", "登录不了", "打不开", "起不来", "启动不了", "停不下来", "用不了", "访问不了",
    "进不去", "连接不了", "写入不了", "查询不出来", "执行不完", "加载不出来", "响应不过来", "没响应", "无响应",
    "不可用", "不工作了",
)  # fmt: skip
PLACES_ZH = ("{}", "应用报{}", "早高峰一到应用就报{}", "高峰期{}", "数据库{}", "客户端{}", "升级之后{}", "重启后{}")
FAULTS_EN = (
    "can't connect", "cannot log in", "won't start", "doesn't start", "is not working", "does not respond",
    "isn't responding", "couldn't open a session", "is not reachable", "doesn't work", "is not available",
    "won't stop", "is unable to connect", "is not able to connect", "never comes up", "no longer works",
    "keeps getting killed", "keeps getting stuck",
)  # fmt: skip
PLACES_EN = (
    "the app {}",
    "postgres {}",
    "at peak the app {}",
    "since the upgrade the database {}",
    "after the restart it {}",
)


async def interpreted(matcher: Matcher, *texts: str) -> tuple[Interpretation, ...]:
    return (await matcher.match(MatchPhenomenaRequest("", tuple(map(Observation, texts))))).interpretations


@pytest.mark.slow
@pytest.mark.parametrize(("places", "faults"), [(PLACES_ZH, FAULTS_ZH), (PLACES_EN, FAULTS_EN)])
async def test_words_for_a_failure_deny_no_phenomenon(
    curated_matcher: Matcher, places: tuple[str, ...], faults: tuple[str, ...]
) -> None:
    """Words for a failure ("won't start") are no denial, wherever they occur in a text."""
    denied = []
    for text in (place.format(fault) for place, fault in product(places, faults)):
        verdicts = counted((await interpreted(curated_matcher, text))[0])
        denied += [(text, name) for name, verdict in verdicts.items() if verdict is Verdict.DENIED]
    assert denied == []


async def test_a_recurring_event_is_confirmed(curated_matcher: Matcher) -> None:
    """ "Keeps getting killed" confirms the phenomenon."""
    found = (await interpreted(curated_matcher, "postgres keeps getting killed by the oom killer"))[0]
    assert counted(found) == {"P-0145": Verdict.CONFIRMED}


@pytest.mark.parametrize(
    "text",
    [
        "没用连接池", "其实有 pgbouncer", "we use pgbouncer", "there is a standby", "我们有一个备库", "有触发器",
        "we have replication slots", "用了分区表", "we have 400 connections", "现在有 400 个连接", "400 connections",
    ],
)  # fmt: skip
async def test_a_component_that_exists_is_no_fault(curated_matcher: Matcher, text: str) -> None:
    """The existence of a component, or its count without a limit, confirms no phenomenon."""
    assert Verdict.CONFIRMED not in counted((await interpreted(curated_matcher, text))[0]).values()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("we have 490 of 500 connections", "P-0044"),
        ("连接数 490/500", "P-0044"),
        ("磁盘空间不足", "P-0016"),
        ("we have deadlocks", "P-0027"),
        ("有死锁", "P-0027"),
    ],
)
async def test_an_existing_fault_is_confirmed(curated_matcher: Matcher, text: str, name: str) -> None:
    """A count with its limit, and the existence of a fault, confirm the phenomenon."""
    assert counted((await interpreted(curated_matcher, text))[0]) == {name: Verdict.CONFIRMED}


@pytest.mark.parametrize("text", ["参数没变", "配置没有变化", "we lost the primary", "the settings did not change"])
async def test_a_state_of_another_object_is_not_matched(curated_matcher: Matcher, text: str) -> None:
    """A shared state of an object that the entry does not name is neither read nor asked about as the entry."""
    found = (await interpreted(curated_matcher, text))[0]
    assert not {"P-0064", "P-0133"} & {*counted(found), *asked_of(found)}


@pytest.mark.parametrize(
    "text",
    ["备库 io 打满", "从库磁盘 97%", "the standby's disk is 97% full", "备库磁盘正常", "archive volume is full",
     "归档盘满了", "staging db cpu at 100%", "测试环境磁盘满了"],
)  # fmt: skip
async def test_another_system_is_not_the_primary(curated_matcher: Matcher, text: str) -> None:
    """A resource of a standby, an archive volume or a test system is no evidence of the primary's."""
    found = (await interpreted(curated_matcher, text))[0]
    assert not {"P-0008", "P-0009", "P-0011", "P-0016"} & counted(found).keys()


@pytest.mark.parametrize(("text", "other"), [("备库 io 打满", "P-0011"), ("we lost the primary", "P-0133")])
async def test_a_search_omits_entries_of_other_systems(curated_matcher: Matcher, text: str, other: str) -> None:
    """Search results omit entries about another system or object than the text."""
    found = await curated_matcher.search(SearchPhenomenaRequest("", text, 5))
    assert found.candidates
    assert other not in {item.phenomenon_id for item in found.candidates}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("app cant get conections", "app can't get connections"),
        ("databse is slow", "database is slow"),
        ("replcation lag", "replication lag"),
        ("connectons exhausted", "connections exhausted"),
        ("autovaccum is off", "autovacuum is off"),
        ("trasaction open for hours", "transaction open for hours"),
        ("checkpiont too often", "checkpoint too often"),
        ("conection pool exausted", "connection pool exhausted"),
        ("主从延时很大", "主从延迟很大"),
    ],
)
async def test_a_typo_is_decided_like_the_word(curated_matcher: Matcher, slip: str, meant: str) -> None:
    """A misspelt word is worth what the correct one is, or less, and has its verdict; what is asked is the same."""
    found, wanted = await interpreted(curated_matcher, slip, meant)
    assert type(outcome_of(found)) is type(outcome_of(wanted))
    assert asked_of(found)[:1] == asked_of(wanted)[:1]
    assert standings(found).keys() <= standings(wanted).keys()
    assert counted(found).items() <= counted(wanted).items()
