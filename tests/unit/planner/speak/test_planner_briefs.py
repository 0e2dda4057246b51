"""Summaries as they are asked for: what stands in the text, for whom, and in how many sentences."""

from __future__ import annotations

import re

import pytest

from services.planner.model import (
    Aftermath,
    Brief,
    BriefPart,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    Reader,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
# A case that was treated has so many sentences to tell to anybody.
LEAST_TOLD = 5
NAME = Text("忘记提交的事务", "A forgotten transaction")
PLAIN = Text("有个程序没干完就停住，别人都在等它。", "A program stopped halfway. Everybody had to wait for it.")
IDLE = Text("空闲事务会话超过 5 分钟", "Session idle in transaction over 5 minutes")
FOUND = ConclusionView(
    "RC-0001",
    NAME,
    0.97,
    mechanism=Text("行锁一直留着。", "Its row locks stay."),
    plain=PLAIN,
    supporting=(IDLE,),
    solution=(SolutionStep(Text("设置空闲超时", "Set a timeout for idle work"), "", "low", prevents=True),),
    repeated_conclusion=True,
)
SLOW = EvidenceView("P-1", Text("写入很慢", "Writes are slow"), Verdict.CONFIRMED, "写入慢", 1, complaint=True)
HELD = EvidenceView("P-2", IDLE, Verdict.CONFIRMED, "现在是 60 分钟了", 2)
CLICKED = EvidenceView("P-3", Text("会话在等锁", "Sessions wait for locks"), Verdict.CONFIRMED, "1 yes", 2)
KILLED = Treatment("terminate", "kill 了 4711", ("4711",), 3)
OPEN = DiagnosisView((RankedHypothesis("RC-0001", NAME, 0.2),), (RankedRecommendation(1, "P-9", Text("查", "Look")),))


def written(
    asked: Brief, language: Language, found: ConclusionView | None = FOUND, aftermath: Aftermath | None = Aftermath.WELL
) -> str:
    """The summary of a case that was treated."""
    seen, done = ((SLOW, HELD, CLICKED), (KILLED,)) if found is not None else ((), ())
    answer = HelpAnswer((), found, "?", QuestionTopic.SUMMARY, brief=asked)
    diagnosis = DiagnosisView(conclusion=FOUND) if found is not None else OPEN
    return compose(
        TurnResults(
            diagnosis=diagnosis, answers=(answer,), seen=seen, treatments=done, aftermath=aftermath, began="02:10"
        ),
        language,
    )


def stops(text: str) -> int:
    """How many sentences somebody counts in a text."""
    return len(re.findall(r"[。；]|[.!?](?=\s|$)", text))


@for_each("language", LANGUAGES)
@for_each("reader", [None, Reader.PLAIN, Reader.TECHNICAL])
@for_each("number", [1, 2, 3, 4, 5, 6, 7])
def test_so_many_sentences_are_told_and_none_is_filled_up(
    number: int, reader: Reader | None, language: Language
) -> None:
    """A summary in N sentences has N, whoever reads it; where there is less to tell it is shorter, never padded."""
    told = stops(written(Brief(reader=reader), language))
    assert stops(written(Brief(reader=reader, sentences=number), language)) == min(number, max(told, LEAST_TOLD))


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_a_plain_reader_there_are_no_terms_ids_or_shares(language: Language) -> None:
    """A boss reads what users noticed, since when, the cause in plain words, what was done, and how it is now."""
    text = written(Brief(reader=Reader.PLAIN), language)
    assert PLAIN.say(language).split("。")[0].split(".")[0] in text
    assert SLOW.name.say(language) in text
    assert "02:10" in text
    assert not re.search(r"4711|\d ?%|idle in transaction|1 yes|写入慢|kill", text)
    assert FOUND.mechanism.say(language).rstrip("。.") not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_for_whoever_works_on_it_the_details_are_there(language: Language) -> None:
    """A report has the cause by name, how it comes about, the latest figures, what it was done to, and the alarm."""
    text = written(Brief(reader=Reader.TECHNICAL), language)
    for told in (NAME, IDLE, FOUND.solution[0].action):
        assert told.say(language) in text
    assert FOUND.mechanism.say(language).rstrip("。.").lower() in text.lower()
    assert "60 分钟" in text
    assert "4711" in text
    assert "1 yes" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_left_out_is_left_out_and_what_is_added_is_there(language: Language) -> None:
    """A part that is not wanted does not stand in the summary, and the person's own sentence does."""
    text = written(Brief(without=(BriefPart.PREVENTION,), added=("no order was lost",)), language)
    assert FOUND.solution[0].action.say(language) not in text
    assert "o order was lost" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_language_is_the_one_asked_for(language: Language) -> None:
    """A summary is in the language of its brief, whatever the dialogue is in."""
    other = Language.EN if language is Language.ZH else Language.ZH
    text = written(Brief(reader=Reader.PLAIN, language=other), language)
    assert bool(re.search(r"[\u4e00-\u9fff]", text)) is (other is Language.ZH)


@for_each("language", LANGUAGES)
@for_each("reader", [None, Reader.PLAIN, Reader.TECHNICAL])
def test_with_nothing_known_a_summary_says_so(reader: Reader | None, language: Language) -> None:
    """Before anything is known the summary is one sentence, and names no cause."""
    text = written(Brief(reader=reader), language, None, None)
    assert stops(text) == 1
    assert NAME.say(language) not in text


def test_the_persons_own_version_stands_as_it_is() -> None:
    """A version that the person gives replaces the text, sentence by sentence."""
    own = "凌晨订单卡住。已经处理。"
    assert written(Brief(own=own), Language.ZH) == own
    assert written(Brief(own=own, sentences=1), Language.ZH) == "凌晨订单卡住。"
