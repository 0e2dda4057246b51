"""One question gets one answer: the case's own, in short, and nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    Answer,
    BeliefChange,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    HistoryAnswer,
    HistoryEntry,
    Language,
    NotedEvidence,
    OverturnView,
    ProgressAnswer,
    QuestionTopic,
    RankedHypothesis,
    ReasoningAnswer,
    ReasonLine,
    SolutionStep,
    Status,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases

LANGUAGES = [Language.ZH, Language.EN]
BLOAT, LOCKS = Text("索引膨胀", "Index bloat"), Text("锁排队", "A lock queue")
DEAD, IDLE = Text("死元组很多", "Many dead rows"), Text("有空闲事务", "An idle transaction is open")
STEPS = (
    SolutionStep(Text("收集表的统计信息", "Analyze the tables of the statement"), "ANALYZE orders;", "low"),
    SolutionStep(Text("调低自动收集的阈值", "Lower the threshold of the table"), "", "low"),
)
FOUND = ConclusionView("RC-1", BLOAT, 0.97, supporting=(DEAD,), solution=STEPS, repeated_conclusion=True)
CERTAIN = HelpAnswer((), FOUND, "how sure are you", QuestionTopic.CERTAINTY)
COMMON = next(key for key, each in known_answers().items() if not each.engine)
WHY = ReasoningAnswer(
    "RC-1",
    BLOAT,
    0.97,
    lines=(
        ReasonLine("P-1", DEAD, Verdict.CONFIRMED, 3.0, 4, 5, ("TK-1",)),
        ReasonLine("P-2", IDLE, Verdict.CONFIRMED, -0.6),
    ),
    unchecked=(IDLE,),
    overturn=OverturnView(IDLE, Verdict.CONFIRMED, LOCKS, 0.8),
    leads=True,
)


def told(*answers: Answer, language: Language, previous: str = "", **changes: object) -> str:
    results = TurnResults(status=Status.CONCLUDED, turn=5, answers=answers)
    return compose(replace(results, **changes), language, previous)  # type: ignore[arg-type]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_asked_again_is_not_answered_by_the_same_words(language: Language) -> None:
    """Whoever asks again was not helped by the answer: that there is no more to it is said, with the words asked."""
    answer = HelpAnswer((), None, "why?", QuestionTopic.COMMON, common_question=COMMON)
    first = told(answer, language=language)
    again = told(answer, language=language, previous=first)
    assert first[:12] not in again
    assert again.startswith(str(load_phrases(language)["still_unanswered"]).partition("{words}")[0])
    assert "why?" in again


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_of_the_case_gets_no_general_answer_beside_its_own(language: Language) -> None:
    """A common answer to words that the case answers as well is left out; one to other words stays."""
    general = known_answers()[COMMON].answer.say(language)[:20]
    beside = HelpAnswer((), None, "so, how sure are you?", QuestionTopic.COMMON, common_question=COMMON)
    assert general not in told(CERTAIN, beside, language=language)
    other = replace(beside, text="does vacuum lock the table?")
    assert general in told(CERTAIN, other, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_step_stands_once_in_an_answer(language: Language) -> None:
    """Beside the whole remedy a question of one of its steps does not list it again."""
    of_step = HelpAnswer((), FOUND, "is step 1 safe?", QuestionTopic.RISK, action="step")
    text = told(HelpAnswer((), FOUND, "what do i do"), of_step, language=language)
    assert text.count(STEPS[0].action.say(language)) == 1
    again = told(of_step, HelpAnswer((), FOUND, "what do i do"), language=language)
    assert "1. " + STEPS[0].action.say(language) in again
    assert again.count(STEPS[0].action.say(language)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_sure_it_is_takes_two_lines(language: Language) -> None:
    """The percentage with what it rests on, and what would change it."""
    view = replace(FOUND, overturn=WHY.overturn)
    assert len(told(replace(CERTAIN, conclusion=view), language=language).splitlines()) == 2
    short = told(replace(WHY, text="97% so sure?"), language=language)
    assert len(short.splitlines()) == 2
    assert "TK-1" not in short


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_lowers_a_belief_a_little_does_not_speak_against_it(language: Language) -> None:
    """Only what is not there and clearly lowers the belief stands as against it."""
    weak = told(replace(WHY, text="why", overturn=None, unchecked=()), language=language)
    assert IDLE.say(language) not in weak
    strong = replace(WHY, text="why", overturn=None, lines=(replace(WHY.lines[1], bits=-2.0),))
    assert IDLE.say(language) not in told(replace(strong, unchecked=()), language=language)
    absent = replace(strong.lines[0], verdict=Verdict.DENIED)
    strong = replace(strong, lines=(absent,))
    assert IDLE.say(language) in told(strong, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_recap_is_told_only_where_it_is_asked(language: Language) -> None:
    """Beside new facts or another answer what was seen so far is not listed; asked what comes next, neither."""
    seen = (EvidenceView("P-1", DEAD, Verdict.CONFIRMED),)
    following = ProgressAnswer(4, seen, text="接下来呢" if language is Language.ZH else "and now")
    standing = replace(following, text="/status")
    found = DiagnosisView((RankedHypothesis("RC-1", BLOAT, 0.6, 0.6),))
    noted = (NotedEvidence("P-9", IDLE, Verdict.CONFIRMED),)
    for told_now in (noted, ()):
        text = told(following, language=language, status=Status.NARROWING, diagnosis=found, noted=told_now)
        assert DEAD.say(language) not in text
        text = told(standing, language=language, status=Status.NARROWING, diagnosis=found, noted=told_now)
        assert DEAD.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_whether_something_was_heard_is_told_with_what_it_changed(language: Language) -> None:
    """The entries of it, or that it could not be used and what else counts; the belief before and after where asked."""
    entry = HistoryEntry(3, DEAD, Verdict.CONFIRMED, "dead rows")
    heard = told(HistoryAnswer((entry,), heard=True), language=language)
    unused = told(HistoryAnswer((entry,), 5, heard=True), language=language)
    assert DEAD.say(language) in heard
    assert DEAD.say(language) in unused
    assert ("没用上" if language is Language.ZH else "could not use") in unused
    moved = told(HistoryAnswer((), 5, heard=True, left=BeliefChange("RC-1", BLOAT, 0.4, 0.9)), language=language)
    assert all(part in moved for part in (BLOAT.say(language), "40", "90"))
    noted = told(HistoryAnswer((), 5, heard=True), language=language, noted=(NotedEvidence("P-1", DEAD),))
    assert ("指不到" if language is Language.ZH else "no cause") not in noted


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_heard_and_does_not_count_is_told_with_what_it_lacks(language: Language) -> None:
    """A single reading of a counter is no evidence; the answer names what it takes, and claims no effect."""
    needs = type(DEAD)("两次读数之间增加了", "it rises between two readings")
    entry = HistoryEntry(3, DEAD, Verdict.UNKNOWN, "n_dead_tup 12", needs=needs)
    text = told(HistoryAnswer((entry,), heard=True), language=language)
    assert DEAD.say(language) in text
    assert needs.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cause_rests_on_what_was_seen(language: Language) -> None:
    """What is absent is a ground only where nothing that is there speaks for the cause."""
    absent = replace(WHY.lines[1], bits=1.0, verdict=Verdict.DENIED)
    seen = replace(WHY.lines[0], bits=1.0, verdict=Verdict.CONFIRMED)
    asked = replace(WHY, text="why", overturn=None, unchecked=())
    both = told(replace(asked, lines=(absent, seen)), language=language)
    assert seen.name.say(language) in both
    assert absent.name.say(language) not in both
    assert absent.name.say(language) in told(replace(asked, lines=(absent,)), language=language)
