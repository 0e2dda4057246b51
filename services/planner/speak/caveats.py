"""Caveats of a diagnosis: contradiction, poor fit, second cause, overturning answer."""

from __future__ import annotations

from services.planner.model import (
    ConclusionView,
    ContradictionView,
    DiagnosisView,
    EvidenceView,
    HypothesisView,
    OverturnView,
    Text,
    Verdict,
)
from services.planner.speak import checks
from services.planner.speak.voice import Voice

# From this surprise on, the evidence fits even the likeliest cause poorly.
SURPRISING_BITS = 3.0
# From this probability on, the second cause is stated as likely, below it as a guess.
LIKELY = 0.5
_VERDICTS = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "cannot"}


def doubts(found: DiagnosisView, voice: Voice) -> str:
    """The contradicting answers and the one to recheck, else a poor fit; each reported once."""
    pair = found.contradiction
    if pair is not None and not pair.repeated:
        second = found.conclusion.second_cause if found.conclusion else None
        if second is not None:
            return _of_two("contradiction_second", pair, voice)
        return _of_two("contradiction", pair, voice) + voice.stop + _recheck(pair, voice)
    if pair is None and fits_badly(found) and (found.surprise_bits_before or 0.0) < SURPRISING_BITS:
        return voice.say("improbable")
    return ""


def render_contradiction(found: DiagnosisView, voice: Voice) -> str:
    """The contradicting answers in a sentence, for progress answers; empty without a contradiction."""
    return _of_two("contradiction_stands", found.contradiction, voice) if found.contradiction else ""


def fits_badly(found: DiagnosisView) -> bool:
    """True if the evidence as a whole is improbable even under the likeliest cause."""
    return found.surprise_bits >= SURPRISING_BITS and found.conclusion is None


def stuck_on(found: DiagnosisView, voice: Voice) -> str:
    """The caveat to report when the diagnosis is stuck."""
    if found.contradiction is not None:
        return _of_two("stuck_contradiction", found.contradiction, voice)
    return voice.say("improbable") if fits_badly(found) else ""


def render_unexplained(found: ConclusionView, voice: Voice) -> str:
    """The evidence that the conclusion leaves unexplained, and the second cause that explains it."""
    names = voice.names(found.unexplained)
    if found.second_cause is None:
        return voice.say("unexplained", names=names) if names else ""
    if not names:
        return second_again(found, voice)
    phrase = "unexplained_second" if found.second_cause.confidence >= LIKELY else "unexplained_guess"
    return voice.say(phrase, names=names, **_second(found.second_cause, voice))


def second_again(found: ConclusionView, voice: Voice) -> str:
    """The second cause in a sentence, for a repeated conclusion; empty without one."""
    return voice.say("second_again", **_second(found.second_cause, voice)) if found.second_cause else ""


def _second(cause: HypothesisView, voice: Voice) -> dict[str, str]:
    return {"second": voice.name(cause.name, cause.root_cause_id), "percent": voice.percent(cause.confidence)}


def render_overturn(overturn: OverturnView | None, lifted: Text | None, voice: Voice) -> str:
    """The single answer that would change the leader, or make `lifted` the leader; empty if unknown."""
    if overturn is None or not overturn.name.say(voice.language):
        return ""
    now, then = overturn.verdict_now, overturn.verdict_then
    what = voice.say(
        "overturn_answered" if now else "overturn_open",
        name=overturn.name.say(voice.language),
        now=voice.say(_VERDICTS[now]) if now else "",
        verdict=voice.say(_VERDICTS[then] if then else "unspecified"),
    )
    return voice.say(
        "overturn" if lifted is None else "overturn_lifts",
        what=what,
        leader=voice.name(overturn.leader_then),
        percent=voice.percent(overturn.confidence_then),
    )


def _of_two(phrase: str, pair: ContradictionView, voice: Voice) -> str:
    return voice.say(phrase, first=_answer(pair.first, voice), second=_answer(pair.second, voice))


def _answer(view: EvidenceView, voice: Voice) -> str:
    name = voice.marked(view.name, view.phenomenon_id)
    return voice.say("answer_no", name=name) if view.verdict is Verdict.DENIED else name


def _recheck(pair: ContradictionView, voice: Voice) -> str:
    name = voice.name(pair.recheck.name, pair.recheck.phenomenon_id)
    return voice.say("recheck", name=name, how=checks.how_to_recheck(pair.recheck, voice))
