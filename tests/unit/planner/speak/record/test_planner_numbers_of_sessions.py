"""A number is a session only where the talk has it as one, and much work is not undone with a bare yes."""

from __future__ import annotations

from services.planner.model import (
    ConclusionView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnResults,
    Utterance,
)
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from services.planner.treatment.shown_actions import SESSION
from services.planner.treatment.wanted.requests import asked_in
from tests.support.cases import for_each

FOUND = ConclusionView(
    "RC-1",
    Text("清理跟不上", "The purge cannot keep up"),
    0.9,
    solution=(SolutionStep(Text("结束它", "End it"), "KILL <pid>;", "medium"),),
)


def asked(said: str, *before: str, settings: tuple[str, ...] = ()) -> str:
    """The words of the question of leave that a message asks."""
    history = tuple(Utterance(Speaker.USER, each) for each in before)
    view = SessionView(turn=3, history=history, settings=tuple(NamedObject("setting", each) for each in settings))
    steps = [step for _, of_it in asked_in(said, view) for step in of_it]
    return next(step.text for step in steps if step.topic is QuestionTopic.RISK)


@for_each(
    ("said", "number"),
    [
        ("Seconds_Behind_Source is 1260 and climbing. can i kill it?", "1260"),
        ("the release reads 940 rows more, fine. can we kill it?", "940"),
        ("2000都满了。能杀掉它吗？", "2000"),
        ("延迟现在 3600 了。能不能直接杀掉它？", "3600"),
    ],
)
def test_a_count_is_no_session(said: str, number: str) -> None:
    """A number of something else in the message is not what is to be ended."""
    assert number not in asked(said, settings=("max_connections=2000",))


@for_each(
    ("said", "before"),
    [
        ("48112: can i just kill it?", "pid 48112 is idle in transaction"),
        ("pid 5120 again. can i kill it?", ""),
        ("yes, 5120 again. can i kill it?", "session 5120 is idle in transaction"),
        ("又是会话 5120。能杀掉它吗？", "pid 5120 idle in transaction"),
    ],
)
def test_a_session_that_was_told_is_one(said: str, before: str) -> None:
    """A number that the talk has as a session goes with the question of its end."""
    number = next(each for each in ("48112", "5120") if each in said)
    assert number in asked(said, before)


def test_a_value_is_no_session() -> None:
    """Behind an equals sign stands a value, if it is not of an id."""
    assert SESSION.findall("SET GLOBAL wait_timeout = 600;") == []
    assert SESSION.findall("WHERE blocking_pid = 884120") == ["884120"]


@for_each("language", [Language.ZH, Language.EN])
@for_each("words", ["can I just KILL 884120?", "kill or let it finish"])
def test_ending_what_changed_much_begins_with_its_rollback(words: str, language: Language) -> None:
    """In MySQL a session with very many changed rows is not ended with a yes; one with few is."""
    first = str(load_phrases(language)["leave_rollback_first"])
    for changed, much in (("12871402", True), ("12", False)):
        objects = (
            NamedObject("pid", "884120", "root", True),
            NamedObject("whose", f"884120>app>changed={changed}", said=True),
            NamedObject("bearing", "owner_known", said=True),
        )
        answer = HelpAnswer((), FOUND, words, QuestionTopic.RISK, action="terminate")
        told = compose(TurnResults(answers=(answer,), objects=objects, turn=5, engine="mysql"), language)
        assert (first[:20] in told) is much
