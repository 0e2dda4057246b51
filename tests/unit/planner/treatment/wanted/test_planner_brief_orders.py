"""Orders for a summary of the case: what is one, for whom and how long, and what it changes of the last one."""

from __future__ import annotations

from services.planner.model import (
    Aftermath,
    Brief,
    BriefPart,
    EvidenceView,
    Language,
    Reader,
    SessionView,
    Speaker,
    Text,
    Utterance,
    Verdict,
)
from services.planner.treatment.durations import began_in
from services.planner.treatment.wanted.briefs import read_order
from tests.support.cases import for_each

SLOW = EvidenceView("P-1", Text("写入很慢", "Writes are slow"), Verdict.CONFIRMED, "写入慢", 1, complaint=True)
TOLD = "订单变慢了。原因是 old_cdc 没人用。已经处理。现在恢复了。"
NEW = SessionView(language=Language.ZH)
AFTER = SessionView(
    language=Language.ZH,
    brief=Brief(language=Language.ZH),
    history=(Utterance(Speaker.USER, "给老板写个总结"), Utterance(Speaker.ASSISTANT, TOLD)),
)


def brief(said: str, view: SessionView = NEW) -> Brief:
    """How a summary is to be written by a message that is an order and nothing else."""
    order = read_order(said, view)
    assert order is not None, said
    assert not order.rest, order.rest
    assert order.step.brief is not None
    return order.step.brief


@for_each(
    ("said", "reader", "sentences"),
    [
        ("给老板写个总结，3 句话", Reader.PLAIN, 3),
        ("老板问原因 一句话怎么说", Reader.PLAIN, 1),
        ("发群里说一下", Reader.PLAIN, 0),
        ("写个故障报告发工单", Reader.TECHNICAL, 0),
        ("交接给下一班，怎么说", Reader.TECHNICAL, 0),
        ("说人话", Reader.PLAIN, 0),
        ("总结", None, 0),
        ("3 sentences for my boss", Reader.PLAIN, 3),
        ("what do I tell my manager", Reader.PLAIN, 0),
        ("I don't understand, I'm no DBA", Reader.PLAIN, 0),
        ("write the incident report", Reader.TECHNICAL, 0),
        ("handover for the next shift please", Reader.TECHNICAL, 0),
        ("summary pls", None, 0),
        ("发个恢复通告", Reader.PLAIN, 0),
        ("plain summary for the product owner pls, max 2 sentences", Reader.PLAIN, 2),
        ("update the handoff", Reader.TECHNICAL, 0),
        ("写给业务群的，三句", Reader.PLAIN, 3),
        ("ok 再给 DBA 组一份详细的", Reader.TECHNICAL, 0),
        ("更新一下通报", Reader.PLAIN, 0),
        ("write that up", None, 0),
        ("what does that even mean, explain like I'm five", Reader.PLAIN, 0),
        ("这是啥意思，我听不懂，我不是 DBA", Reader.PLAIN, 0),
        ("太长不看，老板版一句话", Reader.PLAIN, 1),
        ("给我写个工单描述", Reader.TECHNICAL, 0),
        ("出一个复盘，写上时间线", Reader.TECHNICAL, 0),
        ("ok so in simple words?", Reader.PLAIN, 0),
        ("给老板写一段总结", Reader.PLAIN, 0),
        ("来一段给领导的说明，五句话", Reader.PLAIN, 5),
        ("先给老板说一声，别太长", Reader.PLAIN, 3),
        ("写一版给 DBA 看", Reader.TECHNICAL, 0),
    ],
)
def test_an_order_says_for_whom_and_how_long(said: str, reader: Reader | None, sentences: int) -> None:
    """The reader and the number of sentences of a summary are those that the order names."""
    asked = brief(said)
    assert (asked.reader, asked.sentences) == (reader, sentences)


@for_each("view", [NEW, AFTER])
@for_each(
    "said",
    [
        "报表跑得很慢",
        "日志我发群里了",
        "交接班之后开始慢的",
        "工单表写入慢",
        "客户投诉下单失败",
        "怎么导出报告？",
        "no idea about 3",
        "怎么发给老板看",
        "我能跟领导说就是它吗",
        "no no I meant mysql",
        "no such event on the timeline",
        "1 yes, 2 no idea",
        "remove RC-0001 from the candidates",
        "给条 sql",
        "give me the sql for locks",
        "xmin 是什么玩意",
        "我看不懂这个",
        "重来一遍",
        "跑了 60 行",
        "加上 P-0012 会怎样",
        "say that again",
        "put it back",
        "how do I tell whether a plan changed",
        "what do i put for <pid>",
        "I'm no dba, where do i type that",
        "我不是 DBA，该怎么看",
        "计划那一坨我看不懂，先欠着",
        "刚刚发错群的内容",
        "why do you ask, I don't get why",
        "发给客户的短信很慢",
        "给客户看的报表很慢",
        "给客户表加了索引",
        "加上索引了",
        "去掉了那个索引",
        "不要重启",
        "改成 200 了",
        "4711 还在",
        "英文报错 too many clients",
        "the report summary table is 40 GB",
        "summary query got slow",
        "two lines in the log say FATAL",
        "the dashboard for management is slow",
        "the write for customers is slow",
        "I don't understand item 2",
        "add an index on orders",
        "drop the index",
        "it's still slow",
    ],
)
def test_what_tells_of_the_system_is_no_order(said: str, view: SessionView) -> None:
    """Words of an order that tell of the system are read as what they tell, also right after a summary."""
    assert read_order(said, view) is None


@for_each(
    ("said", "rest"),
    [
        ("kill 了 4711，恢复了。给老板写两句", "kill 了 4711，恢复了。"),
        ("it works now, 2 lines for the boss please", "it works now"),
        ("磁盘 95%，写个总结给领导", "磁盘 95%"),
    ],
)
def test_what_stands_beside_an_order_is_read(said: str, rest: str) -> None:
    """Only the order is taken from a message; the facts beside it stay to be read."""
    order = read_order(said, NEW)
    assert order is not None
    assert order.rest == rest


@for_each(
    ("said", "changed"),
    [
        ("短一点", {"sentences": 2}),
        ("shorter", {"sentences": 2}),
        ("改成两句话", {"sentences": 2}),
        ("in English please", {"language": Language.EN}),
        ("用英文", {"language": Language.EN}),
        ("英文版也要一份", {"language": Language.EN}),
        ("不要术语", {"reader": Reader.PLAIN, "unsaid": ("dba",)}),
        ("no jargon please", {"reader": Reader.PLAIN, "unsaid": ("dba",)}),
        ("这不是总结，老板不懂 idle in transaction", {"reader": Reader.PLAIN, "sentences": 3}),
        ("too technical", {"reader": Reader.PLAIN, "sentences": 3}),
        ("去掉处理，加上怎么防止再来", {"without": (BriefPart.DONE,), "within": (BriefPart.PREVENTION,)}),
        ("remove the percentages", {"without": (BriefPart.FIGURES,)}),
        ("add that customers could not pay for 20 minutes", {"added": ("customers could not pay for 20 minutes",)}),
        ("加一句 数据没有丢", {"added": ("数据没有丢",)}),
        ("加上 客户 20 分钟付不了款", {"added": ("客户 20 分钟付不了款",)}),
        ("mention that no data was lost", {"added": ("no data was lost",)}),
        ("can you put the numbers back", {"within": (BriefPart.FIGURES,)}),
        ("make it one", {"sentences": 1}),
        ("把时间去掉", {"without": (BriefPart.SINCE,)}),
        ("drop the part about prevention", {"without": (BriefPart.PREVENTION,)}),
        ("include the number of affected sessions", {"within": (BriefPart.FIGURES,)}),
        ("加一句：我们已经在处理", {"added": ("我们已经在处理",)}),
        ("no db words please", {"reader": Reader.PLAIN, "unsaid": ("dba",)}),
        ("for the DBA team now", {"reader": Reader.TECHNICAL}),
        ("say it more politely", {}),
        ("重新发一版", {}),
        ("把现象那条删了", {"without": (BriefPart.NOTICED,)}),
        ("复盘里的原因再展开", {"reader": Reader.TECHNICAL}),
        ("can you leave out the size", {"unsaid": ("the size",)}),
        ("this reads like a robot wrote it", {"reader": Reader.PLAIN, "sentences": 3}),
        ('write "We are sorry." at the top', {"added": ("We are sorry",)}),
        ("加一个预计恢复时间：0 点 30 分", {"added": ("预计恢复时间：0 点 30 分",)}),
        ("翻译成英文发给 vendor", {"language": Language.EN, "reader": Reader.TECHNICAL}),
        ("把“正在处理”加上", {"added": ("正在处理",)}),
        ("3 lines, with numbers", {"sentences": 3, "within": (BriefPart.FIGURES,)}),
        ("里面加上影响范围：3 个报表停更", {"added": ("影响范围：3 个报表停更",)}),
        ("去掉 old_cdc 这个名字", {"unsaid": ("old_cdc",)}),
        ("now the internal version with all details", {"reader": Reader.TECHNICAL}),
        ("and the same in Chinese", {}),
        ("一句话", {"sentences": 1}),
        ("I need it in Chinese too", {}),
        ("不要写订单变慢", {"unsaid": ("订单变慢",)}),
        ("再写一版给 DBA 看", {"reader": Reader.TECHNICAL}),
        ("这写的什么玩意", {"reader": Reader.PLAIN, "sentences": 3}),
        ("加上怎么防止再来，用英文", {"within": (BriefPart.PREVENTION,), "language": Language.EN}),
        ("按这个重写一版：凌晨订单卡住，已经处理。", {"own": "凌晨订单卡住，已经处理。"}),
        ("重写", {}),
    ],
)
def test_an_order_after_a_summary_changes_what_it_names(said: str, changed: dict[str, object]) -> None:
    """What a later order names is changed, and everything else of the last summary stays."""
    asked = brief(said, AFTER)
    kept = {
        "language": Language.ZH,
        "reader": None,
        "sentences": 0,
        "without": (),
        "within": (),
        "added": (),
        "own": "",
        "unsaid": (),
    }
    assert {key: getattr(asked, key) for key in kept} == kept | changed


def test_another_summary_begins_anew() -> None:
    """A report that is asked for after a summary has the parts that were left out of that one."""
    last = SessionView(brief=Brief(without=(BriefPart.CAUSE,)), briefed=1, turn=2)
    assert brief("再写个技术复盘", last).without == ()
    assert brief("write a new summary for the CTO", last).without == ()
    assert brief("更新一下", last).without == (BriefPart.CAUSE,)


@for_each("said", ["短一点", "shorter", "in English please", "remove the percentages", "去掉处理"])
def test_without_a_summary_before_there_is_nothing_to_rewrite(said: str) -> None:
    """Words that change a summary are an order only right after one."""
    assert read_order(said, NEW) is None


@for_each(
    ("said", "began"),
    [
        ("从 2 点 10 分开始卡", "02:10"),
        ("昨晚 11 点开始报错", "last_night 23:00"),
        ("短信服务凌晨 1 点半左右开始报错", "small_hours 01:30"),
        ("昨天下午 5 点起就慢", "yesterday 17:00"),
        ("the checkout is slow since 14:00", "14:00"),
        ("it began around 2:40 am", "02:40"),
        ("writes got very slow around 9am", "09:00"),
        ("since last night", "last_night"),
        ("早上 9:30 发版之后开始的", "morning 09:30"),
        ("凌晨 1 点开始备份", ""),
        ("slow since the deploy", ""),
        ("slow since 5 minutes", ""),
        ("connections from 10.0.0.3", ""),
    ],
)
def test_since_when_is_a_time_that_is_told_of_the_trouble(said: str, began: str) -> None:
    """A time counts as the beginning where the trouble is told to begin then; nothing else is one."""
    assert began_in(said, None, NEW) == began
    assert not began_in(said, Aftermath.WELL, NEW)


@for_each(
    ("said", "began"),
    [
        ("ALTER TABLE 从 8:38 开始就卡着", ""),
        ("不对，是从 8:10 开始的", "08:10"),
        ("sorry, since 8:10", "08:10"),
    ],
)
def test_a_later_time_is_the_beginning_only_as_a_correction(said: str, began: str) -> None:
    """Once something is on record, a time that is told counts only where it corrects the one before."""
    assert began_in(said, None, SessionView(evidence=(SLOW,))) == began


@for_each(("said", "is_order"), [("重写", True), ("五句", True), ("in English please", False), ("短一点", False)])
def test_a_language_or_a_length_is_that_of_a_summary_right_after_it(said: str, is_order: bool) -> None:
    """Some turns after a summary, words for the language or the length are about the answers."""
    later = SessionView(language=Language.ZH, brief=Brief(), turn=7, briefed=5)
    assert (read_order(said, later) is not None) is is_order


@for_each(
    "said",
    [
        "还有开发群刚说晚上大促 副本从12个加到40个了",
        "研发群说副本要加到 40 个",
        "我没让你写通报",
        "谁让你写总结了",
        "别给我写总结 先说怎么办",
        "跟开发说了先停一下",
        "i didnt ask you to write a summary",
        "don't write me a status update, fix it",
        "the dev channel just said they scaled to 40 pods",
    ],
)
def test_a_group_that_is_named_or_a_summary_that_is_refused_is_no_order(said: str) -> None:
    """A summary is written only where a message asks for one: not for news of a channel, nor where none is wanted."""
    assert read_order(said, NEW) is None
