"""Steps that the last answer listed are not listed again: the next one is named."""

from __future__ import annotations

from services.planner.model import (
    ConclusionView,
    DiagnosisView,
    HelpAnswer,
    Language,
    QuestionTopic,
    SolutionStep,
    Text,
    Treatment,
    TurnResults,
)
from services.planner.speak.compose import compose
from tests.support.cases import for_each

FOUND = ConclusionView(
    "RC-0001",
    Text("旧事务挡住 DDL", "An old transaction blocks a DDL"),
    0.96,
    solution=(
        SolutionStep(Text("取消 DDL", "Cancel the DDL"), "SELECT pg_cancel_backend(20411);", "low"),
        SolutionStep(Text("结束旧事务", "End the old one"), "SELECT pg_terminate_backend(18822);", "medium"),
        SolutionStep(Text("设超时", "Set a timeout"), "SET lock_timeout = '2s';", "none", prevents=True),
    ),
    repeated_conclusion=True,
)


@for_each("language", [Language.ZH, Language.EN])
@for_each("topic", [QuestionTopic.RELIEF, QuestionTopic.REMAINING])
def test_steps_that_were_just_listed_are_not_listed_again(topic: QuestionTopic, language: Language) -> None:
    """Whatever is asked of what is left right after the list of it, the answer is the next step."""
    done = Treatment("cancel", "i cancelled 20411", ("20411",), 4)
    results = TurnResults(diagnosis=DiagnosisView(conclusion=FOUND), treatments=(done,), turn=5)
    asked = HelpAnswer((), FOUND, "whats next", QuestionTopic.RELIEF)
    listed = compose(TurnResults(**{**vars(results), "answers": (asked,)}), language)
    assert "lock_timeout" in listed
    again = HelpAnswer((), FOUND, "and now?", topic)
    text = compose(TurnResults(**{**vars(results), "answers": (again,), "turn": 6}), language, listed)
    assert "lock_timeout" not in text
    assert FOUND.solution[1].action.say(language) in text
