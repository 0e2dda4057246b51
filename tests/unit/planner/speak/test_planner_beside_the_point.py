"""What a reply does not say: that talk fits no library, and that nothing changed where something was said or asked."""

from __future__ import annotations

import pytest

from services.planner.model import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    Language,
    TurnResults,
)
from services.planner.model import LocalizedText as Both
from services.planner.speak.compose import compose
from tests.support.cases import for_each

TALK = (
    "顺便说",
    "我没问那个 我问你77%哪来的",
    "我烦",
    "u both said",
    "I told u release TWICE",
    "and about the release",
    "why doesn't the index get used",
    "so kinda yes",
    "1 i guess",
)
CLAIMS = ("写入平时5ms,一会儿飙到800ms,过几分钟又好了", "the gizmo_queue has 4000 entries in it")


@for_each("words", TALK)
@for_each("language", list(Language))
def test_talk_is_not_measured_against_the_library(words: str, language: Language) -> None:
    """Talk, objections, questions and fragments claim nothing of the system, so nothing is said of what they fit."""
    for results in (TurnResults(turn=3, unmatched=(words,)), TurnResults(turn=3, unclear=(words,))):
        assert words not in compose(results, language)


@pytest.mark.parametrize("words", CLAIMS)
def test_a_claim_that_fits_nothing_is_told_once(words: str) -> None:
    """Of a figure or a state that no library knows it is said that it decides nothing, and beside no answer."""
    told = "It does not point to one cause yet."
    text = compose(TurnResults(turn=3, unmatched=(words, words), unclear=(words,)), Language.EN)
    assert text.count(told) == 1
    assert text.count(words[:16]) == 1
    asked = TurnResults(turn=3, unmatched=(words,), unclear=(words,), answers=(HelpAnswer(text="how sure"),))
    assert told not in compose(asked, Language.EN)


@for_each("words", ["so kinda yes", "1 i guess", "也许吧"])
@for_each("language", list(Language))
def test_an_unsure_answer_is_asked_again_without_being_judged(words: str, language: Language) -> None:
    """Words that are no claim are not held against the person: the one item is asked again."""
    option = ClarificationOption(1, "P-0001", Both(zh="锁等待", en="Lock waits"))
    asked = Clarification(kind=ClarifyKind.AMBIGUOUS_FEEDBACK, words=words, options=(option,))
    said = compose(TurnResults(turn=3, clarification=asked), language)
    assert words not in said
    assert option.name.say(language) in said


@for_each("turn", range(1, 5))
def test_an_empty_turn_is_owned_up_to(turn: int) -> None:
    """Where nothing was made of a message, the reply says so of itself, not that there was nothing in it."""
    english, chinese = (compose(TurnResults(turn=turn), language) for language in (Language.EN, Language.ZH))
    assert "No change" not in english
    assert "welcome" not in english
    assert "没有要更新" not in chinese
    assert "没有新的" not in chinese


@pytest.mark.parametrize(
    ("language", "words"),
    [(Language.EN, "iops sit at 500 since noon"), (Language.ZH, "从中午起 iops 一直是 500")],
)
def test_an_observation_beside_a_conclusion_is_answered(language: Language, words: str) -> None:
    """Whoever tells what nothing was made of hears that it was read, and not only the conclusion once more."""
    found = ConclusionView("RC-0001", Both("云盘被限速", "The disk is throttled"), 0.99, repeated_conclusion=True)
    level = DiagnosisView((), conclusion=found)
    text = compose(TurnResults(turn=5, unmatched=(words,), diagnosis=level), language)
    assert words in text
    assert found.name.say(language) in text
    assert words not in compose(TurnResults(turn=5, diagnosis=level), language)
