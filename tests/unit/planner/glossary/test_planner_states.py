"""Questions what a state means that a server shows, whether it is bad, and whether it works."""

from __future__ import annotations

from services.planner.glossary.known_states import states, states_in
from services.planner.model import (
    EvidenceView,
    HelpAnswer,
    Language,
    QuestionStep,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.case.meanings import explain_states
from services.planner.speak.voice import Voice
from services.planner.understand.questions.states_asked import STATE
from tests.support.cases import for_each

SLOW = EvidenceView("P-0001", Text("全都慢", "Everything is slow"), Verdict.CONFIRMED, "all slow", 1)
SLOTS = " slot_name | wal_status\n-----------+------------\n cdc       | unreserved"
PG, MY = "postgresql", "mysql"


async def states_of(message: str, engine: str, *before: str) -> list[str]:
    """The states that the plan of a message has questions of."""
    history = tuple(Utterance(Speaker.USER, each) for each in before)
    plan: TurnPlan = (
        await Planner().decide(SessionView(turn=2, evidence=(SLOW,), history=history, engine=engine), message)
    ).plan
    lines = (line for each in plan.steps if isinstance(each, QuestionStep) for line in each.text.split("\n"))
    return [line.removeprefix(STATE) for line in lines if line.startswith(STATE)]


@for_each(
    ("message", "engine", "before", "state"),
    [
        ("what does unreserved mean", PG, (SLOTS,), "slot_unreserved"),
        ("unreserved 要紧吗？", PG, (SLOTS,), "slot_unreserved"),
        ("is ClientRead bad?", PG, (), "client_read"),
        ("Waiting for table metadata lock 是什么意思", MY, (), "metadata_lock"),
        ("it says Creating sort index. is it stuck or working?", MY, (), "sorting"),
        ("一直显示 Waiting for handler commit。这是卡住了还是在跑？", MY, (), "handler_commit"),
    ],
)
async def test_a_question_of_a_state_is_of_the_one_that_it_names_or_points_at(
    message: str, engine: str, before: tuple[str, ...], state: str
) -> None:
    """Meaning, harm and progress of a state are asked in many ways, by its name or right behind it."""
    assert await states_of(message, engine, *before) == [state]


@for_each("message", ["is everything lost?", "is the report active?", "lock 是什么意思", "why is it lost"])
async def test_a_plain_word_is_no_state_unless_the_case_shows_it(message: str) -> None:
    """ "Lost" and "active" are states only where an output has them."""
    assert not await states_of(message, PG)


@for_each("engine", [PG, MY])
def test_each_state_is_told_in_both_languages_and_found_by_its_words(engine: str) -> None:
    """Each entry says something in both languages, and its own words name it or an entry that has them too."""
    for state in states(engine):
        for language in (Language.ZH, Language.EN):
            assert explain_states(f"?\n{STATE}{state.state_id}", Voice(language))
        for words in state.words:
            assert any(words in each.state.words for each in states_in(f"it is {words}", engine, f"| {words} |"))


def test_other_questions_are_explained_by_no_state() -> None:
    """A question without a state has nothing of this glossary."""
    assert not explain_states(HelpAnswer((), None, "what is a slot?").text, Voice(Language.EN))
