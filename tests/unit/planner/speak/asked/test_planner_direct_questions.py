"""What is asked straight out in the middle of a case: the command, what it blocks, how it is undone, who it is."""

from __future__ import annotations

import pytest

from lang.objects.named_objects import objects_named
from services.planner.model import (
    Aftermath,
    ConclusionView,
    CorrectionStep,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    PlanStep,
    QuestionStep,
    QuestionTopic,
    Remark,
    SessionView,
    SmalltalkKind,
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
from services.planner.speak.case import action_facts
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.actions import action_names
from services.planner.treatment.agreed import pool_figures
from services.planner.treatment.wanted.wants import notions_in
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
ASYNC = "ALTER SYSTEM SET synchronous_standby_names = '';"
SAID = EvidenceView("P-0139", Text("提交在等 SyncRep", "Commits wait on SyncRep"), Verdict.CONFIRMED, "23 waiting", 1)
VIEW = SessionView(turn=4, status=Status.CONFIRMING, evidence=(SAID,), history=(Utterance(Speaker.USER, "保存很慢"),))
LOWER = SolutionStep(Text("降为 on", "Lower to on"), "ALTER SYSTEM SET synchronous_commit = 'on';", "low")
INDEX = SolutionStep(
    Text("建索引", "Build the index"), "CREATE INDEX CONCURRENTLY <name> ON <child> (<fk_column>);", "low"
)
LOOK = SolutionStep(Text("看一下", "Look"), "SELECT 1;", "none")
SLOW = ConclusionView(
    "RC-0100", Text("同步备库慢", "Slow standby"), 0.97, solution=(LOOK, LOWER), repeated_conclusion=True
)
FOREIGN = ConclusionView(
    "RC-0023", Text("外键没索引", "No index"), 0.99, solution=(LOOK, INDEX), repeated_conclusion=True
)


async def asked(message: str, view: SessionView = VIEW) -> list[QuestionStep]:
    """The questions with a topic in a message."""
    steps: tuple[PlanStep, ...] = (await Planner().decide(view, message)).plan.steps
    return [step for step in steps if isinstance(step, QuestionStep) and step.topic is not None]


def told(text: str, action: str, found: ConclusionView, language: Language, *objects: NamedObject) -> str:
    """The answer to a question of an action."""
    answer = HelpAnswer((), found, text, QuestionTopic.RISK, action=action)
    diagnosis = DiagnosisView(conclusion=found)
    return compose(TurnResults(diagnosis=diagnosis, answers=(answer,), seen=(SAID,), objects=objects, turn=5), language)


@for_each(
    "message",
    [
        "能不能先把同步关了？会丢数据吗？具体哪条命令",
        "我就一台备库。临时改成异步行不行，会不会丢数据，命令是哪条？",
        "can I switch sync off for now? do I lose data? the exact command please",
    ],
)
async def test_leave_loss_and_command_of_an_action_are_one_question(message: str) -> None:
    """Whether something may be done, what is lost and its command are one question of that action."""
    risks = [step for step in await asked(message) if step.topic in (QuestionTopic.RISK, QuestionTopic.COMMAND)]
    assert [(step.topic, step.action) for step in risks] == [(QuestionTopic.RISK, "relax_sync")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_is_that_of_the_action_and_not_of_another_step(language: Language) -> None:
    """Going asynchronous gets its own statement, though the remedy has another one that concerns sync."""
    text = told("能不能先关同步？具体命令 can I? exact command", "relax_sync", SLOW, language)
    assert ASYNC in text
    assert "synchronous_commit = 'on'" not in text


@for_each(
    "message",
    [
        "盘换完之后怎么改回来",
        "那改回同步的命令具体是哪条？",
        "how do I undo that later?",
        "which command sets it back, how do I switch back?",
    ],
)
async def test_how_to_take_back_is_asked_of_what_was_done(message: str) -> None:
    """How it is set back is a question of the last thing that was done."""
    view = SessionView(
        turn=6,
        status=Status.CONCLUDED,
        evidence=(SAID,),
        history=VIEW.history,
        treatments=(Treatment("relax_sync", ASYNC, (), 5),),
    )
    assert [(step.topic, step.action) for step in await asked(message, view)] == [(QuestionTopic.RISK, "relax_sync")]


@for_each("language", LANGUAGES)
@for_each("said", ["原来的值是standby1，改回同步", "the old value was 'standby1', sync back on"])
def test_the_undo_has_the_value_that_was_said(said: str, language: Language) -> None:
    """The statement that sets it back has the old value, from words or rows; a blank where nobody said it."""
    named = tuple(NamedObject(each.kind, each.name) for each in objects_named(said))
    text = told("怎么改回 how do I undo it", "relax_sync", SLOW, language, *named)
    assert "synchronous_standby_names = 'standby1';" in text
    assert ASYNC not in text
    assert "<sync_names>" in told("怎么改回 how do I undo it", "relax_sync", SLOW, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lock_a_time_and_a_command_are_told(language: Language) -> None:
    """What it blocks, how long so many rows take and the command with its names are told together."""
    question = "8000 万行要跑多久，会锁表吗，命令 does it block inserts, how long on 80M rows, exact command"
    child = (NamedObject("child", "invoices"), NamedObject("fk_column", "customer_id"))
    text = told(question, "create_index", FOREIGN, language, *child)
    for part in ("SHARE UPDATE EXCLUSIVE", "27", "pg_stat_progress_create_index", "ON invoices (customer_id)"):
        assert part in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_an_action_it_is_that_of_the_next_step(language: Language) -> None:
    """ "Will it lock the table?" with nothing named is about the step that is to be done next."""
    text = told("will it lock invoices? 会锁表吗", "", FOREIGN, language)
    assert "CREATE INDEX CONCURRENTLY" in text


@for_each(
    ("asked_for", "figures"),
    [
        ("what size should the pool be for 60 pods\nmax_connections is 1000", (1000, 60)),
        ("池子设多大\nscaled the app, 20 pods to 60\nmax_connections 是 500", (500, 60)),
        ("how big should the pool be\nShould I raise max_connections to 2000 for 60 pods", None),
        ("how big should the pool be for 4 pods", None),
    ],
)
def test_a_pool_is_sized_by_what_was_said(asked_for: str, figures: tuple[int, int] | None) -> None:
    """The limit and the instances are taken as they were said; a value that is only thought of is no limit."""
    assert pool_figures(asked_for) == figures


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_pool_needs_no_restart_of_the_server(language: Language) -> None:
    """Its size is answered by a number, and the restart by a no, without a lecture on restarts."""
    message = "what size should the pool be for 60 pods, and do I have to restart postgres for it?"
    limit = EvidenceView("P-0044", Text("连接满", "Full"), Verdict.CONFIRMED, "960 of max_connections 1000", 1)
    view = SessionView(turn=4, status=Status.CONFIRMING, evidence=(limit,), history=VIEW.history)
    steps = await asked(message, view)
    assert [(step.topic, step.action) for step in steps] == [(QuestionTopic.RISK, "resize_pool")]
    text = told(steps[0].text, "resize_pool", SLOW, language)
    assert "15" in text
    assert str(load_phrases(language)["restart_resize_pool"]) in text
    assert str(load_phrases(language)["act_restart"]) not in text


@for_each(
    ("sentence", "notion"),
    [
        ("what does that trigger line mean, we have no triggers??", "notion_fk_trigger"),
        ("那行 Trigger for constraint 是什么意思", "notion_fk_trigger"),
        ("那为啥 autovacuum 一晚上都没自动 analyze？", "notion_autovacuum_idle"),
        ("why did autovacuum not run on its own?", "notion_autovacuum_idle"),
        ("how do I see where the 40s go?", "notion_statement_time"),
        ("怎么看时间花在哪了", "notion_statement_time"),
        ("flush_lag 0.5秒这个正常吗？", "notion_lag_normal"),
        ("这盘是不是坏了？", "notion_disk_broken"),
        ("how do we run that migration again without this happening", "notion_ddl_retry"),
        ("autovacuum is off", ""),
        ("the trigger takes most of the time", ""),
        ("flush_lag 是 0.5 秒", ""),
        ("盘坏了，正在换", ""),
        ("we ran the migration at nine", ""),
    ],
)
def test_what_is_no_entry_of_the_library_is_explained_where_it_is_asked(sentence: str, notion: str) -> None:
    """A question of what something means or whether it is normal is recognised; a statement of it is none."""
    assert notions_in(sentence)[:1] == ((notion,) if notion else ())


@for_each("message", ["who is blocking them?", "give me the query that shows the blocker", "谁在堵？"])
async def test_who_blocks_is_asked_for_an_object(message: str) -> None:
    """Who holds the others up is a question for a session, and not for a check."""
    assert [step.topic for step in await asked(message)] == [QuestionTopic.OBJECT]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_blocks_gets_a_query_without_a_filter_on_the_answer(language: Language) -> None:
    """As long as no blocker is known the query shows each waiter with its blocker, whatever that is."""
    answer = HelpAnswer((), None, "who is blocking them? 谁在堵", QuestionTopic.OBJECT)
    waits = NamedObject("pid", "5133", "waits")
    text = compose(TurnResults(answers=(answer,), objects=(waits,)), language)
    assert "pg_blocking_pids(pid) AS blocked_by" in text
    held = NamedObject("pid", "4410", "holds")
    text = compose(TurnResults(answers=(answer,), objects=(waits, held)), language)
    assert "4410" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_sessions_of_one_question_each_get_their_answer(language: Language) -> None:
    """ "What is 4410 and can I kill the ALTER": the ruling is on the ALTER's session, not on the other."""
    words = "the ALTER TABLE orders from the migration (pid 5120) is waiting for pid 4410"
    objects = tuple(
        NamedObject(each.kind, each.name, "holds" if each.culprit else str(each.role)) for each in objects_named(words)
    )
    text = told("what is 4410 then and can I kill the ALTER", "terminate", SLOW, language, *objects)
    assert "pg_cancel_backend(5120)" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_slot_in_use_is_left_alone(language: Language) -> None:
    """Whether an active slot is to be touched is answered with no."""
    slots = (NamedObject("slot", "old_cdc", "holds"), NamedObject("slot", "standby_b", "fine"))
    text = told("standby_b 这个槽到底要不要动 should I touch standby_b", "", SLOW, language, *slots)
    assert text == str(load_phrases(language)["object_known_fine"]).format(name="standby_b")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_has_what_is_open_and_begins_with_it(language: Language) -> None:
    """A summary tells what had changed and what is only set for the moment, and no talk stands before it."""
    began = EvidenceView("P-0014", Text("发版之后开始", "Began right after a release"), Verdict.CONFIRMED, "yes", 2)
    said = (
        "提交一直卡着不返回，大家都在等。昨天发了个新版"
        if language is Language.ZH
        else "commits hang. we deployed 4.2 yesterday"
    )
    answer = HelpAnswer((), SLOW, "?", QuestionTopic.SUMMARY)
    results = TurnResults(
        diagnosis=DiagnosisView(conclusion=SLOW),
        answers=(answer,),
        seen=(SAID, began),
        treatments=(Treatment("relax_sync", ASYNC, (), 3),),
        aftermath=Aftermath.WELL,
        smalltalk=(SmalltalkKind.THANKS,),
        remarks=(Remark(1, said),),
    )
    text = compose(results, language)
    assert str(load_phrases(language)["open_relax_sync"]).lower() in text.lower()
    assert ("昨天应用发布了新版本" if language is Language.ZH else "a release of the application yesterday") in text
    assert not any(text.startswith(each) for each in load_phrases(language)["thanks"])


async def test_a_new_summary_has_what_the_order_names() -> None:
    """What was done, prevention and what is to be noted are in the summary where its order says so."""
    view = SessionView(turn=6, status=Status.CONCLUDED, evidence=(SAID,), history=VIEW.history)
    (step,) = await asked("short summary for my boss: what we did, how we keep it from happening again", view)
    assert step.brief is not None
    assert {str(part) for part in step.brief.within} == {"done", "prevention"}
    (step,) = await asked("给我写一段给老板看的总结，短一点，注意现在还是异步、盘还没换", view)
    assert step.brief is not None
    assert step.brief.added == ("现在还是异步、盘还没换",)


def test_every_fact_is_of_an_action_and_told_in_both_languages() -> None:
    """Facts name actions that exist, and both languages have the same ones."""
    names = set(action_names())
    assert all(set(action_facts._facts(engine)) <= names for engine in ("postgresql", "mysql"))
    keys = [
        {key for key in load_phrases(each) if key.startswith(("locks_", "takes_", "undo_", "restart_", "notion_"))}
        for each in LANGUAGES
    ]
    assert keys[0] == keys[1]
    assert {key.split("_", 1)[1] for key in keys[0] if not key.startswith("notion_")} <= names


@for_each(
    "message",
    [
        "那我把 2317 取消了行不行，会不会丢数据",
        "把槽删了会不会有影响",
        "I did paste it!! create index on invoices (id)?",
    ],
)
async def test_what_is_only_asked_about_was_not_done(message: str) -> None:
    """A deed that the same clause asks about, and doing something else, are no treatment."""
    view = SessionView(turn=6, status=Status.CONCLUDED, evidence=(SAID,), history=VIEW.history)
    assert not (await Planner().decide(view, message)).plan.treatments


@pytest.mark.parametrize(
    "message", ["把池子改成 8 重新部署了，现在 500 多连接，不报错了。", "disk from 94 to 15 after I dropped it"]
)
async def test_how_it_is_after_a_deed_takes_nothing_back(message: str) -> None:
    """A figure of now, told with what was done, is no correction of the figure before."""
    pool = EvidenceView("P-0049", Text("连接池之和超过上限", "Pools exceed"), Verdict.CONFIRMED, "每个池子最大 25", 3)
    view = SessionView(turn=5, status=Status.CONCLUDED, evidence=(pool,), history=VIEW.history)
    plan = (await Planner().decide(view, message)).plan
    assert plan.treatments or "dropped" in message
    assert not any(isinstance(step, CorrectionStep) for step in plan.steps)
