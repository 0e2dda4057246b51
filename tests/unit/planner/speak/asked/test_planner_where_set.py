"""Where a setting is set is a fact of the setting; where a step is run, one of the step."""

from __future__ import annotations

from services.planner.model import (
    ConclusionView,
    EvidenceView,
    HelpAnswer,
    HypothesisView,
    Language,
    QuestionStep,
    QuestionTopic,
    SessionView,
    SolutionStep,
    Speaker,
    Status,
    Text,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.voice import load_phrases
from tests.support.cases import for_each

LANGUAGES = (Language.ZH, Language.EN)
SEEN = EvidenceView("P-0001", Text("在等锁", "They wait"), Verdict.CONFIRMED, "31 waiting", 1)
NAME = Text("备库长查询与回放冲突", "Long standby queries conflict with replay")
DELAY = "ALTER SYSTEM SET max_standby_streaming_delay = '150min'; SELECT pg_reload_conf();"
FEEDBACK = "ALTER SYSTEM SET hot_standby_feedback = on; SELECT pg_reload_conf();"
LEADING = ConclusionView(
    "RC-0001",
    NAME,
    0.54,
    solution=(
        SolutionStep(Text("放宽延迟", "Allow more delay"), DELAY, "low"),
        SolutionStep(Text("打开反馈", "Turn feedback on"), FEEDBACK, "medium"),
    ),
)


async def topics_of(message: str) -> list[QuestionTopic | None]:
    """The topics of the questions that a message asks after the step with the delay was shown."""
    view = SessionView(
        turn=5,
        status=Status.NARROWING,
        evidence=(SEEN,),
        hypotheses=(HypothesisView("RC-0001", NAME, 0.54),),
        history=(Utterance(Speaker.USER, "ok"), Utterance(Speaker.ASSISTANT, f"1. `{DELAY}`")),
    )
    steps = (await Planner().decide(view, message)).plan.steps
    return [step.topic for step in steps if isinstance(step, QuestionStep)]


@for_each("language", LANGUAGES)
@for_each(
    ("asked", "name", "where"),
    [
        ("hot_standby_feedback 在主库还是备库上开？", "hot_standby_feedback", "standby"),
        ("max_standby_streaming_delay: which server do i set it on?", "max_standby_streaming_delay", "standby"),
        ("synchronous_standby_names 在哪台上改", "synchronous_standby_names", "primary"),
        ("which server do i run that on?", "max_standby_streaming_delay", "standby"),
    ],
)
def test_where_a_setting_is_set_is_a_fact_of_it(asked: str, name: str, where: str, language: Language) -> None:
    """The setting that is asked about tells the server; else that of the step that comes next."""
    answer = HelpAnswer((), LEADING, asked, QuestionTopic.RUNNING)
    text = compose(TurnResults(answers=(answer,), turn=5), language)
    assert text == str(load_phrases(language)[f"step_where_{where}"]).format(name=name)


@for_each(
    ("message", "asks"),
    [
        ("改成150min那备库不就落后两个多小时？", False),
        ("我直接把 hot_standby_feedback 打开行不行，备库有啥坏处吗", False),
        ("won't the standby lag if i set it to 150min?", False),
        ("备库上也跑不了 DDL 吧？", False),
        ("在主库还是备库上跑？", True),
        ("在备库上改吗？", True),
        ("do i run it on the standby?", True),
    ],
)
async def test_a_server_that_is_only_named_is_not_asked_for(message: str, asks: bool) -> None:
    """Where to run something is told where that is asked, and not because a standby is spoken of."""
    assert (QuestionTopic.RUNNING in await topics_of(message)) is asks
