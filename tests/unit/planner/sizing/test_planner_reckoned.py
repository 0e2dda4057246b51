"""Arithmetic of figures that were said: pools against the connections counted, and how long the rest takes."""

from __future__ import annotations

from services.planner.model import (
    EvidenceView,
    HelpAnswer,
    Language,
    NamedObject,
    QuestionStep,
    SessionView,
    Speaker,
    Text,
    TurnPlan,
    TurnResults,
    Utterance,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.questions_asked.steps_of_words import overlaps
from services.planner.sizing.known import known_numbers
from services.planner.sizing.pool_sums import POOLS, pool_sum_of
from services.planner.sizing.share_done import PROGRESS, progress_of
from services.planner.sizing.table import Fit, fit, lacking
from services.planner.speak.follow_ups.pools_reckoned import tell_pool_sum
from services.planner.speak.follow_ups.progress_reckoned import tell_progress
from services.planner.speak.voice import Voice
from tests.support.cases import for_each

SLOW = EvidenceView("P-0001", Text("连不上", "No connection"), Verdict.CONFIRMED, "refused", 1)
LANGUAGES = (Language.ZH, Language.EN)
HOUR = 3600


async def plan_of(message: str, *settings: str, before: tuple[str, ...] = ()) -> TurnPlan:
    """The plan of a message in a case with these settings, in which these were said."""
    view = SessionView(
        turn=2,
        evidence=(SLOW,),
        settings=tuple(NamedObject("setting", each) for each in settings),
        history=tuple(Utterance(Speaker.USER, each) for each in before),
    )
    return (await Planner().decide(view, message)).plan


def reckoned(plan: TurnPlan, action: str) -> str:
    """The words and figures of the question with this action."""
    return next((each.text for each in plan.steps if isinstance(each, QuestionStep) and each.action == action), "")


@for_each(
    ("message", "settings", "figures"),
    [
        (
            "8 pods with a pool of 15 per pod. where do 390 connections come from?",
            ("max_connections=600",),
            (8, 15, 390, 600),
        ),
        ("how can there be 390 connections?", ("instances=8", "maximum_pool_size=15"), (8, 15, 390, 0)),
        ("每个 pod 的池是 15，8 个 pod。390 个连接哪来的？", ("max_connections=600",), (8, 15, 390, 600)),
        (
            "the pool is 15 per pod, 4 instances per host. how can there be 170 per host?",
            (),
            (4, 15, 170, 0),
        ),
        ("about 70 a pod when the pool says 15. what does that tell you", ("maximum_pool_size=15",), (1, 15, 70, 0)),
    ],
)
async def test_the_count_is_held_against_what_the_pools_may_hold(
    message: str, settings: tuple[str, ...], figures: tuple[int, ...]
) -> None:
    """Instances and pool size are taken from the message or the case, and the count from the question."""
    found = pool_sum_of(reckoned(await plan_of(message, *settings), POOLS))
    assert found is not None
    assert found[:4] == figures


@for_each("language", LANGUAGES)
def test_the_product_is_said_with_what_is_beyond_it(language: Language) -> None:
    """The sum stands with its factors; a count within it is no fault, one beyond it is named with its excess."""

    def told(seen: int) -> str:
        text = f"asked?\n8 15 {seen} 600"
        return tell_pool_sum(HelpAnswer((), None, text), TurnResults(), Voice(language))

    assert "8 × 15 = 120" in told(390)
    assert "270" in told(390)
    assert "600" in told(390)
    assert "600" not in told(100)


async def test_figures_behind_a_question_are_no_words_of_another() -> None:
    """What is reckoned of the pools answers no question of percents or limits."""
    text = reckoned(await plan_of("how can there be 390 connections?", "instances=8", "maximum_pool_size=15"), POOLS)
    assert pool_sum_of(text) is not None
    assert not any(overlaps(text, each) for each in ("what percent of the disk is left?", "can i raise the limit?"))


@for_each(
    ("message", "share", "hours"),
    [
        ("2.5M of 10M rows in 2 hours, how much longer?", 0.25, 6.0),
        ("it has copied 30 GB of 120 GB in 1 hour, how long will it take?", 0.25, 3.0),
        ("两小时扫了 40%，还要多久？", 0.4, 3.0),
        ("四个小时删了 80%，大概还要一个小时，对吗？", 0.8, 1.0),
    ],
)
async def test_the_rest_takes_as_long_as_its_share(message: str, share: float, hours: float) -> None:
    """What is done of the whole in a time gives the time of the rest."""
    found = progress_of(reckoned(await plan_of(message), PROGRESS))
    assert found is not None
    assert abs(found.done / found.whole - share) < 0.01
    assert abs(found.left / HOUR - hours) < 0.1


async def test_rows_of_a_running_transaction_are_held_against_those_of_its_statement() -> None:
    """The rows that a transaction has changed since its start, the rows that were told, and the clock give the time."""
    shown = "trx_started: 2026-03-02 04:00:00\ntrx_rows_modified: 3000000"
    plan = await plan_of("it is 7:00 now, how much longer?", before=("one DELETE of 4 million rows", shown))
    found = progress_of(reckoned(plan, PROGRESS))
    assert found is not None
    assert abs(found.left / HOUR - 1.0) < 0.1


@for_each("language", LANGUAGES)
def test_a_time_that_was_reckoned_is_confirmed_or_not(language: Language) -> None:
    """Whoever reckoned the rest hears first whether that is right."""

    def told(said: int) -> str:
        text = f"asked?\n50 100 {2 * HOUR} {said}"
        return tell_progress(HelpAnswer((), None, text), TurnResults(), Voice(language))

    assert told(2 * HOUR).split()[0] != told(9 * HOUR).split()[0]
    assert "50" in told(0)


@for_each(("engine", "fits"), [("mysql", Fit.OPEN), ("postgresql", Fit.MUCH)])
def test_bounds_hold_for_their_own_server(engine: str, fits: Fit) -> None:
    """A setting that two servers have is not sized by the memory settings of the other one, nor asked for them."""
    told = {"engine": (engine,), "setting": ("memory=4GB", "shared_buffers=1GB", "work_mem=64MB")}
    assert fit("max_connections", "2000", known_numbers(told)) is fits
    assert bool(lacking("max_connections", known_numbers({"engine": (engine,)}))) is (engine == "postgresql")
