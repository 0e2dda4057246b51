"""Questions of why and of what has to do with it, while the cause is open: no lecture and no question back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    HypothesisView,
    Language,
    MatterView,
    QuestionTopic,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

LANGUAGES = tuple(Language)
STALE, BLOAT = Text("统计信息过期", "Stale statistics"), Text("索引膨胀", "Index bloat")
SEEN, SIGN = Text("估错行数", "Rows are misestimated"), Text("索引大小翻倍", "The index doubled in size")
HOW = Text("先这样。再那样。", "First this. Then that.")
LEADER = HypothesisView("RC-1", STALE, 0.4)


def leading(confidence: float) -> ConclusionView:
    """The leading cause of an open case, with what speaks for it."""
    return ConclusionView("RC-1", STALE, confidence, supporting=(SEEN,), mechanism=HOW)


def said_to(asked: str, confidence: float, matter: MatterView | None, language: Language, topic: QuestionTopic) -> str:
    """The reply to a question while the leading cause has this belief."""
    answer = HelpAnswer((), text=asked, topic=topic, leading=leading(confidence), matter=matter)
    return compose(TurnResults(turn=4, answers=(answer,)), language)


@for_each("language", LANGUAGES)
@for_each("asked", ["why is the export crawling, it only reads one day", "为什么导出突然这样"])
@for_each(("confidence", "explains"), [(0.4, False), (0.95, True)])
def test_a_cause_explains_only_what_it_clearly_leads_in(
    asked: str, confidence: float, explains: bool, language: Language
) -> None:
    """How a cause works answers a why once it clearly leads; before, the answer is how likely it is and on what."""
    said = said_to(asked, confidence, None, language, QuestionTopic.RELATED)
    assert (HOW.say(language)[:5] in said) is explains
    assert STALE.say(language) in said
    assert (SEEN.say(language) in said) is not explains


@for_each("language", LANGUAGES)
@for_each("asked", ["what does that mean for us", "这说明啥"])
@for_each(("confidence", "explains"), [(0.4, False), (0.95, True)])
def test_what_it_means_is_what_happens_once_a_cause_leads(
    asked: str, confidence: float, explains: bool, language: Language
) -> None:
    """What something means is what happens by the cause that leads; where none clearly does, what speaks for it."""
    said = said_to(asked, confidence, None, language, QuestionTopic.MECHANISM)
    assert STALE.say(language) in said
    assert (HOW.say(language)[:5] in said) is explains
    assert (SEEN.say(language) in said) is not explains


@for_each("language", LANGUAGES)
@for_each("asked", ["why bloat of all things, how come", "why would a bloated index do that"])
def test_why_another_cause_was_named_is_answered_with_what_it_lacks(asked: str, language: Language) -> None:
    """Who asks why another cause than the leader was named gets how likely it is and what of it is missing."""
    matter = MatterView("x", "", "RC-2", BLOAT, None, 0.08, LEADER, reason=HOW, missing=(SIGN,))
    said = said_to(asked, 0.4, matter, language, QuestionTopic.RELATED)
    assert BLOAT.say(language) in said
    assert SIGN.say(language) in said
    assert HOW.say(language)[:5] not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_not_seen_is_not_named(language: Language) -> None:
    """Words only sound like a sign that nobody saw: it is left open, beside what the case points to."""
    matter = MatterView("x", "P-9", name=SIGN, leader=LEADER, reason=HOW)
    said = said_to("does the size matter here?", 0.4, matter, language, QuestionTopic.RELATED)
    assert SIGN.say(language) not in said
    assert STALE.say(language) in said
    assert HOW.say(language)[:5] not in said
    assert "?" not in said
    assert "？" not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_hardly_leads_is_not_pointed_to(language: Language) -> None:
    """A cause that hardly anything speaks for is not told as what the case points to."""
    matter = MatterView("x", "P-9", name=SIGN, leader=HypothesisView("RC-1", STALE, 0.04), reason=HOW)
    said = said_to("does the size matter here?", 0.04, matter, language, QuestionTopic.RELATED)
    assert STALE.say(language) not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_on_record_explains_by_no_weak_cause(language: Language) -> None:
    """Whether something on record is related is answered by the leading cause only once that is likely."""
    matter = MatterView("x", "P-9", name=SIGN, verdict=Verdict.CONFIRMED, leader=LEADER, bits=2.0, reason=HOW)
    weak = replace(matter, leader=HypothesisView("RC-1", STALE, 0.16))
    said = said_to("has the size to do with it?", 0.16, weak, language, QuestionTopic.RELATED)
    assert SIGN.say(language) in said
    assert STALE.say(language) not in said
    sure = replace(matter, leader=HypothesisView("RC-1", STALE, 0.9))
    assert STALE.say(language) in said_to("has the size to do with it?", 0.9, sure, language, QuestionTopic.RELATED)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conclusion_that_names_the_leading_cause_is_not_denied(language: Language) -> None:
    """Whoever concludes what leads anyway is not told no, whatever sign of another cause the words sound like."""
    other = HypothesisView("RC-2", BLOAT)
    matter = MatterView("x", "P-9", name=SIGN, leader=HypothesisView("RC-1", STALE, 0.6), points_to=other)
    asked = "所以是统计信息过期？" if language is Language.ZH else "so it is stale statistics then?"
    said = said_to(asked, 0.6, matter, language, QuestionTopic.RELATED)
    assert not said.startswith(("Probably not", "不太像"))
