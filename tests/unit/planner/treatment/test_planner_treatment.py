"""What people did against the trouble, want leave for, or want to know of it: read from their own words."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Aftermath,
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
from services.planner.treatment.actions import actions_in, actions_of_step
from tests.support.cases import for_each

SAID = EvidenceView("P-0006", Text("长事务", "Long transaction"), Verdict.CONFIRMED, "x", 1)
SHOWN = Utterance(Speaker.ASSISTANT, "先止血：取消在等锁的 DDL\n   `SELECT pg_cancel_backend(31544);`")
DONE = {
    "ok cancel了31544 api好像回来了": "cancel",
    "30172 现在kill了 select pg_terminate_backend返回t": "terminate",
    "我把那个槽删掉了": "drop_slot",
    "analyze events 跑完了": "analyze",
    "刚刚重启了应用": "restart_app",
    "max_wal_size 改成 8GB 了": "raise_max_wal_size",
    "vacuum 跑完了 df 怎么一点没降": "vacuum",
    "I dropped the slot": "drop_slot",
    "killed 4711, queue is gone": "terminate",
    "we rolled back the release": "roll_back_release",
    "ran analyze on orders": "analyze",
    "just restarted billing-api": "restart_app",
    "I've raised max_wal_size to 8GB and reloaded": "raise_max_wal_size",
    "ran CHECKPOINT": "checkpoint",
}
NOT_DONE = [
    "昨天有人重启过数据库",
    "上次重启了就好了",
    "还没删",
    "不敢杀",
    "没人删那个槽",
    "drop了盘马上回来吗",
    "drop完多久能降",
    "杀了 30172 有啥后果",
    "能不能把它杀了",
    "应用自己重启了好几次",
    "postgres was killed by the oom killer",
    "we haven't restarted anything",
    "can I restart postgres",
    "if i kill it, what happens",
    "dba dropped an index last night",
    "the job was cancelled by statement timeout",
    "EXPLAIN ANALYZE took 9 minutes",
    "autovacuum is running on orders",
    "conns are down and errors stopped",
    "his cleanup script dropped orders_created_at_idx",
    "bi组长说早就不用了 删了没事",
]
ASKED = {
    QuestionTopic.EFFECT: ["drop完多久能降", "槽删了，为啥 df 没降", "killed 4711, how long until things recover"],
    QuestionTopic.REMAINING: ["我还剩啥要做?", "能先这样放到明天吗", "what's left to do", "can I leave it like that"],
    QuestionTopic.URGENCY: ["这个严重吗，还能撑多久", "盘多久会满", "how bad is that", "when will the disk be full"],
    QuestionTopic.RELATED: ["跟昨晚灌数据有没有关系", "is the batch to blame or not", "could that matter"],
    QuestionTopic.CERTAINTY: ["99%这么肯定? 凭啥", "how come so sure", "你确定不是网络的问题？"],
    QuestionTopic.SUMMARY: ["给老板写两句话总结", "用大白话讲讲", "sum it up for my boss, short"],
    QuestionTopic.OBJECT: ["我现在到底该对哪个表跑analyze", "杀哪个 pid", "which slot is it"],
}
LEAVE = {
    "kill 30172 会不会丢数据": "terminate",
    "能不能回滚billing-api 到上个版本": "roll_back_release",
    "能退回上个版本不": "roll_back_release",
    "停备份会不会有问题": "stop_backup",
    "能不能直接删pg_wal下面的老文件": "delete_wal",
    "这个索引能删吗": "drop_index",
    "要不要切主": "fail_over",
    "is it safe to stop the BACKUP": "stop_backup",
    "can i just ROLLBACK PREPARED it or is that dangerous": "rollback_prepared",
    "can i raise max_wal_size w/o restart yes/no": "raise_max_wal_size",
    "does vacuum freeze hurt production": "vacuum_freeze",
    "should I fail over to the replica": "fail_over",
    "can I bump max_connections to 1000": "raise_max_connections",
}


def view(status: Status = Status.CONCLUDED, *done: Treatment) -> SessionView:
    """A case with an answer on record and a statement in the last reply."""
    history = (Utterance(Speaker.USER, "说过的话"), SHOWN)
    return SessionView(turn=4, evidence=(SAID,), status=status, history=history, treatments=done)


async def plan_of(message: str, seen: SessionView | None = None) -> TurnPlan:
    """The plan of a message in a case that is concluded, or as given."""
    return (await Planner().decide(seen or view(), message)).plan


def questions_of(plan: TurnPlan) -> list[QuestionStep]:
    """The questions of a plan."""
    return [step for step in plan.steps if isinstance(step, QuestionStep)]


@for_each("message", DONE)
async def test_what_was_done_is_heard(message: str) -> None:
    """An action that the person reports as done is a treatment, and no answer to a check comes from it."""
    plan = await plan_of(message)
    assert [each.action for each in plan.treatments] == [DONE[message]]
    assert not any(isinstance(step, FeedbackStep) for step in plan.steps)


@for_each("message", NOT_DONE)
async def test_what_was_not_done_now_by_the_person_is_no_treatment(message: str) -> None:
    """Questions, plans, denials, the past and what others did leave the record of treatments as it is."""
    assert all(each.undone for each in (await plan_of(message)).treatments)


async def test_a_treatment_names_what_it_was_done_to() -> None:
    """The session or slot in the words of a treatment is kept with it."""
    (killed,) = (await plan_of("30172 现在kill了")).treatments
    (dropped,) = (await plan_of("drop了 select pg_drop_replication_slot('old_bi_cdc') 成功")).treatments
    assert killed.objects == ("30172",)
    assert dropped.objects == ("old_bi_cdc",)


@pytest.mark.parametrize("message", ["照做了", "ok did it"])
async def test_doing_what_was_shown_is_that_very_action(message: str) -> None:
    """Who says that it was done, without saying what, did the statement of the last reply."""
    assert [each.action for each in (await plan_of(message)).treatments] == ["cancel"]


@for_each(
    ("message", "aftermath"),
    [
        ("cancel了31544 api好像回来了", Aftermath.WELL),
        ("analyze events 跑完了 报表又回到2秒多", Aftermath.WELL),
        ("killed 4411, lag goes 35 min -> 4 min -> 0", Aftermath.WELL),
        ("commits are back to ~normal", Aftermath.WELL),
        ("drop了，df 还是 93，没降", Aftermath.UNCHANGED),
        ("restarted the app, still slow", Aftermath.UNCHANGED),
        ("好了一会儿又卡了", None),
        ("cancelled it, api is back!! but 30172 is still there", Aftermath.WELL),
        ("报表现在3秒 好像好了?", Aftermath.WELL),
        ("killed 30172 too, nothing broke", None),
        ("昨天都还好好的", None),
        ("就这一个报表慢,别的页面都正常", None),
        ("现在好了没", None),
        ("can we go back to the previous version", None),
        ("startup 进程在等 recovery conflict", None),
    ],
)
async def test_how_things_are_since_is_heard(message: str, aftermath: Aftermath | None) -> None:
    """Good and bad news are told apart, and a question about them is neither."""
    assert (await plan_of(message)).aftermath is aftermath


@for_each("status", [Status.CONCLUDED, Status.CONFIRMING])
@for_each(("topic", "message"), [(topic, said) for topic, all_ in ASKED.items() for said in all_])
async def test_what_is_asked_of_the_treatment_has_its_topic(topic: QuestionTopic, message: str, status: Status) -> None:
    """A question of the treatment or the case is one of its topic before and after a conclusion."""
    assert topic in [step.topic for step in questions_of(await plan_of(message, view(status)))]


@for_each("message", LEAVE)
async def test_leave_is_asked_for_the_action_that_is_named(message: str) -> None:
    """A question whether something may be done carries the action, told by its verb and what it is done to."""
    (step,) = [step for step in questions_of(await plan_of(message)) if step.topic is QuestionTopic.RISK]
    assert step.action == LEAVE[message]


@for_each(
    "message", ["磁盘 93% 了", "会话都在等锁", "a deploy went out at 2", "1 有 2 没有", "no, yes, no", "索引昨晚被删了"]
)
async def test_what_is_seen_asks_nothing_of_the_treatment(message: str) -> None:
    """Symptoms, events and answers are neither treatments nor questions about them."""
    plan = await plan_of(message, view(Status.EXPLORING))
    assert plan.treatments == ()
    assert not [step for step in questions_of(plan) if step.topic is not None]


@pytest.mark.parametrize("message", ["still 94", "还是 94%"])
async def test_what_is_still_so_after_a_step_asks_for_its_effect(message: str) -> None:
    """A short message that things are as before is answered by the effect of what was done last."""
    (step,) = questions_of(await plan_of(message, view(Status.CONFIRMING, Treatment("drop_slot", "dropped it"))))
    assert (step.topic, step.action) == (QuestionTopic.EFFECT, "drop_slot")


def test_a_verb_means_what_it_is_done_to() -> None:
    """The target decides the action, wherever it is named; without one the verb alone does."""
    assert actions_in("can I drop it", ["the slot old_bi_cdc"]) == ("drop_slot",)
    assert actions_in("can I drop it", ["idx_a is an unused index"]) == ("drop_index",)
    assert actions_in("能重启吗") == ("restart",)
    assert actions_in("能重启订单服务吗") == ("restart_app",)


@for_each(
    ("how", "actions"),
    [
        ("SELECT pg_terminate_backend(<pid>);", {"terminate"}),
        ("ALTER SYSTEM SET max_wal_size = '16GB'; SELECT pg_reload_conf();", {"raise_max_wal_size"}),
        ("SELECT pg_terminate_backend(<pid>); ROLLBACK PREPARED '<gid>';", {"terminate", "rollback_prepared"}),
        ("ALTER SYSTEM SET autovacuum_vacuum_cost_delay = 0; SELECT pg_reload_conf();", {"set_parameter"}),
        ("EXPLAIN (ANALYZE, BUFFERS) <the slow SELECT>", set()),
        ("SELECT n_dead_tup, last_autovacuum FROM pg_stat_user_tables", set()),
    ],
)
def test_a_step_is_known_by_its_statements(how: str, actions: set[str]) -> None:
    """Each statement of a step counts, a reload beside another change does not, and looking is no action."""
    assert actions_of_step("", how) == actions


async def test_a_statement_in_the_message_is_what_leave_is_asked_for() -> None:
    """An action that the person spells out outranks the one that the last answer showed."""
    message = "已经确认了。我现在执行 SELECT pg_drop_replication_slot('old_bi_cdc'); 行不行"
    plan = await plan_of(message)
    assert [step.action for step in questions_of(plan) if step.topic is QuestionTopic.RISK] == ["drop_slot"]
