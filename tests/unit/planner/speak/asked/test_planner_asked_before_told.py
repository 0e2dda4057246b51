"""What is asked is answered before what is told, three questions a reply at most; what is only told adds no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from services.planner.common_questions.known_answers import known_answers
from services.planner.model import (
    Answer,
    ConclusionView,
    HelpAnswer,
    Language,
    QuestionTopic,
    SolutionStep,
    Status,
    Text,
    Treatment,
    TurnResults,
)
from services.planner.speak.compose import compose

LANGUAGES = [Language.ZH, Language.EN]
STEPS = (
    SolutionStep(Text("结束会话", "End the session"), "SELECT pg_terminate_backend(:pid);", "medium"),
    SolutionStep(Text("设置空闲事务超时", "Set a timeout for idle transactions"), "", "low", prevents=True),
    SolutionStep(Text("清理这张表", "Vacuum the table"), "VACUUM orders;", "low"),
)
FOUND = ConclusionView("RC-1", Text("长事务", "A long transaction"), 0.98, solution=STEPS, repeated_conclusion=True)
KILLED = Treatment("terminate", "killed it", turn=5)
COMMON = tuple(key for key, each in known_answers().items() if not each.engine)[:4]
DONE = HelpAnswer((), FOUND, "killed it, does the space come back?", QuestionTopic.TREATED)


def general(key: str) -> HelpAnswer:
    """The answer to a common question."""
    return HelpAnswer((), None, f"{key}?", QuestionTopic.COMMON, common_question=key)


def told(*answers: Answer, language: Language) -> str:
    """What is said to these after the session was ended."""
    results = TurnResults(status=Status.CONCLUDED, turn=5, answers=answers, treatments=(KILLED,))
    return compose(results, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_beside_a_report_is_answered_first(language: Language) -> None:
    """The answer stands before that something was done, and no step of the remedy is offered that nobody asked for."""
    text = told(DONE, general(COMMON[0]), language=language)
    answer = known_answers()[COMMON[0]].answer.say(language)
    assert text.startswith(answer[:20])
    assert STEPS[2].action.say(language) not in text
    assert STEPS[2].action.say(language) in told(DONE, language=language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reply_answers_three_questions_at_most(language: Language) -> None:
    """Of four questions the first three are answered; a report beside them takes a line."""
    text = told(DONE, *map(general, COMMON), language=language)
    openings = [known_answers()[key].answer.say(language)[:20] for key in COMMON]
    assert [opening in text for opening in openings] == [True, True, True, False]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_not_done_is_context_of_the_question_beside_it(language: Language) -> None:
    """Who tells what was never touched and asks something hears of that alone."""
    never = replace(DONE, text="we never changed the url", topic=QuestionTopic.UNTREATED, action="set_parameter")
    answer = general(COMMON[0])
    assert told(never, answer, language=language) == told(answer, language=language)
