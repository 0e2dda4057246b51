"""A sentence that joins several questions asks each of them."""

from __future__ import annotations

from services.planner.model import (
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionKind,
    QuestionStep,
    QuestionTopic,
    SessionView,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.questions_asked.steps_of_words import without
from services.planner.speak.telling import tell_answers
from services.planner.speak.voice import Voice
from services.planner.treatment.sentences import sentences_of
from services.planner.understand.questions.looking_back import heard_in
from services.planner.understand.questions.of_the_cause import draws_conclusion
from tests.support.cases import for_each


@for_each(
    ("said", "parts"),
    [
        ("which step first, and does it drop our sessions?", ["which step first", "and does it drop our sessions?"]),
        (
            "how long will vacuum run and will it block the app?",
            ["how long will vacuum run", "and will it block the app?"],
        ),
        ("why only at night and what should i change?", ["why only at night", "and what should i change?"]),
        (
            "what next, do we have to fail over, and is it safe now?",
            ["what next", "do we have to fail over", "and is it safe now?"],
        ),
        ("what is it and is full", ["what is it and is full"]),
        ("it was slow, and did not recover by itself", ["it was slow, and did not recover by itself"]),
        (
            "a note for the boss: what we did, how it stays away",
            ["a note for the boss: what we did, how it stays away"],
        ),
        ("is it the lock or does the disk do it", ["is it the lock or does the disk do it"]),
    ],
)
def test_each_question_that_a_sentence_joins_stands_apart(said: str, parts: list[str]) -> None:
    """A question of its own words behind an "and" or a comma is one; a list, an either-or and a statement are not."""
    assert list(sentences_of(said)) == parts


def test_a_question_that_is_answered_apart_leaves_the_others_of_its_step() -> None:
    """A step put together of several questions keeps the others when one of them is answered by itself."""
    step = QuestionStep(QuestionKind.HELP, text="how long does it take should i stop the batch first?\nbatch runs")
    left = without(step, "how long does it take")
    assert isinstance(left, QuestionStep)
    assert left.text == "should i stop the batch first?\nbatch runs"
    assert without(QuestionStep(QuestionKind.HELP, text="how long does it take"), "how long does it take") is None


def test_of_too_many_questions_the_surest_are_answered() -> None:
    """What was found by the sound of its words stands behind what is asked of an action."""
    asked = (
        HelpAnswer((), None, "how bad will it get", QuestionTopic.URGENCY),
        HelpAnswer((), None, "should we roll back the release first?", QuestionTopic.RISK, action="roll_back_release"),
        HelpAnswer((), None, "is it replication lag then?", QuestionTopic.RISK, action="restart"),
        HelpAnswer((), None, "does a reload cut connections?", QuestionTopic.COMMON, common_question="reload_is_safe"),
    )
    voice = Voice(Language.EN, 3)
    told = tell_answers(TurnResults(answers=asked), voice)
    assert told == tell_answers(TurnResults(answers=asked[1:]), voice)


@for_each(
    ("words", "concludes"),
    [
        ("so thats why?", True),
        ("ah, is that why the orders page hangs?", True),
        ("was it the reason for the crash?", True),
        ("is this what broke it?", True),
        ("thats why i ask", False),
        ("is that why you say 80 %?", False),
        ("why is that?", False),
    ],
)
def test_whether_that_is_why_wants_a_yes_or_a_no(words: str, concludes: bool) -> None:
    """Who asks whether that is the reason draws a conclusion; who asks for grounds, or tells theirs, does not."""
    assert draws_conclusion(words) is concludes


@for_each(
    ("words", "asks"),
    [
        ("two pods, not three. changes anything?", True),
        ("it was a tuesday, does that make any difference?", True),
        ("so 5 or 6 hours, matters or not?", True),
        ("if he changes anything the job fails", False),
    ],
)
def test_whether_it_matters_is_asked_of_what_was_just_told(words: str, asks: bool) -> None:
    """Whether that changes anything is asked in few words, too, and is answered by the ranking."""
    view = SessionView(turn=3, evidence=(EvidenceView("P-0001", Text("a", "a"), Verdict.CONFIRMED, "a", 1),))
    assert any(steps for _, steps in heard_in(words, view)) is asks
