"""The note for somebody who has to act, and what is told where nobody answers who may."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    Brief,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    Reader,
    ReliefStep,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.bearing import bearing_on_treatment
from services.planner.treatment.wanted.briefs import read_order
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
LOOK = SolutionStep(
    Text("看是谁的槽", "Find out whose slot it is"), "SELECT slot_name FROM pg_replication_slots;", "none"
)
DROP = SolutionStep(Text("删槽", "Drop the slot"), "SELECT pg_drop_replication_slot('<slot>');", "high")
SLOT = ConclusionView("RC-0003", Text("没人要的槽留着 WAL", "A slot retains WAL"), 0.98, solution=(LOOK, DROP))
ROW = EvidenceView(
    "P-0132",
    Text("槽保留 WAL", "A slot retains much WAL"),
    Verdict.CONFIRMED,
    words="old_dwh_sub | logical | shop | f | extended | 409 GB",
    value="slot_name = old_dwh_sub",
)
DENIED = EvidenceView(
    "P-0001",
    Text("权限不足报错", '"permission denied" errors'),
    Verdict.CONFIRMED,
    words="ERROR: permission denied to use replication slots",
    complaint=True,
)
FIGURES = "the disk is at 96%, 500G total, 4 GB per hour"
REFUSED = "i may not drop the slot: permission denied to drop the slot"


def results_of(answer: HelpAnswer, *said: str) -> TurnResults:
    """A case of a slot after these messages, the last one of this turn."""
    objects: tuple[NamedObject, ...] = (NamedObject("slot", "old_dwh_sub"),)
    for turn, words in enumerate(said, 1):
        objects += bearing_on_treatment(words, SessionView(turn=turn))
    return TurnResults(answers=(answer,), objects=objects, seen=(ROW, DENIED), turn=len(said))


def phrase(key: str, language: Language, **values: str) -> str:
    """A phrase with its values."""
    return str(load_phrases(language)[key]).format(**values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_note_has_the_object_the_figures_the_command_and_what_was_tried(language: Language) -> None:
    """A DBA reads which slot, how much and how long, one command without a blank, and that it was refused."""
    asked = "write me smth i can send to the dba" if language is Language.EN else "写个发给dba的"
    brief = Brief(reader=Reader.TECHNICAL, language=language)
    answer = HelpAnswer((), SLOT, asked, QuestionTopic.SUMMARY, brief=brief)
    text = compose(results_of(answer, FIGURES, REFUSED, asked), language, "")
    assert "`SELECT pg_drop_replication_slot('old_dwh_sub');`" in text
    assert all(part in text for part in ("409 GB", "4 GB", "500 GB", phrase("time_hours", language, count="5")))
    assert phrase("note_refused", language, who=phrase("rights_by_slot", language)) in text
    assert "errors" not in text
    assert "权限不足报错" not in text


@for_each(
    "said",
    [
        "write me smth i can send to the dba",
        "what do i write to the dba",
        "give me a message to the dba",
        "写个发给dba的",
        "给我一段能发给DBA的话",
        "发给dba的怎么写",
    ],
)
def test_a_note_to_somebody_who_acts_is_an_order(said: str) -> None:
    """Whoever wants something to send to the DBA gets it written, for a technical reader."""
    view = SessionView(history=(Utterance(Speaker.ASSISTANT, "ok"),))
    order = read_order(said, view)
    assert order is not None
    step = order.step
    assert step.brief is not None
    assert step.brief.reader is Reader.TECHNICAL


@for_each("said", ["发给dba的日志在哪", "what command do i run", "did you write to the table"])
def test_other_words_order_no_note(said: str) -> None:
    """A question about something else is no order for a note."""
    assert read_order(said, SessionView(history=(Utterance(Speaker.ASSISTANT, "ok"),))) is None


@for_each("language", LANGUAGES)
@for_each(
    "said",
    [
        "so what do i do NOW, DBA is asleep n not picking up",
        "cant reach the dba, what now",
        "nobody on-call answers, what do i do",
        "DBA睡了不接电话 现在咋办",
        "联系不上管理员，怎么办",
    ],
)
def test_where_nobody_answers_others_the_time_and_the_rest_are_told(said: str, language: Language) -> None:
    """Whom else to wake, how long there is, and what can be done without the right."""
    answer = HelpAnswer((), SLOT, "what now", QuestionTopic.RELIEF)
    text = compose(results_of(answer, FIGURES, "i'm no superuser", said), language, "")
    assert phrase("nobody_there", language, who=phrase("rights_by_slot", language)) in text
    assert phrase("time_hours", language, count="5") in text
    assert phrase("rights_meanwhile_slot", language) in text


@for_each("said", ["the dba is on it, what now", "the dba asked how long", "dba在看了"])
def test_somebody_who_is_there_is_not_replaced(said: str) -> None:
    """Where the DBA answers nobody else is to be woken."""
    answer = HelpAnswer((), SLOT, "what now", QuestionTopic.RELIEF)
    text = compose(results_of(answer, said), Language.EN, "")
    assert phrase("nobody_there", Language.EN, who=phrase("rights_by_slot", Language.EN)) not in text


CAP = ReliefStep(
    Text("先给复制槽占用封顶", "Cap what slots may retain"),
    how="ALTER SYSTEM SET max_slot_wal_keep_size = '100GB'; SELECT pg_reload_conf();",
    risk="medium",
)
CAPPED = replace(SLOT, relief=(CAP,))


@for_each(
    ("gone", "language"),
    [
        ("the dwh got switched off last week, friday i think", Language.EN),
        ("that warehouse was decommissioned", Language.EN),
        ("数仓上周下线了", Language.ZH),
        ("那边早就不用了", Language.ZH),
    ],
)
def test_the_slot_of_a_consumer_that_is_gone_is_dropped_and_not_capped(gone: str, language: Language) -> None:
    """Whoever has to act is told in one sentence how much time there is, which slot with its size, and to drop it."""
    asked = "what do i tell him, one sentence" if language is Language.EN else "一句话怎么跟他说"
    brief = Brief(sentences=1, language=language)
    answer = HelpAnswer((), CAPPED, asked, QuestionTopic.SUMMARY, brief=brief)
    text = compose(results_of(answer, FIGURES, gone, asked), language, "")
    assert all(part in text for part in ("old_dwh_sub", "409 GB", "96"))
    assert phrase("time_hours", language, count="5").lower() in text.lower()
    assert DROP.action.say(language).lower() in text.lower()
    assert CAP.action.say(language).lower() not in text.lower()
    relief = HelpAnswer((), CAPPED, "what now", QuestionTopic.RELIEF)
    assert "max_slot_wal_keep_size" not in compose(results_of(relief, gone), language, "")


@for_each("said", ["the standby was shut down for maintenance", "备库临时停用了", "is the dwh back yet"])
def test_a_consumer_that_comes_back_is_not_gone(said: str) -> None:
    """What is down for a while is not given up."""
    assert "consumer_gone" not in [each.name for each in bearing_on_treatment(said, SessionView())]
