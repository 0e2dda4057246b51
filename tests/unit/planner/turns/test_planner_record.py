"""What the person did now is on record as done: no history, no rehearsal, no word on the record itself."""

from __future__ import annotations

from services.planner.model import (
    EvidenceView,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Speaker,
    Text,
    Treatment,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from tests.support.cases import for_each

SLOT = EvidenceView("P-0132", Text("槽保留 WAL", "A slot retains WAL"), Verdict.CONFIRMED, "409 GB", 1)
# The targets of the verbs were named and shown before.
HISTORY = (
    Utterance(Speaker.USER, "debezium_old 这个复制槽能删吗，同步停不停, can i drop the slot, pool or sync"),
    Utterance(Speaker.ASSISTANT, "删除复制槽：`SELECT pg_drop_replication_slot('debezium_old');` the pool, 索引"),
)
HISTORY_TOLD = [
    "说 Debezium 三个月前就停用了，那套同步早不要了",
    "Debezium 停用了",
    "这套半年前就关掉了",
    "运维今早扩到 60 个 pod",
    "btw platform team scaled the app this morning for the sale, 20 pods to 60, hikari maximumPoolSize is 30 in each",
    "they switched it off months ago",
    "two weeks ago we dropped the old one",
]
REHEARSED = [
    "我在测试库里把索引删了试过",
    "dropped the slot on staging to see what happens",
    "anyway I did this myself in a rolled back txn:",
    "i ran the explain in a transaction and rolled it back",
    "ran it between begin and rollback, then rolled back the transaction",
    "我在事务里跑的，最后回滚了事务",
    "explain 是开了事务跑的，跑完回滚了",
]
OF_THE_RECORD = [
    "I did paste it!! so: create index on invoices?",
    "你记错了，删掉",
    "是让你把你记错的那条删掉",
    "我没说过这个，把那条记录删了",
    "记的不对，那条去掉，删了",
    "you noted that wrong, delete it",
    "i never said that, remove it",
    "take that off your record, just drop it",
]
STILL_DONE = {
    "槽删掉了": "drop_slot",
    "我刚把它删了": "drop_slot",
    "deleted it just now": "drop_slot",
    "记错了也没关系，槽已经删了": "drop_slot",
    "we rolled back the release": "roll_back_release",
    "版本回滚了": "roll_back_release",
    "i scaled the app down to 20 pods": "scale_app",
}


async def plan_of(message: str, *done: Treatment) -> TurnPlan:
    """The plan of a message in a case in which a slot was spoken of."""
    view = SessionView(turn=6, evidence=(SLOT,), history=HISTORY, treatments=done)
    return (await Planner().decide(view, message)).plan


def done_by(plan: TurnPlan) -> list[str]:
    """The actions that a plan records as done."""
    return [each.action for each in plan.treatments if not each.undone]


@for_each("message", [*HISTORY_TOLD, *REHEARSED, *OF_THE_RECORD])
async def test_what_was_not_done_now_by_the_person_is_no_deed(message: str) -> None:
    """What others did long ago, a rehearsal in a transaction, and an order to mend the record are no treatment."""
    assert done_by(await plan_of(message)) == []


@for_each("message", STILL_DONE)
async def test_a_deed_of_now_stays_one(message: str) -> None:
    """The same verbs in the perfect with their object record the action."""
    assert done_by(await plan_of(message)) == [STILL_DONE[message]]


@for_each(
    "message",
    [
        "什么放宽同步提交？？我什么都没做过，你记错了，删掉。",
        "我没放宽过同步提交，你记错了，删掉那条",
        "i never relaxed anything, you noted that wrong, delete it",
        "i did not change synchronous_commit, you noted that wrong, remove it",
    ],
)
async def test_a_wrong_deed_is_taken_off_in_words(message: str) -> None:
    """Who says that something was not done is told that it is off the record, and nothing else is recorded."""
    plan = await plan_of(message, Treatment("relax_sync", "那套同步早不要了", turn=5))
    assert [(each.action, each.undone) for each in plan.treatments] == [("relax_sync", True)]
    assert QuestionTopic.UNTREATED in [step.topic for step in plan.steps if isinstance(step, QuestionStep)]
