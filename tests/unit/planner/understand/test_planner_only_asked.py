"""A yes or no that only repeats what was answered, to ask what it means, answers no check; nor does a protest."""

from __future__ import annotations

from services.planner.model import FeedbackStep, Item, Language, SessionView, Text, Verdict
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

ASKED = (Item(1, "P-0042", Text("防回卷的自动清理在跑", "Autovacuum to prevent wraparound is running")),)


def answered(message: str) -> list[Verdict | None]:
    """The verdicts that a message gives to what was asked."""
    view = SessionView(Language.EN, turn=4, pending=ASKED)
    return [step.verdict for step in read_answering(message, view)[0].steps if isinstance(step, FeedbackStep)]


@for_each(
    "message",
    [
        "yes what. yes it blows up or yes it stays open",
        "yes what?",
        "what do you mean yes",
        "no?? i cancelled the other one and it worked",
        "是什么意思，是会断还是会留着",
        "你说的是，是指哪个",
    ],
)
def test_what_is_asked_back_is_no_answer(message: str) -> None:
    """A clause that asks, or says again what was said to have it explained, is no evidence."""
    assert answered(message) == []


@for_each(
    ("message", "verdict"),
    [
        ("yes", Verdict.CONFIRMED),
        ("no", Verdict.DENIED),
        ("yes, it is running", Verdict.CONFIRMED),
        ("没", Verdict.DENIED),
        ("1? yes", Verdict.CONFIRMED),
        ("no. what now?", Verdict.DENIED),
        ("right, it is running", Verdict.CONFIRMED),
    ],
)
def test_an_answer_stays_one(message: str, verdict: Verdict) -> None:
    """A plain answer is one, whatever else is asked beside it."""
    assert answered(message) == [verdict]
