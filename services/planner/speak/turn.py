"""What came of the message itself: talk, failures, corrections, what was noted, suspicions, asking back."""

from __future__ import annotations

from services.planner.decision import Tool
from services.planner.model import Language, SmalltalkKind, Verdict
from services.planner.results import (
    AppliedCorrection,
    AppliedSuggestion,
    NotedEvidence,
    ToolFailure,
    TurnResults,
)
from services.planner.speak import looking
from services.planner.speak.voice import Voice
from services.planner.views import BeliefChange

_TALK = {
    SmalltalkKind.GREETING: "greeting",
    SmalltalkKind.THANKS: "thanks",
    SmalltalkKind.FAREWELL: "farewell",
    SmalltalkKind.OUT_OF_SCOPE: "out_of_scope",
    SmalltalkKind.ORDERS: "orders",
}
_VERDICTS = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "cannot"}
_SUFFIXES = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "unknown"}
_TRANSIENT = ("unreachable", "deadline", "too_many", "dependency", "unavailable")
_INPUT = ("invalid", "empty", "too_long", "not_found", "unknown")
_CHANGES = 3
_RECOGNISED = 60
# From this match score on the person need not be told how sure it is.
SURE = 0.9


def opening(results: TurnResults, voice: Voice) -> list[str]:
    """The sections about the message, in the order a person cares."""
    aside = [_aside("unmatched", results.unmatched, voice), _aside("unclear", results.unclear, voice)]
    recorded = _joined([_noted(results.noted, voice), *aside], voice)
    talk = [_TALK[kind] for kind in results.smalltalk if kind in _TALK]
    return [
        voice.say("reset") if results.reset else "",
        *[voice.say(phrase) for phrase in dict.fromkeys(talk) if not results.reset],
        *[_failure(failure, results, voice) for failure in results.failures],
        *[_correction(correction, voice) for correction in results.corrections],
        recorded,
        *[_suggestion(suggestion, voice) for suggestion in results.suggestions],
    ]


def verdict(given: Verdict, voice: Voice) -> str:
    """A verdict in a word."""
    return voice.say(_VERDICTS.get(given, "unspecified"))


def _joined(parts: list[str], voice: Voice) -> str:
    return voice.stop.join(part for part in parts if part)


def _noted(noted: tuple[NotedEvidence, ...], voice: Voice) -> str:
    items = [_from_words(item, voice) for item in noted if item.matched_from_words]
    for given, suffix in _SUFFIXES.items():
        plain = [item for item in noted if item.verdict is given and not item.matched_from_words]
        if plain:
            names = voice.listed(_named(item, voice) for item in plain)
            items.append(voice.say(f"noted_{suffix}", names=names))
    return voice.say("noted", items=voice.say("semicolon").join(items)) if items else ""


def _named(item: NotedEvidence, voice: Voice) -> str:
    # In Chinese the verdict comes first and would run into the name.
    named = voice.marked if voice.language is Language.ZH else voice.quoted
    return named(item.name, item.phenomenon_id)


def _from_words(item: NotedEvidence, voice: Voice) -> str:
    said = voice.say(
        f"noted_words_{_SUFFIXES.get(item.verdict, 'yes')}",
        words=item.words,
        name=voice.name(item.name, item.phenomenon_id),
        doubt=_doubt(item, voice),
    )
    value = item.extracted_value
    return said + (voice.say("noted_value", value=value) if value and value not in item.words else "")


def _doubt(item: NotedEvidence, voice: Voice) -> str:
    """How sure the match is, where that is worth saying, and that the person may object."""
    unsure = item.score < SURE
    also = item.also_possible.say(voice.language)
    notes = [
        voice.say("noted_score", score=f"{item.score:.2f}") if unsure else "",
        voice.say("noted_object") if unsure or also or voice.turn <= 1 else "",
        voice.say("noted_also", name=also) if also else "",
    ]
    said = voice.say("note_comma").join(note for note in notes if note)
    return voice.say("bracketed", text=said) if said else ""


def _aside(phrase: str, words: tuple[str, ...], voice: Voice) -> str:
    quoted = voice.listed([voice.say("quoted", words=brief(item)) for item in words])
    return voice.say(phrase, words=quoted) if quoted else ""


def brief(words: str) -> str:
    """The person's words, cut where they are longer than it takes to recognise them."""
    words = words.strip()
    return words if len(words) <= _RECOGNISED else words[: _RECOGNISED - 1] + "…"


def _failure(failure: ToolFailure, results: TurnResults, voice: Voice) -> str:
    tool = voice.say(f"tool_{Tool(failure.tool).name}")
    reason = voice.say("failed_reason", reason=failure.reason) if failure.reason else ""
    detail = (failure.detail.rstrip(" .。") or voice.say("failed_no_detail")) + reason
    stop = "。" if voice.stop == "" else "."
    count = len(results.noted)
    kept = voice.say("failed_kept_some", count=count) if count else voice.say("failed_kept_none")
    advice = looking.advice(failure, voice) if failure.tool is Tool.COLLECT_EVIDENCE else ""
    advice = advice or voice.say(_advice(failure.reason))
    return voice.say("failed", tool=tool, detail=detail + stop, kept=kept, advice=advice)


def _advice(reason: str) -> str:
    if any(part in reason for part in _TRANSIENT):
        return "advice_retry"
    return "advice_input" if any(part in reason for part in _INPUT) else "advice_other"


def _correction(correction: AppliedCorrection, voice: Voice) -> str:
    """What was taken back or replaced, and what that did."""
    said = _corrected(correction, voice)
    if correction.changes:
        moved = [item for item in correction.changes if _percents(item, voice)[0] != _percents(item, voice)[1]]
        told = changes(tuple(moved), voice)
        return said + (voice.say("correction_changes", changes=told) if told else voice.say("correction_unmoved"))
    return said + voice.say("correction_end")


def _corrected(correction: AppliedCorrection, voice: Voice) -> str:
    name = voice.name(correction.name)
    given = correction.verdict_after is not Verdict.UNSPECIFIED
    if given and not correction.original and not correction.corrected:
        before, after = verdict(correction.verdict_before, voice), verdict(correction.verdict_after, voice)
        return voice.say("reversed", name=name, before=before, after=after)
    stated = _stated(correction.original or name, name, correction.verdict_before, voice)
    if correction.corrected or given:
        after = _stated(correction.corrected or name, name, correction.verdict_after, voice)
        return voice.say("corrected", original=stated, corrected=after)
    return voice.say("retracted", original=stated)


def _percents(item: BeliefChange, voice: Voice) -> tuple[str, str]:
    return voice.percent(item.confidence_before), voice.percent(item.confidence_after)


def _stated(words: str, name: str, given: Verdict, voice: Voice) -> str:
    """The words in quotes; a name alone carries its verdict."""
    words = words or name or voice.say("unnamed")
    if words == name and given is not Verdict.UNSPECIFIED:
        return voice.say("with_verdict", name=words, verdict=verdict(given, voice))
    return voice.say("quoted", words=words)


def changes(changed: tuple[BeliefChange, ...], voice: Voice) -> str:
    """Beliefs before and after, most changed as given."""
    return voice.listed(
        [
            voice.say(
                "change",
                name=voice.name(item.name, item.root_cause_id),
                before=voice.percent(item.confidence_before),
                after=voice.percent(item.confidence_after),
            )
            for item in changed[:_CHANGES]
        ]
    )


def _suggestion(suggestion: AppliedSuggestion, voice: Voice) -> str:
    if not suggestion.root_cause_id:
        return voice.say("suggested_nothing", text=suggestion.text)
    return voice.say(
        "suggested",
        text=suggestion.text,
        name=voice.name(suggestion.name, suggestion.root_cause_id),
        percent=voice.percent(suggestion.confidence),
        boost=voice.percent(suggestion.boost),
        effective=voice.percent(suggestion.effective_confidence),
    )
