"""Questions that were read as something that has no answer, talk beside the case, and values that may count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    FeedbackStep,
    HelpAnswer,
    HypothesisView,
    Item,
    Language,
    MatterView,
    ObservationStep,
    PlanStep,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    ReasoningAnswer,
    ReasonLine,
    Reference,
    SessionView,
    SmalltalkKind,
    SmalltalkStep,
    Speaker,
    Status,
    Text,
    TurnResults,
    Utterance,
    Verdict,
    WhatIfAnswer,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.understand.questions.answerable import _without_question
from tests.support.cases import for_each

LANGUAGES = list(Language)
DDL = Text("长事务挡住 DDL，DDL 挡住所有人", "A long transaction blocks a DDL, which blocks everyone")
LEAK = Text("应用不归还连接，连接泄漏", "Application leaks connections")
WAL = Text("pg_wal 超过 max_wal_size 的 2 倍", "pg_wal above twice max_wal_size")
VIEW = SessionView(
    language=Language.EN,
    turn=4,
    pending=(Item(1, "P-0129", WAL),),
    evidence=(EvidenceView("P-0001", Text("3 个以上会话在等锁", "Three or more sessions wait"), Verdict.CONFIRMED),),
    hypotheses=(HypothesisView("RC-1", DDL, 0.77), HypothesisView("RC-2", LEAK, 0.14)),
    history=(Utterance(Speaker.USER, "it hangs"), Utterance(Speaker.ASSISTANT, "Look at this first: the open check")),
    status=Status.NARROWING,
)


async def steps_of(message: str, view: SessionView = VIEW) -> tuple[PlanStep, ...]:
    """The steps of a message in an open case."""
    return (await Planner().decide(view, message)).plan.steps


async def asked(message: str, view: SessionView = VIEW) -> list[QuestionStep]:
    """The questions of a message in an open case."""
    return [step for step in await steps_of(message, view) if isinstance(step, QuestionStep)]


@for_each(
    "message",
    [
        "dunno, prob. how do i even see who waits on what",
        "fkn hell the coffee machine is broken too. what a monday",
        "ugh my boss just called me twice. anyway what do i do NOW",
        "谁跟谁互相？",
        "等下 你这一大串啥意思 我先看了du",
        "whats even going on here",
    ],
)
async def test_only_a_word_is_explained_as_one(message: str) -> None:
    """A question is taken for the meaning of a word only if it names one; else it is what it asks."""
    for step in await asked(message):
        assert step.topic is not QuestionTopic.MEANING or (step.subject is not None and step.subject.words is None)


@for_each(
    ("message", "topic"),
    [
        ("how do i even see who waits on what", QuestionTopic.OBJECT),
        ("谁跟谁互相？", QuestionTopic.OBJECT),
        ("ugh my boss just called me twice. anyway what do i do NOW", QuestionTopic.RELIEF),
        ("if i cancel 20411 will it come back if they rerun the deploy", QuestionTopic.RISK),
        ("要是我取消 20411，他们重跑发布会不会又来", QuestionTopic.RISK),
        ('what do you mean "A long transaction blocks a DDL"?', QuestionTopic.MEANING),
        ("“应用不归还连接”什么意思", QuestionTopic.MEANING),
    ],
)
async def test_what_had_no_answer_is_what_it_asks(message: str, topic: QuestionTopic) -> None:
    """A supposition of a deed is of that deed, a quoted name is explained, and a cry for help gets relief."""
    assert topic in [step.topic for step in await asked(message)]
    assert QuestionKind.WHAT_IF not in [step.kind for step in await asked(message)]


@for_each(
    "message",
    [
        "why slow?? a slow one would still finish",
        "为什么晚上又自己好了？",
        "为啥行数没涨表会这么大",
    ],
)
async def test_why_it_is_so_is_told_by_the_mechanism(message: str) -> None:
    """Who asks why something is so gets how the cause works, without figures and tickets."""
    steps = await asked(message)
    (topic,) = (step.topic for step in steps)
    assert topic in (QuestionTopic.RELATED, QuestionTopic.MECHANISM)
    how = Text("一。二。三。", "One. Two. Three.")
    for language, gist in ((Language.EN, "One. Two."), (Language.ZH, "一。二。")):
        leading = ConclusionView("RC-1", DDL, 0.77, mechanism=how)
        answer = HelpAnswer(text=steps[0].text, topic=topic, leading=leading)
        said = compose(TurnResults(turn=5, answers=(answer,)), language)
        assert gist in said
        assert "%" not in said


@pytest.mark.parametrize("words", ["日志里翻到一堆这个,啥意思:", "the log is full of this, what does it mean:"])
async def test_what_follows_a_colon_is_what_is_asked_about(words: str) -> None:
    """Who asks what a line of the log means gets that line explained."""
    line = "2026-03-11 01:03:22.410 CST [1188] LOG:  checkpoints are occurring too frequently (21 seconds apart)"
    steps = await asked(f"{words}\n{line}")
    assert [step.common_question for step in steps] == ["checkpoints_too_frequent_message"]


async def test_whether_an_action_would_help_is_asked_of_that_action() -> None:
    """Who asks why going back would not help asks of going back."""
    steps = await asked("it started WITH that release. so why wouldnt going back help?")
    assert [(step.topic, step.action) for step in steps] == [(QuestionTopic.RISK, "roll_back_release")]


@pytest.mark.parametrize("message", ["为啥一个ALTER等着会把登录也堵死", "why out of shared memory, there is ram"])
async def test_where_no_cause_leads_a_common_question_answers(message: str) -> None:
    """Why something is so has a general answer as long as nothing is believed."""
    weak = replace(VIEW, hypotheses=(HypothesisView("RC-1", DDL, 0.02),))
    assert [step.topic for step in await asked(message, weak)] == [QuestionTopic.COMMON]


@pytest.mark.parametrize("message", ["why do you think its the ddl?", "为啥你说是长事务?"])
async def test_why_it_is_believed_is_answered_by_its_grounds(message: str) -> None:
    """Who asks why a cause is believed gets its grounds, and not how it works."""
    assert [step.kind for step in await asked(message)] == [QuestionKind.REASONING]
    line = ReasonLine("P-0001", Text("等锁", "Waits"), Verdict.CONFIRMED, 3.0, 2, 9, ("TK-1",))
    grounds = ReasoningAnswer("RC-1", DDL, 0.77, lines=(line,), leads=True, text=message)
    for language in (Language.EN, Language.ZH):
        said = compose(TurnResults(turn=5, answers=(grounds,)), language)
        assert line.name.say(language) in said
        assert "TK-1" not in said


@for_each("message", ["why are the writes slow", "为啥写入慢"])
@for_each("language", LANGUAGES)
def test_tickets_are_told_only_where_the_belief_is_asked_for(message: str, language: Language) -> None:
    """Why something is so is no question of the tickets behind it."""
    line = ReasonLine("P-0001", Text("等锁", "Waits"), Verdict.CONFIRMED, 3.0, 2, 9, ("TK-1",))
    answer = ReasoningAnswer("RC-1", DDL, 0.77, lines=(line,), leads=True, text=message)
    assert "TK-1" not in compose(TurnResults(turn=5, answers=(answer,)), language)


@for_each("message", ["which tickets are behind that?", "哪些工单支持你这个判断"])
@for_each("language", LANGUAGES)
async def test_the_tickets_behind_it_are_told_where_asked(message: str, language: Language) -> None:
    """Who asks for the tickets of a belief gets their ids."""
    assert QuestionKind.REASONING in [step.kind for step in await asked(message)]
    line = ReasonLine("P-0001", Text("等锁", "Waits"), Verdict.CONFIRMED, 3.0, 2, 9, ("TK-1",))
    answer = ReasoningAnswer("RC-1", DDL, 0.77, lines=(line,), leads=True, text=message)
    assert "TK-1" in compose(TurnResults(turn=5, answers=(answer,)), language)


@for_each(
    "message",
    [
        "妈的老板@我",
        "妈的老板又在群里@我了，月底还要背锅",
        "fkn hell the coffee machine is broken too. what a monday",
        "jfc my boss is on the phone again",
    ],
)
async def test_talk_beside_the_case_is_talk(message: str) -> None:
    """Who swears or tells of the day gets one human line: nothing is explained, asked back or summed up."""
    assert set(await steps_of(message)) == {SmalltalkStep(SmalltalkKind.REMARK)}


@for_each(
    "message",
    [
        "所以我这算不算有?388G,max_wal_size 好像是8G吧",
        "pg_wal is 388 GB, does that count? max_wal_size is 8GB",
        "so does 388 GB count? max_wal_size is 8 GB",
    ],
)
async def test_a_value_that_may_count_is_stated_of_its_thing(message: str) -> None:
    """A value beside the question if it counts is read as that of the open check's thing."""
    (step,) = await steps_of(message)
    assert isinstance(step, ObservationStep)
    assert step.text.startswith("pg_wal")
    assert "388" in step.text
    assert "max_wal_size" in step.text


@pytest.mark.parametrize("opening", ["i asked if 4 ms counts as bad. ran it:", "4毫秒算不算慢啊，你那个我跑了："])
async def test_lines_of_an_output_stay_as_they_are_beside_a_question(opening: str) -> None:
    """Who asks if a value counts, and pastes an output below, has the lines of it read as they stand."""
    pasted = ("Threads_connected 212", "Threads_running 3")
    steps = await steps_of("\n".join((opening, *pasted)))
    assert not any(isinstance(step, ObservationStep) and all(each in step.text for each in pasted) for step in steps)


@pytest.mark.parametrize("message", ["恢复冲突到底啥意思?说人话", "what is a recovery conflict? in plain english"])
async def test_a_meaning_in_plain_words_is_no_summary(message: str) -> None:
    """Plain words are the manner of the explanation, and order nothing else."""
    assert [step.topic for step in await asked(message)] == [QuestionTopic.MEANING]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_is_explained_with_what_a_yes_would_tell(language: Language) -> None:
    """Beside what a check means stands the cause that a yes would point to."""
    matter = MatterView(phenomenon_id="P-0129", name=WAL, reason=WAL, points_to=HypothesisView("RC-2", LEAK))
    answer = HelpAnswer(text="what does all that mean", topic=QuestionTopic.MEANING, matter=matter)
    assert LEAK.say(language) in compose(TurnResults(turn=5, answers=(answer,)), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_open_supposition_blames_no_library(language: Language) -> None:
    """A supposition that cannot be worked out is said to be so in plain words."""
    said = compose(TurnResults(turn=5, answers=(WhatIfAnswer(unresolved=("the moon is full",)),)), language)
    assert "the moon is full" in said
    assert "library" not in said
    assert "知识库" not in said


@for_each(
    ("message", "topics"),
    [
        (
            "what is skip locked, im just asking: kill 24410 too? or stop the job first so it doesnt come back",
            [QuestionTopic.COMMON, QuestionTopic.COMPARISON],
        ),
        ("what is skip locked, im just asking: kill 24410 too?", [QuestionTopic.COMMON, QuestionTopic.RISK]),
        ("恢复冲突啥意思？那杀掉 24410 行不行？", [QuestionTopic.MEANING, QuestionTopic.RISK]),
    ],
)
async def test_two_questions_of_a_message_are_both_answered(message: str, topics: list[QuestionTopic]) -> None:
    """A deed that is asked about after something else is a question of its own, in the order of the message."""
    assert [step.topic for step in await asked(message)] == topics


def test_an_answer_that_is_all_question_stays_an_answer() -> None:
    """Words that were read as an answer and as a question for a meaning leave no statement without words."""
    step = FeedbackStep(Reference(ordinal=1), Verdict.DENIED, "never seen FOR UPDATE")
    asked_too = QuestionStep(QuestionKind.HELP, text="never seen FOR UPDATE", topic=QuestionTopic.MEANING)
    assert _without_question(step, [asked_too]) is step
