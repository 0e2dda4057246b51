"""Whether it is what somebody asks: the verdict names it, is of the beliefs now, and shows the facts."""

from __future__ import annotations

import pytest

from services.planner.model import (
    AppliedSuggestion,
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    MatterView,
    QuestionKind,
    QuestionStep,
    SolutionStep,
    SuggestionStep,
    Text,
    Timing,
    TurnPlan,
    Verdict,
)
from services.planner.speak.verdicts.changes import tell_change
from services.planner.speak.verdicts.verdict import Standing, judge, open_suspects, tell_suspicions, tell_verdict
from services.planner.speak.voice import Voice
from services.planner.understand.questions.of_the_cause import asks_likelier, draws_conclusion, wants_verdict
from services.planner.understand.questions.suppositions import with_wondered
from tests.support.cases import for_each

LEADER = HypothesisView("RC-0001", Text("索引膨胀", "Index bloat"), 0.9)
WEAK = HypothesisView("RC-0001", Text("索引膨胀", "Index bloat"), 0.1)
FACT = EvidenceView("P-0001", Text("磁盘写满", "The disk is full"), Verdict.CONFIRMED, "df says 100 percent")
LANGUAGES = (Language.ZH, Language.EN)


def matter(belief: float, prior: float = 0.02, leader: HypothesisView = LEADER, area: str = "network") -> MatterView:
    """An area with this belief, beside a leader."""
    name = Text("丢包", "Packet loss")
    return MatterView("w", root_cause_id="RC-0002", name=name, confidence=belief, prior=prior, leader=leader, area=area)


@for_each(
    ("asked", "standing"),
    [
        (matter(0.9, leader=HypothesisView("RC-0002")), Standing.SURE),
        (matter(0.6, leader=WEAK), Standing.LIKELY),
        (matter(0.3, leader=WEAK), Standing.POSSIBLE),
        (matter(0.02), Standing.UNLIKELY),
        (matter(0.005, leader=WEAK), Standing.UNLIKELY),
        (matter(0.03, leader=WEAK), Standing.OPEN),
    ],
)
def test_the_verdict_is_that_of_the_beliefs(asked: MatterView, standing: Standing) -> None:
    """Nothing is unlikely as long as nothing leads and nothing speaks against it."""
    assert judge(asked) is standing


@for_each("language", LANGUAGES)
@for_each("belief", [0.95, 0.6, 0.3, 0.02])
def test_every_verdict_names_what_it_is_of(language: Language, belief: float) -> None:
    """No verdict begins with a bare yes or no, and none tells of hints."""
    text = tell_verdict(matter(belief), Voice(language))
    assert ("网络" if language is Language.ZH else "the network") in text.split(
        "。" if language is Language.ZH else ". "
    )[0]
    assert not text.lower().startswith(("yes", "no", "是，", "不，"))
    assert "hint" not in text
    assert "提示" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_speaks_against_it_is_told_in_the_persons_words(language: Language) -> None:
    """An unlikely cause is told with the facts that speak for the leader instead."""
    asked = matter(0.01)
    text = tell_verdict(MatterView(**{**vars(asked), "opposing": (FACT,)}), Voice(language))
    assert "df says 100 percent" in text
    assert LEADER.name.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_be_answered_is_said_with_the_words_asked(language: Language) -> None:
    """Nothing known is said so, and no cause is made up."""
    text = tell_verdict(MatterView("the purple cable"), Voice(language))
    assert "the purple cable" in text
    assert "%" not in text


@for_each("language", LANGUAGES)
@for_each("timing", [Timing.FITS, Timing.APART, None])
def test_a_change_is_told_beside_the_beginning(language: Language, timing: Timing | None) -> None:
    """Both are quoted, whatever the times say; a change that lies apart is not ruled out."""
    asked = MatterView("w", change="keys were rotated on monday", onset="failing since monday", timing=timing)
    text = tell_verdict(asked, Voice(language))
    assert "keys were rotated on monday" in text
    assert "failing since monday" in text
    assert "ruled out" not in text
    assert "排除" not in text


def test_unlikely_suspects_are_no_reason_for_a_check() -> None:
    """Only what may still be it is worth a look; what leads instead is told once."""
    suspects = [
        AppliedSuggestion("w", "RC-0002", matter=matter(each, leader=lead))
        for each, lead in ((0.01, LEADER), (0.3, WEAK))
    ]
    assert open_suspects(suspects) == ["RC-0002"]
    told = tell_suspicions([suspects[0], suspects[0]], Voice(Language.EN))
    assert sum("Index bloat" in each for each in told) == 1


@for_each(
    "sentence", ["所以不是锁的问题吧?", "那跟我们发版没关系?", "所以是长事务?", "so it is the binlogs?", "原来是索引"]
)
def test_conclusions_want_a_verdict(sentence: str) -> None:
    """Whoever concludes that it is something, or that it is not, wants to hear whether."""
    assert draws_conclusion(sentence)


@for_each("sentence", ["那不是说了吗,连接数没变", "不是锁", "is it safe?", "磁盘满了"])
def test_what_concludes_nothing_wants_none(sentence: str) -> None:
    """A protest, a fact and a question for leave draw no conclusion."""
    assert not draws_conclusion(sentence)


def test_a_why_is_no_whether() -> None:
    """Whether it was something is no question for grounds; why you say so is one."""
    asked = QuestionStep(QuestionKind.REASONING, text="they ask whether it was the cutover")
    assert wants_verdict(asked)
    assert not wants_verdict(QuestionStep(QuestionKind.REASONING, text="why do you say it was the cutover"))


@for_each(
    ("said", "told"),
    [
        (
            "it freezes. we moved the importer here on the weekend if that matters",
            "we moved the importer here on the weekend",
        ),
        ("报错了，晚上十点上过一个版本不知道有没有关系", "晚上十点上过一个版本"),
        ("we moved the importer here on the weekend", ""),
        ("if that helps, run it", ""),
    ],
)
def test_what_is_wondered_about_is_asked(said: str, told: str) -> None:
    """A change that somebody mentions and wonders about is weighed; what is only told is not."""
    plan = with_wondered(TurnPlan(), said)
    assert plan.steps == ((SuggestionStep(told),) if told else ())


@for_each(
    ("words", "asked"),
    [
        ("缓存失效和连接风暴哪个更像?", True),
        ("which of them is more likely?", True),
        ("取消还是断开?", False),
        ("which one do I drop?", False),
    ],
)
def test_which_cause_is_likelier_is_no_choice_of_steps(words: str, asked: bool) -> None:
    """Two causes are set against each other by what is believed, two steps by what they do."""
    assert asks_likelier(words) is asked


@for_each("language", LANGUAGES)
def test_a_changed_setting_is_it_where_the_cause_is_about_it(language: Language) -> None:
    """The leading cause whose steps set just what was changed is named with the setting, also where it came later."""
    step = SolutionStep(Text("调小", "Lower it"), "ALTER SYSTEM SET work_mem = '16MB';")
    found = ConclusionView("RC-0001", LEADER.name, 0.9, solution=(step,))
    asked = MatterView("w", leader=LEADER, change="work_mem 512MB", onset="down at 11", timing=Timing.APART)
    text = tell_change(asked, HelpAnswer((), None, "w", leading=found), Voice(language))
    assert "`work_mem`" in text
    assert LEADER.name.say(language) in text
    assert "down at 11" in text
    other = MatterView("w", leader=LEADER, change="jit on", onset="down at 11", timing=Timing.APART)
    assert "`" not in tell_change(other, HelpAnswer((), None, "w", leading=found), Voice(language))
