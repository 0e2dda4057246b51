"""The record of a case, and the summaries and answers that are written from it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from services.planner.account.record import Record, record_of
from services.planner.model import (
    Aftermath,
    Brief,
    BriefPart,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    HistoryAnswer,
    HistoryEntry,
    Language,
    ProgressAnswer,
    QuestionTopic,
    RankedHypothesis,
    Reader,
    Remark,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

EN, ZH = Language.EN, Language.ZH
LANGUAGES = [ZH, EN]
# A case from the first complaint to its end, told as people tell it.
TALK = {
    EN: (
        "ugh, the invoice dashboard crawls since about 9:15 this morning, takes 40 s, my phone won't stop. any idea?",
        "hm, right. the finance guys did a bulk import into ledger_rows last night at 23:30, 12 million rows",
        "ok i ran analyze on ledger_rows at 11:05. dashboard is back to 900 ms now, thanks a ton!",
    ),
    ZH: (
        "唉，看板页面从今天上午九点一刻左右开始慢得要命，要40秒，电话都打爆了，咋整？",
        "哦想起来了，财务昨晚23:30往 ledger_rows 里批量导入了1200万行",
        "好吧，我11:05对 ledger_rows 跑了 analyze，看板现在回到900毫秒了，谢啦！",
    ),
}
NAME = Text("统计信息过期", "Stale statistics")
FOUND = ConclusionView(
    "RC-0001",
    NAME,
    0.97,
    plain=Text("数据库手里的概况是旧的。", "The database went by an old picture of its data."),
    solution=(
        SolutionStep(Text("收集统计信息", "Refresh the statistics"), "ANALYZE ledger_rows", "low"),
        SolutionStep(Text("导入之后收集统计", "Refresh after every import"), "", "low", prevents=True),
    ),
    repeated_conclusion=True,
)
ANALYZED = {
    EN: Treatment("analyze", "ok i ran analyze on ledger_rows at 11:05", ("ledger_rows",), 3),
    ZH: Treatment("analyze", "我11:05对 ledger_rows 跑了 analyze", ("ledger_rows",), 3),
}


def results_of(language: Language, *remarks: str, **changed: Any) -> TurnResults:
    """The results of a turn in which a summary is asked for, after these messages."""
    told = remarks or TALK[language]
    values: dict[str, Any] = {
        "diagnosis": DiagnosisView(conclusion=FOUND),
        "answers": (HelpAnswer((), FOUND, "?", QuestionTopic.SUMMARY, brief=Brief(reader=Reader.PLAIN)),),
        "treatments": () if remarks else (ANALYZED[language],),
        "aftermath": Aftermath.WELL,
        "turn": len(told) + 1,
        "remarks": tuple(Remark(turn, text) for turn, text in enumerate(told, 1)),
    }
    return TurnResults(**(values | changed))


def summary(brief: Brief, results: TurnResults, language: Language, found: ConclusionView | None = FOUND) -> str:
    """The summary of these results by a brief."""
    answer = HelpAnswer((), found, "?", QuestionTopic.SUMMARY, brief=brief)
    return compose(replace(results, answers=(answer,)), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_has_every_part_in_terms_of_the_record(language: Language) -> None:
    """Since when, who was hurt, what set it off, what was done and how it is now, each with its figures."""
    text = summary(Brief(reader=Reader.PLAIN), results_of(language), language)
    told = {
        EN: (
            "about 09:15",
            "dashboards became slow",
            "12,000,000 rows in ledger_rows",
            "ANALYZE",
            "11:05",
            "40 s → 900 ms",
        ),
        ZH: ("09:15 左右", "看板页面变慢", "1200 万行", "ledger_rows", "ANALYZE", "11:05", "40 秒 → 900 毫秒"),
    }[language]
    for words in (*told, FOUND.solution[1].action.say(language)):
        assert words in text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("spoken", LANGUAGES)
def test_nothing_of_the_chat_stands_in_it(language: Language, spoken: Language) -> None:
    """No words of a chat, no first person, in the language of the talk or in the other one."""
    brief = Brief(reader=Reader.PLAIN, language=language)
    text = summary(brief, results_of(spoken), spoken)
    chat = r"\b(?:i|my|we|us)\b|ugh|phone|finance|thanks|guys|唉|电话|咋|谢|我|财务|哦"
    assert not re.search(chat, text.lower())
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) is (language is ZH)


@for_each(
    ("said", "done"),
    [
        ("ok, we moved it along: set statement_timeout to 30s on the primary", True),
        ("ops removed the second crontab entry at 14:20", True),
        ("the storage team grew nothing", False),
        ("we looked at the log", False),
        ("i want to restart the app", False),
        ("the errors stopped", False),
        ("should i restart the app? i restarted it last week", False),
        ("a nightly clean-up job deleted 3 million rows from events at 2am", False),
        ("运维把那个定时任务停了", True),
        ("我们把 work_mem 改成 8MB 了", True),
        ("我看了日志", False),
        ("报错停了", False),
        ("要不要我把应用重启？", False),
        ("凌晨的清理任务删了 300 万行", False),
    ],
)
def test_a_deed_is_what_somebody_did_against_the_trouble(said: str, *, done: bool) -> None:
    """Looking, wanting, asking, what stops by itself and what a job did before are no deeds."""
    remarks = (Remark(1, "it is slow everywhere"), Remark(2, said))
    assert bool(record_of(TurnResults(remarks=remarks, turn=3)).deeds) is done


@for_each(
    ("first", "deed"),
    [
        (
            "lag grows since 2am. the clean-up script deleted 3 million rows then",
            "one big DELETE, 3 million rows deleted",
        ),
        ("凌晨两点起延迟一直涨，那会儿清理任务删了 300 万行", "一条语句删了 300 万行"),
    ],
)
def test_what_a_job_deleted_before_is_no_deed(first: str, deed: str) -> None:
    """Rows that a job deleted are what changed, also where the record took them for something done."""
    done = (Treatment("delete_wal", deed, (), 2),)
    record = record_of(TurnResults(remarks=(Remark(1, first), Remark(2, deed)), treatments=done, turn=3))
    assert [each.kind for each in record.changes] == ["purge"]
    assert not record.deeds


@for_each(
    ("first", "clock", "day"),
    [
        ("checkout hangs since a bit before 8pm", "20:00", ""),
        ("nobody deployed since monday. logins fail since 06:40", "06:40", ""),
        ("exports time out, started yesterday at 16:30", "16:30", "yesterday"),
        ("昨晚十点半开始支付一直超时", "22:30", "last_night"),
        ("周二上午起登录老是失败", "", "week_1 morning"),
        ("没人发过版，搜索从14点起就卡住", "14:00", ""),
    ],
)
def test_since_when_is_the_time_of_the_trouble(first: str, clock: str, day: str) -> None:
    """The time is that of the trouble, in either language, and not one at which nothing happened."""
    since = record_of(TurnResults(remarks=(Remark(1, first),), turn=2)).since
    assert since is not None
    assert (since.clock, since.day) == (clock, day)


@for_each(
    ("said", "kind"),
    [
        ("the shop is slow. we shipped 3.4 at noon", "release"),
        ("reports are slow. our colleague raised work_mem from 4MB to 1GB yesterday", "setting"),
        ("报表慢，昨天下午同事把 work_mem 从 4MB 改成了 1GB", "setting"),
        ("接口慢，中午刚发版", "release"),
        ("the shop is slow. nobody shipped anything", ""),
        ("the shop is slow. could it be the release?", ""),
        ("接口慢，没人发版", ""),
    ],
)
def test_a_change_is_told_and_neither_denied_nor_asked(said: str, kind: str) -> None:
    """What had changed before is of a known kind; what nobody did, or is only asked, changed nothing."""
    changes = record_of(TurnResults(remarks=(Remark(1, said),), turn=2)).changes
    assert [each.kind for each in changes] == ([kind] if kind else [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_setting_is_told_from_what_to_what_and_its_reversal_bears_the_cause_out(language: Language) -> None:
    """Who sets back what had been changed, and is well since, knows the cause; both carry their values."""
    talk = {
        EN: (
            "reports fail since 10:00. a colleague changed work_mem from 4MB to 2GB yesterday",
            "we set work_mem to 4MB",
        ),
        ZH: ("报表从10点开始失败，同事昨天把 work_mem 从 4MB 改成 2GB", "我们把 work_mem 改成 4MB 了"),
    }[language]
    memory = ConclusionView("RC-1", Text("内存超量", "Memory overcommitted"), 0.9, repeated_conclusion=True)
    asked = HelpAnswer((), None, "?", QuestionTopic.SUMMARY, leading=memory, brief=Brief())
    diagnosis = DiagnosisView(hypotheses=(RankedHypothesis("RC-1", memory.name, 0.9),))
    text = compose(results_of(language, *talk, answers=(asked,), diagnosis=diagnosis), language)
    assert {EN: "from 4MB to 2GB", ZH: "从 4MB 改为 2GB"}[language] in text
    assert {EN: "from 2GB to 4MB", ZH: "从 2GB 改为 4MB"}[language] in text
    assert not re.search(r"very likely|almost certainly|很可能|基本可以认定", text)


@for_each(
    ("change", "deed"),
    [
        ("reports fail. a colleague changed work_mem from 4MB to 2GB yesterday", "we put it back to 4MB and reloaded"),
        ("报表失败，同事昨天把 work_mem 从 4MB 改成 2GB", "我们已经改回 4MB 了"),
    ],
)
def test_what_is_set_back_is_the_setting_that_had_this_value(change: str, deed: str) -> None:
    """A value that was there before names its setting, without the name."""
    done = (Treatment("set_parameter", deed, (), 2),)
    record = record_of(TurnResults(remarks=(Remark(1, change), Remark(2, deed)), treatments=done, turn=3))
    assert [each for one in record.deeds for each in one.settings] == [("work_mem", "4MB", "2GB")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_those_of_now_with_the_worst_before(language: Language) -> None:
    """What is usual is no figure of before, one that did not fall is not told, and an output may have the first."""
    talk = {
        EN: (
            "db is slow, cpu is at 96 %, usually 30 %",
            "| Threads_connected | 812 |",
            "i restarted the app at 9:00",
            "cpu is 28 % now, Threads_connected is at 60, disk is at 71 % now",
        ),
        ZH: (
            "库很慢，cpu 96%，平时 30%",
            "| Threads_connected | 812 |",
            "我9:00把应用重启了",
            "cpu 现在 28%，Threads_connected 降到 60，磁盘现在 71%",
        ),
    }[language]
    done = (Treatment("restart_app", "x", (), 3),)
    figures = [each.say(language) for each in record_of(results_of(language, *talk, treatments=done)).figures]
    assert figures[0] == "CPU 96% → 28%"
    assert "812 → 60" in figures[1]
    assert not any("96% → 71%" in each for each in figures)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_known_is_left_out(language: Language) -> None:
    """Without a time, a deed or news the text claims none of them, and one short line asks at most for one thing."""
    first = {EN: "checkout is slow", ZH: "结账很慢"}[language]
    text = summary(Brief(reader=Reader.PLAIN), results_of(language, first, aftermath=None), language)
    assert not re.search(r"what was done|done so far|this was done|normal|^from|处理|正常|起，|恢复", text.lower())
    assert "\n" not in text
    acted = results_of(language, first, "x", treatments=(Treatment("restart_app", "x", (), 2),), aftermath=None)
    assert summary(Brief(), acted, language).count("\n") == 1


@for_each("language", LANGUAGES)
@for_each("number", [1, 2, 3, 4])
def test_few_sentences_join_what_goes_together(number: int, language: Language) -> None:
    """A text of N sentences has N, and with at least two both the cause and how it is now."""
    text = summary(Brief(reader=Reader.PLAIN, sentences=number), results_of(language), language)
    assert len(re.findall(r"[。]|[.](?=\s|$)", text)) == number
    assert FOUND.plain.say(language).strip("。.").lower() in text.lower()
    assert {EN: "normal", ZH: "正常"}[language] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_parts_that_are_named_are_in_it(language: Language) -> None:
    """Prevention asked for stays in three sentences, as the person means to do it."""
    plan = {EN: "from now on we delete in batches of 2000", ZH: "我们打算以后分批删，每批 2000 行"}[language]
    brief = Brief(reader=Reader.PLAIN, sentences=3, within=(BriefPart.CAUSE, BriefPart.PREVENTION))
    text = summary(brief, results_of(language, *TALK[language], plan, treatments=(ANALYZED[language],)), language)
    assert {EN: "batches of 2,000 rows", ZH: "每批 2,000 行"}[language] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_set_right_is_in_the_text(language: Language) -> None:
    """The cause as the person puts it is the change that it names; unwanted words are in no piece; figures may go."""
    cause = {EN: "the bulk import", ZH: "批量导入"}[language]
    text = summary(Brief(cause=cause, unsaid=("analyze",)), results_of(language), language)
    assert {EN: "The cause: a bulk import of 12,000,000 rows", ZH: "的批量导入：ledger_rows，1200 万行"}[
        language
    ] in text
    assert "analyze" not in text.lower()
    assert "900" not in summary(Brief(without=(BriefPart.FIGURES,)), results_of(language), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_told_is_read_back_from_the_record(language: Language) -> None:
    """Part by part: beginning, change, findings, deeds, state; nothing of what was taken back or asked."""
    entries = (HistoryEntry(2, Text("索引坏", "Index broken"), Verdict.CONFIRMED, "indexes", retracted=True),)
    seen = (EvidenceView("P-1", Text("磁盘满", "The disk is full"), Verdict.DENIED, "df", 2),)
    asked = {EN: "what did i tell you so far?", ZH: "我到现在都跟你说过什么？"}[language]
    results = results_of(language, *TALK[language], asked, treatments=(ANALYZED[language],), seen=seen, turn=4)
    text = compose(replace(results, answers=(HistoryAnswer(entries, 4),), diagnosis=None), language)
    lines = [line for line in text.split("\n") if line.startswith("- ")]
    assert len(lines) >= 5
    for words in ("09:15", "ledger_rows", seen[0].name.say(language), "11:05", "900"):
        assert words in text
    assert "Index broken" not in text
    assert "索引坏" not in text
    assert asked not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_things_stand_has_what_was_done_and_no_ranking_once_it_is_over(language: Language) -> None:
    """After a deed that helped, progress tells the deed and the figures, and ranks no causes."""
    view = EvidenceView("P-1", Text("慢", "Slow"), Verdict.CONFIRMED, "slow", 1)
    hypotheses = (RankedHypothesis("RC-1", NAME, 0.4),)
    results = results_of(language, *TALK[language], treatments=(ANALYZED[language],), seen=(view,))
    asked = {EN: "where are we?", ZH: "现在到哪一步了"}[language]
    answers = (ProgressAnswer(3, (view,), text=asked),)
    text = compose(
        replace(results, answers=answers, diagnosis=DiagnosisView(hypotheses=hypotheses), aftermath=None), language
    )
    assert "ANALYZE" in text
    assert "900" in text
    assert "40 %" not in text
    assert "40%" not in text.replace("40% →", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_no_after_the_cure_rules_nothing_out(language: Language) -> None:
    """What is absent once something helped tells of the deed, so that it is not among what was ruled out."""
    before = EvidenceView("P-2", Text("磁盘满", "The disk is full"), Verdict.DENIED, "df", 1)
    after = EvidenceView("P-3", Text("有会话在等", "Sessions wait"), Verdict.DENIED, "none wait", 4)
    answer = HelpAnswer((), None, "?", QuestionTopic.RULED_OUT, evidence=(before, after))
    done = (Treatment("terminate", "killed it", (), 3),)
    text = compose(TurnResults(answers=(answer,), treatments=done, aftermath=Aftermath.WELL, turn=5), language)
    assert before.name.say(language) in text
    assert after.name.say(language) not in text


def test_an_empty_case_has_an_empty_record() -> None:
    """Nothing told is nothing on record."""
    assert record_of(TurnResults()) == Record()
