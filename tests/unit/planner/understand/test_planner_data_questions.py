"""Questions about data are told from talk about the fault, also those that ask in no form or lean on the last."""

from __future__ import annotations

from services.planner.model import QuestionKind, QuestionStep, SessionView
from services.planner.understand.read import understand
from tests.support.cases import for_each

_ASKED = SessionView(data_asked=True)
_OFFERED = SessionView(data_asked=True, data_options=("根因类别 = REPLICATION", "模块 = replication"))


def asks_for_data(message: str, view: SessionView) -> bool:
    """True if the whole plan is one question about data with the person's words."""
    steps = understand(message, view).steps
    return steps == (QuestionStep(QuestionKind.DATA, text=message),)


@for_each(
    "message",
    ["2025年每月工单数走势", "平均定位时长", "monthly ticket trend for 2024", "各模块工单占比", "close rate in August"],
)
def test_a_figure_is_asked_for_by_its_name(message: str) -> None:
    """A figure about tickets and sessions is a question about data in any turn."""
    assert asks_for_data(message, SessionView())


@for_each(
    "message",
    [
        "哪个月工单最多", "这周做了几次诊断，结了几次", "有几个现象没有任何根因用到", "被否定最多的现象是哪个",
        "哪次诊断拖得最久", "去年前5个根因",
        "上次遗忘事务的单子怎么处理的", "今年工单比去年多吗", "周几工单最多",
        "top 5 causes by number of tickets in 2025", "which month had the most tickets",
        "phenomena that no cause is linked to",
        "which phenomenon gets denied most",
        "what was done in the last bloat ticket", "which cause took longest to find",
        "how many diagnoses are unfinished",
        "how long does it usually take to find a lock problem", "incidents this year compared with last year",
    ],
)  # fmt: skip
def test_what_only_kept_rows_can_answer_is_asked_of_them(message: str) -> None:
    """Figures of past periods, extremes of what was diagnosed, and absence in the library are questions about data."""
    assert asks_for_data(message, SessionView())


@for_each(
    "message",
    [
        "今年第一次遇到这种卡顿", "去年也出过这个问题，现在又来了", "上周开始变慢", "哪个会话锁得最久",
        "slow since last week", "it never happened before", "which session holds the lock the longest",
        "how long will it take to fix", "the incident started this week, writes hang",
        "诊断到哪了", "现在最像哪个根因",
    ],
)  # fmt: skip
def test_the_fault_at_hand_is_no_question_about_data(message: str) -> None:
    """A symptom with a period, a question about the case and one about similar tickets are read as ever."""
    steps = understand(message, SessionView()).steps
    assert not any(isinstance(step, QuestionStep) and step.kind is QuestionKind.DATA for step in steps)


_FOLLOW_UPS = [
    "那上个季度呢", "那去年的呢", "只看严重的", "按模块看", "换成类别", "不含复制类的", "占比呢", "锁类的呢",
    "再按月份分一下", "画个图",
    "and in 2024?", "only critical ones", "by category instead", "what about replication", "as a share", "per month",
    "draw it", "plot it",
]  # fmt: skip


@for_each("message", _FOLLOW_UPS)
def test_a_follow_up_continues_the_data_question(message: str) -> None:
    """After a question about data, words that only change it are one too."""
    assert asks_for_data(message, _ASKED)


@for_each(
    "message",
    [
        "CPU 使用率 95%", "那现在怎么办", "再看看磁盘", "那为什么会这样", "只有主库变慢了", "1有 2没有", "谢谢",
        "重新开始",
        "only replica lag 30s", "那 CPU 95% 呢", "除了 CPU 高，磁盘也满", "only the primary is slow",
        "what should I check next?", "and the disk is full", "no", "now it is fine again",
    ],
)  # fmt: skip
def test_talk_about_the_fault_stays_so(message: str) -> None:
    """After a question about data a symptom, an answer or a question about the case is read as ever."""
    assert understand(message, _ASKED) == understand(message, SessionView())


@for_each("message", ["模块 = replication", "模块", "2", "第二个"])
def test_an_offered_option_is_chosen(message: str) -> None:
    """An option of the analyst is chosen by its words, its name or its number."""
    assert asks_for_data(message, _OFFERED)
    assert not asks_for_data(message, _ASKED)


@for_each(
    "message",
    [
        "会话数 800",
        "活跃会话数很高",
        "平均活跃会话 300 个",
        "session count 500",
        "average of 200 active sessions",
        "每月一次卡顿",
    ],
)
def test_a_symptom_with_a_count_is_no_question(message: str) -> None:
    """Counts of a database's own sessions and the like are symptoms, as ever."""
    assert not any(isinstance(step, QuestionStep) for step in understand(message, SessionView()).steps)
