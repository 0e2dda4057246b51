"""Which of two remedies: both are told with what they cost here, and which one is better with the reason."""

from __future__ import annotations

from lang.objects.settings_said import SETTING
from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.sizing.asked import AMOUNT
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

DELAY = SolutionStep(
    Text(
        "报表专用备库放宽 max_standby_streaming_delay（接受延迟）",
        "On a standby for reports raise max_standby_streaming_delay",
    ),
    "ALTER SYSTEM SET max_standby_streaming_delay = '30min'; SELECT pg_reload_conf();",
    "low",
)
FEEDBACK = SolutionStep(
    Text(
        "打开 hot_standby_feedback，代价是主库可能膨胀",
        "Turn on hot_standby_feedback; the price is bloat on the primary",
    ),
    "ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf();",
    "medium",
)
CAUSE = ConclusionView("RC-1", Text("回放冲突", "Replay conflicts"), 0.6, solution=(FEEDBACK, DELAY))
NOW = NamedObject(SETTING, "max_standby_streaming_delay=30s")


@for_each(
    ("asked", "language"),
    [
        ("那开feedback和调大那个30s到底选哪个?", Language.ZH),
        ("打开 feedback 还是把 30s 放宽好？", Language.ZH),
        ("so turn on feedback or raise that 30s, which one?", Language.EN),
    ],
)
async def test_of_two_remedies_both_are_told_and_the_better_one_with_its_reason(asked: str, language: Language) -> None:
    """A value calls its setting by what it is now, and asks for no other value; the less risky step is better."""
    seen = EvidenceView("P-1", Text("备库查询被取消", "Standby queries cancelled"), Verdict.CONFIRMED, "x", 1)
    shown = Utterance(Speaker.ASSISTANT, f"`{DELAY.how}`\n`{FEEDBACK.how}`")
    view = SessionView(language, 5, evidence=(seen,), history=(shown,), settings=(NOW,))
    (step,) = [each for each in (await Planner().decide(view, asked)).plan.steps if isinstance(each, QuestionStep)]
    assert step.action != AMOUNT
    answer = HelpAnswer((), None, step.text, QuestionTopic.COMPARISON, action=step.action, leading=CAUSE)
    text = compose(TurnResults(answers=(answer,), objects=(NOW,)), language)
    for each in (DELAY, FEEDBACK):
        assert each.action.say(language)[:12] in text
    better = str(load_phrases(language)["compare_better"]).split("{name}")[0]
    assert f"{better}{DELAY.action.say(language)[:12]}" in text
