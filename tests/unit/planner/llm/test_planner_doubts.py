"""What an answer says against itself: a contradiction, an ill fit, a second cause, an answer that would overturn it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.planner.llm.reword import check_wording
from services.planner.model import (
    ConclusionView,
    ContradictionView,
    DiagnosisView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    NotedEvidence,
    OutcomeView,
    OverturnView,
    ProgressAnswer,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReasoningAnswer,
    ReasonLine,
    Status,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
BLOAT, LOCKS = Text("索引膨胀", "Index bloat"), Text("锁排队", "A lock queue")
SLOW, IDLE = Text("报表变慢", "Reports are slow"), Text("有空闲事务", "An idle transaction is open")
CPU = Text("主机 CPU 高", "Host CPU is high")
LEADER = RankedHypothesis("RC-0001", BLOAT, 0.44, 0.44, 0.0, 0.4)
CONCLUDED = ConclusionView("RC-0001", BLOAT, 0.97, supporting=(SLOW,))
SECOND = HypothesisView("RC-0002", LOCKS, 0.62)
OVERTURN = OverturnView(IDLE, Verdict.DENIED, LOCKS, 0.58, Verdict.CONFIRMED)
PAIR = ContradictionView(
    EvidenceView("P-0001", SLOW, Verdict.CONFIRMED),
    EvidenceView("P-0002", IDLE, Verdict.DENIED),
    3.6,
    RankedRecommendation(0, "P-0002", IDLE, "sql", "SELECT pid FROM pg_stat_activity"),
)


def found(**changes: Any) -> TurnResults:
    """A turn that noted something, with a diagnosis of these parts."""
    diagnosis = DiagnosisView(**{"hypotheses": (LEADER,), **changes})
    return TurnResults(noted=(NotedEvidence("P-0009", CPU, Verdict.CONFIRMED),), diagnosis=diagnosis, turn=4)


def names(*texts: Text, language: Language) -> list[str]:
    return [text.say(language) for text in texts]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_answers_that_contradict_each_other_are_named_once(language: Language) -> None:
    """Both are named with the command of the one to look at again; the turn after says it no more unless asked."""
    text = compose(found(contradiction=PAIR), language)
    assert all(name in text for name in names(SLOW, IDLE, language=language))
    assert "`SELECT pid FROM pg_stat_activity;`" in text
    silent = compose(found(contradiction=replace(PAIR, repeated=True)), language)
    assert IDLE.say(language) not in silent
    asked = replace(
        found(contradiction=replace(PAIR, repeated=True)),
        noted=(),
        answers=(ProgressAnswer(2, (EvidenceView("P-0009", CPU, Verdict.CONFIRMED),)),),
    )
    assert all(name in compose(asked, language) for name in names(SLOW, IDLE, language=language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_things_that_are_both_there_are_not_at_odds(language: Language) -> None:
    """A cause and its background, or two causes, go together in life: no doubt is raised over them, nor when asked."""
    both = replace(PAIR, second=replace(PAIR.second, verdict=Verdict.CONFIRMED))
    for repeated in (False, True):
        turn = found(contradiction=replace(both, repeated=repeated))
        asked = replace(turn, noted=(), answers=(ProgressAnswer(2, (PAIR.first,)),))
        assert all(IDLE.say(language) not in compose(results, language) for results in (turn, asked))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conclusion_is_not_followed_by_a_doubt(language: Language) -> None:
    """After a conclusion neither two answers at odds nor an ill fit nor an answer that would overturn it is told."""
    view = replace(CONCLUDED, overturn=OVERTURN, unchecked=(IDLE,))
    plain = compose(found(conclusion=CONCLUDED), language)
    assert compose(found(conclusion=view, contradiction=PAIR, surprise_bits=9.0), language) == plain


@for_each("language", LANGUAGES)
@for_each("repeated", [False, True])
def test_a_second_cause_that_is_a_guess_is_not_told(repeated: bool, language: Language) -> None:
    """What is unexplained speaks against the conclusion where it does; an unlikely second cause is not named."""
    guess = replace(SECOND, confidence=0.42)
    view = replace(
        CONCLUDED, conflicting=(IDLE,), unexplained=(IDLE,), second_cause=guess, repeated_conclusion=repeated
    )
    text = compose(found(conclusion=view), language)
    assert LOCKS.say(language) not in text
    assert text.count(IDLE.say(language)) == (0 if repeated else 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_denied_answer_is_named_as_absent(language: Language) -> None:
    """Of a pair the answer that was no is told as no, so that nobody looks for it among what is there."""
    text = compose(found(contradiction=PAIR), language)
    assert ("没有“有空闲事务”" if language is Language.ZH else 'no "An idle transaction is open"') in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_being_stuck_names_the_pair(language: Language) -> None:
    """When nothing moves, the two answers that contradict each other are named even where they were before."""
    stuck = replace(found(contradiction=replace(PAIR, repeated=True), idle_turns=3), status=Status.STUCK)
    assert all(name in compose(stuck, language) for name in names(SLOW, IDLE, language=language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_being_stuck_is_not_explained_twice_in_a_row(language: Language) -> None:
    """The turn after, nothing is said of it again, and what is asked for then is another check."""
    stuck = replace(found(contradiction=replace(PAIR, repeated=True), idle_turns=3), status=Status.STUCK)
    first = compose(stuck, language)
    again = compose(stuck, language, first)
    assert "pg_stat_activity WHERE state" in first
    assert "pg_stat_activity WHERE state" not in again
    assert ("3 轮" if language is Language.ZH else "3 answers in a row") in first
    assert ("3 轮" if language is Language.ZH else "3 answers in a row") not in again


@for_each("language", LANGUAGES)
@for_each(
    ("now", "before", "pair", "said"),
    [(6.2, 1.0, None, True), (6.2, None, None, True), (6.2, 6.1, None, False), (5.9, 0.0, None, False),
     (6.2, 1.0, PAIR, False)],
)  # fmt: skip
def test_evidence_that_no_cause_explains_is_said_when_it_becomes_so(
    now: float, before: float | None, pair: ContradictionView | None, said: bool, language: Language
) -> None:
    """An ill fit is said in the turn that brings it, and not beside the two answers that explain it."""
    text = compose(found(surprise_bits=now, surprise_bits_before=before, contradiction=pair), language)
    assert (("解释得不好" in text) or ("is a poor fit even for the most likely cause" in text)) is said


@for_each("language", LANGUAGES)
@for_each("repeated", [False, True])
@for_each("second", [None, SECOND])
def test_a_second_cause_is_named_with_the_conclusion_and_not_again(
    second: HypothesisView | None, repeated: bool, language: Language
) -> None:
    """A new conclusion names the second cause with its belief; one that is repeated, or asked for the cure, none."""
    view = replace(CONCLUDED, unexplained=(IDLE,), second_cause=second, repeated_conclusion=repeated)
    text = compose(found(conclusion=view), language)
    named = second is not None and not repeated
    assert (LOCKS.say(language) in text) is named
    assert ("62" in text) is named
    fresh = replace(found(conclusion=view), noted=(NotedEvidence("P-7", IDLE, Verdict.CONFIRMED),))
    assert (LOCKS.say(language) in compose(fresh, language)) is (second is not None)
    advised = replace(found(), noted=(), diagnosis=None, answers=(HelpAnswer((), view),))
    assert LOCKS.say(language) not in compose(advised, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_unexplained_is_not_also_told_as_speaking_against(language: Language) -> None:
    """A phenomenon that the conclusion leaves unexplained stands in one list."""
    view = replace(CONCLUDED, conflicting=(IDLE,), unexplained=(IDLE,), second_cause=SECOND)
    assert compose(found(conclusion=view), language).count(IDLE.say(language)) == 1


@for_each("language", LANGUAGES)
@for_each("overturn", [None, OVERTURN, replace(OVERTURN, verdict_now=None)])
def test_asked_how_sure_it_is_which_answer_would_overturn_it(overturn: OverturnView | None, language: Language) -> None:
    """The open answer, and the cause that would lead then with its belief; what was answered is not put in doubt."""
    is_open = overturn is not None and overturn.verdict_now is None
    view = replace(CONCLUDED, overturn=overturn, repeated_conclusion=True)
    asked = HelpAnswer((), view, "how sure", QuestionTopic.CERTAINTY)
    text = compose(replace(found(), noted=(), diagnosis=None, answers=(asked,)), language)
    assert (IDLE.say(language) in text) is is_open
    assert ("58" in text and LOCKS.say(language) in text) is is_open


def reasoning(**changes: Any) -> TurnResults:
    """An answer to why."""
    lines = (
        ReasonLine("P-0001", SLOW, Verdict.CONFIRMED, 3.1, 4, 5, ("TK-1", "TK-2")),
        ReasonLine("P-0002", IDLE, Verdict.CONFIRMED, -1.4, 0, 5),
        ReasonLine("P-0009", CPU, Verdict.UNKNOWN, 0.0),
    )
    values = {"confidence": 0.44, "lines": lines, "leads": True, "unchecked": (CPU,), **changes}
    return TurnResults(answers=(ReasoningAnswer("RC-0001", BLOAT, **values),))


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_tells_what_speaks_for_and_against_and_the_tickets(language: Language) -> None:
    """For before against, what cannot be checked without weight, what is open, the tickets behind."""
    text = compose(reasoning(), language)
    for_it, against = ("支持：", "反对：") if language is Language.ZH else ("for: ", "against: ")
    assert text.index(for_it + SLOW.say(language)) < text.index(against + IDLE.say(language))
    assert for_it + CPU.say(language) not in text
    assert all(ticket in text for ticket in ("TK-1", "TK-2", CPU.say(language)))


@for_each("language", LANGUAGES)
@for_each("leads", [True, False])
def test_why_says_what_would_overturn_or_lift(leads: bool, language: Language) -> None:
    """For the leader the open answer that unseats it; for another cause the one that lifts it."""
    is_open = replace(OVERTURN, leader_then=LOCKS, verdict_now=None)
    text = compose(reasoning(leads=leads, overturn=is_open), language)
    assert "58" in text
    assert (LOCKS.say(language) in text) is leads


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_a_question_is_asked_tells_the_causes_apart(language: Language) -> None:
    """The causes it tells apart and the belief after yes and after no, and nothing about the leader's reasons."""
    yes = OutcomeView(0.5, (HypothesisView("RC-0001", BLOAT, 0.81),))
    no = OutcomeView(0.5, (HypothesisView("RC-0002", LOCKS, 0.55),))
    related = (HypothesisView("RC-0001", BLOAT, 0.44), HypothesisView("RC-0002", LOCKS, 0.2))
    asked = RankedRecommendation(1, "P-0007", CPU, information_gain_bits=0.4, if_yes=yes, if_no=no, related=related)
    text = compose(reasoning(question=asked, lines=(), unchecked=()), language)
    assert all(part in text for part in (*names(CPU, BLOAT, LOCKS, language=language), "81", "55"))
    assert SLOW.say(language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_that_changes_nothing_need_not_be_asked(language: Language) -> None:
    """Asked why, the answer says that it need not be checked, without figures."""
    same = OutcomeView(0.5, (HypothesisView("RC-0001", BLOAT, 0.98),))
    asked = RankedRecommendation(1, "P-0007", CPU, if_yes=same, if_no=same, idle=True)
    text = compose(reasoning(question=asked, lines=(), unchecked=()), language)
    assert ("可以不查" if language is Language.ZH else "need not be checked") in text
    assert "98" not in text


@for_each(
    ("lost", "problem"),
    [("A lock queue", "lost_second_cause"), ("An idle transaction is open", "lost_contradiction"), ("", "")],
)
def test_a_model_may_not_leave_out_a_doubt(lost: str, problem: str) -> None:
    """A wording without the second cause, or without one of the two answers, is not sent."""
    view = replace(CONCLUDED, unexplained=(SLOW,), second_cause=SECOND)
    results = found(contradiction=PAIR) if problem == "lost_contradiction" else found(conclusion=view)
    template = compose(results, Language.EN)
    text = template.replace(lost, "something") if lost else template
    assert check_wording(text, template, results, Language.EN) == problem


def test_a_model_may_not_change_the_numbers_of_a_doubt() -> None:
    """The belief in the second cause is a number of the results, and another one is refused."""
    results = found(conclusion=replace(CONCLUDED, unexplained=(SLOW,), second_cause=SECOND))
    template = compose(results, Language.EN)
    assert "62 %" in template
    assert check_wording(template.replace("62 %", "82 %"), template, results, Language.EN) == "unsupported_number"
