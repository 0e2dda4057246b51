"""What the person told: picked out of their messages, filled into a summary, read back, and set right."""

from __future__ import annotations

import pytest

from services.planner.account.rewriting import with_changes
from services.planner.account.told import cause_told, changes, deeds, opening, telling
from services.planner.model import (
    Aftermath,
    Brief,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    HistoryAnswer,
    HistoryEntry,
    Language,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    Reader,
    Remark,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    Treatment,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.treatment.going_on import asked_by
from services.planner.treatment.wanted.briefs import read_order
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
BEGUN = {
    Language.EN: "hi. the billing page times out since 09:10, forty tickets. someone shipped 3.4 at nine. ideas?",
    Language.ZH: "在吗？账单页面从9点10分开始一直超时，客服已经四十个工单。早上发了个版。先看什么？",
}
DEEDS = {
    Language.EN: "ok I rebuilt the invoice index at 10:25. no timeouts since 10:31",
    Language.ZH: "好的，我把发票表的索引重建完了，从10点31分起恢复正常了",
}
FOUND = ConclusionView(
    "RC-0001",
    Text("索引失效", "An invalid index"),
    0.97,
    plain=Text("目录坏了一页，每次都要从头翻。", "A page of the directory was broken, so everything was read twice."),
    solution=(
        SolutionStep(Text("每周核对索引是否有效", "Check the indexes once a week"), "", "low", prevents=True),
        SolutionStep(Text("告警", "Alert"), "", "none", prevents=True),
    ),
    repeated_conclusion=True,
)
RELEASE = EvidenceView("P-1", Text("重启之后开始", "Began right after a restart"), Verdict.CONFIRMED, "NO RESTART", 2)


def view_after(text: str) -> SessionView:
    """A session whose last turn gave this summary."""
    return SessionView(
        turn=5, brief=Brief(reader=Reader.PLAIN), briefed=4, history=(Utterance(Speaker.ASSISTANT, text),)
    )


def summary(language: Language, brief: Brief, *remarks: str, aftermath: Aftermath | None = Aftermath.WELL) -> str:
    """The summary of a case in which this was said."""
    return compose(
        TurnResults(
            diagnosis=DiagnosisView(conclusion=FOUND),
            answers=(HelpAnswer((), FOUND, "?", QuestionTopic.SUMMARY, brief=brief),),
            seen=(RELEASE,),
            treatments=tuple(Treatment("drop_data", each, (), 2) for each in remarks if "delete" in each),
            aftermath=aftermath,
            remarks=tuple(Remark(turn, text) for turn, text in enumerate(remarks, 1)),
        ),
        language,
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slot_is_what_was_said(language: Language) -> None:
    """The beginning, what had changed, what was done and how it is now stand in the words that told them."""
    text = summary(language, Brief(reader=Reader.PLAIN), BEGUN[language], DEEDS[language])
    told = {
        Language.EN: (
            "billing page times out since 09:10",
            "someone shipped 3.4",
            "I rebuilt the invoice index at 10:25",
            "10:31",
        ),
        Language.ZH: ("账单页面从 9 点 10 分开始一直超时", "早上发了个版", "我把发票表的索引重建完了", "10 点 31 分"),
    }[language]
    for words in told:
        assert words in text
    assert FOUND.solution[0].action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_only_recognised_is_no_slot(language: Language) -> None:
    """A name that was read into words, a deed in a question, and without jargon a name for experts are not told."""
    words = {Language.EN: "write it for my boss, no jargon", Language.ZH: "给老板写个总结，别用术语"}[language]
    order = read_order(words, SessionView())
    assert order is not None
    text = summary(language, order.step.brief or Brief(), BEGUN[language], "should we delete rows? NO RESTART")
    for name in (RELEASE.name, FOUND.name, Text("删数据", "deleting data")):
        assert name.say(language).lower() not in text.lower()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_nobody_told_is_named_once_and_not_guessed(language: Language) -> None:
    """Without a word of what was done or how it is, the text claims neither, and one line names both."""
    text = summary(language, Brief(reader=Reader.PLAIN), BEGUN[language], aftermath=Aftermath.UNCHANGED)
    lines = text.split("\n")
    assert len(lines) == 2
    assert ("what was done" if language is Language.EN else "做了什么处理") in lines[1]
    assert not any(word in lines[0] for word in ("recovered", "没有恢复", "watching", "观察"))


@for_each(
    ("said", "done"),
    [
        ("I moved the report to the standby at 14:05", True),
        ("the storage team grew nothing", False),
        ("patched the loader, deployed at 08:15", True),
        ("we looked at the log", False),
        ("I want to restart it", False),
        ("the errors stopped", False),
        ("should I restart it? I restarted it last week", False),
        ("运维把定时任务停了", True),
        ("15:20 索引建完", True),
        ("我看了日志", False),
        ("报错停了", False),
        ("要不要我把它杀了？", False),
        ("昨天我们改了配置", False),
    ],
)
def test_a_deed_is_what_somebody_did_now(said: str, *, done: bool) -> None:
    """Looking, wanting, asking, what stops by itself and what was done on a day before are no deeds of the case."""
    told = telling((Remark(1, "it is slow everywhere"), Remark(2, said)))
    assert bool(deeds(told, TurnResults())) is done


def test_beside_a_pasted_error_only_the_record_tells_a_deed() -> None:
    """What somebody says to have done may have failed where an error is pasted with it."""
    failed = "killed it:\n\ndb=# SELECT pg_terminate_backend(7);\nERROR:  permission denied for function x"
    remarks = (Remark(1, "it hangs"), Remark(2, failed))
    assert not deeds(telling(remarks), TurnResults(remarks=remarks))


@for_each(
    "said",
    ["you told me it was the disk", "why is it slow?", "I never said that", "算了", "你看错了", "帮我看看", "no idea"],
)
def test_what_is_said_to_the_assistant_tells_nothing(said: str) -> None:
    """Questions, protests and orders are no part of what was told."""
    assert not telling((Remark(1, said),))


def test_the_opening_is_the_trouble_and_since_when() -> None:
    """The sentence that tells most, and the one with the time where it has none; no sentence that all is fine."""
    told = telling(
        (Remark(1, "reports die halfway with an odd error on the copy. like this since friday. nothing was deployed"),)
    )
    assert [each.text for each in opening(told, ())] == [
        "reports die halfway with an odd error on the copy",
        "like this since friday",
    ]
    assert not changes(told)


@for_each(
    ("said", "cause"),
    [
        ("总结里原因写夜里的备份没停", "夜里的备份没停"),
        ("the cause is a stuck backup job", "a stuck backup job"),
        ("原因是什么？", ""),
        ("what is the cause?", ""),
    ],
)
def test_a_cause_is_told_and_not_asked(said: str, cause: str) -> None:
    """The person's own word for the cause is carried over; a question has none."""
    assert cause_told((Remark(1, said),)) == cause


@for_each(
    ("said", "cleared"),
    [
        ("three sentences for my boss, and say it wasn't the firewall", ("firewall",)),
        ("he thinks it's the network. 3 sentences for my boss, say it wasnt", ("network",)),
        ("给老板写三句话，顺便说不是磁盘也不是攻击", ("磁盘", "攻击")),
        ("给老板写三句话，现在不是高峰", ()),
    ],
)
def test_what_it_was_not_is_said_where_that_is_asked(said: str, cleared: tuple[str, ...]) -> None:
    """An order that wants said what it was not has it in the brief, word for word."""
    order = with_changes(read_order(said, SessionView()), said, SessionView())
    assert order is not None
    assert order.step.brief is not None
    assert order.step.brief.cleared == cleared


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_was_not_what_the_person_wants_cleared(language: Language) -> None:
    """What is cleared is said so, unless it is what the cause is about."""
    words = {Language.EN: ("network", "index"), Language.ZH: ("网络", "索引")}[language]
    text = summary(language, Brief(reader=Reader.PLAIN, cleared=words), BEGUN[language])
    assert {Language.EN: "it was not the network", Language.ZH: "不是网络"}[language] in text.lower()
    assert {Language.EN: "not the index", Language.ZH: "不是索引"}[language] not in text


@for_each(
    ("text", "said", "unsaid", "added"),
    [
        (
            "The index was broken; all pages failed. Done so far: deleting rows.",
            "not all pages failed, only billing. rewrite it, the index was rebuilt at 10:25",
            "all pages failed",
            "the index was rebuilt at 10:25",
        ),
        (
            "The index was broken. It has not recovered yet.",
            '"it has not recovered yet" is wrong! fix the summary please, and put in that support found it at nine',
            "it has not recovered yet",
            "support found it at nine",
        ),
        (
            "原因查清了：索引坏了，全站打不开。",
            "没有全站打不开，只是账单页。重写一遍，索引10:25重建好的",
            "全站打不开",
            "只是账单页",
        ),
    ],
)
def test_a_text_is_set_right_by_what_is_said_of_it(text: str, said: str, unsaid: str, added: str) -> None:
    """A denial takes out the words that it denies, and what is told beside is added in its own words."""
    view = view_after(text)
    order = with_changes(read_order(said, view), said, view)
    assert order is not None
    assert order.step.brief is not None
    assert unsaid in order.step.brief.unsaid
    assert any(added in each for each in order.step.brief.added)
    assert not any(unsaid in each for each in order.step.brief.added)
    assert not order.rest


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_piece_that_is_denied_goes_and_the_rest_stays(language: Language) -> None:
    """Only the piece of a sentence that holds the denied words is left out."""
    words = {Language.EN: "so everything was read", Language.ZH: "每次都要从头翻"}[language]
    text = summary(language, Brief(reader=Reader.PLAIN, unsaid=(words,)), BEGUN[language])
    assert words not in text.lower()
    assert {Language.EN: "A page of the directory was broken", Language.ZH: "目录坏了一页"}[language] in text


@for_each(
    "said",
    [
        "so what did I tell you so far?",
        "list what i told you, for the ticket",
        "what did we change tonight, in what order?",
        "我到现在都跟你说过什么？",
        "我们今晚都做了哪些？",
    ],
)
def test_looking_back_asks_for_the_record(said: str) -> None:
    """What was told and what was done is a question of the record, in either language, and orders no text."""
    view = SessionView(evidence=(RELEASE,))
    steps = [step for _, asked in asked_by(said, view) for step in asked]
    assert QuestionKind.HISTORY in [step.kind for step in steps if isinstance(step, QuestionStep)]
    assert with_changes(read_order(said, view), said, view) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_record_is_read_back_in_their_words(language: Language) -> None:
    """What was told stands by its turns, what was read from a paste apart, and what was taken back nowhere."""
    row = "21 | idle | 00:10:00"
    entries = (
        HistoryEntry(1, Text("超时", "Timeouts"), Verdict.CONFIRMED, row),
        HistoryEntry(2, Text("索引坏", "Index broken"), Verdict.CONFIRMED, DEEDS[language], retracted=True),
    )
    asked = Remark(3, "what did I tell you so far?" if language is Language.EN else "我跟你说过什么？")
    remarks = (Remark(1, BEGUN[language]), Remark(2, DEEDS[language]), asked)
    results = TurnResults(answers=(HistoryAnswer(entries, 3),), turn=3, remarks=remarks)
    text = compose(results, language)
    told, pasted = text.split({Language.EN: "And I read", Language.ZH: "另外"}[language])
    assert {Language.EN: "billing page", Language.ZH: "账单页面"}[language] in told
    assert row.split(" | ")[1] in pasted
    assert {Language.EN: "Index broken", Language.ZH: "索引坏"}[language] not in text
    assert asked.text not in text


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
