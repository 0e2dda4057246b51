"""A question that is asked again is the question it is, and who complains of the answer states nothing."""

from __future__ import annotations

from lang.judging.reasking import asked_anew, questions_in
from tests.support.cases import for_each

BEFORE = {
    "en": ["it hangs since noon", "should we restart the server? and do i need more memory for that"],
    "zh": ["中午开始卡", "运维问要不要把库重启一下？另外你说的水位线是什么意思"],
}


@for_each(
    ("language", "said", "anew"),
    [
        ("en", "i asked how i see the locks.", "how i see the locks?"),
        ("en", "no, my question was which role may run it", "no, which role may run it?"),
        ("en", "ok. you still didn't answer about the restart", "ok. should we restart the server?"),
        ("en", "that's no answer", "do i need more memory for that?"),
        ("zh", "我问的是能不能在线改。", "能不能在线改？"),
        ("zh", "重启的事你还没回我，磁盘还有 40G", "运维问要不要把库重启一下？磁盘还有 40G"),
        ("zh", "我刚问你水位线是什么意思你还没回我呢", "水位线是什么意思？"),
        ("zh", "我问的是撤限流行不行，撤了会不会又堵？", "撤限流行不行，撤了会不会又堵？"),
    ],
)
def test_a_question_asked_again_is_that_question(language: str, said: str, anew: str) -> None:
    """What is said to have been asked stands as a question; a complaint that points at one, or at none, as that."""
    told = asked_anew(said, BEFORE[language])
    if said == "that's no answer":
        assert told in list(questions_in(BEFORE["en"][-1]))
    else:
        assert told == anew


@for_each(
    ("language", "said", "left"),
    [
        ("en", "i didn't ask about the log size. the disk has 40 GB left", "the disk has 40 GB left"),
        ("en", "stop with the rollback, inserts work again since 03:41", "inserts work again since 03:41"),
        ("en", "are you even reading? cpu is at 20%", "cpu is at 20%"),
        ("zh", "别扯连接风暴了，QPS 是平时的七倍", "QPS 是平时的七倍"),
        ("zh", "我没问权限，我有 root", "我有 root"),
        ("zh", "慢日志别再提了！锁等待是空的", "锁等待是空的"),
    ],
)
def test_a_complaint_states_nothing(language: str, said: str, left: str) -> None:
    """What was not asked, or nobody wants to hear of, is no word on the thing; what is told beside it stays."""
    assert asked_anew(said, BEFORE[language]).startswith(left)


@for_each(
    "said",
    [
        "i asked the DBA and he says there was no failover",
        "we stopped the job at 03:10",
        "the server does not answer any more",
        "数据库没有响应了",
        "我问了运维，他说没动过",
        "别的库都正常",
        "先别提交事务",
        "业务特别提到下单慢",
        "主库没回滚完，从库也没追上",
        "  pid  | state\n-------+--------\n 4711 | i asked",
    ],
)
def test_a_statement_stays_as_it_is(said: str) -> None:
    """Who was asked beside the assistant, what does not answer, and rows of output, are told and not asked."""
    assert asked_anew(said, BEFORE["en"]) == said


@for_each("said", ["i asked how i see the locks", "我问的是能不能在线改", "你没回答我"])
def test_in_a_first_message_nothing_was_asked_before(said: str) -> None:
    """Without a question before there is none to come back to."""
    assert asked_anew(said, []) == said
