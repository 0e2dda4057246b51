"""In a long conversation nothing long is told over and over: the cure once, then the step that is meant."""

from __future__ import annotations

from collections import Counter

import pytest

from lang import deferred_re as re
from services.planner.speak.voice import sentences_in
from tests.support.talks import House

INDEX = (
    "billing page takes 30 s since this morning, cpu at 95%, pg 14",
    "plain explain: Parallel Seq Scan on invoices i (cost=0.00..1873206.75 rows=16), Filter: (customer_id = 448120)",
    "what can i do right now?",
    "\\d invoices shows only the primary key, there is no index on customer_id",
    "ok so what do i do NOW. boss wants an ETA",
    "how do i fix it",
    "how sure are you",
    "what do i do now",
    "ran it, ERROR:  CREATE INDEX CONCURRENTLY cannot run inside a transaction block",
    "how do i fix it then",
    "ok done took 11 min, page is back to 1 s",
    "thanks. how do i see that it worked",
)
CONFLICTS = (
    "report on the standby dies with: ERROR: canceling statement due to conflict with recovery",
    "startup process waits on RecoveryConflictSnapshot, three times in a row",
    "what do i do",
    "why does the primary's cleanup kill my report",
    "so what do i do",
    "can i do 10min? does it need a restart?",
    "what next",
    "set it to 1h and reloaded. what next",
    "how do i see if it helped",
    "anything else i should do",
)
QUEUE_ZH = (
    "orders 表上加列卡住了，后面两百多个查询都堵着，都在等锁",
    "卡住的是 ALTER TABLE orders，等 AccessExclusiveLock，有个会话 idle in transaction 两个小时没提交",
    "怎么处理",
    "到底先干什么",
    "为什么会堵",
    "怎么处理，给个准话",
    "现在干嘛",
    "取消了 ALTER，还是堵着",
    "接下来呢",
)
LONG, LONG_ZH, MOST = 60, 30, 2
_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
# A check that is still open may be named again.
_OF_A_CHECK = ("how do I check", "怎么看”")
_HAN = re.compile(r"[\u4e00-\u9fff]")


def long_sentences(reply: str) -> set[str]:
    """The sentences of an answer, without its code, that are long enough to tire."""
    lines = _CODE.sub("", reply).split("\n")
    said = (sentence for line in lines for sentence in sentences_in(line))
    told = (each for each in said if not any(asked in each for asked in _OF_A_CHECK))
    return {each for each in told if len(each) > (LONG_ZH if _HAN.search(each) else LONG)}


@pytest.mark.parametrize("messages", [INDEX, CONFLICTS, QUEUE_ZH], ids=["index", "conflicts", "queue"])
def test_no_long_sentence_comes_a_third_time(running: House, messages: tuple[str, ...]) -> None:
    """What was told twice is not told again, whatever is asked: mechanism, relief, steps, tickets, verification."""
    talk = running.told(*messages)
    counted = Counter(each for reply in talk.replies for each in long_sentences(reply))
    assert [each for each, times in counted.items() if times > MOST] == []


@pytest.mark.parametrize("messages", [INDEX, CONFLICTS], ids=["index", "conflicts"])
def test_the_cure_is_listed_once(running: House, messages: tuple[str, ...]) -> None:
    """The list of all steps stands in one answer of a conversation."""
    talk = running.told(*messages)
    assert sum("What to do, in this order" in reply for reply in talk.replies) == 1


@pytest.mark.parametrize(
    ("refused", "step"),
    [
        ("switch off the feature?? no. what else can i do", "switch off the feature"),
        ("关掉功能？不行。还有什么办法", "功能"),
    ],
)
def test_a_step_refused_is_not_offered_again(running: House, refused: str, step: str) -> None:
    """Who repeats a step as a question and answers no has refused it."""
    talk = running.told(*INDEX[:4], refused)
    assert step not in talk.replies[-1]


@pytest.mark.parametrize(
    ("asks", "risk", "again"), [("how do i fix it", "(risk:", "as before"), ("怎么处理", "（风险", "和刚才一样")]
)
def test_a_step_is_told_in_full_once(running: House, asks: str, risk: str, again: str) -> None:
    """Who asks again what to do now gets the statement of the step, without the risk and the undo that were told."""
    *_, listed, full, short = running.told(*INDEX[:4], asks, asks, asks).replies
    assert risk in listed
    assert risk in full
    assert again not in full
    assert risk not in short
    assert again in short
    assert "CREATE INDEX CONCURRENTLY" in short
