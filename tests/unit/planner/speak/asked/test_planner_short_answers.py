"""What is asked for in a word: the one command, a meaning, a place; and lists of steps that keep their numbers."""

from __future__ import annotations

import pytest

from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    FeedbackStep,
    HelpAnswer,
    Item,
    ItemList,
    Language,
    MatterView,
    NamedObject,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.wanted.requests import READS
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
SAID = EvidenceView("P-0006", Text("长事务", "Long transaction"), Verdict.CONFIRMED, "x", 1)
ITEMS = (Item(1, "P-0042", Text("防回卷", "Wraparound vacuum")), Item(2, "P-0039", Text("改表在跑", "DDL runs")))
VIEW = SessionView(turn=3, evidence=(SAID,), pending=ITEMS, history=(Utterance(Speaker.USER, "orders hang"),))
NAME = Text("事务号回卷风险", "Wraparound danger")
LOOK = SolutionStep(Text("看谁最老", "Find the oldest"), "SELECT age(x);", "none")
FREEZE = SolutionStep(Text("冻结最老的表", "Freeze the oldest"), "VACUUM (FREEZE) <table>;", "low")
END = SolutionStep(Text("了结预备事务", "Resolve what is in the way"), "ROLLBACK PREPARED '<gid>';", "high")
RELIEF = ReliefStep(Text("先冻结", "Freeze first"), "VACUUM (FREEZE) <table>;", "low", Text("IO", "IO"))
FOUND = ConclusionView("RC-0030", NAME, 0.9, relief=(RELIEF,), solution=(LOOK, FREEZE, END))
UNSURE = ConclusionView("RC-0030", NAME, 0.5, solution=(LOOK, FREEZE, END))
CHECK = RankedRecommendation(
    1, "P-0042", Text("防回卷", "Wraparound vacuum"), "sql", "SELECT pid FROM pg_stat_activity"
)


def shown(answer: HelpAnswer, language: Language, confidence: float = 0.9, **more: object) -> str:
    """The answer in an open case whose leader has this belief."""
    leaders = (RankedHypothesis("RC-0030", NAME, confidence, confidence),)
    seen = more.get("seen", ())
    objects = more.get("objects", ())
    assert isinstance(seen, tuple)
    assert isinstance(objects, tuple)
    results = TurnResults(diagnosis=DiagnosisView(leaders, (CHECK,)), answers=(answer,), seen=seen, objects=objects)
    return compose(results, language, str(more.get("previous", "")))


async def questions(message: str, view: SessionView = VIEW) -> list[QuestionStep]:
    """The questions that a message is read as."""
    plan: TurnPlan = (await Planner(None).decide(view, message)).plan
    return [step for step in plan.steps if isinstance(step, QuestionStep)]


@for_each(
    ("message", "topic"),
    [
        ("which one command", QuestionTopic.COMMAND),
        ("just give me the command", QuestionTopic.COMMAND),
        ("就给我一条命令", QuestionTopic.COMMAND),
        ("到底跑哪条", QuestionTopic.COMMAND),
        ("就给我那条命令", QuestionTopic.COMMAND),
        ("what is xmin even", QuestionTopic.MEANING),
        ("primary or standby?", QuestionTopic.RUNNING),
        ("主库还是备库上跑？", QuestionTopic.RUNNING),
        ("what do you mean by 2", QuestionTopic.MEANING),
        ("1是啥意思", QuestionTopic.MEANING),
        ("啥叫防回卷", QuestionTopic.MEANING),
        ("we loaded 30M rows last night, could that be it?", QuestionTopic.RELATED),
        ("昨晚导了一批数据，会不会是它", QuestionTopic.RELATED),
        ("ok. was it really the old transaction?", QuestionTopic.CERTAINTY),
    ],
)
async def test_what_is_asked_in_a_word_has_its_topic(message: str, topic: QuestionTopic) -> None:
    """A wish for one command, a meaning or a place, and a doubt or a suspicion, are each a question of their own."""
    assert topic in [step.topic for step in await questions(message)]


@for_each(
    "message",
    [
        "再给我一条看当前连接数的 SQL",
        "give me the query for idle connections",
        "the standby lags 20 min",
        "ran the command, nothing came back",
        "它的意思是 lag 没降",
        "no meaning in these numbers",
    ],
)
async def test_what_only_has_such_words_asks_nothing(message: str) -> None:
    """Telling of commands, standbys and meanings asks for none of them."""
    topics = {step.topic for step in await questions(message)}
    assert not topics & {QuestionTopic.COMMAND, QuestionTopic.MEANING, QuestionTopic.RUNNING}


@for_each(
    ("message", "ordinal"),
    [("1是啥意思", 1), ("what do you mean by 2", 2), ("what does that mean", 1), ("what does 2 mean?", 2)],
)
async def test_a_meaning_is_that_of_the_item_with_the_number_or_of_the_one_asked_last(
    message: str, ordinal: int
) -> None:
    """A number points into the last list, and words that only point back at what was asked first."""
    (step,) = [step for step in await questions(message) if step.topic is QuestionTopic.MEANING]
    assert step.subject is not None
    assert (step.subject.ordinal, step.subject.list) == (ordinal, ItemList.PENDING)


@pytest.mark.parametrize("message", ["why do you even ask that", "你为啥问这个"])
async def test_why_something_is_asked_is_of_what_was_asked_last(message: str) -> None:
    """While a clarification is open, its option is what was asked, and not the check beside it."""
    options = (Item(1, "P-0018", Text("导入后开始", "Began after a load")),)
    asked = SessionView(turn=3, evidence=(SAID,), pending=ITEMS, options=options, history=VIEW.history)
    (step,) = await questions(message, asked)
    assert step.kind is QuestionKind.REASONING
    assert step.subject is not None
    assert step.subject.list is ItemList.OPTIONS


@for_each(
    "message",
    [
        "replication is broken since noon, what do i do first",
        "事务号快用完了，写入要停了吗 怎么办",
        "orders 全卡住了怎么办",
        "checkout hangs on the orders table, what do i do",
    ],
)
async def test_a_fault_with_what_to_do_is_no_question_of_how_to_look(message: str) -> None:
    """A first message that tells a fault and asks what to do wants relief, no help text and no check's command."""
    asked = await questions(message, SessionView())
    assert [(step.topic, step.subject) for step in asked] == [(QuestionTopic.RELIEF, None)]


@for_each("message", ["is it safe to run on the primary?", "主库上跑安全吗", "在主库跑有风险吗"])
async def test_a_check_is_safe_anywhere(message: str) -> None:
    """Whether what was shown may run on the primary is asked of that, where it only reads."""
    told = (*VIEW.history, Utterance(Speaker.ASSISTANT, "Next:\n```sql\nSELECT pid FROM pg_stat_activity\n```"))
    asked = await questions(message, SessionView(turn=3, evidence=(SAID,), pending=ITEMS, history=told))
    assert [(step.topic, step.action) for step in asked] == [(QuestionTopic.RISK, READS)]
    for language in LANGUAGES:
        text = shown(HelpAnswer((), None, asked[0].text, QuestionTopic.RISK, action=READS), language)
        assert str(load_phrases(language)["leave_reads"]) in text
    changes = Utterance(
        Speaker.ASSISTANT, "`ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();`"
    )
    for history in ((*VIEW.history, changes), (*told, changes), (changes, Utterance(Speaker.ASSISTANT, "Yes."))):
        seen = SessionView(turn=3, evidence=(SAID,), pending=ITEMS, history=history)
        assert READS not in [step.action for step in await questions(message, seen)]


@for_each("language", LANGUAGES)
@for_each("asked", ["直接改到 2000 行吗", "is it safe to failover", "can i do that, is it ok", "改这个有风险吗"])
def test_what_changes_something_is_never_said_to_only_read(asked: str, language: Language) -> None:
    """Words that ask for leave without a place or a run are no question of whether a check is safe."""
    text = shown(HelpAnswer((), None, asked, QuestionTopic.RISK), language)
    assert str(load_phrases(language)["leave_reads"]) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_command_is_that_command_with_its_risk(language: Language) -> None:
    """Two lines: the statement of what comes next, and what it is; before a likely cause, that of the check."""
    likely = shown(HelpAnswer((CHECK,), None, "?", QuestionTopic.COMMAND, leading=FOUND), language)
    early = shown(HelpAnswer((CHECK,), None, "?", QuestionTopic.COMMAND), language, 0.3)
    third = shown(HelpAnswer((), FOUND, "command for step 3?", QuestionTopic.COMMAND), language)
    assert "VACUUM (FREEZE)" in likely
    assert CHECK.observation_method in early
    assert "ROLLBACK PREPARED" in third
    assert {len(text.splitlines()) for text in (likely, early, third)} == {2}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_relief_vacuums_while_what_holds_an_old_snapshot_stands(language: Language) -> None:
    """With a prepared transaction on record or named the vacuum is neither relief nor the first step."""
    held = EvidenceView("P-0029", Text("预备事务很老", "Prepared transaction is old"), Verdict.CONFIRMED, "x", 1)
    gid = NamedObject("gid", "tx_9911", "holds")
    for more in ({"seen": (held,)}, {"objects": (gid,)}):
        text = shown(HelpAnswer((), None, "?", None, (), (RELIEF,), FOUND), language, **more)
        assert RELIEF.action.say(language) not in text
    one = shown(HelpAnswer((), None, "?", QuestionTopic.COMMAND, leading=FOUND), language, objects=(gid,))
    assert "tx_9911" in one


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cure_of_a_very_likely_cause_is_told_whole_and_in_order(language: Language) -> None:
    """At nine in ten nothing is too early: the steps come in their order, from the first, and not before that."""
    for confidence, told in ((0.9, True), (0.4, False)):
        text = shown(HelpAnswer((), None, "?", None, (), (), FOUND), language, confidence)
        begun = [line for line in text.splitlines() if line[:2] in ("1.", "2.", "3.")]
        assert [line[0] for line in begun] == (["1", "2", "3"] if told else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_that_was_just_asked_for_is_not_asked_for_again(language: Language) -> None:
    """The answer to a question has no check that the last answer had."""
    answer = HelpAnswer((), None, "?", QuestionTopic.CERTAINTY, leading=FOUND)
    first = shown(answer, language)
    assert CHECK.name.say(language) in first
    assert CHECK.name.say(language) not in shown(answer, language, previous=first)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_meaning_is_one_sentence_and_no_command(language: Language) -> None:
    """What an item is and what counts as it, without the way to look it up."""
    matter = MatterView(phenomenon_id="P-0042", name=CHECK.name, reason=Text("清理在赶工", "A vacuum is in a hurry"))
    text = shown(HelpAnswer((CHECK,), None, "?", QuestionTopic.MEANING, matter=matter), language)
    assert matter.reason.say(language) in text
    assert CHECK.observation_method not in text


@for_each(
    "message", ["bi 说可以重跑", "the owner agreed", "业务说可以杀", "they said it's fine to rerun later, agreed"]
)
async def test_an_agreement_after_a_ruling_answers_that_and_no_check(message: str) -> None:
    """What an owner says after a question for leave is taken for the ruling, and denies or confirms no open item."""
    told = (
        Utterance(Speaker.USER, "can i kill 5521?"),
        Utterance(Speaker.ASSISTANT, "Only after you have checked this: its work can be redone."),
    )
    options = (Item(1, "P-0024", Text("有事务开启超过 1 小时", "Transaction open for more than an hour")),)
    seen = SessionView(turn=3, evidence=(SAID,), pending=ITEMS, options=options, history=told)
    plan = (await Planner(None).decide(seen, message)).plan
    assert not [step for step in plan.steps if isinstance(step, FeedbackStep)]
    assert [step.action for step in await questions(message, seen)] == ["terminate"]


@for_each(
    ("message", "action"),
    [
        ("and now, cancel 3310?", "cancel"),
        ("raise max_connections to 1000 ok?", "raise_max_connections"),
        ("so kill it now?", "terminate"),
        ("那杀了 3310？", "terminate"),
    ],
)
async def test_a_bare_question_of_an_action_asks_for_leave(message: str, action: str) -> None:
    """An action with a question mark asks whether it may be done."""
    asked = await questions(message)
    assert [(step.topic, step.action) for step in asked] == [(QuestionTopic.RISK, action)]


@for_each("message", ["who killed 3310?", "会不会是统计信息过期？", "did not help?", "when was it restarted?"])
async def test_a_question_of_what_happened_asks_for_no_leave(message: str) -> None:
    """Who did something and when is no question whether it may be done."""
    assert QuestionTopic.RISK not in {step.topic for step in await questions(message)}


@pytest.mark.parametrize(("message", "words"), [("what is xmin even", "xmin"), ("啥叫回卷", "回卷")])
async def test_a_word_that_is_asked_for_is_that_word(message: str, words: str) -> None:
    """The meaning of a word is not that of the item asked last."""
    (step,) = [step for step in await questions(message) if step.topic is QuestionTopic.MEANING]
    assert step.subject is not None
    assert step.subject.ordinal is None
    assert "".join((step.subject.words or "").split()) == words


async def test_an_agreement_reaches_past_a_question_of_what_is_affected() -> None:
    """The action of a question for leave is still meant after another question about it."""
    told = (
        Utterance(Speaker.USER, "can i switch off sync, do we lose data"),
        Utterance(Speaker.ASSISTANT, "Only after you have checked this: no standby can be back."),
        Utterance(Speaker.USER, "does it affect standby_b"),
        Utterance(Speaker.ASSISTANT, "As I just said."),
    )
    seen = SessionView(turn=4, evidence=(SAID,), pending=ITEMS, history=told)
    asked = await questions("the business is fine with the risk, standby_a wont be back tonight", seen)
    assert [step.action for step in asked] == ["relax_sync"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_agreed_is_the_one_command_where_its_object_is_known(language: Language) -> None:
    """Of a cause that is not sure only a step that was agreed to and names its object is given."""
    for objects, given in (((NamedObject("gid", "tx_9911", "holds"),), True), ((), False)):
        answer = HelpAnswer((CHECK,), None, "which command?\n结论是回滚", QuestionTopic.COMMAND, leading=UNSURE)
        assert ("ROLLBACK PREPARED" in shown(answer, language, 0.5, objects=objects)) is given


LOOK = SolutionStep(Text("确认过滤列", "Confirm the columns"), "EXPLAIN <the slow statement>", "none")
BUILD = SolutionStep(Text("建索引", "Build it"), "CREATE INDEX CONCURRENTLY <name> ON <table> (<column>);", "low")
MISSING = ConclusionView("RC-1", Text("缺索引", "An index is missing"), 0.95, solution=(LOOK, BUILD))


@pytest.mark.parametrize("asked", ["what do i type to get the index on", "建索引的完整命令给我"])
def test_the_command_is_the_statement_that_does_it(asked: str) -> None:
    """A statement with a blank that nothing fills is no command where another one is whole."""
    results = TurnResults(
        answers=(HelpAnswer((), None, asked, QuestionTopic.COMMAND, leading=MISSING),),
        objects=(NamedObject("key", "coupons (coupon_code)", said=True),),
    )
    told = compose(results, Language.EN)
    assert "CREATE INDEX CONCURRENTLY coupons_coupon_code_idx ON coupons (coupon_code);" in told
    assert "EXPLAIN" not in told
