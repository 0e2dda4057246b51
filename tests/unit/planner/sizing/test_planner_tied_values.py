"""A number belongs to what it was said of: a value of a setting, a figure of a disk, a reading with its time."""

from __future__ import annotations

import pytest

from lang.objects.settings_said import SETTING, SETTING_WANTED
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
from services.planner.sizing.asked import AMOUNT, amounts_of
from services.planner.sizing.for_role import role_of
from services.planner.sizing.pace import pace_in
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import bearing_on_treatment
from services.planner.treatment.shown_actions import SESSION
from tests.support.cases import for_each

LIMIT = "ALTER SYSTEM SET max_connections = 300;"
WAL = "ALTER SYSTEM SET max_wal_size = '16GB'; SELECT pg_reload_conf();"
SORT = "ALTER SYSTEM SET work_mem = '16MB'; SELECT pg_reload_conf();"
DELAY = "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();"
POOL = "SET default_pool_size = 40; RELOAD;"
LANGUAGES = (Language.ZH, Language.EN)


async def decided(message: str, *shown: str, told: tuple[tuple[str, str], ...] = ()) -> TurnPlan:
    """The plan of a message after answers, the last one last, in a case with such settings."""
    history = [each for text in shown for each in (Utterance(Speaker.USER, "x"), Utterance(Speaker.ASSISTANT, text))]
    view = SessionView(
        Language.ZH,
        5,
        evidence=(EvidenceView("P-0001", Text("甲", "One"), Verdict.CONFIRMED, "x", 1),),
        hypotheses=(HypothesisView("RC-0001", Text("乙", "Two"), 0.95),),
        settings=tuple(NamedObject(kind, name) for kind, name in told),
        history=tuple(history),
        status=Status.NARROWING,
    )
    return (await Planner().decide(view, message)).plan


def asked(plan: TurnPlan) -> list[tuple[str, str]]:
    """The settings and values that a plan asks about."""
    steps = (each for each in plan.steps if isinstance(each, QuestionStep) and each.action == AMOUNT)
    return [(amount[0], amount[1]) for each in steps for amount in amounts_of(each.text)]


def kept(plan: TurnPlan) -> set[str]:
    """The settings that a plan keeps as they are or are wanted."""
    return {each.name for each in plan.objects if each.kind in (SETTING, SETTING_WANTED)}


@for_each(
    ("message", "shown"),
    [
        ("网关那边限流，从 15000 压到 4000，这样做安全吗？", LIMIT),
        ("we cap the gateway at 4000 qps, is that safe?", LIMIT),
        ("扩到 40 个 pod 行不行", LIMIT),
        ("is it ok to run 24 workers on the queue?", LIMIT),
        ("为啥一条查询能写300G，磁盘不是才 630G 吗", WAL),
        ("why does one query write 300G?", WAL),
        ("how do i make room first, there is only 1.9G of logs", WAL),
        ("文件名里都是 23817 这个号，这是啥？", WAL),
        ("what happens if a report hangs for 10 hours?", DELAY),
        ("报表要是卡 10 个小时会怎样？", DELAY),
        ("free 的 available 从3G回到27G了，算好了吗？", SORT),
        ("which cores matter, does a 16 core box help?", POOL),
    ],
)
async def test_a_number_of_something_else_is_no_value(message: str, shown: str) -> None:
    """A number with a noun, a unit or a clause of its own is neither asked about nor kept as a setting's value."""
    plan = await decided(message, f"`{shown}`")
    assert not asked(plan)
    assert not kept(plan)


@for_each(
    ("message", "shown", "amounts"),
    [
        ("with 187G free, is 16GB ok?", WAL, [("max_wal_size", "16GB")]),
        ("还剩 187G，16GB 行不行？", WAL, [("max_wal_size", "16GB")]),
        ("would 8GB be enough?", WAL, [("max_wal_size", "8GB")]),
        ("改成 8GB 够不够？", WAL, [("max_wal_size", "8GB")]),
        ("is max_connections 900 safe with 40 pods?", WAL, [("max_connections", "900")]),
        ("is 60 safe?", POOL, [("default_pool_size", "60")]),
    ],
)
async def test_a_value_is_tied_by_its_name_or_by_what_was_shown(
    message: str, shown: str, amounts: list[tuple[str, str]]
) -> None:
    """The name beside a value, a value that was shown before, or a clause that asks of nothing else ties it."""
    assert asked(await decided(message, f"`{shown}`")) == amounts


@pytest.mark.parametrize("message", ["what 163 TB??", "什么163TB？"])
async def test_an_amount_that_the_answer_told_of_something_else_is_no_value(message: str) -> None:
    """Words that repeat a sum of the last answer do not want it as the value of the setting."""
    assert not asked(await decided(message, f"400 x 416 GB = 163 TB\n`{SORT}`"))


@pytest.mark.parametrize(
    "message", ["work_mem is 512MB, how can that eat 64 gb of ram?", "512MB 怎么能吃掉 64G 内存？"]
)
async def test_the_memory_of_the_server_is_no_value(message: str) -> None:
    """What a value is said to use up is the memory, and not a value itself."""
    told = ((SETTING, "work_mem=512MB"),)
    assert "work_mem=64GB" not in kept(await decided(message, f"`{SORT}`", told=told))


@pytest.mark.parametrize("message", ["60 行不行", "is 60 ok?"])
async def test_a_setting_that_the_last_answer_did_not_show_needs_its_name(message: str) -> None:
    """A new number is of what the last answer set, and not of what one before did."""
    assert not asked(await decided(message, f"`{POOL}`", "ok"))


async def test_a_reproach_sets_nothing() -> None:
    """Who asks why a value was proposed has not set it."""
    for message in ("谁让你把 max_connections 改成 80 的", "who told you to set max_connections to 80?"):
        assert not kept(await decided(message, f"`{LIMIT}`"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_value_below_what_it_is_is_set_where_it_is_to_be_raised(language: Language) -> None:
    """A value that is asked about goes into the statement, but none that would lower what the step raises."""
    step = ReliefStep(Text("调大", "Raise it"), LIMIT, "low")
    cause = ConclusionView("RC-1", Text("乙", "Two"), 0.97, relief=(step,))
    objects = (NamedObject(SETTING, "max_connections=500"),)
    for value, shown in ((40, False), (900, True)):
        text = f"ok?\nmax_connections={value}"
        answer = HelpAnswer((), cause, text, QuestionTopic.IDENTIFICATION, action=AMOUNT)
        told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
        assert (f"max_connections = {value};" in told) is shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_value_for_one_role_is_set_for_that_role(language: Language) -> None:
    """What is wanted for one role alone is not judged by all connections, and is set by ALTER ROLE."""
    cause = ConclusionView("RC-1", Text("乙", "Two"), 0.97, relief=(ReliefStep(Text("调小", "Lower it"), SORT, "low"),))
    text = "只给 report_user 这个账号设 256MB 行不行\nwork_mem=256MB"
    answer = HelpAnswer((), cause, text, QuestionTopic.IDENTIFICATION, action=AMOUNT)
    objects = tuple(NamedObject(SETTING, each) for each in ("memory=64GB", "max_connections=400"))
    told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
    assert "ALTER ROLE report_user SET work_mem = '256MB'" in told
    assert "ALTER SYSTEM" not in told


@for_each(
    ("words", "role"),
    [
        ("只给 report_user 这个账号设", "report_user"),
        ("can i set it only for the report_user role?", "report_user"),
        ("just for the report user, is 256MB ok", "<role>"),
        ("is 256MB ok for all users", ""),
        ("所有账号都设 256MB 行不行", ""),
    ],
)
def test_a_role_is_named_or_stays_open(words: str, role: str) -> None:
    """A name fills the blank of a role, a description does not, and what is for all has none."""
    assert role_of(words) == role


@for_each(
    ("said", "minutes"),
    [
        ("14.7k files to go and it does about 40 a minute. new wal is about 12 a minute", 525),
        ("还剩 12000 个文件，每分钟归档 40 个", 300),
        ("lag was 4900 s 20 min ago, now 3100", 34),
        ("10 分钟前延迟 4900 秒，现在 3100", 17),
        ("10:00 的时候 4900，现在 10:20 是 3100", 34),
        ("it went from 5000 to 3100 in 20 minutes", 33),
        ("2000000 rows at 14:02, 1800000 at 14:05", 27),
    ],
)
def test_two_readings_or_a_rate_give_the_time_to_nothing(said: str, minutes: int) -> None:
    """What is left divided by how fast it falls is how long it takes, whatever the quantity is."""
    pace = pace_in(said)
    assert pace is not None
    assert round(pace.now / -pace.speed / 60) == minutes


@for_each(
    "said",
    [
        "从 15000 压到 4000",
        "CPU 95% at 10:00, 3 users now",
        "重启是 10:00，现在 10:20",
        "the lag is 3100 and falling",
        "14.7k files to go",
        "pid 4711 since 10:00",
    ],
)
def test_figures_of_two_things_or_without_a_time_give_no_speed(said: str) -> None:
    """Two numbers of different things, or without a time between them, tell no speed."""
    assert pace_in(said) is None


@for_each("language", LANGUAGES)
@for_each(
    ("said", "phrase"),
    [
        ("95% at 1, 96 now (it's 3:00), how long till it is full?", "urgency_disk"),
        ("lag was 4900 s 20 min ago, now 3100. how long will it take?", "pace_minute"),
    ],
)
async def test_how_long_is_reckoned_by_the_figures_of_the_message(said: str, phrase: str, language: Language) -> None:
    """A message that asks how long and tells two readings is answered with the time, in either language."""
    plan = await decided(said, "ok")
    found = [each for each in plan.steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.URGENCY]
    assert found
    answer = HelpAnswer((), None, found[0].text, QuestionTopic.URGENCY)
    assert str(load_phrases(language)[phrase]) in compose(TurnResults(answers=(answer,)), language)


DF = """$ df -h /data
Filesystem      Size  Used Avail Use% Mounted on
/dev/sdb1       630G  320G  310G  51% /data
"""


def test_the_one_disk_of_a_df_tells_what_is_free() -> None:
    """A df with one disk tells its size and what is free; of two disks none is meant, and memory is none."""
    both = DF + "/dev/sdc1       100G   90G   10G  90% /backup\n"
    for shown, free in ((DF, 310), (DF + "tmpfs            32G     0   32G   0% /run\n", 310), (both, 0)):
        objects = bearing_on_treatment("", SessionView(turn=3), shown)
        assert [each.name for each in objects if " free " in each.name] == ([f"3 free {free * 2**30}"] if free else [])


@pytest.mark.parametrize("said", ["with 187G free is 16GB ok?", "187G 可用，16GB 行不行"])
def test_one_word_is_of_one_amount(said: str) -> None:
    """That one amount is free does not make the next one free as well."""
    objects = bearing_on_treatment(said, SessionView(turn=3))
    assert [each.name for each in objects if each.kind == "figure"] == [f"3 free {187 * 2**30}"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pools_of_all_instances_are_added_up(language: Language) -> None:
    """Instances times the pool in each is told against the limit, where all three were told."""
    objects = tuple(
        NamedObject(SETTING, each) for each in ("instances=40", "maximum_pool_size=20", "max_connections=500")
    )
    answer = HelpAnswer((), None, "ok?\nmaximum_pool_size=20", QuestionTopic.IDENTIFICATION, action=AMOUNT)
    told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
    assert "= 800" in told
    assert "11" in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_example_lowers_what_is_to_be_raised(language: Language) -> None:
    """A step that raises a setting shows its blank where the library's example is below what the setting is."""
    cause = ConclusionView("RC-1", Text("乙", "Two"), 0.97, relief=(ReliefStep(Text("调大", "Raise"), LIMIT, "low"),))
    answer = HelpAnswer((), cause, "which?\nmax_connections=", QuestionTopic.IDENTIFICATION, action=AMOUNT)
    for now, shown in ((500, "<value>"), (200, "300")):
        objects = (NamedObject(SETTING, f"max_connections={now}"),)
        told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
        assert f"max_connections = {shown};" in told


async def test_counts_and_values_are_no_targets_of_a_deed() -> None:
    """How many instances there are is not what was acted on."""
    plan = await decided("we scaled the app from 10 to 40 pods, pool per pod 20", "ok")
    assert not [name for each in plan.treatments for name in each.objects if "=" in name]


@for_each("language", LANGUAGES)
@for_each("asked_for", ["can i kill thread 6?", "能不能把 6 号线程 kill 掉？"])
def test_what_replays_on_a_replica_is_not_to_be_ended(asked_for: str, language: Language) -> None:
    """Who would end the thread that replays hears not to, and no statement that does."""
    answer = HelpAnswer((), None, asked_for, QuestionTopic.RISK, action="terminate")
    objects = (NamedObject("pid", "6", "applier"),)
    told = compose(TurnResults(turn=4, answers=(answer,), objects=objects), language)
    assert str(load_phrases(language)["leave_applier"]).format(name="6")[:30] in told
    assert "KILL 6" not in told


@for_each("words", ["延迟涨到 4900 了", "the lag is up to 4900", "lag 4900 now"])
def test_what_something_has_come_to_is_no_session(words: str) -> None:
    """How large a lag is does not name a session, and a number behind a verb that ends does."""
    assert not SESSION.findall(words)
    assert SESSION.findall(f"kill 20411, {words}") == ["20411"]
