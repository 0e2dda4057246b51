"""What is feared, prevented, looked for, doubted or handled is not said to happen; what is ruled out is denied."""

from __future__ import annotations

from lang.judging.judge import Judge
from lang.judging.rulings import Standing
from lang.statements import Reader
from lang.vocabulary import Event, Name, Predicate, Terms, Vocabulary
from tests.support.cases import for_each

_NAME = Name(zh="名", en="name")
_EVENT = Event(id="deadlock", name=_NAME, say=Terms(zh=("死锁",), en=("deadlock",)))
VOCABULARY = Vocabulary(events=(_EVENT,))
JUDGE = Judge({"DEADLOCK": [Predicate(event="deadlock", bare="counts")]}, VOCABULARY)
READER = Reader(VOCABULARY)


def counted(message: str) -> list[str]:
    """The verdicts that count at once of a message."""
    return [each.verdict.value for each in JUDGE.judge(READER.read(message)) if each.standing is Standing.COUNTS]


@for_each(
    "form",
    ["也没有{}", "都没有{}", "没有锁等待，也没有{}", "没发生{}", "没有发生过{}", "未出现{}", "一次都没有{}", "排除了{}",
     "没查到任何{}", "{}可以排除", "{}也没有", "{}不是原因"],
)  # fmt: skip
def test_none_is_heard_before_and_after_a_name_in_chinese(form: str) -> None:
    """Whatever word for none stands right before or after a name denies it."""
    assert counted(form.format("死锁")) == ["denied"]


@for_each(
    "form",
    ["we ruled out {}s", "{}s can be ruled out", "{}s have been excluded", "couldn't find any {}s", "hardly any {}s",
     "there haven't been any {}s", "{}s didn't show up", "{}s aren't the issue", "nothing about {}s in there"],
)  # fmt: skip
def test_none_is_heard_before_and_after_a_name_in_english(form: str) -> None:
    """What is ruled out, not found or not the issue is denied."""
    assert counted(form.format("deadlock")) == ["denied"]


@for_each(
    "form",
    ["担心会出现{}", "为了避免{}", "以防{}", "除非有{}", "就算有{}也不怕", "更像{}", "看着不像{}",
     "先查一下{}", "帮我看看{}", "一旦{}就完了", "千万别{}", "还没看{}", "没来得及看{}", "想监控{}", "文章里说会{}",
     "跟{}无关", "和{}没关系", "别说{}了", "这样会导致{}"],
)  # fmt: skip
def test_what_is_feared_or_looked_for_says_nothing_in_chinese(form: str) -> None:
    """A fear, a precaution, a comparison, an errand, hearsay or the lack of a relation is no statement."""
    assert counted(form.format("死锁")) == []


@for_each(
    "form",
    ["to avoid {}s we sort the ids", "worried about {}s", "even if there are {}s", "I first thought of {}s",
     "it doesn't look like {}s", "{}s are unlikely", "this could cause a {}",
     "a {} would be bad", "I'd check {}s next",
     "haven't looked at {}s yet", "we monitor {}s", "the docs mention {}s", "nothing to do with {}s",
     "checked for {}s", "we retry on {}s", "another team sees {}s"],
)  # fmt: skip
def test_what_is_feared_or_looked_for_says_nothing_in_english(form: str) -> None:
    """A fear, a precaution, a doubt, an errand, hearsay or the lack of a relation is no statement."""
    assert counted(form.format("deadlock")) == []


@for_each("message", ["死锁", "有死锁", "又死锁了", "we see deadlocks", "deadlocks again", "deadlocks now"])
def test_a_plain_mention_is_heard(message: str) -> None:
    """Nothing of this keeps a plain statement from being heard."""
    assert counted(message) == ["confirmed"]


@for_each(
    "form",
    ["时不时{}", "动不动就{}", "什么都报{}", "谁都碰到{}", "不知道谁触发了{}", "计划底部写着{}",
     "one explain on that view and we get a {}"],
)  # fmt: skip
def test_words_that_look_like_a_question_or_a_plan_tell_all_the_same(form: str) -> None:
    """时不时 asks nothing, 什么都 is all, EXPLAIN is a statement, and a query's plan is no intention."""
    assert counted(form.format("deadlock" if form.isascii() else "死锁")) == ["confirmed"]


@for_each(
    "form",
    [
        "explain {}s",
        "please explain {}s",
        "can you explain why there are {}s",
        "我们计划演练{}",
        "是不是{}",
        "什么是{}",
    ],
)
def test_questions_and_plans_still_tell_nothing(form: str) -> None:
    """To ask for an explanation, or to intend something, says of nothing that it happens."""
    assert counted(form.format("deadlock" if form.isascii() else "死锁")) == []
