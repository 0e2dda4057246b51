"""Answers by template, whatever the results have or lack."""

from __future__ import annotations

import random
import re

import pytest

from services.planner import model as kinds
from services.planner.model import (
    AppliedCorrection,
    AppliedSuggestion,
    Clarification,
    ClarificationOption,
    ClarifyKind,
    ConclusionView,
    DiagnosisView,
    EvidenceView,
    HypothesisView,
    Language,
    Mover,
    NotedEvidence,
    OutcomeView,
    RankedHypothesis,
    RankedRecommendation,
    SessionView,
    SmalltalkKind,
    SolutionStep,
    Status,
    Text,
    TicketReference,
    ToolFailure,
    TurnResults,
    Verdict,
)
from services.planner.planner import Planner
from services.planner.speak.compose import compose
from services.planner.speak.steps.as_code import code
from services.planner.speak.voice import polish
from services.planner.understand.read import understand
from tests.support.cases import for_each
from tests.support.examples import examples
from tests.unit.planner.made import made

LANGUAGES = [Language.ZH, Language.EN]
NAUGHTY = [
    "", " ", "\n\n", "\t", "\x00", "\ufeff", "?", "。。。", "!!!",
    "{}", "{names}", "%s%d", "$x ${y}", "'; DROP TABLE x; --",
    "<script>alert(1)</script>", "```sql\nSELECT 1", "🙂🙂🙂", "e\u0301" * 50, "１有　２没有", "有" * 3000, "1" * 3000,
    "0", "-1", "99999999999999999999 有", "1有" * 500,
    "P-9999999999", "RC-", "null", "None", "NaN", "true", "\u202eabc",
    "除了除了除了", "except except 1", "1-999999",
    "/nonsense", "/undo /undo", "(((((", "[[[[", "\\", "a" * 19_999,
]  # fmt: skip
SQL = "SELECT pid,\n       state\nFROM pg_stat_activity"


def t(zh: str, en: str) -> Text:
    return Text(zh, en)


def diagnosis(before: float | None = None, **changes: object) -> DiagnosisView:
    """A diagnosis with a leader and one check worth making."""
    leader = RankedHypothesis("RC-0001", t("索引膨胀", "Index bloat"), 0.44, 0.44, 0.0, before)
    yes = OutcomeView(0.5, (HypothesisView("RC-0001", t("索引膨胀", "Index bloat"), 0.8),))
    check = RankedRecommendation(
        1, "P-0001", t("索引变大", "Index grew"), "sql", SQL, t("大于 2 倍", "above twice"), 0.4, yes, yes
    )
    values: dict[str, object] = {"hypotheses": (leader,), "recommendations": (check,), **changes}
    return DiagnosisView(**values)  # type: ignore[arg-type]


@for_each("message", NAUGHTY, ids=lambda message: repr(message)[:24])
async def test_every_message_gets_a_plan_and_an_answer(message: str) -> None:
    """Nothing that is typed breaks understanding, and a turn without results still says something."""
    plan = understand(message, SessionView())
    assert plan.steps
    assert plan.language in LANGUAGES
    reply = await Planner().respond(TurnResults(unmatched=(message[:200],)), plan.language, message, message)
    assert reply.text.strip()


BARE = [
    TurnResults(),
    TurnResults(noted=(NotedEvidence(), NotedEvidence(matched_from_words=True))),
    TurnResults(corrections=(AppliedCorrection(),)),
    TurnResults(suggestions=(AppliedSuggestion(),)),
    TurnResults(unmatched=("",)),
    *[TurnResults(clarification=Clarification(kind)) for kind in ClarifyKind],
    *[TurnResults(clarification=Clarification(kind, options=(ClarificationOption(),))) for kind in ClarifyKind],
    *[TurnResults(status=status, diagnosis=DiagnosisView()) for status in Status],
    TurnResults(diagnosis=DiagnosisView((RankedHypothesis(),), (RankedRecommendation(),), movers=(Mover(),))),
    TurnResults(diagnosis=DiagnosisView(conclusion=ConclusionView())),
    TurnResults(
        diagnosis=DiagnosisView(conclusion=ConclusionView(solution=(SolutionStep(),), tickets=(TicketReference(),)))
    ),
    TurnResults(diagnosis=DiagnosisView(conclusion=ConclusionView(repeated_conclusion=True))),
    *[
        TurnResults(answers=(kind(),))
        for kind in (
            kinds.ProgressAnswer,
            kinds.HypothesesAnswer,
            kinds.RelationsAnswer,
            kinds.HistoryAnswer,
            kinds.ReasoningAnswer,
            kinds.WhatIfAnswer,
            kinds.HelpAnswer,
            kinds.DataAnswer,
        )
    ],
    TurnResults(answers=(kinds.HypothesesAnswer((kinds.HypothesisDetail(),)),)),
    TurnResults(answers=(kinds.HelpAnswer((RankedRecommendation(),)),)),
    TurnResults(failures=(ToolFailure(),)),
    *[TurnResults(smalltalk=(kind,)) for kind in SmalltalkKind],
    TurnResults(reset=True),
]


@for_each("language", LANGUAGES)
@for_each("results", BARE)
def test_results_that_lack_everything_optional_get_words(results: TurnResults, language: Language) -> None:
    """Absent parts are passed over; an answer is never empty and shows no placeholder."""
    text = compose(results, language)
    assert text.strip()
    assert "None" not in text
    assert not re.search(r"\{\w*\}", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_results_get_words(language: Language) -> None:
    """Whatever combination comes, there is a text, the same each time, and never a probability as certain."""
    for seed in range(examples(120)):
        results = made(TurnResults, random.Random(seed))
        text = compose(results, language, "earlier")
        assert text.strip(), seed
        assert text == compose(results, language, "earlier"), seed
        assert not re.search(r"\{\w+\}", text), seed
        assert not re.search(r"(?<![\d.])(?:100|0) ?%", text), seed


# Parts of texts that polishing changes, or must leave alone.
PIECES = [
    "锁",
    "IO",
    "。",
    "，",
    " ",
    "; ",
    ".",
    "`a  b。。`",
    "“x y。。”",
    "90%",
    "\n",
    "等待很多的一行",
    "：",
    "）",
    "...",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_polishing_twice_changes_nothing(language: Language) -> None:
    """A polished text is left as it is."""
    for seed in range(60):
        dice = random.Random(seed)
        text = polish("".join(dice.choice(PIECES) for _ in range(40)), language)
        assert polish(text, language) == text, seed


def test_polishing_evens_spaces_and_stops_and_leaves_code_alone() -> None:
    """Chinese and Latin stand apart, stops do not double, no line comes twice; code and quotations stay."""
    rough = "主机CPU超过90%。。\n“1有 2没有”  \n`a中b。。`；。\n原来领先的 锁等待\n原来领先的 锁等待"
    assert polish(rough, Language.ZH) == "主机 CPU 超过 90%。\n“1有 2没有”  \n`a中b。。`。\n原来领先的锁等待"


@for_each(
    ("how", "kind", "shown"),
    [
        ("Compare the graph with last week.", "manual", "Compare the graph with last week."),
        ("EXPLAIN (ANALYZE) <the slow SELECT>", "manual", "`EXPLAIN (ANALYZE) <the slow SELECT>;`"),
        ("-- twice\nSELECT 1", "manual", "```sql\n-- twice\nSELECT 1;\n```"),
        ("Connect as the app,\nthen look around.", "manual", "```\nConnect as the app,\nthen look around.\n```"),
        ("vmstat 1 10", "shell", "`vmstat 1 10`"),
        ("free -m\ndf -h", "shell", "```sh\nfree -m\ndf -h\n```"),
    ],
)
def test_a_command_is_shown_as_code(how: str, kind: str, shown: str) -> None:
    """Commands stand in code, in the line when they fit; only one line of plain words is plain."""
    assert code(how, kind) == shown


@pytest.mark.parametrize("language", LANGUAGES)
def test_options_are_names_alone_when_there_are_many(language: Language) -> None:
    """A clarification with three options names them; with two, a short "present when" may stand beside."""
    option = ClarificationOption(1, "P-0001", t("锁等待", "Lock waits"), t("大于 3 个", "more than 3"))
    asked = [Clarification(ClarifyKind.MULTIPLE_MATCHES, "x", (option,) * count) for count in (2, 3)]
    texts = [compose(TurnResults(clarification=one), language) for one in asked]
    present = option.present_when.say(language)
    assert present in texts[0]
    assert present not in texts[1]


@for_each("language", LANGUAGES)
@for_each(("score", "turn", "shown"), [(0.81, 4, True), (0.95, 4, False), (0.95, 1, False)])
def test_an_unsure_match_may_be_objected_to(score: float, turn: int, shown: bool, language: Language) -> None:
    """Below 0.9, and in the first turn, the person learns that they may object; a score is never shown."""
    noted = NotedEvidence("P-0001", t("锁等待", "Lock waits"), Verdict.CONFIRMED, "x", score, matched_from_words=True)
    text = compose(TurnResults(noted=(noted,), turn=turn), language)
    assert f"{score:.2f}" not in text
    assert (("不对请说" in text) or ("correct me if not" in text)) is (shown or turn == 1)


@for_each("language", LANGUAGES)
@for_each(
    ("row", "values", "told"),
    [
        (
            "shop | shop | 20 | 847 | 14 | transaction",
            "cl_waiting = 847, maxwait = 14",
            ("cl_waiting 847", "maxwait 14"),
        ),
        ("22 | app | 00:00:11.4 | {}", "xact_age = 11.4, pid = 22, blocked_by = {}", ("xact_age 00:00:11.4",)),
        ("vdb | 97.44 | 100.00", "w_await = 97.1, util_pct = 100", ("util_pct 100.00",)),
        ("21 | IO | WALSync", "wait_event = WALSync, pid = 21", ("wait_event WALSync",)),
        ("0 | nothing | that", "was = read", ()),
        ("Innodb_buffer_pool_reads | 0", "value = 0", ()),
    ],
)
def test_a_row_is_told_by_what_decided_in_it(row: str, values: str, told: tuple[str, ...], language: Language) -> None:
    """Its columns that count with their cells as they were pasted; no other value, and never the whole row."""
    for given in (Verdict.CONFIRMED, Verdict.DENIED):
        noted = NotedEvidence(
            "P-0001", t("排队", "Queue"), given, row, 1.0, matched_from_words=True, extracted_value=values
        )
        text = compose(TurnResults(noted=(noted,), turn=4), language)
        assert ("、" if language is Language.ZH else ", ").join(told) in text
        assert row not in text
        assert t("排队", "Queue").say(language) in text
        assert "97.1" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_undo_in_sql_is_code_without_its_semicolon(language: Language) -> None:
    """Statements inside an undo stand in backticks, and brackets close without a semicolon before them."""
    undo = t("ALTER ROLE app RESET x; 再检查", "ALTER ROLE app RESET x; then check")
    plain = t("ALTER SYSTEM RESET work_mem; SELECT pg_reload_conf();", "ALTER SYSTEM RESET work_mem;")
    steps = (SolutionStep(t("做", "Do"), undo=undo), SolutionStep(t("做", "Do"), undo=plain))
    text = compose(
        TurnResults(answers=(kinds.HelpAnswer(conclusion=ConclusionView("RC-0001", solution=steps)),)), language
    )
    assert "`ALTER ROLE app RESET x` " in text
    assert "`ALTER SYSTEM RESET work_mem" in text
    assert not re.search(r";[)）；]", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_same_check_is_not_spelled_out_again(language: Language) -> None:
    """A check that the last answer named comes back by name, with how to get its command."""
    results = TurnResults(noted=(NotedEvidence("P-0009"),), diagnosis=diagnosis(0.2), turn=3)
    first = compose(results, language)
    again = compose(results, language, first)
    assert SQL in first
    assert SQL not in again
    assert ("1 怎么看" in again) or ("how do I check 1" in again)


@pytest.mark.parametrize("language", LANGUAGES)
def test_progress_is_short(language: Language) -> None:
    """What is known, who leads, the next check by name: no command, no word on what moved."""
    known = EvidenceView("P-0002", t("锁等待", "Lock waits"), Verdict.CONFIRMED)
    answer = kinds.ProgressAnswer(2, (known,))
    text = compose(TurnResults(diagnosis=diagnosis(0.44), answers=(answer,), turn=3), language)
    assert len(text.splitlines()) == 3
    assert "SELECT" not in text
    for named in (known.name, t("索引膨胀", "Index bloat"), t("索引变大", "Index grew")):
        assert named.say(language) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_advice_before_a_conclusion_names_the_leader_and_the_next_check(language: Language) -> None:
    """Asked what to do too early, it says who leads, that it is too early, and what to look at."""
    text = compose(TurnResults(diagnosis=diagnosis(0.44), answers=(kinds.HelpAnswer(),), turn=3), language)
    assert "44" in text
    assert SQL in text
    assert "/undo" not in text
    assert "/undo" in compose(TurnResults(answers=(kinds.HelpAnswer(),)), language)


def test_denied_evidence_reads_as_its_absence() -> None:
    """What arrives worded as an absence is not quoted again."""
    names = (t("没有“每秒事务数大幅下降”", 'no "TPS dropped"'), t("甲，乙", "one, two"))
    answer = kinds.HypothesesAnswer((kinds.HypothesisDetail(1, "RC-0001", t("锁", "Locks"), 0.4, names),), 9)
    assert "支持：没有“每秒事务数大幅下降”、“甲，乙”" in compose(TurnResults(answers=(answer,)), Language.ZH)
    assert 'for it: no "TPS dropped", "one, two"' in compose(TurnResults(answers=(answer,)), Language.EN)
