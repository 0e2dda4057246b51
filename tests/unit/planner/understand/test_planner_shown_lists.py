"""Numbers while one question without a number is open."""

from __future__ import annotations

from dbdiag.vocabulary import LocalizedText, Verdict

from services.planner.model import FeedbackStep, Item, SessionView, Speaker, Utterance
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

LIST = (
    Item(1, "P-0079", LocalizedText("谓词写法让索引用不上", "The predicate's form hides an existing index")),
    Item(2, "P-0114", LocalizedText("LIKE '%x%' 或搜索没有索引支持", "LIKE '%x%' or search no index supports")),
)
ASKED = (Item(1, "P-0002", LocalizedText("只有某一条语句变慢", "One statement became slow, others are fine")),)
SHOWN = (
    Utterance(Speaker.ASSISTANT, "1. The predicate's form hides an existing index\n2. LIKE", LIST),
    Utterance(Speaker.USER, "theres no OR in that query"),
    Utterance(Speaker.ASSISTANT, "Does that mean One statement became slow?", ASKED),
)
VIEW = SessionView(options=ASKED, pending=ASKED, history=SHOWN)


@for_each("message", ["2 yes obviously, 1 dunno i JUST said i cant look", "2 yes, 1 can't check", "2有 1看不了"])
def test_numbers_that_the_question_lacks_are_of_the_list_before(message: str) -> None:
    """A 2 is no answer to a question with one thing: both numbers are of the list that was shown last."""
    steps = [step for step in read_answering(message, VIEW)[0].steps if isinstance(step, FeedbackStep)]
    said = {step.reference.id: step.verdict for step in steps}
    assert said == {"P-0114": Verdict.CONFIRMED, "P-0079": Verdict.UNKNOWN}


def test_a_one_still_answers_the_one_question() -> None:
    """With no other number a 1 is the one thing that is asked."""
    steps = [step for step in read_answering("1 yes", VIEW)[0].steps if isinstance(step, FeedbackStep)]
    assert [step.reference.ordinal for step in steps] == [1]
