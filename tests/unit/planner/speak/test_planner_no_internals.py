"""Answers are a colleague's words: nothing of how they are made."""

from __future__ import annotations

import re

import pytest

from services.planner.model import AppliedSuggestion, Language, MatterView, Text, TurnResults
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

LANGUAGES = sorted(Language)
INTERNAL = re.compile(
    r"(?i)\bhint\b|\bmatch (?:score|\{)|\bthe library (?:does|has|knows|says)\b|匹配度|提示不是证据|不当证据|知识库里"
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_phrase_tells_how_answers_are_made(language: Language) -> None:
    """Neither scores of matching, nor hints and their weight, nor what a library has in it."""
    texts = {
        key: text for key, text in load_phrases(language).items() if not key.startswith(("other_engine", "advice"))
    }
    assert [key for key, text in texts.items() if INTERNAL.search(str(text))] == []


@for_each("language", LANGUAGES)
@for_each("said", ["my boss reckons it's the network", "老板问会不会是网络"])
def test_a_suspicion_is_answered_by_its_name(language: Language, said: str) -> None:
    """The verdict names the cause that is meant; the person's words never stand in a sentence of ours."""
    cause = Text("丢包", "Packet loss")
    matter = MatterView(words=said, root_cause_id="RC-0001", name=cause, confidence=0.004)
    suspected = AppliedSuggestion(said, "RC-0001", cause, confidence=0.004, matter=matter)
    text = compose(TurnResults(suggestions=(suspected,), turn=3), language)
    assert cause.say(language) in text
    assert said not in text


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        (Language.EN, "i asked where i see the disk numbers. queue depth is 35", "where i see the disk numbers?"),
        (Language.ZH, "我问的是限流能不能撤，TPS 回来了", "限流能不能撤？"),
    ],
)
def test_what_is_asked_again_in_vain_is_named(language: Language, said: str, asked: str) -> None:
    """Where nothing answers a question that was asked before, the reply says so with the words asked."""
    text = compose(TurnResults(turn=4), language, message=said)
    assert text.startswith(str(load_phrases(language)["still_unanswered"]).partition("{words}")[0])
    assert asked in text
