"""What is meant as a claim about this system now counts; everything else, and every unrelated word, does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lang.judging.judge import Judge
from lang.statements import Reader
from tests.support.cases import for_each
from tests.support.hearing import Judged

CHINESE_FACTS = {
    "磁盘 97%": {"DISK": "confirmed"},
    "cpu 12%": {"CPU": "denied"},
    "有 30 个会话在等锁": {"LOCKS": "confirmed"},
    "日志里有死锁": {"DEADLOCK": "confirmed"},
    "autovacuum 关了": {"VACUUM_OFF": "confirmed"},
    "连接数满了": {"CONNECTIONS": "confirmed"},
    "内存正常": {"MEMORY": "denied"},
}
ENGLISH_FACTS = {
    "the disk is 97% full": {"DISK": "confirmed"},
    "cpu is at 12%": {"CPU": "denied"},
    "30 sessions are waiting for locks": {"LOCKS": "confirmed"},
    "there are deadlocks": {"DEADLOCK": "confirmed"},
    "autovacuum is off": {"VACUUM_OFF": "confirmed"},
    "the connections are maxed out": {"CONNECTIONS": "confirmed"},
    "memory looks fine": {"MEMORY": "denied"},
}
CHINESE_FRAMES = [
    "昨天{}",
    "上周{}",
    "如果{}",
    "要是{}，怎么办",
    "万一{}呢",
    "是不是{}",
    "{}吗",
    "{}怎么办",
    "怀疑{}",
    "可能{}吧",
    "估计是{}",
    "测试环境{}",
    "压测环境里{}",
    "另一套集群{}",
    "希望{}",
    "听说{}",
    "不知道{}没有",
    "别的库{}",
    "三年前{}",
]
ENGLISH_FRAMES = [
    "if {}",
    "what if {}?",
    "suppose {}",
    "maybe {}",
    "it might be that {}",
    "i suspect {}",
    "is it true that {}?",
    "on staging {}",
    "in our test environment {}",
    "last week {}",
    "yesterday {}",
    "i guess {}",
    "not sure if {}",
    "{} on another cluster",
    "hopefully {}",
    "why do you ask whether {}",
]
OTHERS = [
    "我们用的是 hikari",
    "postgres 16.2 on ubuntu",
    "the app is written in java",
    "昨晚做过全备",
    "请帮忙看看",
    "thanks for looking",
]
ZERO_FORMS = [
    "{} 0 次",
    "{}：0",
    "0 次{}",
    "没有{}",
    "没看到{}",
    "从没出现过{}",
    "从来没有发生过{}",
    "{}一次都没有",
    "{} 没有",
    "当前没有{}",
    "日志里没有{}",
    "从早上到现在{}一直是0",
    "无{}",
]
ENGLISH_ZERO_FORMS = [
    "no {}",
    "0 {}",
    "zero {}",
    "no sign of {}",
    "{}: none",
    "{}: 0",
    "never saw any {}",
    "haven't had any {} in a week",
    "no {} since the reboot",
    "there were no {}",
    "haven't seen a single {}",
    "without {}",
    "not a single {}",
]


@for_each("fact", CHINESE_FACTS)
@for_each("frame", CHINESE_FRAMES)
def test_what_is_not_claimed_of_this_system_now_records_nothing(frame: str, fact: str, evidence: Judged) -> None:
    """A clause in the past, in another system, asked, supposed, suspected or wished for is no evidence."""
    assert evidence(fact) == CHINESE_FACTS[fact]
    assert evidence(frame.format(fact)) == {}


@for_each("fact", ENGLISH_FACTS)
@for_each("frame", ENGLISH_FRAMES)
def test_what_is_not_claimed_in_english_records_nothing(frame: str, fact: str, evidence: Judged) -> None:
    """The same holds of English."""
    assert evidence(fact) == ENGLISH_FACTS[fact]
    assert evidence(frame.format(fact)) == {}


@for_each(
    "message",
    [
        "打算重启应用，磁盘满了再说",
        "we plan to restart the app if the disk is full",
        "准备扩容，等磁盘 97% 的时候",
        "i'll restart the app when cpu is at 99%",
    ],
)
def test_a_plan_holds_until_the_sentence_ends(message: str, evidence: Judged) -> None:
    """What follows a plan in its sentence is a part of it."""
    assert evidence(message) == {}


@for_each(
    ("message", "expected"),
    [
        ("准备扩容磁盘，现在已经 93% 了", {"DISK": "confirmed"}),
        ("昨天磁盘满过，现在 41%", {"DISK": "denied"}),
        ("测试环境没事，但线上磁盘 97%", {"DISK": "confirmed"}),
        ("当前磁盘 97%", {"DISK": "confirmed"}),
        ("当前没有死锁", {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied"}),
        ("since yesterday cpu is at 97%", {"CPU": "confirmed"}),
        ("we'll add a disk tomorrow. the disk is 97% full", {"DISK": "confirmed"}),
        ("say hello to 98% cpu", {"CPU": "confirmed"}),
        ("从昨天开始 cpu 97%", {"CPU": "confirmed"}),
    ],
)
def test_a_word_for_now_ends_what_came_before(message: str, expected: dict[str, str], evidence: Judged) -> None:
    """What is so now counts beside a plan, the past or another system."""
    assert evidence(message) == expected


@for_each(("word", "form"), [(word, form) for word in ("死锁", "oom", "语句超时", "丢包") for form in ZERO_FORMS])
def test_zero_and_none_deny_the_same_subject_and_nothing_else(word: str, form: str, evidence: Judged) -> None:
    """None of an event denies the phenomena of this event and no other."""
    own = {"死锁": {"DEADLOCK", "DEADLOCKS_RISE"}, "oom": {"OOM"}, "语句超时": {"TIMEOUT"}, "丢包": {"LOSS"}}[word]
    assert evidence(form.format(word)) == dict.fromkeys(own, "denied")


@for_each(
    ("word", "form"),
    [
        (word, form)
        for word in ("deadlock", "oom kill", "statement timeout", "lock wait")
        for form in ENGLISH_ZERO_FORMS
    ],
)
def test_zero_and_none_deny_in_english(word: str, form: str, evidence: Judged) -> None:
    """The same holds of English, of events and of counts."""
    own = {
        "deadlock": {"DEADLOCK", "DEADLOCKS_RISE"},
        "oom kill": {"OOM"},
        "statement timeout": {"TIMEOUT"},
        "lock wait": {"LOCKS"},
    }[word]
    assert evidence(form.format(word)) == dict.fromkeys(own, "denied")


@for_each(
    ("said", "negated"),
    [
        ("autovacuum 关了", "autovacuum 没关"),
        ("autovacuum is off", "autovacuum isn't off"),
        ("磁盘满了", "磁盘没满"),
        ("the disk is full", "the disk is not full"),
        ("slot is inactive", "slot is not inactive"),
        ("日志里有死锁", "日志里没有死锁"),
        ("there are deadlocks", "there are no deadlocks"),
        ("统计信息旧了", "统计信息不旧"),
    ],
)
def test_polarity_flips_with_a_negation(said: str, negated: str, evidence: Judged) -> None:
    """A negation turns each verdict round, and a second one turns it back."""
    assert set(evidence(said).values()) == {"confirmed"}
    assert set(evidence(negated).values()) == {"denied"}
    assert evidence(said).keys() <= evidence(negated).keys()


@for_each(
    ("message", "expected"),
    [
        ("deadlock count hasn't moved", {"DEADLOCKS_RISE": "denied"}),
        ("死锁数没变", {"DEADLOCKS_RISE": "denied"}),
        ("死锁一直在涨", {"DEADLOCK": "confirmed", "DEADLOCKS_RISE": "confirmed"}),
    ],
)
def test_a_count_that_stands_still_is_no_event(message: str, expected: dict[str, str], evidence: Judged) -> None:
    """A growing count says that something happens; one that stands still only that it no longer does."""
    assert evidence(message) == expected


def test_two_negations_are_none(evidence: Judged) -> None:
    """不是没有 says that there are some."""
    assert evidence("不是没有死锁") == {"DEADLOCK": "confirmed"}


@for_each("fact", [*CHINESE_FACTS, *ENGLISH_FACTS])
@for_each("other", OTHERS)
def test_an_unrelated_clause_changes_no_verdict(fact: str, other: str, evidence: Judged) -> None:
    """Whatever else is said in other clauses, a fact is the same evidence."""
    expected = {**CHINESE_FACTS, **ENGLISH_FACTS}[fact]
    assert evidence(f"{fact}，{other}") == expected
    assert evidence(f"{other}. {fact}") == expected


@for_each(
    "message",
    [
        "只有一个节点慢，其他正常",
        "磁盘满了，其他正常",
        "the disk is full, everything else is fine",
        "disk is full but the rest is normal",
    ],
)
def test_the_rest_is_no_subject(message: str, evidence: Judged) -> None:
    """That all else is fine denies nothing that was named."""
    assert "denied" not in evidence(message).values()


@for_each(
    ("message", "expected"),
    [
        ("重启应用也没用", {"RESTART_HELPS": "denied"}),
        ("restarted the app, nothing changed", {"RESTART_HELPS": "denied"}),
        ("重启应用好一会儿，过一两个小时又犯", {"RESTART_HELPS": "confirmed"}),
        ("restarting the app helps for a while", {"RESTART_HELPS": "confirmed"}),
        ("ANALYZE 后马上快了", {"ANALYZE_HELPS": "confirmed"}),
        ("analyze 了也没变快", {"ANALYZE_HELPS": "denied"}),
        ("rebuilt with pg_basebackup, all good", {}),
        ("重启应用", {}),
        ("i'll restart the app in five minutes", {}),
        ("没重启过应用", {}),
        ("发版之后就这样了", {"AFTER_RELEASE": "confirmed"}),
        ("everything got slow after the deploy", {"AFTER_RELEASE": "confirmed"}),
        ("重启数据库也不行", {}),
        ("昨天发版后一直慢", {"AFTER_RELEASE": "confirmed"}),
    ],
)
def test_an_action_counts_by_its_outcome(message: str, expected: dict[str, str], evidence: Judged) -> None:
    """An action is evidence with the outcome that a predicate asks for, and says nothing of other subjects."""
    assert evidence(message) == expected


@for_each(
    ("message", "verdict"),
    [
        ("备库延迟一直涨", "confirmed"),
        ("replication lag keeps growing", "confirmed"),
        ("备库延迟没涨", "denied"),
        ("replication lag is not growing", "denied"),
        ("备库延迟从 2 秒涨到 10 分钟", "confirmed"),
        ("replication lag went from 5 s to 2 s", "denied"),
    ],
)
def test_trends_count_where_a_predicate_asks_for_one(message: str, verdict: str, evidence: Judged) -> None:
    """A growing quantity confirms its trend; one that stands still or falls denies it."""
    assert evidence(message)["LAG_GROWS"] == verdict


@for_each(
    "message",
    [
        "磁盘清完了，现在 41%",
        "freed some space, we're at 50% disk now",
        "主从延迟恢复到 0 了",
        "throughput is back to normal",
        "【恢复】CPU 23%",
    ],
)
def test_what_recovered_is_no_evidence(message: str, evidence: Judged) -> None:
    """After a recovery the present says nothing of the fault."""
    assert evidence(message) == {}


@for_each("message", ["备库 CPU 99%", "the standby's disk is 97% full", "从库内存 99%", "replica cpu at 98"])
def test_a_standby_is_another_system_unless_the_subject_is_about_one(message: str, evidence: Judged) -> None:
    """A value of a standby's host is not one of this server; a replication lag is."""
    assert evidence(message) == {}
    assert "LAGS" in evidence("备库延迟 40 分钟")


@for_each(
    "message",
    [
        "词盘 97%",
        "磁盘使用绿 98%",
        "cpu at 97 precent",
        "链接数 500/500",
        "statment timeout errors",
        "tmeporary files 900MB a min",
    ],
)
def test_usual_slips_are_mended(message: str, evidence: Judged) -> None:
    """A word one slip from a known one is read as that word."""
    assert set(evidence(message).values()) == {"confirmed"}


def test_a_correction_is_the_last_word(evidence: Judged) -> None:
    """What is corrected in the same message does not count."""
    assert evidence("cpu's at 97, sorry i mean 37") == {"CPU": "denied"}


@for_each(
    ("message", "expected"),
    [
        ("autovacuum 开着呢", {"VACUUM_OFF": "denied"}),
        ("磁盘满着呢", {"DISK": "confirmed"}),
        ("死锁呢", {}),
        ("deadlocks? zero since monday", {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied"}),
        ("死锁？没看到", {"DEADLOCK": "denied", "DEADLOCKS_RISE": "denied"}),
        ("temp files aren't used", {"TEMP": "denied"}),
    ],
)
def test_what_ends_like_a_question_may_be_an_answer(message: str, expected: dict[str, str], evidence: Judged) -> None:
    """A particle that stresses a fact asks nothing, and who asks and answers has answered."""
    assert evidence(message) == expected


@pytest.mark.parametrize(
    "message",
    [
        "the nightly export module touches deadlock handling code paths inside billing",
        "清理脚本里那段死锁检测逻辑代码还是外包写的没人看懂",
    ],
)
def test_a_bare_word_among_many_others_is_proposed(message: str, standings: Judged) -> None:
    """An event named amid another thought waits for a yes."""
    assert standings(message)["DEADLOCK"] == "proposed"


def test_two_verdicts_that_disagree_are_proposed(standings: Judged) -> None:
    """A contradiction within a message waits for a yes."""
    assert standings("disk is fine, 99% full") == {"DISK": "proposed"}


@given(
    message=st.text(max_size=300) | st.text(alphabet="磁盘满了没有 97%/，。?!cpu no not 0从到>=-死锁(", max_size=120)
)
def test_every_string_gives_a_sane_reading(message: str, reader: Reader, judge: Judge) -> None:
    """Any characters are read without an error, and every span quotes the message."""
    reading = reader.read(message)
    judge.judge(reading)
    quoted = [(each.span, each.words) for each in reading.statements]
    quoted += [(each.span, each.words) for each in reading.notes]
    for (start, end), words in quoted:
        assert message[start:end] == words


@pytest.mark.slow
@for_each(
    "piece", ["磁盘 97%，", "no ", "从 1 到 ", "死锁和", "9", "cpu 97 ", "a b ", "没没没", "如果", "(((", "disk free "]
)
def test_the_steps_of_reading_grow_with_the_length(piece: str, reader: Reader) -> None:
    """Twice the text takes at most about twice the steps, counted as calls."""
    short, long = _count_calls(reader, piece * 200), _count_calls(reader, piece * 400)
    assert long <= 2.6 * short + 10_000


def _count_calls(reader: Reader, message: str) -> int:
    import sys

    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        reader.read(message)
    finally:
        sys.setprofile(None)
    return calls


@for_each(
    "message",
    [
        "scratch the deadlocks",
        "I never said deadlocks",
        "forget about the deadlock thing",
        "deadlocks are not something I saw",
        "死锁那条不算",
        "我没说有死锁",
        "死锁作废",
    ],
)
def test_what_is_taken_back_is_no_evidence(reader: Reader, judge: Judge, message: str) -> None:
    """Words that take a thing back say nothing of it, and tell which phenomena they take back."""
    reading = reader.read(message)
    assert judge.judge(reading) == ()
    assert "DEADLOCK" in judge.retracted(reading)


@for_each("message", ["no deadlocks", "死锁 3 次", "deadlock detected", "没有死锁"])
def test_a_claim_takes_nothing_back(reader: Reader, judge: Judge, message: str) -> None:
    """A statement, also one that denies, is no retraction."""
    assert judge.retracted(reader.read(message)) == ()


@for_each(
    ("message", "expected"),
    [
        ("cpu 97% 没有锁等待", {"CPU": "confirmed", "LOCKS": "denied"}),
        ("我都说两遍了 cpu 97% 你咋还没记", {"CPU": "confirmed"}),
        ("磁盘 98% 内存倒是才 20%", {"DISK": "confirmed", "MEMORY": "denied"}),
        ("磁盘 98% 的样子", {"DISK": "confirmed"}),
        ("cpu 97 % 左右", {"CPU": "confirmed"}),
    ],
)
def test_a_space_after_a_number_ends_a_clause(evidence: Judged, message: str, expected: dict[str, str]) -> None:
    """Where Chinese is typed without punctuation, what follows a number and a space is a thought of its own."""
    assert evidence(message) == expected


@for_each(
    "message",
    [
        "there is no deadlock. ran your thing twice",
        "killed it, deadlocks are at 0 now. checkout works again",
        "杀了那个会话，锁等待 0 了，业务好了",
        "dropped the slot, disk at 40 % now, all good",
    ],
)
def test_what_a_repair_left_is_no_evidence_of_what_was(evidence: Judged, message: str) -> None:
    """After what mended things the values are those of a healthy system; other sentences' numbers are their own."""
    assert "confirmed" not in evidence(message).values()


@pytest.mark.parametrize(
    "message", ["killed it, deadlocks are at 0 now. checkout works again", "杀了会话，锁等待 0 了，业务好了"]
)
def test_after_a_repair_nothing_is_denied(evidence: Judged, message: str) -> None:
    """What is gone after a repair was there before it."""
    assert evidence(message) == {}


@for_each(
    "told", ["昨晚主备切换过", "昨天切主了", "there was a failover last night", "a failover happened an hour ago"]
)
def test_what_happened_lately_counts_where_a_predicate_asks_for_it(told: str, evidence: Judged) -> None:
    """An event of the past is evidence for a phenomenon that is in the past, and for no other."""
    assert evidence(told) == {"FAILOVER": "confirmed"}
    assert evidence(f"{told}，昨晚有死锁") == {"FAILOVER": "confirmed"}


@for_each("frame", ["如果{}", "打算今晚{}", "测试环境{}", "是不是{}"])
def test_what_was_not_done_here_does_not_count_as_past(frame: str, evidence: Judged) -> None:
    """What is planned, supposed, asked or of another system has not happened, whether the past counts or not."""
    assert evidence(frame.format("昨晚切主了")) == {}


def test_a_virtual_machine_is_no_plan(evidence: Judged) -> None:
    """拟 in 虚拟机 plans nothing."""
    assert evidence("虚拟机 cpu 12%") == {"CPU": "denied"}
