"""That the assistant is to look for itself: heard where it is said, and nowhere else."""

from __future__ import annotations

from itertools import product

import pytest

from services.planner.model import (
    Clarification,
    ClarificationOption,
    ClarifyKind,
    DiagnosisView,
    FeedbackStep,
    Item,
    Language,
    LookOffer,
    LookStep,
    LookView,
    ObservationStep,
    RankedRecommendation,
    SeenView,
    SessionView,
    Status,
    Text,
    TurnResults,
    UnseenView,
    Verdict,
)
from services.planner.speak.compose import compose
from services.planner.understand.open_question import read_answering
from tests.support.cases import for_each

ITEMS = tuple(Item(number, f"P-000{number}", Text(f"现象{number}", f"Sign {number}")) for number in (1, 2, 3))
ONE, THREE = ITEMS[:1], ITEMS


def view(offered: bool, items: tuple[Item, ...] = THREE) -> SessionView:
    """A session that asks about these, having offered to look or not."""
    return SessionView(language=Language.ZH, pending=items, look_offered=offered)


def looks(message: str, session: SessionView) -> list[LookStep]:
    """The steps of a message that say whether to look."""
    return [step for step in read_answering(message, session)[0].steps if isinstance(step, LookStep)]


ACCEPTED = [
    "好",
    "行",
    "可以",
    "ok",
    "go ahead",
    "yes please",
    "sure",
    "please do",
    "do it",
]
REFUSED = ["不用", "不用了，我自己来", "先不看", "别看", "no thanks", "not now", "don't look", "no need"]
ASKED = [
    "看吧",
    "好，你看吧",
    "麻烦你看一下",
    "嗯，去看吧",
    "帮我看看吧",
    "yes please look",
    "please have a look",
    "ok go look then",
    "你自己看看",
    "你自己去看一下",
    "你能自己查吗？",
    "你自己再看一遍",
    "你再查一次吧",
    "take another look please",
    "你直接连上去看看吧",
    "连到库里看一下",
    "/look",
    "/look orders",
    "can you check it yourself?",
    "look for yourself",
    "why don't you look yourself?",
    "please check the database yourself",
    "connect to the database and have a look",
]
ELSEWHERE = [
    "你自己看看上面的日志",
    "我自己看了",
    "I checked it myself",
    "you can see it in the log yourself",
    "你看看这个",
    "1有 2没有",
    "看不了",
    "要看什么",
    "我去看看",
    "2 怎么看",
    "可以看到",
    "looks ok",
    "yes, it looks slow",
    "let me check",
    "好了，恢复了",
    "ok, locks are there",
]


@for_each(("message", "items"), list(product(ACCEPTED, (ONE, THREE))))
def test_a_yes_to_the_offer_is_a_look(message: str, items: tuple[Item, ...]) -> None:
    """Where it was offered, words of consent are the whole plan; where it was not, they are none."""
    plan, _ = read_answering(message, view(True, items))
    assert [type(step) for step in plan.steps] == [LookStep]
    assert looks(message, view(False, items)) == []


@for_each("message", REFUSED)
def test_a_no_to_the_offer_is_kept_from_the_questions(message: str) -> None:
    """Declining the offer answers nothing else."""
    plan, _ = read_answering(message, view(True))
    assert plan.steps == (LookStep(True, message),)


@for_each(
    ("message", "verdict"),
    [("yes", Verdict.CONFIRMED), ("是的", Verdict.CONFIRMED), ("no", Verdict.DENIED), ("没有", Verdict.DENIED)],
)
def test_a_bare_answer_beside_one_question_is_for_the_question(message: str, verdict: Verdict) -> None:
    """With one item asked, a bare yes or no is about it; a bare no never declines the offer."""
    (step,) = read_answering(message, view(True, ONE))[0].steps
    assert isinstance(step, FeedbackStep)
    assert step.verdict is verdict


def test_a_bare_yes_beside_several_questions_is_for_the_offer() -> None:
    """It can mean none of the items."""
    assert looks("yes", view(True)) != []
    assert all(isinstance(step, FeedbackStep) for step in read_answering("no", view(True))[0].steps)


@for_each(("message", "offered"), list(product(ASKED, (False, True))))
def test_a_request_needs_no_offer(message: str, offered: bool) -> None:
    """Who asks the assistant to look by itself is heard at any time."""
    (step,) = read_answering(message, view(offered))[0].steps
    assert isinstance(step, LookStep)
    assert not step.declined


@for_each("message", ELSEWHERE)
def test_what_only_sounds_like_it_is_no_request(message: str) -> None:
    """Logs that were pasted, what the person looked at, and answers are not taken for one."""
    assert looks(message, view(True)) == []


@pytest.mark.parametrize(
    ("message", "fact"),
    [("你自己看看吧，CPU 95%", "CPU 95%"), ("CPU is at 95%. can you look for yourself?", "CPU is at 95%")],
)
def test_what_else_a_message_says_is_not_lost(message: str, fact: str) -> None:
    """The rest is read as ever, and comes before the look."""
    first, last = read_answering(message, view(False))[0].steps
    assert isinstance(first, ObservationStep)
    assert (first.text.strip(" ."), type(last)) == (fact, LookStep)


def test_a_named_target_is_passed_on_in_the_person_s_words() -> None:
    """The words after the command are kept as they are."""
    assert looks("/look Orders-1", view(False)) == [LookStep(words="Orders-1")]


def test_nothing_is_heard_in_a_long_paste() -> None:
    """A request is said, not found somewhere in many lines."""
    assert looks("LOG: x\n" * 200 + "look for yourself", view(False)) == []


SEEN = LookView(
    "orders",
    "",
    (
        SeenView("P-0001", Text("锁等待", "Lock waits"), Verdict.CONFIRMED, "waiters = 7", "pg.locks", "0001-pg.locks"),
        *(SeenView(f"P-01{n:02}", Text(f"没事{n}", f"Quiet {n}"), Verdict.DENIED, "0", "pg.x", "r") for n in range(30)),
        SeenView("P-0002", Text("膨胀", "Bloat"), Verdict.UNKNOWN, "", "pg.y", "r"),
    ),
    (UnseenView("pg.archiver", Text("归档", "Archiver"), "not_allowed: no right\nIs the server " + "running? " * 40),),
    12,
    3.4,
)


@pytest.mark.parametrize("language", [Language.ZH, Language.EN])
def test_what_was_seen_is_told_in_few_words(language: Language) -> None:
    """What is there comes with its value, what is not is counted, what stayed open and why is named."""
    text = compose(TurnResults(Status.EXPLORING, look=SEEN, turn=3), language)
    assert SEEN.seen[0].name.say(language) in text
    for part in ("orders", "12", "3.4", "waiters = 7", "30", "not_allowed", SEEN.seen[-1].name.say(language)):
        assert part in text
    assert len(text) < 400


def offered(visible: int, asked: Clarification | None = None) -> TurnResults:
    """Results of a turn that asks two things and could look."""
    questions = tuple(
        RankedRecommendation(number, f"P-000{number}", Text("甲", "A"), observation_method="SELECT 1")
        for number in (1, 2)
    )
    found = DiagnosisView(recommendations=questions)
    return TurnResults(
        Status.EXPLORING, diagnosis=found, look_offer=LookOffer("orders", "", visible), clarification=asked
    )


@pytest.mark.parametrize(("language", "words"), [(Language.ZH, "要我自己看一下"), (Language.EN, "Shall I look")])
def test_the_offer_stands_last(language: Language, words: str) -> None:
    """It is the last thing said, after the questions or after what is asked back."""
    back = Clarification(ClarifyKind.VAGUE, "slow", (ClarificationOption(1, "P-0001", Text("甲", "A")),))
    for results in (offered(1), offered(2), offered(1, back)):
        assert words in compose(results, language).rsplit("\n", 1)[-1]
