"""A recovery is heard of the trouble itself, a deed of those who did it now, and closing of the case."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lang.outcomes import tells_recovery
from lang.tokens import read_text
from services.planner.model import (
    Aftermath,
    HypothesisView,
    QuestionTopic,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    Status,
    Text,
    Treatment,
    Utterance,
)
from services.planner.treatment.aftermath import aftermath_in
from services.planner.treatment.reports import treatments_in
from services.planner.understand.acts.case_topics import likely_topic
from tests.support.cases import for_each
from tests.unit.planner.turns.test_planner_deeds import plan_of, topics_of, view

OPEN, CONCLUDED = view(), view(status=Status.CONCLUDED)
CANCELLED = Treatment("cancel", "i cancelled it", turn=3)
TREATED = replace(CONCLUDED, treatments=(CANCELLED,))
BELIEVED = replace(TREATED, aftermath=Aftermath.WELL)
NEWS = {QuestionTopic.RECOVERED, QuestionTopic.TREATED}
# Something else works, or the same did at another time.
ELSEWHERE_FINE = [
    "就events，其他表都正常的，订单用户那些秒开。机器cpu也不高",
    "小的查询都没事 就月报那几个跑俩小时的老是挂 小的秒回",
    "登录秒开 下单卡死",
    "订单接口一直正常，就是报表慢",
    "别的库好了，我们这个还是不行",
    "pg-b was fully in sync this morning",
    "browsing around works tho",
    "small queries are fast, the report hangs",
    "reads are all good but writes hang",
    "the other app recovered, ours is still down",
    "login is still fine, checkout isnt",
    "psql一下就连上了",
    "登录也慢啊 不是连库慢 psql一下就连上了",
    "偶尔又好了",
    "过一会又好了",
    "时好时坏",
    "now it works from my laptop",
    "only from my laptop it works now",
    "it comes and goes",
    "it went away for a minute",
    "it works from psql now",
    "连上了，结果在下面",
]
# The trouble itself is said to be over.
PLAINLY_OVER = [
    "恢复了",
    "好了，现在正常了",
    "没事了",
    "it's over",
    "its over",
    "back to normal",
    "all good now",
    "it recovered by itself",
    "但是现在好了",
]
# Beside a deed, what serves people is there again.
THERE_AGAIN = [
    "i cancelled 20411, everything came back in like 2 sec. how do we get the column in tomorrow",
    "cancelled it and the shop came back",
    "no no its over, everythings back, shop works. cancel DID help",
    "cancel did help",
    "the site came back right after that",
    "killed it, logins came back at once",
    "杀了 vacuum也跑完了，查询回到一秒左右",
    "取消之后业务都回来了",
    "重启之后就好了",
]
# Beside a deed, the trouble is there again, or some of it still.
TROUBLE_AGAIN = [
    "i cancelled 20411, the locks came back in 2 sec",
    "cancelled it but the problem came back",
    "it came back",
    "ok shot it. the queue is gone, but 3 are still waiting behind a new one 24410",
    "杀了，队列没了，但又有3个还在等24410",
    "no it is not over",
]
# What a system does, what was long ago, and what is only quoted.
NOBODYS_DEED = [
    "没截报错 是业务那边转给我的 就说什么 cancel 了 超时吧好像。",
    "报错说什么 kill 了",
    "提示查询取消了",
    "报表跑一半就取消了",
    "bi的同步几个月前就下了,那台机器都关了",
    "那台机器都关了",
    "这槽是bi的,直接drop行不行",
    "the app just shows cancelled",
    "it says the statement was cancelled",
    "the report got cancelled after 30s",
]
SOMEBODYS_DEED = {
    "我取消了": "cancel",
    "我把那个查询取消了": "cancel",
    "刚 cancel 了 20411": "cancel",
    "同事把同步提交关了": "relax_sync",
    "dba cancelled it": "cancel",
    "i cancelled the report": "cancel",
    "前面那个wal上限我记错了,不是8G是4G。删了,也checkpoint了,pg_wal掉到11G": "drop_slot",
}
# Of a system that did nothing, where nothing of the kind is on record.
NO_EVENT = ["没切换过", "没重启过啊", "没切没切", "never failed over", "it didn't restart"]
DENIALS = {
    "我啥也没取消啊 是它自己被取消的": "cancel",
    "我没放宽什么同步提交啊!!还没动手呢。drop完空间马上回来吗": "relax_sync",
    "i didn't cancel anything! how long does it take to help?": "cancel",
}
NO_CLOSING = [
    "归档? 我们这没开归档吧,archive_mode off",
    "归档没开",
    "WAL归档关了",
    "are the archives closed",
    "we closed the connections",
    "archiving is off here",
    "连接都关了",
]
CLOSING = ["结案", "工单关了吧", "close the case", "we're done, close it", "case closed", "关了吧"]
ASKED_ON = {
    "sweet, its back to 1.8 sec, new plan has a hash join. how do i stop this next time": QuestionTopic.PREVENTION,
    "its back to normal. how do we stop this next time, they load the 2nd shop on friday": QuestionTopic.PREVENTION,
    "恢复了，1.8秒了。下次怎么避免": QuestionTopic.PREVENTION,
}


@for_each("message", ELSEWHERE_FINE)
@for_each("seen", [OPEN, CONCLUDED], ids=["open", "concluded"])
async def test_what_works_elsewhere_is_no_recovery(message: str, seen: SessionView) -> None:
    """What is fine for other tables, queries or people, or was at another time, does not end the trouble."""
    plan = await plan_of(message, seen)
    assert plan.aftermath is not Aftermath.WELL
    assert QuestionTopic.RECOVERED not in topics_of(plan)
    assert SmalltalkStep(SmalltalkKind.THANKS) not in plan.steps
    assert not tells_recovery(read_text(message))


@for_each("message", PLAINLY_OVER)
async def test_a_recovery_in_so_many_words_is_heard_before_anything_was_done(message: str) -> None:
    """Who says of the trouble itself that it is over is believed."""
    plan = await plan_of(message, OPEN)
    assert plan.aftermath is Aftermath.WELL
    assert QuestionTopic.RECOVERED in topics_of(plan)


@for_each("message", THERE_AGAIN)
@for_each("seen", [TREATED, BELIEVED], ids=["treated", "believed"])
async def test_what_serves_people_is_back(message: str, seen: SessionView) -> None:
    """Everything, a shop or its pages that come back after a deed are a recovery, and take none back."""
    plan = await plan_of(message, seen)
    assert plan.aftermath is Aftermath.WELL
    assert NEWS & {*topics_of(plan)}
    assert QuestionTopic.UNTREATED not in topics_of(plan)


@for_each("message", TROUBLE_AGAIN)
async def test_trouble_that_comes_back_is_no_recovery(message: str) -> None:
    """A problem or its signs that come back, or a part of them that stays, are not over."""
    plan = await plan_of(message, TREATED)
    assert plan.aftermath is Aftermath.UNCHANGED
    assert QuestionTopic.RECOVERED not in topics_of(plan)


@for_each("message", NOBODYS_DEED)
@for_each("seen", [OPEN, CONCLUDED], ids=["open", "concluded"])
async def test_a_deed_needs_somebody_who_did_it_now(message: str, seen: SessionView) -> None:
    """What a system does to a query, an error that is quoted and what was long ago are no deeds, and no failed ones."""
    plan = await plan_of(message, seen)
    assert plan.treatments == ()
    assert plan.aftermath is None


@for_each("message", SOMEBODYS_DEED)
async def test_what_people_did_is_a_deed(message: str) -> None:
    """The person or their people as the doers, also beside an error of memory that is owned."""
    history = (
        Utterance(Speaker.USER, "槽能删吗"),
        Utterance(Speaker.ASSISTANT, "`SELECT pg_drop_replication_slot('a');`"),
    )
    plan = await plan_of(message, replace(CONCLUDED, history=history))
    assert SOMEBODYS_DEED[message] in [each.action for each in plan.treatments if not each.undone]


@for_each("message", NO_EVENT)
async def test_what_did_not_happen_by_itself_is_no_denial_of_a_deed(message: str) -> None:
    """That a system did not restart or switch is a finding, where no such deed is on record."""
    plan = await plan_of(message, OPEN)
    assert plan.treatments == ()
    assert QuestionTopic.UNTREATED not in topics_of(plan)


@for_each("message", DENIALS)
async def test_a_denial_is_answered_whatever_else_is_asked(message: str) -> None:
    """A deed that is denied leaves the record and is said to, beside a question too."""
    action = DENIALS[message]
    plan = await plan_of(message, replace(CONCLUDED, treatments=(Treatment(action, "x", turn=3),)))
    assert [(each.action, each.undone) for each in plan.treatments] == [(action, True)]
    assert QuestionTopic.UNTREATED in topics_of(plan)


@for_each("message", NO_CLOSING)
async def test_what_is_closed_or_archived_of_a_system_closes_no_case(message: str) -> None:
    """WAL that is archived and connections that are closed are no wish to close the case."""
    assert likely_topic(message)[0] != "closing"
    assert QuestionTopic.CLOSING not in topics_of(await plan_of(message, OPEN))


@for_each("message", CLOSING)
async def test_the_case_is_closed_in_plain_words(message: str) -> None:
    """Who wants to close the case, by its name or by none, is told how."""
    assert QuestionTopic.CLOSING in topics_of(await plan_of(message, OPEN))


@for_each("message", ASKED_ON)
@for_each("seen", [OPEN, CONCLUDED, TREATED], ids=["open", "concluded", "treated"])
async def test_a_question_beside_a_recovery_is_answered(message: str, seen: SessionView) -> None:
    """Good news are heard, and what is asked beside them is answered."""
    plan = await plan_of(message, seen)
    assert plan.aftermath is Aftermath.WELL
    assert {QuestionTopic.RECOVERED, ASKED_ON[message]} <= {*topics_of(plan)}


@pytest.mark.parametrize("message", ["好了，不过还有几个会话在等", "all good now, but three sessions wait"])
async def test_what_still_waits_speaks_against_good_news(message: str) -> None:
    """Good news after a deed is none yet while something waits."""
    assert (await plan_of(message, TREATED)).aftermath is not Aftermath.WELL


def test_how_long_something_lies_open_is_no_time_that_work_takes() -> None:
    """Days since which something is so are not compared with how long a report took: nothing is over by them."""
    before = Utterance(Speaker.USER, "the transaction is 40 days old")
    for said in ("天啊，六天了", "oh no, it is 6 days old now", "都挂了三天了"):
        assert aftermath_in(said, replace(TREATED, history=(before,))) is not Aftermath.WELL
    assert aftermath_in("报表3秒出来了", replace(TREATED, opening="报表跑20分钟")) is Aftermath.WELL


@for_each(
    "message",
    [
        "vacuum跑完了 月报12秒",
        "ended the export, ran analyze, second run took 20 sec",
        "analyze 弄完了，重跑只要40秒",
    ],
)
def test_a_run_behind_a_deed_is_timed_since_it(message: str) -> None:
    """What a run takes, told behind what was done, is how things are since: far less than before is a recovery."""
    assert aftermath_in(message, replace(CONCLUDED, opening="the monthly report runs 45 minutes")) is Aftermath.WELL


@for_each(
    "message",
    ["vacuum跑完了 昨天月报12秒", "ran analyze, the old report used to take 20 sec", "ended it, will look in 20 sec"],
)
def test_a_time_that_is_not_of_a_run_since_the_deed_is_no_recovery(message: str) -> None:
    """A time of the past, or one that somebody waits, tells nothing of how things are since."""
    assert aftermath_in(message, replace(CONCLUDED, opening="the monthly report runs 45 minutes")) is None


@pytest.mark.parametrize(
    "message", ["我可没重启应用，是库自己起来的", "we never restarted the app, postgres did it by itself"]
)
async def test_that_nobody_did_what_nobody_spoke_of_is_no_news(message: str) -> None:
    """A denial of a deed that is on no record is not answered as one that is taken back."""
    assert QuestionTopic.UNTREATED not in topics_of(await plan_of(message, OPEN))


@for_each("message", ["maria is back. shes on her laptop", "the platform guy is back, asking him"])
@for_each("seen", [CONCLUDED, TREATED])
async def test_who_is_back_is_no_recovery(message: str, seen: SessionView) -> None:
    """That a person is back says nothing of the trouble; what serves people, or it, does."""
    assert (await plan_of(message, seen)).aftermath is None
    assert (await plan_of("the shop is back", TREATED)).aftermath is Aftermath.WELL
    assert (await plan_of("it is back", TREATED)).aftermath is not None


@for_each("message", ["这个你为啥没提", "why would you bring up checkpoints", "怎么又写成那样"])
async def test_why_nothing_changed_is_asked_after_a_deed(message: str) -> None:
    """A complaint at an answer is no question why a step had no effect where none was taken."""
    assert QuestionTopic.EFFECT not in topics_of(await plan_of(message, OPEN))


@pytest.mark.parametrize("message", ["ok did it, commits come thru again", "按你说的做了，提交都过去了"])
def test_a_bare_done_is_of_what_was_shown_against_a_likely_cause(message: str) -> None:
    """Before the conclusion, too: who did it did what the answer showed against the cause that leads clearly."""
    shown = Utterance(Speaker.ASSISTANT, "`ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();`")
    leads = HypothesisView("RC-9", Text("同步备库没了", "The synchronous standby is gone"), 0.94)
    seen = replace(OPEN, hypotheses=(leads,), history=(Utterance(Speaker.USER, "what do i do"), shown))
    assert [each.action for each in treatments_in(message, seen)] == ["relax_sync"]
    unsure = replace(seen, hypotheses=(replace(leads, confidence=0.4),))
    assert treatments_in(message, unsure) == ()
