"""The yes or no that opens a message, as the answer to the single question that was asked last."""

from __future__ import annotations

from dbdiag.vocabulary import LocalizedText, Verdict

from gateway.turn.answers.asked_last import opening_answer, says_only
from tests.support.cases import for_each

YES, NO = Verdict.CONFIRMED, Verdict.DENIED
IDLE = LocalizedText("单个应用大量连接空闲数小时", "Many connections of one application idle for hours")
SWITCHED = LocalizedText("24 小时内发生过主备切换", "A failover or switchover in the last 24 hours")
WRAPAROUND = LocalizedText("防回卷 autovacuum 正在运行", "Autovacuum to prevent wraparound is running")
LOCKS = LocalizedText("3 个以上会话在等锁", "Three or more sessions wait for locks")
PLAIN = [
    ("yes!! i SAID so. and pls did u get the other thing??", YES),
    ("yep, since monday", YES),
    ("prob yes, slow since quarter past 8", YES),
    ("i think so, at least on that table", YES),
    ("应该是吧 登录就查那张表", YES),
    ("大概是的，8点多就开始了", YES),
    ("dude yeah it does", YES),
    ("uh its literally right there, 187 of them, all the same thing", YES),
    ("dude i just said. started that same night", YES),
    ("no!! the opposite, its ALL of them", NO),
    ("nah, that one is mine", NO),
    ("no i dont think so, nothing in there", NO),
    ("nope. what else u need", NO),
    ("是啊 几乎都是。你干嘛老问", YES),
    ("对，就它。现在咋办", YES),
    ("嗯，187个", YES),
    ("都说了啊，就这个", YES),
    ("没有。更正：是十二个", NO),
    ("是，没有。另外更正下，刚才说的不太对", NO),
    ("不是！我说的是别的", NO),
    ("没啊 查过了", NO),
]
ECHOED = [
    ("没切没切。哎等下，我前面说的不太准", SWITCHED, NO),
    ("没切过", SWITCHED, NO),
    ("没有wraparound进程", WRAPAROUND, NO),
    ("不等锁，等的是磁盘", LOCKS, NO),
    ("didn't see a failover", SWITCHED, NO),
    ("never had wraparound", WRAPAROUND, NO),
    ("not locks, pg_locks is empty", LOCKS, NO),
]
NO_ANSWER = [
    ("no idea how to see that", IDLE),
    ("no shell on that box", IDLE),
    ("not sure, how do i check", IDLE),
    ("right now it is quiet", IDLE),
    ("nothing else is slow", IDLE),
    ("nobody touched the config", IDLE),
    ("it grew to 12 GB since", IDLE),
    ("noticed a new index yesterday", IDLE),
    ("no deploys on a friday", LOCKS),
    ("不知道，怎么看", IDLE),
    ("没权限，看不了", IDLE),
    ("没准是别的", IDLE),
    ("是不是要重启", IDLE),
    ("有啥办法", IDLE),
    ("没改过参数", SWITCHED),
    ("不过磁盘倒是满了", IDLE),
    ("对不起 打错了", IDLE),
    ("yeah some intern dropped a column on that table an hour ago", LOCKS),
    ("right the vendor swapped a cable in the rack yesterday", IDLE),
    ("不是说了周末搬的机房吗。别的库都没动", LOCKS),
    ("i already told you the raid card got replaced on friday", IDLE),
]


@for_each(("message", "verdict"), PLAIN)
def test_the_yes_or_no_that_opens_a_message_answers(message: str, verdict: Verdict) -> None:
    """Whatever the question was and whatever stands behind it."""
    assert opening_answer(message, IDLE)[0] is verdict


@for_each(("message", "asked", "verdict"), ECHOED)
def test_a_denial_that_repeats_the_question_answers(message: str, asked: LocalizedText, verdict: Verdict) -> None:
    """A word of the question behind a negation says that it is not so."""
    assert opening_answer(message, asked)[0] is verdict


@for_each(("message", "asked"), NO_ANSWER)
def test_words_that_only_look_like_a_yes_or_no_answer_nothing(message: str, asked: LocalizedText) -> None:
    """Not knowing, asking, and a denial of something else are no answers."""
    assert opening_answer(message, asked)[0] is None


@for_each("message", ["yes", "yes!!", "no.", "是啊", "没有。"])
def test_a_bare_yes_or_no_is_all_of_its_message(message: str) -> None:
    """Only then is it asked which of several things it is of."""
    assert says_only(message, message)
    for more in (f"{message} the disk of pg-b is full", f"{message} 磁盘满了，备库延迟很大"):
        assert not says_only(more, message)
