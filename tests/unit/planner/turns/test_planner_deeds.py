"""An action is on record only where the words assert it as done; a denial takes it off, good news is heard as such."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    Aftermath,
    CorrectionStep,
    EvidenceView,
    FeedbackStep,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Status,
    Text,
    Treatment,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

SLOW = EvidenceView("P-0003", Text("报表变慢", "Reports are slow"), Verdict.CONFIRMED, "报表要 90 秒", 1)
DONE = {
    "kill掉了": "terminate",
    "4711 现在杀了": "terminate",
    "刚重启了订单服务": "restart_app",
    "加完索引秒删了": "create_index",
    "重启应用之后好了": "restart_app",
    "我把 synchronous_commit 关了": "relax_sync",
    "was slow, NOW fast after the analyze": "analyze",
    "saving is fine since i turned sync off": "relax_sync",
    "scaled to 30 pods": "scale_app",
    "did the cancel on 21877": "cancel",
    "小王连接我断了": "terminate",
    "把小王的连接断了": "terminate",
    "那个会话我刚结束了": "terminate",
    "槽删了": "drop_slot",
    "set pool min to 5": "resize_pool",
    "the team rolled back the release": "roll_back_release",
    "i cancelled it, then dropped the slot": "drop_slot",
    "we have restarted the api": "restart_app",
    "colleague dropped the slot 10 min ago": "drop_slot",
    "restarted job, done in 35 min": "rerun_job",
    "pgbouncer重启好了 还是报错": "restart_app",
    "create index concurrently on orders(customer_id);\nCREATE INDEX": "create_index",
    "select pg_drop_replication_slot('old');\n pg_drop_replication_slot \n---\n \n(1 row)": "drop_slot",
    "CHECKPOINT": "checkpoint",
    "select pg_wal_replay_resume();\n pg_wal_replay_resume \n---\n \n(1 row)": "resume_replay",
    "ROLLBACK PREPARED 'xa-7';\nROLLBACK PREPARED": "rollback_prepared",
    "alter system set synchronous_standby_names='';\nALTER SYSTEM\nselect pg_reload_conf();\nt": "relax_sync",
}
NOT_DONE = [
    "kill了它 那个alter要不要一起kill",
    "连接断了",
    "我这边连接断了",
    "复制断了",
    "报表结束了",
    "drop?? 谁drop了",
    "vacuum说了没有",
    "analyze 太慢了",
    "vacuum freeze 在跑了",
    "主库重启了",
    "删了会怎样",
    "要是杀了它呢",
    "索引被人删了",
    "重启了没有",
    "who dropped it",
    "pods have restarted 3 times",
    "i have to kill it",
    "do we have cancel rights",
    "just restart it?",
    "he said kill it",
    "latency dropped to 3 s",
    "pg_wal_replay_pause 有人执行过",
    "the restart takes ages",
    "increased latency since 2pm",
    "BEGIN;\nEXPLAIN UPDATE orders SET x=1;\nROLLBACK;",
    "select pg_terminate_backend(4711);\n pg_terminate_backend \n---\n f\n(1 row)",
]
DENIED = {
    "我没跑vacuum": "vacuum",
    "没删索引": "drop_index",
    "我还没kill呢": "terminate",
    "i did not restart anything": "restart",
    "we haven't dropped the slot yet": "drop_slot",
    "never ran a checkpoint": "checkpoint",
}
NO_DENIAL = [
    "没踢错吧",
    "我没kill别的啊",
    "i did not kill anything else",
    "还没恢复",
    "没有索引",
    "postgres did not restart",
    "杀不掉",
    "没用",
    "why didn't you kill it?",
]
WELL = [
    "加完索引秒删了",
    "现在正常了 就是你说的那个",
    "batch thing forget it … over now",
    "saving is fine since i turned sync off",
    "was slow, NOW fast after the analyze",
    "现在报表3秒了",
    "report now 3 sec",
    "no more hangs for 20 min",
    "10分钟了还ok",
]
NOT_WELL = [
    "only postgres works",
    "its gone",
    "它没了",
    "the slot is gone",
    "is that safe?",
    "昨天还好好的",
    "nothing broke",
    "恢复之后又报错了",
    "现在报表40秒了",
    "no more connections",
    "set pool max back to 20",
]


def view(*done: Treatment, status: Status = Status.EXPLORING) -> SessionView:
    """A case with slow reports on record and what was done so far."""
    history = (Utterance(Speaker.USER, "报表慢 要90秒"), Utterance(Speaker.ASSISTANT, "先看这一项"))
    return SessionView(turn=4, evidence=(SLOW,), status=status, history=history, treatments=done)


async def plan_of(message: str, seen: SessionView) -> TurnPlan:
    """The plan of a message in this case."""
    return (await Planner().decide(seen, message)).plan


def topics_of(plan: TurnPlan) -> list[QuestionTopic | None]:
    """The topics of what a plan asks or reports."""
    return [step.topic for step in plan.steps if isinstance(step, QuestionStep)]


@for_each("message", DONE)
async def test_what_is_asserted_as_done_is_on_record(message: str) -> None:
    """The perfect or past with people as the doers, a mark of being done, or a statement's answer records an action."""
    assert DONE[message] in [each.action for each in (await plan_of(message, view())).treatments if not each.undone]


@for_each("message", NOT_DONE)
async def test_what_is_not_asserted_as_done_is_not_on_record(message: str) -> None:
    """A question, a complaint, a condition, an event, a noun or a transaction taken back records nothing."""
    assert not [each for each in (await plan_of(message, view())).treatments if not each.undone]


@for_each("message", DENIED)
async def test_a_denial_takes_the_action_off_the_record(message: str) -> None:
    """Who says that something was not done is told so, and is not asked about symptoms."""
    done = Treatment(DENIED[message], "x", turn=2)
    plan = await plan_of(message, view(done))
    assert [(each.action, each.undone) for each in plan.treatments] == [(done.action, True)]
    assert QuestionTopic.UNTREATED in topics_of(plan)


@for_each("message", NO_DENIAL)
async def test_what_has_not_happened_is_no_denial_of_a_deed(message: str) -> None:
    """A negation of a state, of a server's doing or of an effect leaves the record as it is."""
    assert not [each for each in (await plan_of(message, view(Treatment("terminate", "x")))).treatments if each.undone]


async def test_a_denial_of_everything_takes_back_what_was_told_last() -> None:
    """Nothing was done at all: what was recorded last leaves the record."""
    plan = await plan_of("啥都没做呢", view(Treatment("vacuum", "x", turn=1), Treatment("terminate", "y", turn=3)))
    assert [(each.action, each.undone) for each in plan.treatments] == [("terminate", True)]


@for_each("message", WELL)
async def test_good_news_answers_no_check(message: str) -> None:
    """A recovery is reported as one, and no answer to what was asked comes from it."""
    plan = await plan_of(message, view(Treatment("analyze", "x", turn=3)))
    assert plan.aftermath is Aftermath.WELL
    assert {QuestionTopic.RECOVERED, QuestionTopic.TREATED} & {*topics_of(plan)}
    assert not [step for step in plan.steps if isinstance(step, FeedbackStep)]


@for_each("message", NOT_WELL)
@for_each("done", [(), (Treatment("drop_slot", "x", turn=3),)])
async def test_what_only_sounds_like_good_news_is_none(message: str, done: tuple[Treatment, ...]) -> None:
    """What works anyway, what was ended itself, yesterday, a question and a longer time are no recovery."""
    plan = await plan_of(message, view(*done))
    assert plan.aftermath is not Aftermath.WELL
    assert QuestionTopic.RECOVERED not in topics_of(plan)


@for_each("message", ["年龄还是19亿", "still at 94 %", "report now 88 sec", "nope still 90 sec", "还是卡"])
async def test_no_effect_is_answered_by_what_it_tells(message: str) -> None:
    """A value as bad as before, after a step, asks what that speaks against."""
    plan = await plan_of(message, view(Treatment("analyze", "x", turn=3)))
    assert plan.aftermath is Aftermath.UNCHANGED
    assert QuestionTopic.EFFECT in topics_of(plan)


async def test_one_statement_is_one_action() -> None:
    """A reload beside the change that it loads is no action of its own, and the objects are those of the statement."""
    message = "alter system set max_wal_size='16GB';\nALTER SYSTEM\nselect pg_reload_conf();\n pg_reload_conf \n---\n t"
    assert [each.action for each in (await plan_of(message, view())).treatments] == ["raise_max_wal_size"]
    (killed,) = (await plan_of("SELECT pg_terminate_backend(30172);\nt", replace(view(), evidence=(SLOW,)))).treatments
    assert killed.objects == ("30172",)


@for_each("message", ["是不是kill错了", "没踢错吧", "kill错了", "i killed the wrong one"])
async def test_a_mistaken_deed_takes_back_nothing_that_was_said(message: str) -> None:
    """Who did it to the wrong thing is told what it does, and the findings stay."""
    plan = await plan_of(message, view(Treatment("terminate", "x", turn=3)))
    assert not [step for step in plan.steps if isinstance(step, CorrectionStep)]
    assert QuestionTopic.RISK in topics_of(plan)


@pytest.mark.parametrize("message", ["没停归档哦", "i did not stop the archiver"])
async def test_a_denial_of_something_else_leaves_the_record(message: str) -> None:
    """Who did not do it to one thing may well have done it to another."""
    history = (Utterance(Speaker.USER, "备份停了"), Utterance(Speaker.ASSISTANT, "记下了：停备份"))
    seen = replace(view(Treatment("stop_backup", "停了", turn=3)), history=history)
    assert "stop_backup" not in [each.action for each in (await plan_of(message, seen)).treatments]


async def test_a_denial_of_another_setting_leaves_the_one_that_was_changed() -> None:
    """An action of any object is taken off only where no other object is named."""
    seen = view(Treatment("set_parameter", "ALTER SYSTEM SET hot_standby_feedback = on;", turn=3))
    assert (await plan_of("we didnt raise max_standby_streaming_delay", seen)).treatments == ()
    assert [each.undone for each in (await plan_of("we didn't change anything", seen)).treatments] == [True]


async def test_the_session_at_the_end_of_a_sentence_is_the_one_that_was_ended() -> None:
    """A full stop after its number takes nothing from the deed, and what follows tells how things are."""
    plan = await plan_of("ok did the cancel on 21877. site's back. what now", view(status=Status.CONCLUDED))
    assert [(each.action, each.objects) for each in plan.treatments] == [("cancel", ("21877",))]
    assert plan.aftermath is Aftermath.WELL


@pytest.mark.parametrize("message", ["负责人说不要了. 槽删了, 但是 df 还是 92%, 咋没动?", "槽删了"])
async def test_no_leave_is_given_for_what_was_done(message: str) -> None:
    """Words by which something was done ask no leave for it, whatever else the message asks."""
    history = (
        Utterance(Speaker.USER, "槽能删吗"),
        Utterance(Speaker.ASSISTANT, "`SELECT pg_drop_replication_slot('a');`"),
    )
    plan = await plan_of(message, replace(view(status=Status.CONCLUDED), history=history))
    assert [each.action for each in plan.treatments] == ["drop_slot"]
    assert QuestionTopic.RISK not in topics_of(plan)
