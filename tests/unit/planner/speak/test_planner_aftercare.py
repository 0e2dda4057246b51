"""Answers after treatment and before it: plain sentences, the very step, names in place of blanks, nothing twice."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from services.planner.model import (
    Aftermath,
    Answer,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    MatterView,
    NamedObject,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReasoningAnswer,
    ReasonLine,
    ReliefStep,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment import actions
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
NAME = Text("无人消费的复制槽保留 WAL", "An inactive slot retains WAL")
LOOK = SolutionStep(Text("查清槽属于谁", "Find out whose slot it is"), "SELECT * FROM pg_replication_slots;", "none")
CAP = SolutionStep(
    Text("给槽封顶", "Cap the slots"),
    "ALTER SYSTEM SET max_slot_wal_keep_size = '100GB'; SELECT pg_reload_conf();",
    "medium",
)
DROP = SolutionStep(
    Text("删掉没人要的槽", "Drop the slot nobody needs"),
    "SELECT pg_drop_replication_slot('<slot>');",
    "high",
    helps="within minutes",
)
ALERT = SolutionStep(Text("对保留量告警", "Alert on retained WAL"), "", "none", prevents=True)
VERIFY = Text("下一次检查点后 pg_wal 变小", "pg_wal is smaller after the next checkpoint")
RELIEF = ReliefStep(Text("先给槽封顶", "Cap what slots may retain"), CAP.how, "medium", Text("x", "x"), Text("y", "y"))
FOUND = ConclusionView(
    "RC-0048",
    NAME,
    0.98,
    relief=(RELIEF,),
    solution=(LOOK, CAP, DROP, ALERT),
    verify=VERIFY,
    supporting=(Text("槽保留很多", "A slot retains much"),),
    repeated_conclusion=True,
)
CHECK = RankedRecommendation(1, "P-0129", Text("pg_wal 很大", "pg_wal is large"), "sql", "SELECT count(*) FROM x")
OPEN = DiagnosisView((RankedHypothesis("RC-0048", NAME, 0.6, 0.6),), (CHECK,))
SLOT = NamedObject("slot", "old_bi_cdc", "holds", said=True)
DROPPED = Treatment("drop_slot", "drop了", ("old_bi_cdc",), 3)


def results(answer: Answer, *done: Treatment, aftermath: Aftermath | None = None, turn: int = 5) -> TurnResults:
    """The results of a concluded case in which the slot was named."""
    diagnosis = DiagnosisView(conclusion=FOUND)
    return TurnResults(
        diagnosis=diagnosis,
        answers=(answer,),
        turn=turn,
        treatments=done,
        objects=(SLOT,),
        aftermath=aftermath,
    )


def told(topic: QuestionTopic | None, language: Language, *done: Treatment, **more: object) -> str:
    """The answer to a question of this topic after these treatments."""
    after = more.get("aftermath")
    previous = more.get("previous", "")
    asked = HelpAnswer((), FOUND, str(more.get("text", "?")), topic, action=str(more.get("action", "")))
    given = results(asked, *done, aftermath=after if isinstance(after, Aftermath) else None)
    return compose(given, language, str(previous))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_is_a_few_plain_sentences(language: Language) -> None:
    """The cause with its object, what was done, how it is now and what prevents it; no rounds, shares or done steps."""
    text = told(QuestionTopic.SUMMARY, language, DROPPED, aftermath=Aftermath.WELL)
    assert len(text.splitlines()) == 1
    assert NAME.say(language) in text
    assert "old_bi_cdc" in text
    assert ALERT.action.say(language) in text
    assert any(phrase in text for phrase in load_phrases(language)["brief_well"])
    assert not re.search(r"\d ?%|P-\d{4}", text)
    assert LOOK.action.say(language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_before_a_conclusion_tells_what_is_known_and_what_is_next(language: Language) -> None:
    """Without a conclusion the summary names the leaders, what was seen and the next check, and claims no cause."""
    seen = EvidenceView("P-0016", Text("盘快满了", "The disk is nearly full"), Verdict.CONFIRMED, "93 %", 1)
    answer = HelpAnswer(topic=QuestionTopic.SUMMARY, leading=FOUND)
    text = compose(TurnResults(diagnosis=OPEN, answers=(answer,), seen=(seen,)), language)
    assert NAME.say(language) in text
    assert seen.name.say(language) in text
    assert CHECK.name.say(language) in text
    assert not any(phrase.split("{")[0] in text for phrase in load_phrases(language)["brief_cause_sure"])


@for_each("language", LANGUAGES)
@for_each("topic", [None, QuestionTopic.RELIEF, QuestionTopic.REMAINING, QuestionTopic.TREATED])
def test_a_step_that_is_done_is_never_to_be_done(topic: QuestionTopic | None, language: Language) -> None:
    """No answer about what to do has a step that was done, or what only leads to it."""
    text = told(topic, language, DROPPED)
    assert DROP.action.say(language) not in text
    assert LOOK.action.say(language) not in text
    assert ALERT.action.say(language) in text or CAP.action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_done_is_answered_with_when_it_helps_and_why(language: Language) -> None:
    """A step that is reported is named with its object, the reason why it takes time, and how to see its effect."""
    text = told(QuestionTopic.TREATED, language, DROPPED)
    assert "old_bi_cdc" in text.splitlines()[0]
    assert "CHECKPOINT" in text
    assert VERIFY.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_good_news_prevention_alone_is_left(language: Language) -> None:
    """Once well, the rest of the treatment is over; what is left is to verify and to prevent."""
    done = (DROPPED, Treatment("cap_slots", "capped"))
    text = told(QuestionTopic.REMAINING, language, *done, aftermath=Aftermath.WELL)
    assert ALERT.action.say(language) in text
    assert VERIFY.say(language) in text
    assert "pg_drop_replication_slot" not in text
    assert "max_slot_wal_keep_size" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_holds_the_others_up_is_left_even_when_all_is_well(language: Language) -> None:
    """As long as the slot that caused it stands, the step that ends it is still to be done."""
    text = told(QuestionTopic.REMAINING, language, Treatment("cap_slots", "capped"), aftermath=Aftermath.WELL)
    assert "pg_drop_replication_slot('old_bi_cdc')" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_remedy_asked_for_after_relief_is_the_whole_one(language: Language) -> None:
    """What to do, asked once the conclusion was told, is answered by every step, then by the one to do now."""
    first = told(QuestionTopic.RELIEF, language)
    assert all(step.action.say(language) in first for step in FOUND.solution)
    again = told(QuestionTopic.RELIEF, language, previous=first)
    assert again != first
    assert len(again) < len(first) / 2
    assert LOOK.action.say(language) in again


@for_each("language", LANGUAGES)
@for_each("topic", [each for each in QuestionTopic if each is not QuestionTopic.RULED_OUT], every=4)
def test_no_long_answer_is_given_twice_in_a_row(topic: QuestionTopic, language: Language) -> None:
    """Asked the same again, the answer is another one and not longer."""
    first = told(topic, language, DROPPED, text="can I drop the slot")
    again = told(topic, language, DROPPED, text="can I drop the slot", previous=first)
    if len(first) >= 80:
        assert again != first
        assert len(again) <= len(first)


@pytest.mark.parametrize("language", LANGUAGES)
def test_of_several_objects_the_answer_names_them(language: Language) -> None:
    """Where two tables fit a blank it stays, and the step names both; asked which one, so does the answer."""
    analyze = SolutionStep(Text("收集统计", "Collect statistics"), "ANALYZE <table>;", "low")
    found = ConclusionView("RC-0001", NAME, 0.98, solution=(analyze, ALERT), repeated_conclusion=True)
    tables = tuple(NamedObject("table", name) for name in ("events", "accounts"))
    for answer in (
        HelpAnswer((), found, "?"),
        HelpAnswer((), found, "analyze 哪个表", QuestionTopic.OBJECT),
    ):
        text = compose(
            TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,), objects=tables), language
        )
        assert "events" in text
        assert "accounts" in text
    said = (*tables, NamedObject("table", "events", said=True))
    text = compose(TurnResults(answers=(HelpAnswer((), found, "?"),), objects=said), language)
    assert "ANALYZE events;" in text


@for_each("language", LANGUAGES)
@for_each("action", [name for name in actions.action_names()])
def test_every_action_has_a_ruling_of_its_own(action: str, language: Language) -> None:
    """Each action is told with what it does and what to check, before a conclusion as well, and no two alike."""
    answer = HelpAnswer(text="?", topic=QuestionTopic.RISK, action=action)
    text = compose(TurnResults(diagnosis=OPEN, answers=(answer,)), language)
    phrases = load_phrases(language)
    assert str(phrases[f"act_{action}"])[:20] in text
    others = [name for name in actions.action_names() if name != action]
    assert not any(str(phrases[f"act_{name}"]) in text for name in others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_leave_is_given_in_the_light_of_the_case(language: Language) -> None:
    """An action that is a step of the remedy is told with that step; deleting WAL files never is."""
    drop = told(QuestionTopic.RISK, language, action="drop_slot")
    wal = told(QuestionTopic.RISK, language, action="delete_wal")
    assert "pg_drop_replication_slot('old_bi_cdc')" in drop
    assert "pg_drop_replication_slot" not in wal
    assert str(load_phrases(language)["leave_no"]).split("{")[0] in wal


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_session_that_waits_is_not_the_one_to_end(language: Language) -> None:
    """Asked about a session by its number, the answer tells whether it holds the others up or only waits."""
    roles = {"30172": "holds", "31544": "ddl", "31560": "head", "31601": "last", "31602": "waits", "31603": ""}
    phrases = ("holds", "ddl", "head", "last", "waits", "session_open")
    sessions = (NamedObject("pid", name, role) for name, role in roles.items())
    objects = (*sessions, NamedObject("waits_for", "31544>30172"))
    for name, phrase in zip(roles, phrases, strict=True):
        answer = HelpAnswer((), FOUND, f"kill {name}?", QuestionTopic.RISK, action="terminate")
        text = compose(TurnResults(answers=(answer,), objects=objects), language)
        said = str(load_phrases(language)[f"leave_{phrase}"]).split("{held}")[0]
        assert said.format(name=name) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_are_words_unless_numbers_are_asked_for(language: Language) -> None:
    """Why a cause leads is told by what speaks for and against it; bits are for who asks for them."""
    line = ReasonLine("P-0132", Text("槽保留很多", "A slot retains much"), Verdict.CONFIRMED, 4.9, 7, 7)
    asked = {
        "凭啥说是它": False,
        "why that one": False,
        "/why": True,
        "权重是多少": True,
        "show me the weights": True,
    }
    for words, bits in asked.items():
        answer = ReasoningAnswer("RC-0048", NAME, 0.98, 3.0, 14.5, (line,), leads=True, text=words)
        text = compose(TurnResults(answers=(answer,)), language)
        assert ("bit" in text) is bits
        assert line.name.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_something_has_to_do_with_it_is_told_from_the_record(language: Language) -> None:
    """What is on record speaks for the cause or only sets it off; what was denied has nothing to do with it."""
    leader = HypothesisView("RC-0048", NAME, 0.98)
    name = Text("跑批在跑", "A batch job is running")
    views = {
        "related_yes": MatterView("x", "P-0180", name=name, verdict=Verdict.CONFIRMED, leader=leader, bits=2.0),
        "related_trigger": MatterView("x", "P-0180", name=name, verdict=Verdict.CONFIRMED, leader=leader, bits=-1.0),
        "related_denied": MatterView("x", "P-0180", name=name, verdict=Verdict.DENIED, leader=leader),
    }
    for phrase, matter in views.items():
        answer = HelpAnswer((), FOUND, "x", QuestionTopic.RELATED, matter=matter)
        text = compose(TurnResults(answers=(answer,)), language)
        assert name.say(language) in text
        assert str(load_phrases(language)[phrase]).split("{")[0][:2] in text


@for_each("language", LANGUAGES)
@for_each(
    ("cause", "words"),
    [
        (Text("事务号回卷", "Transaction ID wraparound danger"), "pg_current_xact_id"),
        (Text("连接泄漏", "Application leaks connections"), "max_connections"),
        (Text("复制槽保留 WAL", "A slot retains WAL"), "df -h"),
        (Text("长事务挡住 DDL", "A transaction blocks a DDL"), "Lock"),
    ],
)
def test_how_long_there_is_names_the_figure_that_tells(cause: Text, words: str, language: Language) -> None:
    """What happens at the limit comes with the statement whose two readings tell how long there is."""
    found = ConclusionView("RC-0001", cause, 0.9)
    text = compose(TurnResults(answers=(HelpAnswer((), found, "?", QuestionTopic.URGENCY),)), language)
    assert words in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_age_tells_how_many_transactions_are_left(language: Language) -> None:
    """From the age on record the answer counts what is left until writes are refused."""
    seen = EvidenceView("P-0064", Text("年龄", "age"), Verdict.CONFIRMED, "x", 1, "xid_age = 1981204417")
    found = ConclusionView("RC-0001", Text("事务号回卷", "Transaction ID wraparound danger"), 0.9)
    answer = HelpAnswer((), found, "?", QuestionTopic.URGENCY)
    assert "163,279,230" in compose(TurnResults(answers=(answer,), seen=(seen,)), language)


@for_each("language", LANGUAGES)
@for_each(
    ("action", "seen"),
    [
        ("terminate", "Commits wait on SyncRep"),
        ("cancel", "Commits wait on SyncRep"),
        ("restart_app", "Pool sizes add up beyond max_connections"),
    ],
)
def test_what_is_on_record_may_forbid_an_action(action: str, seen: str, language: Language) -> None:
    """What would do harm in this case is refused with its reason, and is allowed where nothing speaks against it."""
    views = (EvidenceView("P-0001", Text(seen, seen), Verdict.CONFIRMED, "x", 1),)
    answer = HelpAnswer((), None, "?", QuestionTopic.RISK, action=action)
    refused, allowed = (compose(TurnResults(answers=(answer,), seen=each), language) for each in (views, ()))
    reason = str(load_phrases(language)[f"unless_{action}"])
    assert reason in refused
    assert reason not in allowed


@for_each("language", LANGUAGES)
@for_each(("confidence", "told"), [(0.6, False), (0.91, True)])
def test_relief_with_a_risk_waits_for_a_likely_cause(confidence: float, told: bool, language: Language) -> None:
    """Asked what to do, a cause that is very likely has its relief told with its risk, before the conclusion."""
    leader = RankedHypothesis("RC-0048", NAME, confidence, confidence)
    answer = HelpAnswer((), None, "what do I do", relief=(RELIEF,))
    text = compose(TurnResults(diagnosis=DiagnosisView((leader,), (CHECK,)), answers=(answer,)), language)
    assert (RELIEF.how in text) is told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_summary_passes_on_the_figures_that_were_reported(language: Language) -> None:
    """What the person said with a figure stands in the summary, and a row of an output does not."""
    said = EvidenceView("P-0016", Text("盘满", "disk full"), Verdict.CONFIRMED, "pg_wal is 431 GB", 1)
    row = EvidenceView("P-0132", Text("槽", "slot"), Verdict.CONFIRMED, "old_bi_cdc | f | 412 GB", 1)
    answer = HelpAnswer((), FOUND, "?", QuestionTopic.SUMMARY)
    text = compose(
        TurnResults(diagnosis=DiagnosisView(conclusion=FOUND), answers=(answer,), seen=(said, row)), language
    )
    assert "431 GB" in text
    assert "412 GB" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_relief_that_the_steps_begin_with_is_told_once(language: Language) -> None:
    """A list of steps has no relief before it where the first thing to do is the same deed on the same object."""
    relief = ReliefStep(Text("先分析表", "Analyze the tables now"), "ANALYZE <table>;", "low", Text("x", "x"))
    first = SolutionStep(Text("分析这些表", "Analyze the tables"), "ANALYZE VERBOSE <table>;", "low")
    found = replace(FOUND, relief=(relief,), solution=(LOOK, first, ALERT))
    answer = HelpAnswer((), found, "怎么办")
    text = compose(TurnResults(diagnosis=DiagnosisView(conclusion=found), answers=(answer,), turn=5), language)
    assert relief.action.say(language) not in text
    assert "ANALYZE VERBOSE <table>;" in text


@for_each("language", LANGUAGES)
@for_each(("asked", "told_how"), [("why does a SELECT hang", False), ("drop the slot: how long", True)])
def test_how_to_see_that_it_worked_is_told_of_a_step_that_is_meant(
    asked: str, told_how: bool, language: Language
) -> None:
    """A check of success belongs to a step that was done or is named."""
    answer = HelpAnswer((), FOUND, asked, QuestionTopic.EFFECT, action="drop_slot")
    text = compose(results(answer), language)
    assert (VERIFY.say(language) in text) is told_how


@pytest.mark.parametrize("language", LANGUAGES)
def test_after_a_deed_the_next_step_is_one_that_comes_later(language: Language) -> None:
    """Steps that the deed went past are alternatives to it, and not what is next, unless it was in vain."""
    answer = HelpAnswer((), FOUND, "槽删了", QuestionTopic.TREATED)
    text = compose(results(answer, DROPPED), language)
    assert CAP.action.say(language) not in text
    assert ALERT.action.say(language) in text
