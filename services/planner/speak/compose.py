"""Composes the whole answer by template: non-empty sections in a fixed order. Never empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from services.planner.model import (
    Aftermath,
    Clarification,
    ClarifyKind,
    ConclusionView,
    DiagnosisView,
    EngineGap,
    HelpAnswer,
    Language,
    ProgressAnswer,
    SmalltalkKind,
    Status,
    Tool,
    ToolFailure,
    TurnResults,
)
from services.planner.questions_asked.interrogatives import is_question
from services.planner.sizing.known import ENGINE
from services.planner.speak import caveats, checks, clarification, diagnosis, investigation, telling
from services.planner.speak.acting_early import acts_on_leader
from services.planner.speak.answering.unanswered import tell_unanswered
from services.planner.speak.answers import is_undecided
from services.planner.speak.case.remedy_steps import counting
from services.planner.speak.conclusion import render_conclusion
from services.planner.speak.follow_ups.recovery import is_over
from services.planner.speak.objects import choices
from services.planner.speak.record.noted import render_corrections, render_noted
from services.planner.speak.record.set_aside import beyond_reach, left_aside, told_limits
from services.planner.speak.rows_read import facts_of, tell_rows, without_vague
from services.planner.speak.verdicts.verdict import tell_suspicions
from services.planner.speak.voice import Voice, polish
from services.planner.understand.answers.settings_shown import SETTINGS
from services.planner.understand.text.smalltalk import orders_something

# Talk that ends an exchange, which an answer beside it goes on with.
_CLOSING = (SmalltalkKind.THANKS, SmalltalkKind.FAREWELL, SmalltalkKind.REMARK)
_TRANSIENT = ("unreachable", "deadline", "too_many", "dependency", "unavailable")
_INPUT = ("invalid", "empty", "too_long", "not_found", "unknown")
_ENGINES = {
    "postgresql": "PostgreSQL",
    "mysql": "MySQL",
    "oracle": "Oracle",
    "sqlserver": "SQL Server",
    "mongodb": "MongoDB",
    "redis": "Redis",
    "tidb": "TiDB",
    "oceanbase": "OceanBase",
    "db2": "Db2",
    "sqlite": "SQLite",
    "clickhouse": "ClickHouse",
    "elasticsearch": "Elasticsearch",
    "dameng": "达梦",
}
# Databases that a shipped library is for.
_SHIPPED = ("postgresql", "mysql")


def render_engine_gap(gap: EngineGap, voice: Voice) -> str:
    """That the library is for another database than the person's, and how to start with theirs where there is one."""
    covered = voice.listed(_ENGINES.get(engine, engine) for engine in gap.covered)
    named = _ENGINES.get(gap.named, gap.named)
    phrase = "other_engine_shipped" if gap.named in _SHIPPED else "other_engine"
    return voice.say(phrase, named=named, covered=covered, library=gap.named)


def compose(
    results: TurnResults, language: Language, previous: str = "", message: str = "", earlier: Sequence[str] = ()
) -> str:
    """Renders the results as light Markdown: paragraphs, lists, commands as code.

    previous, earlier: the last answer, and those before it; message: what the results answer.
    """
    question = is_question(message)
    asked = question or orders_something(message)
    results = without_vague(results, message, language) if results.answers else results
    results = checks.without_idle(results if asked else _with_remarks(results))
    fitting = choices(results)
    bound = {kind: names[0] for kind, names in fitting.items() if len(names) == 1}
    fitting = {**fitting, ENGINE: (results.engine,)}
    voice = Voice(language, results.turn, previous, bound, fitting, tuple(earlier), results.engine)
    found = next(_acted_on(results), None)
    results = counting(found, results, voice) if found is not None else results
    heard = [
        *_open(results, voice, message, question),
        *(investigation.render_investigation(results, voice) if results.look or results.look_declined else ()),
    ]
    told, given, before = telling.tell_answers(results, voice, bool(facts_of(message, language)))
    standing = _standing(results, heard, told, voice)
    missing = tell_unanswered(message, results, given, before, voice)
    sections = [*heard, *standing, *told, missing, *_next(results, [*standing, *told], voice)]
    if is_over(results):
        sections = [*told, *heard]
    text = polish("\n\n".join(section for section in sections if section.strip()), language)
    aside = left_aside(results, voice) if not text else ""
    return text or polish(aside, language) or voice.say("unanswered" if asked else "remark")


def _acted_on(results: TurnResults) -> Iterator[ConclusionView]:
    """The causes by which what to do goes: the conclusion, else those of the answers."""
    if results.diagnosis is not None and results.diagnosis.conclusion is not None:
        yield results.diagnosis.conclusion
    for each in results.answers:
        if isinstance(each, HelpAnswer) and (found := each.conclusion or each.leading) is not None:
            yield found


def _with_remarks(results: TurnResults) -> TurnResults:
    """The results of a case with talk beside it as a remark: who asks for nothing needs no refusal."""
    if not results.seen:
        return results
    remark = {SmalltalkKind.OUT_OF_SCOPE: SmalltalkKind.REMARK}
    return replace(results, smalltalk=tuple(remark.get(kind, kind) for kind in results.smalltalk))


def _standing(results: TurnResults, heard: Sequence[str], told: Sequence[str], voice: Voice) -> list[str]:
    """The ranking of causes, unless an answer covers it or no evidence was added; while stuck what to do by hand."""
    found = results.diagnosis
    if found is None:
        return []
    advised = [
        answer for answer in results.answers if isinstance(answer, HelpAnswer) and (answer.topic or not answer.items)
    ]
    if found.conclusion is not None:
        again = found.conclusion.repeated_conclusion and any(answer.conclusion for answer in advised)
        return [] if again else [render_conclusion(found.conclusion, results, voice)]
    aside = bool(results.unclear or results.unmatched) or any(each.turn == results.turn for each in results.limits)
    if diagnosis.asks_only(results) and (
        advised or aside or _asks_progress(results) or results.clarification is not None
    ):
        return []
    if any(map(is_undecided, results.answers)):
        return []
    led = any(item.words for item in found.recommendations[:1])  # There is something to go by.
    if results.status is Status.STUCK and not led and (stuck := diagnosis.stuck(found, voice)):
        return [stuck]
    answered = any(diagnosis.is_ranked(item, "\n".join(told), voice) for item in found.hypotheses[:1])
    ranking = "" if answered else diagnosis.standing(results, found, "\n".join(heard), voice)
    return [ranking, _doubts(found, voice)]


def _doubts(found: DiagnosisView, voice: Voice) -> str:
    fits = found.contradiction is None and found.surprise_bits < caveats.SURPRISING_BITS
    return "" if fits else caveats.doubts(found, voice)


def _offer(results: TurnResults, voice: Voice) -> str:
    return investigation.offer(results, voice) if results.look_offer is not None else ""


def _asks_progress(results: TurnResults) -> bool:
    return any(isinstance(answer, ProgressAnswer) for answer in results.answers)


def _without_shown(asked: Clarification, results: TurnResults) -> Clarification:
    """The clarification without its only option where the answer has just shown how to look at it."""
    helped = [answer for answer in results.answers if isinstance(answer, HelpAnswer)]
    shown = {item.phenomenon_id for answer in helped for item in answer.items}
    alone = asked.kind is ClarifyKind.MISSING_VALUE and len(asked.options) == 1
    return replace(asked, options=()) if alone and asked.options[0].phenomenon_id in shown else asked


def _next(results: TurnResults, told: Sequence[str], voice: Voice) -> list[str]:
    """The next action: the open clarification, else the recommended checks; one at a time."""
    found = results.diagnosis
    if results.clarification is not None:
        return [
            clarification.clarification(_without_shown(results.clarification, results), voice),
            checks.meanwhile(results, voice),
            _offer(results, voice),
        ]
    if found is None or found.conclusion is not None or results.aftermath is Aftermath.WELL:
        return []
    if diagnosis.asks_only(results) and _asks_progress(results):
        return []
    if _helps(results, found) or any(voice.has_said("stuck_next", each) for each in told if each):
        return []
    shown = checks.next_checks(results, found, voice)
    fresh = not (found.recommendations and checks.was_shown(found.recommendations[0], voice))
    fresh = fresh and not checks.is_sure(found)
    numbered = fresh and results.turn <= checks.HINT_TURNS and not (found.first_look or found.look_waits)
    hint = checks.how_to_answer(found, voice) if numbered else ""
    return [shown, hint, "" if checks.is_enough(found) else _offer(results, voice)]


def _helps(results: TurnResults, found: DiagnosisView) -> bool:
    """Whether an answer tells what to look at or do anyway."""
    helped = (answer for answer in results.answers if isinstance(answer, HelpAnswer))
    asked = (answer for answer in helped if answer.action != SETTINGS)
    return any(answer.items or answer.topic or acts_on_leader(answer, found) for answer in asked)


def _open(results: TurnResults, voice: Voice, message: str, asked: bool) -> list[str]:
    """The sections about the message, in the order a person cares. asked: it is a question."""
    rows, results = tell_rows(results, message, voice)
    noted = render_noted(results.noted, voice, message)
    beyond = [beyond_reach(results, voice)] if results.unmatched else []
    limits = told_limits(results, voice) if results.limits else []
    recorded = voice.stop.join(filter(None, [noted, "" if asked else rows, *beyond, *limits]))
    closing = _CLOSING if results.answers else ()
    talk = [str(kind) for kind in results.smalltalk if kind not in closing]
    return [
        render_engine_gap(results.engine_gap, voice) if results.engine_gap is not None else "",
        _taken_up(results.taken_up, voice) if results.taken_up else "",
        voice.say("reset") if results.reset else "",
        *[voice.say(phrase) for phrase in dict.fromkeys(talk) if not results.reset],
        *[_failure(failure, results, voice) for failure in results.failures],
        *render_corrections(results.corrections, voice),
        rows if asked else "",
        recorded,
        *tell_suspicions(results.suggestions, voice),
    ]


def _taken_up(engine: str, voice: Voice) -> str:
    """That the case is on the library of another database now; after an answer, that what was asked is off."""
    return voice.say("engine_taken_up" if voice.previous else "engine_taken", named=_ENGINES.get(engine, engine))


def _failure(failure: ToolFailure, results: TurnResults, voice: Voice) -> str:
    tool = voice.say(f"tool_{failure.tool.name}" if failure.tool else "tool_UNSPECIFIED")
    reason = voice.say("failed_reason", reason=failure.reason) if failure.reason else ""
    detail = (failure.detail.rstrip(" .。") or voice.say("failed_no_detail")) + reason
    stop = "。" if voice.stop == "" else "."
    count = len(results.noted)
    kept = voice.say("failed_kept_some", count=count) if count else voice.say("failed_kept_none")
    advice = investigation.advice(failure, voice) if failure.tool is Tool.COLLECT_EVIDENCE else ""
    advice = advice or voice.say(_advice(failure.reason))
    return voice.say("failed", tool=tool, detail=detail + stop, kept=kept, advice=advice)


def _advice(reason: str) -> str:
    if any(part in reason for part in _TRANSIENT):
        return "advice_retry"
    return "advice_input" if any(part in reason for part in _INPUT) else "advice_other"
