"""Relief: what stops the bleeding is told before the cure, with its price."""

from __future__ import annotations

import pytest

from services.planner import model as kinds
from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    Language,
    RankedHypothesis,
    ReliefStep,
    SolutionStep,
    Text,
    TurnResults,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
CANCEL = ReliefStep(
    Text("先取消在等锁的 DDL", "Cancel the waiting DDL"),
    "SELECT pg_cancel_backend(<pid>);",
    "low",
    Text("变更要重跑", "the migration runs again"),
    Text("它已经拿到锁", "it holds its lock already"),
)
STEPS = tuple(SolutionStep(Text(f"第 {n} 步", f"Step {n}"), risk="low") for n in (1, 2, 3))
FOUND = ConclusionView("RC-0001", Text("长事务", "Long transaction"), 0.97, solution=STEPS, relief=(CANCEL,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_conclusion_begins_with_relief_and_leaves_the_cure_for_later(language: Language) -> None:
    """A conclusion tells what stops the bleeding with its risk, price, limits and command, and how to get the cure."""
    text = compose(TurnResults(diagnosis=DiagnosisView(conclusion=FOUND)), language)
    for part in (CANCEL.action, CANCEL.costs, CANCEL.not_when):
        assert part.say(language) in text
    assert CANCEL.how in text
    assert STEPS[1].action.say(language) not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_remedy_has_relief_before_every_step(language: Language) -> None:
    """Who asks what to do gets relief first, then every step of the cure."""
    text = compose(TurnResults(answers=(kinds.HelpAnswer(conclusion=FOUND),)), language)
    actions = [CANCEL.action, *(step.action for step in STEPS)]
    places = [text.index(action.say(language)) for action in actions]
    assert places == sorted(places)


@for_each("language", LANGUAGES)
@for_each(
    ("risk", "belief", "told"),
    [("none", 0.6, True), ("low", 0.6, True), ("medium", 0.6, False), ("high", 0.6, False), ("low", 0.25, False)],
)
def test_only_harmless_relief_is_told_before_a_conclusion(
    language: Language, risk: str, belief: float, told: bool
) -> None:
    """Before a conclusion relief is told of a cause that leads with two fifths, and only when its risk is low."""
    relief = ReliefStep(CANCEL.action, CANCEL.how, risk, CANCEL.costs, CANCEL.not_when)
    leader = RankedHypothesis("RC-0001", FOUND.name, belief, belief, confidence_before=belief)
    results = TurnResults(answers=(kinds.HelpAnswer(relief=(relief,)),), diagnosis=DiagnosisView((leader,)))
    assert (CANCEL.action.say(language) in compose(results, language)) is told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_cure_is_told_at_once(language: Language) -> None:
    """A cure of a single step stands in the conclusion itself."""
    text = compose(
        TurnResults(diagnosis=DiagnosisView(conclusion=ConclusionView("RC-0001", solution=STEPS[:1]))), language
    )
    assert STEPS[0].action.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_remedy_says_no_statement_twice(language: Language) -> None:
    """Relief that is a step of the cure as well stands once where the whole cure is told."""
    again = SolutionStep(Text("取消它，再看", "Cancel it, then look"), CANCEL.how, "low")
    found = ConclusionView("RC-0001", solution=(again, *STEPS), relief=(CANCEL,))
    text = compose(TurnResults(answers=(kinds.HelpAnswer(conclusion=found),)), language)
    assert text.count(CANCEL.how.strip(";")) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_asks_again_after_relief_gets_the_whole_cure(language: Language) -> None:
    """What to do right now, asked after relief was told, is answered by every step and not by relief again."""
    results = TurnResults(answers=(kinds.HelpAnswer(conclusion=FOUND, topic=kinds.QuestionTopic.RELIEF),))
    first = compose(results, language)
    assert STEPS[2].action.say(language) not in first
    assert STEPS[2].action.say(language) in compose(results, language, first)


@for_each("language", LANGUAGES)
@for_each("asked", ["/help", "what can i do right now", "现在能做什么"])
def test_where_no_cause_leads_nothing_is_advised(asked: str, language: Language) -> None:
    """What to do while hardly anything is known: no list of what may and may not be done whatever the cause."""
    leader = RankedHypothesis("RC-0001", FOUND.name, 0.2, 0.2, confidence_before=0.2)
    answer = kinds.HelpAnswer(text=asked, topic=kinds.QuestionTopic.RELIEF, relief=(CANCEL,))
    text = compose(TurnResults(answers=(answer,), diagnosis=DiagnosisView((leader,))), language)
    assert len(text) < 120
    assert CANCEL.how not in text
