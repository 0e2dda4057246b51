"""What an answer leaves out: checks that change nothing, commands just shown, fragments, tails under a question."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from services.planner.model import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    DiagnosisView,
    HelpAnswer,
    HypothesisView,
    Language,
    NotedEvidence,
    OutcomeView,
    QuestionTopic,
    RankedHypothesis,
    RankedRecommendation,
    Status,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

LANGUAGES = [Language.ZH, Language.EN]
LOCKS, BLOAT = Text("锁排队", "A lock queue"), Text("索引膨胀", "Index bloat")
IDLE, GROWN = Text("有空闲事务", "An idle transaction is open"), Text("索引变大了", "An index has grown")
HOW = "SELECT pid, state FROM pg_stat_activity"


def outcome(cause: str, name: Text, belief: float) -> OutcomeView:
    return OutcomeView(0.5, (HypothesisView(cause, name, belief),))


def leading(belief: float) -> RankedHypothesis:
    return RankedHypothesis("RC-1", LOCKS, belief, belief, 0.0, belief - 0.1)


def check(yes: OutcomeView, no: OutcomeView, **changes: Any) -> RankedRecommendation:
    first = RankedRecommendation(1, "P-1", IDLE, "sql", HOW, if_yes=yes, if_no=no)
    return replace(first, **changes)


FIRM = check(outcome("RC-1", LOCKS, 0.99), outcome("RC-1", LOCKS, 0.46))


def turn(belief: float, *checks: RankedRecommendation, **changes: Any) -> TurnResults:
    found = DiagnosisView((leading(belief),), checks)
    noted = (NotedEvidence("P-9", GROWN, Verdict.CONFIRMED),)
    return replace(TurnResults(noted=noted, diagnosis=found, status=Status.CONFIRMING, turn=5), **changes)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_that_changes_nothing_is_not_proposed(language: Language) -> None:
    """In its place the answer says that what is known is enough to act on, with the cause and how to get the steps."""
    text = compose(turn(0.96, replace(FIRM, idle=True)), language)
    assert IDLE.say(language) not in text
    assert HOW not in text
    assert ("够动手了" if language is Language.ZH else "enough to act on") in text
    assert not any(tone in text for tone in load_phrases(language)["tone_confirming"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_that_changes_something_is_proposed_before_one_that_does_not(language: Language) -> None:
    """Of two checks the telling one is shown, with its own number; the other is not named."""
    other = replace(FIRM, ordinal=2, phenomenon_id="P-2", name=GROWN, observation_method="SELECT 1", idle=True)
    text = compose(replace(turn(0.6, FIRM, other), noted=()), language)
    assert "1. " + IDLE.say(language) in text
    assert "2. " not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_likely_cause_nothing_is_called_enough(language: Language) -> None:
    """Where no cause is likely, checks that change nothing leave the request for anything else that is seen."""
    text = compose(turn(0.3, replace(FIRM, idle=True)), language)
    assert str(load_phrases(language)["no_more_checks"]) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_is_called_the_last_one_only_if_it_may_change_the_lead(language: Language) -> None:
    """What leaves the same cause in front after both answers is not called missing, nor what settles it."""
    settles = load_phrases(language)["next_confirming"]
    kept = compose(turn(0.83, FIRM), language)
    assert IDLE.say(language) in kept
    assert not any(words in kept for words in settles)
    changing = compose(turn(0.83, replace(FIRM, if_no=outcome("RC-2", BLOAT, 0.5))), language)
    assert any(words in changing for words in settles)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_of_one_of_the_last_answers_is_not_printed_again(language: Language) -> None:
    """The check is named in a line that tells how to get its command."""
    text = compose(turn(0.6, replace(FIRM, shown=True)), language)
    assert "1. " + IDLE.say(language) in text
    assert HOW not in text
    assert ("1 怎么看" if language is Language.ZH else "how do I check 1") in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_sure_enough_needs_no_further_check(language: Language) -> None:
    """How sure the leader is comes without "one more check" when none is left that would change anything."""
    asked = HelpAnswer((), None, "how sure", QuestionTopic.CERTAINTY)
    text = compose(turn(0.96, replace(FIRM, idle=True), noted=(), answers=(asked,)), language)
    assert ("再核实" if language is Language.ZH else "One more check") not in text


@for_each("language", LANGUAGES)
@for_each("options", [1, 2])
def test_a_question_that_is_asked_back_stands_alone(options: int, language: Language) -> None:
    """No check is proposed under a question that waits for a yes or no where the message brought something else."""
    choices = tuple(ClarificationOption(at, f"P-{at}", BLOAT) for at in range(1, options + 1))
    text = compose(turn(0.6, FIRM, clarification=Clarification(ClarifyKind.PROPOSED, "grew", choices)), language)
    assert IDLE.say(language) not in text
    assert HOW not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_not_understood_is_told_in_one_sentence(language: Language) -> None:
    """Words that stay unclear are told together, and so are those that fit nothing: these once, and not again."""
    boss, rain, other = "the boss query runs 9 s", "rain_table has 40 rows", "the other index is 2 GB"
    text = compose(TurnResults(unclear=(boss, rain, boss, other)), language)
    assert [text.count(words) for words in (boss, rain, other)] == [1, 1, 1]
    text = compose(TurnResults(unmatched=(boss, rain), unclear=(boss, other)), language)
    assert [text.count(words) for words in (boss, rain, other)] == [1, 1, 0]
    assert boss not in compose(TurnResults(unmatched=(boss, rain)), language, previous=text)


@for_each("language", LANGUAGES)
@for_each("words", ["not it", "都不是", "nah the log is not big", "那边机器上的日志也一直没有变大"])
def test_what_is_left_beside_what_was_understood_is_not_reported(words: str, language: Language) -> None:
    """Of a message that was understood nothing that was left over is read back."""
    assert words not in compose(turn(0.6, unclear=(words,)), language).replace(GROWN.say(language), "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_that_are_asked_about_are_not_also_called_unclear(language: Language) -> None:
    """What the question asked back quotes is said once."""
    words = "steps 1 2 3 are not done"
    asked = Clarification(ClarifyKind.NO_SUCH_ITEM, words)
    text = compose(turn(0.6, unclear=(words, words), clarification=asked), language)
    assert text.count(words) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_one_row_shows_is_told_together(language: Language) -> None:
    """A pasted row is told once, by the values that decided, with all that it was read as."""
    row = "9120 | active | 05:03:12 | 83"
    read = [
        NotedEvidence(
            name, GROWN, Verdict.CONFIRMED, words=row, extracted_value=value, score=1.0, matched_from_words=True
        )
        for name, value in (("P-8", "waiters = 83"), ("P-9", "xact_age = 18192"))
    ]
    assert compose(turn(0.96, noted=tuple(read)), language).count("waiters 83") == 1
