"""Questions of how large a setting is to be, and the one value that a case has for it."""

from __future__ import annotations

import pytest

from lang.objects.settings_said import SETTING, SETTING_BEFORE, SETTING_WANTED
from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    ReliefStep,
    SessionView,
    Speaker,
    Status,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.sizing.advice import Why, advise
from services.planner.sizing.asked import AMOUNT, amounts_of
from services.planner.sizing.known import known_numbers
from services.planner.sizing.table import Fit, fit, reckon, settings_known
from services.planner.speak.compose import compose
from services.planner.speak.settings_now import beside_told
from services.planner.speak.voice import Voice, load_phrases
from services.planner.treatment.bearing import FIGURE, RUNTIME
from tests.support.cases import for_each

GIB = 2**30
MEMORY = ("memory=64GB", "shared_buffers=16GB", "max_connections=300", "work_mem=512MB")


async def decided(message: str, shown: str, *told: tuple[str, str]) -> TurnPlan:
    """The plan of a message after an answer that showed a statement, in a case with such settings."""
    view = SessionView(
        Language.ZH,
        5,
        evidence=(EvidenceView("P-0001", Text("甲", "One"), Verdict.CONFIRMED, "x", 1),),
        hypotheses=(HypothesisView("RC-0001", Text("乙", "Two"), 0.95),),
        settings=tuple(NamedObject(kind, name) for kind, name in told),
        history=(Utterance(Speaker.USER, "x"), Utterance(Speaker.ASSISTANT, f"`{shown}`")),
        status=Status.NARROWING,
    )
    return (await Planner().decide(view, message)).plan


def asked(plan: TurnPlan) -> list[tuple[str, str]]:
    """The settings and values that a plan asks about."""
    steps = (each for each in plan.steps if isinstance(each, QuestionStep) and each.action == AMOUNT)
    return [(amount[0], amount[1]) for each in steps for amount in amounts_of(each.text)]


WAL = "ALTER SYSTEM SET max_wal_size = '16GB'; SELECT pg_reload_conf();"
DELAY = "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();"
POOL = "SET default_pool_size = 50; RELOAD;"
BYTES = "SET PERSIST innodb_buffer_pool_size = 192 * 1024 * 1024 * 1024;"
SORT = "ALTER SYSTEM SET work_mem = '16MB'; SELECT pg_reload_conf();"
TOLD = ((SETTING, "work_mem=512MB"), (SETTING_BEFORE, "work_mem=64MB"))


@for_each(
    ("message", "shown", "amounts"),
    [
        ("where does 16GB come from? why not 4", WAL, [("max_wal_size", "4GB")]),
        ("can i do 10min? does it need a restart?", DELAY, [("max_standby_streaming_delay", "10min")]),
        ("so what value then", DELAY, [("max_standby_streaming_delay", "")]),
        ("so 1h on the standby, reload, done?", DELAY, [("max_standby_streaming_delay", "1h")]),
        ("为啥是50？max 500 我开到400行不行", POOL, [("default_pool_size", "50"), ("default_pool_size", "400")]),
        ("512不算大吗？", SORT, [("work_mem", "512MB")]),
        ("原来64的时候没事的，能不能就改回64", SORT, [("work_mem", "64MB")]),
        ("work_mem 512MB 怎么就能把64G内存吃光？", SORT, [("work_mem", "512MB")]),
        ("那到底设多少", SORT, [("work_mem", "")]),
        ("pg_wal那个盘只剩20G，设16G会不会撑爆啊？", WAL, [("max_wal_size", "16GB")]),
        ("that disk has 20G left, is 16GB too much?", WAL, [("max_wal_size", "16GB")]),
        ("is 40 safe, max_connections is 200", POOL, [("default_pool_size", "40")]),
        ("连接上限 max_connections=200，40 行不行", POOL, [("default_pool_size", "40")]),
        ("box has 64gb, 200 conns. cant i just do 64?", SORT, [("work_mem", "64MB")]),
        ("设192G会不会太大，数据才90G", BYTES, [("innodb_buffer_pool_size", "192GB")]),
    ],
    every=3,
)
async def test_a_question_of_an_amount_is_of_the_setting_that_was_spoken_of(
    message: str, shown: str, amounts: list[tuple[str, str]]
) -> None:
    """A value without a name, and a number without its unit, are of the setting that was shown or told last.

    What it is judged by, as the room on a disk and another setting, is none of the values that are asked about.
    """
    assert asked(await decided(message, shown, *(TOLD if shown == SORT else ()))) == amounts


@for_each(
    "message",
    [
        "why a leak and not just pools too big?",
        "2怎么看",
        "要不要做第2步",
        "我先杀20411可以吗",
        "which number do i look at in 10 min to know it is gone?",
    ],
)
async def test_other_numbers_are_no_amounts(message: str) -> None:
    """Numbers of items, steps and sessions, and times in which something is to happen, are of no setting."""
    assert not asked(await decided(message, DELAY, *TOLD))


async def test_what_is_ordered_is_the_value_from_then_on() -> None:
    """What is to be set is kept as wanted, and what was set as told."""
    wanted = await decided("make it so: set max_wal_size to 4GB", WAL)
    assert NamedObject(SETTING_WANTED, "max_wal_size=4GB") in wanted.objects
    done = await decided("done, set to 4GB", WAL)
    assert NamedObject(SETTING, "max_wal_size=4GB") in done.objects


@for_each(
    ("message", "shown", "names"),
    [
        ("三个以上？我贴的明明就四个", "`SET SESSION lock_wait_timeout=3;`", ()),
        ("why does it crash only at night, if 512MB is too large?", SORT, ()),
        (
            "if i set 32MB with a reload, do the 400 open connections get it or must i restart?",
            SORT + POOL,
            ("work_mem",),
        ),
    ],
)
async def test_what_is_counted_and_what_is_asked_why_is_no_amount(
    message: str, shown: str, names: tuple[str, ...]
) -> None:
    """A count of things is no time and no pool beside a size, and a why asks of no value that another clause has."""
    assert tuple(dict.fromkeys(name for name, _ in asked(await decided(message, shown, *TOLD)))) == names


@for_each(
    ("told", "name", "example", "value", "why"),
    [
        ({}, "max_wal_size", "16GB", "16GB", Why.EXAMPLE),
        ({FIGURE: (f"3 free {9 * GIB}",)}, "max_wal_size", "16GB", "4GB", Why.TOLD),
        ({FIGURE: (f"3 free {60 * GIB}",)}, "max_wal_size", "16GB", "16GB", Why.EXAMPLE),
        ({FIGURE: (f"3 size {50 * GIB}", f"3 used {40 * GIB}")}, "max_wal_size", "16GB", "5GB", Why.TOLD),
        ({RUNTIME: ("5", "40")}, "max_standby_streaming_delay", "30min", "50min", Why.TOLD),
        ({SETTING: MEMORY}, "work_mem", "16MB", "32MB", Why.TOLD),
        ({SETTING: MEMORY, SETTING_BEFORE: ("work_mem=64MB",)}, "work_mem", "16MB", "64MB", Why.BEFORE),
        ({SETTING: MEMORY, SETTING_WANTED: ("work_mem=48MB",)}, "work_mem", "16MB", "48MB", Why.WANTED),
        ({SETTING: MEMORY, SETTING_WANTED: ("work_mem=1GB",)}, "work_mem", "16MB", "32MB", Why.TOLD),
    ],
)
def test_a_setting_has_one_value_in_a_case(
    told: dict[str, tuple[str, ...]], name: str, example: str, value: str, why: Why
) -> None:
    """As agreed if that fits, else as it was before, else as worked out, else the library's example."""
    advice = advise(name, example, told)
    assert (advice.value, advice.why) == (value, why)


def test_a_value_is_judged_by_the_sum_that_it_makes() -> None:
    """Base and count times part stay below the whole; without the figures nothing is claimed."""
    numbers = known_numbers({SETTING: MEMORY})
    assert fit("work_mem", "512MB", numbers) is Fit.MUCH
    assert fit("work_mem", "64MB", numbers) is Fit.FITS
    assert fit("work_mem", "64MB", {}) is Fit.OPEN


def test_connections_stand_for_a_limit_that_was_not_told() -> None:
    """With the memory and the connections a value is judged, whatever shared_buffers is set to."""
    numbers = known_numbers({SETTING: ("memory=64GB", "connections=200")})
    assert fit("work_mem", "64MB", numbers) is Fit.FITS
    assert fit("work_mem", "512MB", numbers) is Fit.MUCH
    assert known_numbers({SETTING: ("connections=200", "max_connections=300")})["max_connections"] == 300


@pytest.mark.parametrize("language", [Language.ZH, Language.EN])
def test_a_value_that_is_asked_about_is_judged_and_set(language: Language) -> None:
    """One verdict with one reason, and the statement with the value that fits, else with the one to take."""
    cause = ConclusionView("RC-1", Text("乙", "Two"), 0.97, relief=(ReliefStep(Text("调大", "Raise it"), WAL, "low"),))
    for asked_of, taken, reasons in (("16GB", "10GB", 1), ("8GB", "8GB", 1)):
        text = f"is it ok\nmax_wal_size={asked_of}"
        answer = HelpAnswer((), cause, text, QuestionTopic.IDENTIFICATION, action=AMOUNT)
        objects = (NamedObject(FIGURE, f"3 free {20 * GIB}", said=True),)
        told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
        assert f"max_wal_size = '{taken}'" in told
        assert told.count("20 GB") == reasons


def test_the_default_of_the_version_is_in_place() -> None:
    """What a version has by itself need not be set."""
    how = "checkpoint_completion_target"
    assert advise(how, "0.9", {SETTING: ("server_version=15",)}).in_place
    assert not advise(how, "0.9", {SETTING: ("server_version=13",)}).in_place


@pytest.mark.parametrize("language", [Language.ZH, Language.EN])
def test_statements_have_the_values_of_the_case(language: Language) -> None:
    """A value before fills the blank of its size, and a statement for one role keeps its own value."""
    told = {SETTING: ("innodb_buffer_pool_size=128MB",), SETTING_BEFORE: ("innodb_buffer_pool_size=96GB",)}
    how, note = beside_told("SET GLOBAL innodb_buffer_pool_size=<bytes>;", Voice(language, choices=told))
    assert how == "SET GLOBAL innodb_buffer_pool_size=96 * 1024 * 1024 * 1024;"
    assert "96GB" in note
    of_role = "ALTER ROLE report SET work_mem = '256MB';"
    assert beside_told(of_role, Voice(language, choices={SETTING: MEMORY}))[0] == of_role


@pytest.mark.parametrize("language", [Language.ZH, Language.EN])
def test_each_rule_has_its_words(language: Language) -> None:
    """What a setting's rule is worked out from, and its bound, can be told in either language."""
    phrases = load_phrases(language)
    for name, rule in settings_known().items():
        if rule.is_sized:
            assert {f"bound_{name}", f"grounds_{name}"} <= phrases.keys()
            assert f"step_takes_{rule.takes}" in phrases
        assert reckon(rule.most, {}) is None


async def test_what_is_counted_is_no_size_of_a_setting() -> None:
    """A number of sessions or connections is not taken for the value of a setting that is a size."""
    shown, told = "ALTER SYSTEM SET work_mem = '64MB';", (("setting", "work_mem=256MB"),)
    for message in ("do the 300 open connections get it at once or not?", "那 300 个老连接也会生效吗？"):
        assert not [each for each in asked(await decided(message, shown, *told)) if each[1].startswith("300")]


def test_a_pool_near_its_bound_is_a_leap() -> None:
    """More than half of what the server takes fits by number and is no size to go to at once."""
    numbers = {"max_connections": 600.0}
    assert fit("default_pool_size", "450", numbers) is Fit.LEAP
    assert fit("default_pool_size", "60", numbers) is Fit.FITS
    assert fit("default_pool_size", "600", numbers) is Fit.MUCH
