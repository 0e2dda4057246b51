"""A reply as a whole: the ranking, the check and what was said before stand in it once, and in few words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    AppliedCorrection,
    BeliefChange,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    HypothesisView,
    Language,
    NamedObject,
    NotedEvidence,
    OutcomeView,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    ReasoningAnswer,
    ReliefStep,
    SolutionStep,
    Status,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.steps.each_once import each_once
from services.planner.speak.voice import Voice
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
LOCKS, BLOAT = Text("锁排队", "A lock queue"), Text("索引膨胀", "Index bloat")
IDLE, GROWN, SLOW = (
    Text("有空闲事务", "An idle transaction"),
    Text("索引变大", "A grown index"),
    Text("慢", "It is slow"),
)
HOW = "SELECT pid, state FROM pg_stat_activity"
RELIEF = ReliefStep(
    Text("先调大", "Raise it first"),
    "ALTER SYSTEM SET max_wal_size = '16GB';",
    "low",
    Text("多占空间", "it takes space"),
    Text("盘放不下", "the disk is small"),
)
STEPS = tuple(SolutionStep(Text(f"做{at}", f"Do {at}"), f"SELECT {at};", "low") for at in (1, 2))
FOUND = ConclusionView(
    "RC-1",
    LOCKS,
    0.97,
    Text("先等 max_wal_size。", "It waits for max_wal_size."),
    relief=(RELIEF,),
    solution=STEPS,
)


def outcome(cause: str, name: Text, belief: float) -> OutcomeView:
    return OutcomeView(0.5, (HypothesisView(cause, name, belief),))


CHECK = RankedRecommendation(
    1,
    "P-1",
    IDLE,
    "sql",
    HOW,
    if_yes=outcome("RC-1", LOCKS, 0.95),
    if_no=outcome("RC-2", BLOAT, 0.44),
    present_when=Text("有一行", "there is a row"),
)
OTHER = replace(CHECK, ordinal=2, phenomenon_id="P-2", name=GROWN, observation_method="SELECT 1")


def turn(belief: float = 0.6, before: float | None = 0.4, **changes: object) -> TurnResults:
    """A turn that put something on record, with a cause that leads and two checks."""
    leader = RankedHypothesis("RC-1", LOCKS, belief, belief, confidence_before=before)
    second = RankedHypothesis("RC-2", BLOAT, 0.3, 0.3, confidence_before=before and 0.3)
    found = DiagnosisView((leader, second), (CHECK, OTHER))
    noted = (NotedEvidence("P-9", SLOW, Verdict.CONFIRMED),)
    results = TurnResults(noted=noted, diagnosis=found, status=Status.NARROWING, turn=5)
    return replace(results, **changes)  # type: ignore[arg-type]


def said(percent: int, language: Language) -> str:
    return f"{percent}%" if language is Language.ZH else f"{percent} %"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_that_was_shown_is_a_line(language: Language) -> None:
    """What its answers would do and the checks beside it are not told again; under an answer it is not named at all."""
    first = compose(turn(), language)
    again = compose(turn(0.62, 0.6), language, first, earlier=(first,))
    assert IDLE.say(language) in again
    assert not any(part in again for part in (HOW, GROWN.say(language), said(95, language), said(44, language)))
    asked = HelpAnswer((), None, "how sure", QuestionTopic.CERTAINTY)
    assert IDLE.say(language) not in compose(turn(noted=(), answers=(asked,)), language, first)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_moved_nothing_is_not_told(language: Language) -> None:
    """Where the causes stand as before they are not ranked again; who asks is told."""
    text = compose(turn(0.6, 0.6), language, "x")
    assert said(60, language) not in text
    assert said(30, language) not in text
    asked = HelpAnswer((), None, "how sure", QuestionTopic.CERTAINTY)
    assert compose(turn(0.6, 0.6, answers=(asked,)), language, "x").count(said(60, language)) == 1


@for_each("language", LANGUAGES)
@for_each(("number", "shown"), [(1, True), (3, False)])
def test_one_check_is_asked_for_at_a_time(number: int, shown: bool, language: Language) -> None:
    """Other checks stand beside the first only while a case opens and no cause leads."""
    level = replace(turn().diagnosis, hypotheses=(RankedHypothesis("RC-1", LOCKS, 0.2, 0.2),))  # type: ignore[type-var]
    text = compose(turn(turn=number, diagnosis=level), language)
    assert IDLE.say(language) in text
    assert (GROWN.say(language) in text) is shown
    assert GROWN.say(language) not in compose(turn(0.7, turn=number), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_beside_a_look_nothing_else_is_asked(language: Language) -> None:
    """Whoever is asked for an output is asked for nothing else: not for what a person may know either."""
    level = DiagnosisView((RankedHypothesis("RC-1", LOCKS, 0.1, 0.1),), (CHECK, replace(OTHER, observe_kind="manual")))
    text = compose(turn(turn=1, diagnosis=replace(level, first_look="SELECT 7")), language)
    assert "SELECT 7" in text
    assert not any(name.say(language) in text for name in (IDLE, GROWN))


@for_each("language", LANGUAGES)
@for_each("words", [("the gizmo_queue has 4000 entries in it",), ()])
def test_under_a_next_step_nothing_is_told_of_what_nothing_was_made_of(
    words: tuple[str, ...], language: Language
) -> None:
    """Words that nothing was made of are not read back, nor is it told that no cause stands out: the check follows."""
    level = replace(turn().diagnosis, hypotheses=(RankedHypothesis("RC-1", LOCKS, 0.09, 0.09),))  # type: ignore[type-var]
    beside = compose(turn(noted=(), unmatched=words, unclear=words, diagnosis=level), language)
    assert IDLE.say(language) in beside
    assert "gizmo" not in beside
    assert beside == compose(turn(noted=(), diagnosis=level), language)
    assert not any(part in beside for part in ("stands out", "冒头"))


@for_each("language", LANGUAGES)
@for_each("topics", [(QuestionTopic.CERTAINTY,), (QuestionTopic.CERTAINTY, QuestionTopic.REMAINING)])
def test_the_ranking_is_told_once(topics: tuple[QuestionTopic, ...], language: Language) -> None:
    """Answers that rank the causes stand in place of the ranking, and one of them in place of the next."""
    answers = tuple(HelpAnswer((), None, f"question {at}", topic) for at, topic in enumerate(topics))
    text = compose(turn(answers=answers), language, "x")
    assert text.count(said(60, language)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_correction_did_is_told_once(language: Language) -> None:
    """Causes whose change stands beside the correction are not ranked again."""
    changes = (BeliefChange("RC-1", LOCKS, 0.4, 0.6), BeliefChange("RC-2", BLOAT, 0.5, 0.3))
    taken = AppliedCorrection(SLOW, "slow", "", Verdict.CONFIRMED, None, changes)
    text = compose(turn(noted=(), corrections=(taken,)), language, "x")
    assert [text.count(said(each, language)) for each in (60, 30)] == [1, 1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_are_quoted_whole_or_not_at_all(language: Language) -> None:
    """A line of a log by its message; words that are too long for a line, and rows, by what they were read as."""
    line = "2026-03-11 14:02:11.409 CST [812] LOG:  checkpoint starting: wal"
    for words, quoted in ((line, "checkpoint starting: wal"), ("reads are just as bad as the writes " * 3, "")):
        noted = NotedEvidence("P-1", SLOW, Verdict.CONFIRMED, words, 1.0, matched_from_words=True)
        text = compose(TurnResults(turn=4, noted=(noted,)), language)
        assert "**" + SLOW.say(language) in text
        assert quoted in text
        assert not any(part in text for part in ("…", "CST", "reads are"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_is_noted_in_bold(language: Language) -> None:
    """An answer in a word and one in more words look the same."""
    noted = tuple(NotedEvidence("P-1", SLOW, each) for each in (Verdict.CONFIRMED, Verdict.DENIED, Verdict.UNKNOWN))
    assert compose(TurnResults(turn=4, noted=noted), language).count(f"**{SLOW.say(language)}**") == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_relief_is_the_deed_its_statement_and_its_price(language: Language) -> None:
    """A line each, the value with the deed; in a later answer it is only named."""
    found = DiagnosisView(conclusion=FOUND)
    first = compose(TurnResults(diagnosis=found, status=Status.CONCLUDED, turn=4), language)
    deed, statement, price = first[first.index(RELIEF.action.say(language)) :].split("\n")[:3]
    assert "16GB" in deed
    assert statement.strip(" `") == RELIEF.how
    assert all(part.say(language) in price for part in (RELIEF.costs, RELIEF.not_when))
    again = compose(TurnResults(diagnosis=found, status=Status.CONCLUDED, turn=6), language, "x", earlier=(first,))
    assert RELIEF.action.say(language) in again
    assert not any(part in again for part in (RELIEF.how, RELIEF.costs.say(language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_that_were_shown_are_not_told_beside_a_conclusion(language: Language) -> None:
    """The conclusion has how the cause works and what to do: neither comes again for a setting."""
    shown = HelpAnswer((), FOUND, "max_wal_size", QuestionTopic.IDENTIFICATION, action="settings")
    objects = (NamedObject("setting", "max_wal_size=1GB"),)
    found = DiagnosisView(conclusion=FOUND)
    results = TurnResults(diagnosis=found, status=Status.CONCLUDED, turn=4, answers=(shown,), objects=objects)
    assert compose(results, language).count(FOUND.mechanism.say(language)) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cause_of_a_few_per_cent_is_not_explained(language: Language) -> None:
    """Asked why, nothing stands out yet: neither the cause that happens to be in front nor what would overturn it."""
    why = ReasoningAnswer("RC-1", LOCKS, 0.03, text="why that", leads=True)
    text = compose(turn(0.03, 0.03, answers=(why,), noted=()), language, "x")
    assert LOCKS.say(language) not in text.split("\n")[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_is_stuck_is_asked_for_one_thing(language: Language) -> None:
    """What to look at by hand stands alone, without a ranking and without a check."""
    text = compose(turn(0.4, 0.4, status=Status.STUCK), language, "x")
    assert "pg_stat_activity WHERE state" in text
    assert not any(part in text for part in (IDLE.say(language), said(40, language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_stuck_behind_a_likely_cause(language: Language) -> None:
    """While one cause is likelier than all others together, nothing says that the library may not have it."""
    text = compose(turn(0.6, 0.6, status=Status.STUCK), language, "x")
    assert "pg_stat_activity WHERE state" not in text


def test_a_command_stands_once_in_a_reply() -> None:
    """A step whose command an answer above has keeps its line, and an answer that is nothing but that command goes."""
    relief = "Relief first: Raise it\n   `SET a = 1;`\n   Risk: low"
    steps = "Of the steps:\n1. Raise it online\n   `SET a = 1;`\n2. Look at it\n   `SHOW a;`"
    assert each_once([relief, steps, "`SET a = 1;`\nRaise it."], TurnResults(), Voice(Language.EN)) == [
        relief,
        "Of the steps:\n1. Raise it online\n2. Look at it\n   `SHOW a;`",
    ]
