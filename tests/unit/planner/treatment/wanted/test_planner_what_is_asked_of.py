"""What a verb is done to, what comes after it, and what a deed without its object was, as one message says it."""

from __future__ import annotations

import pytest

from lang.judging.out_of_reach import reachable_in
from services.planner.model import (
    CorrectionStep,
    EvidenceView,
    QuestionStep,
    QuestionTopic,
    Reference,
    SessionView,
    Speaker,
    Status,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.treatment.bearing import LACKS, bearing_on_treatment
from services.planner.treatment.case_talk import add_case_talk
from services.planner.treatment.reports import treatments_in
from tests.support.cases import for_each

SEEN = EvidenceView("P-1", Text("等锁", "Lock waits"), Verdict.CONFIRMED, "seen")
ADVICE = "先止血：\n   `SELECT pg_terminate_backend(18822);`"
ASYNC = "4. 改为异步\n   `ALTER SYSTEM SET synchronous_standby_names = ''; SELECT pg_reload_conf();`"
PATRONI = "Patroni 下用 `patronictl edit-config` 改，它会 reload。max_connections 等几个只认这里。"


def case(*answers: str) -> SessionView:
    """A case that is concluded, with these answers before the message."""
    told = (each for text in answers for each in (Utterance(Speaker.USER, "好"), Utterance(Speaker.ASSISTANT, text)))
    return SessionView(turn=8, evidence=(SEEN,), history=tuple(told), status=Status.CONCLUDED)


def leave(said: str, view: SessionView) -> list[str]:
    """The actions of which a message asks whether they may be done."""
    steps = add_case_talk(TurnPlan(), said, said, view).steps
    return [each.action for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RISK]


@for_each(
    "said",
    [
        "我说的是发版脚本会不会自动重试又把表堵住,要不要先停了它?",
        "啥terminate,我说的是发版脚本会不会自动重试又把表堵住,要不要先停了它?",
        "what terminate? i mean the deploy script, should i stop it first?",
        "那个 pipeline 还在跑，要先停掉它吗",
        "the deploy script retries, should i stop it first?",
        "迁移脚本会重试，可以停掉吗？",
    ],
)
def test_what_is_stopped_is_what_the_sentence_names(said: str) -> None:
    """Stopping the script that a sentence names is a deed of the application, and ends no session."""
    assert leave(said, case(ADVICE)) == ["stop_job"]


@for_each(
    "said",
    [
        "会话杀掉以后 55G的orders会不会自己缩回去",
        "那断完之后表会自己变回12G吗？",
        "18822 杀掉之后表会变小吗",
        "after i kill it, will the table shrink by itself?",
        "will the table shrink once the session is killed?",
    ],
)
def test_what_comes_after_an_action_asks_for_no_leave(said: str) -> None:
    """An action that is taken for done, by what comes after it, is not asked for."""
    assert leave(said, case(ADVICE)) == []


def test_what_is_asked_beside_what_comes_after_is_asked() -> None:
    """The action that a sentence asks about beside one that is taken for done is the one that is asked about."""
    said = "会话杀掉以后 55G的orders会不会自己缩回去 要不要vacuum full?"
    assert leave(said, case(ADVICE)) == ["vacuum_full"]


@pytest.mark.parametrize("said", ["18822 杀掉以后会丢数据吗", "what do we lose after i kill it?"])
def test_what_an_action_loses_afterwards_is_asked_of_it(said: str) -> None:
    """What is lost by it is asked of the action, whenever it is."""
    assert leave(said, case(ADVICE)) == ["terminate"]


@for_each(
    "said",
    [
        "whatever. what do i do right now, so i can go back to sleep",
        "那条ALTER SYSTEM 在patroni下能用吗 会不会被改回去",
        "how does it work with patroni, does it get changed back?",
    ],
)
def test_going_back_to_bed_or_being_changed_back_is_no_undo(said: str) -> None:
    """Who goes back to something else, or fears that it is changed back by itself, takes back nothing."""
    assert leave(said, case(ASYNC, PATRONI)) in ([], ["relax_sync"])
    assert not any("undo" in each for each in leave(said, case(ASYNC)))


@pytest.mark.parametrize("said", ["老板同意了 我改空了reload了 单子动了", "changed it, reloaded, orders move again"])
def test_a_deed_without_its_object_is_the_step_that_was_advised_last(said: str) -> None:
    """What an answer only mentions is no object of a deed; the statement that was advised last is."""
    assert [each.action for each in treatments_in(said, case(ASYNC, PATRONI))] == ["relax_sync"]


PREPARED = "先止血：协调器确认没提交的，就回滚这个预备事务\n   `ROLLBACK PREPARED 'atomikos_tm_0412';`"


@for_each(
    ("said", "advice", "action"),
    [
        ("这个能直接干掉吗？", PREPARED, "rollback_prepared"),
        ("can i just kill it?", PREPARED, "rollback_prepared"),
        ("谁说删索引了，我问的是那个 atomikos 的事务能不能直接回滚", PREPARED, "rollback_prepared"),
        ("who said drop the index, can i roll back that atomikos transaction?", PREPARED, "rollback_prepared"),
        ("who said anything about dropping an index? can i kill it?", ADVICE, "terminate"),
        ("kill -HUP works i guess?", "`default_pool_size = 40 in pgbouncer.ini, then RELOAD;`", "reload"),
        ("can i just kill -1 the bouncer?", "`default_pool_size = 40 in pgbouncer.ini, then RELOAD;`", "reload"),
        ("systemctl reload 行不行？", "`default_pool_size = 40 in pgbouncer.ini, then RELOAD;`", "reload"),
    ],
)
def test_a_verb_alone_is_of_the_kind_of_object_that_was_advised_on(said: str, advice: str, action: str) -> None:
    """A verb that names nothing is about what the last statement acts on; a signal to reload ends no session."""
    assert [each for each in leave(said, case(advice)) if each] == [action]


def test_what_a_correction_speaks_of_is_not_what_it_points_at() -> None:
    """ "It" after words that correct a figure is not what these words happen to name."""
    said = "对了前面说 110G 不对，那是连索引的，光表是 70。这个能直接干掉吗？"
    corrected = CorrectionStep(Reference(words="110G"), words="那是连索引的，光表是 70")
    steps = add_case_talk(TurnPlan((corrected,)), said, said, case(PREPARED)).steps
    asked = [each.action for each in steps if isinstance(each, QuestionStep) and each.topic is QuestionTopic.RISK]
    assert asked == ["rollback_prepared"]


@for_each(
    "said",
    [
        "couldnt somebody just have kill -9'd it?",
        "could someone have restarted it?",
        "or did some monitoring script kill it?",
        "会不会是有人手动 kill -9 的？",
        "是不是运维把它杀了？",
    ],
)
def test_whether_somebody_did_it_asks_for_no_leave(said: str) -> None:
    """Another explanation of what was seen is no question whether to do it."""
    assert not leave(said, case(ADVICE))


@for_each(
    "said", ["can i see somewhere else how many are queuing?", "what can i do right now without it?", "现在能做点啥？"]
)
def test_what_can_be_seen_or_done_asks_no_leave_for_what_was_shown(said: str) -> None:
    """What to do, and where to look, is not asked of the statement of the last answer."""
    assert not leave(said, case(ADVICE))


@for_each(
    ("said", "lacks"),
    [
        ("cant touch the pgbouncer admin console, platform team has the creds", True),
        ("dude i said i have NO access to the admin console", True),
        ("pgbouncer 我没权限动", True),
        ("pgbouncer is fine, i have the admin console open", False),
    ],
)
def test_a_pool_whose_console_is_out_of_reach_is_not_theirs_to_change(said: str, lacks: bool) -> None:
    """Whoever cannot get at the pool in front is told who can, and what is left to do; it is no monitoring."""
    kept = [each.name for each in bearing_on_treatment(said, case(ADVICE)) if each.kind == LACKS]
    assert ("resize_pool" in kept) is lacks
    assert not reachable_in(said)
