"""Caveats of a diagnosis, where they are worth a word: contradiction, poor fit, second cause, overturning answer."""

from __future__ import annotations

from collections.abc import Sequence

from services.planner.model import (
    ConclusionView,
    ContradictionView,
    DiagnosisView,
    EvidenceView,
    HypothesisView,
    OverturnView,
    Text,
    TurnResults,
    Verdict,
)
from services.planner.speak import checks
from services.planner.speak.voice import Voice

# From this surprise on, the evidence fits even the likeliest cause so poorly that a person should know.
# One background fact that no ticket recorded reaches half of it.
SURPRISING_BITS = 6.0
# A second cause that is less likely than this is a guess, and not told.
LIKELY = 0.5
# So many names of each kind are told.
_MOST = 3
_VERDICTS = {Verdict.CONFIRMED: "yes", Verdict.DENIED: "no", Verdict.UNKNOWN: "cannot"}


def doubts(found: DiagnosisView, voice: Voice) -> str:
    """The contradicting answers and the one to recheck, else a poor fit; each reported once, before a conclusion."""
    pair = _at_odds(found)
    if pair is not None and not pair.repeated:
        return _of_two("contradiction", pair, voice) + voice.stop + _recheck(pair, voice)
    if found.contradiction is None and fits_badly(found) and not _was_told(found):
        return voice.say("improbable")
    return ""


def render_contradiction(found: DiagnosisView, voice: Voice) -> str:
    """The contradicting answers in a sentence, for progress answers; empty without a contradiction."""
    pair = _at_odds(found)
    return _of_two("contradiction_stands", pair, voice) if pair else ""


def _at_odds(found: DiagnosisView) -> ContradictionView | None:
    """The contradiction if it is worth a word: what is there, beside the absence of what always comes with it.

    Two things that are both there may be so for two reasons; a cause and its background are the rule. A conclusion
    names what speaks against it.
    """
    pair = found.contradiction
    if pair is None or found.conclusion is not None:
        return None
    return pair if pair.first.verdict is not pair.second.verdict else None


def fits_badly(found: DiagnosisView) -> bool:
    """True if the evidence as a whole is improbable even under the likeliest cause."""
    return found.surprise_bits >= SURPRISING_BITS and found.conclusion is None


def _was_told(found: DiagnosisView) -> bool:
    """Whether the evidence fitted as badly at some time before, so that it was told."""
    return (found.surprise_bits_before or 0.0) >= SURPRISING_BITS


def stuck_on(found: DiagnosisView, voice: Voice) -> str:
    """The caveat to report when the diagnosis is stuck."""
    pair = _at_odds(found)
    if pair is not None:
        return _of_two("stuck_contradiction", pair, voice)
    return voice.say("improbable") if fits_badly(found) and not _was_told(found) else ""


def likely_second(found: ConclusionView) -> HypothesisView | None:
    """The second cause if it is a likely one."""
    second = found.second_cause
    return second if second is not None and second.confidence >= LIKELY else None


def render_unexplained(found: ConclusionView, voice: Voice) -> str:
    """The evidence that a conclusion leaves to a likely second cause, and that cause; empty without one."""
    second, names = likely_second(found), voice.names(found.unexplained)
    if second is None or not names:
        return ""
    name, percent = voice.name(second.name, second.root_cause_id), voice.percent(second.confidence)
    return voice.say("unexplained_second", names=names, second=name, percent=percent)


def render_against(names: Sequence[Text], results: TurnResults, voice: Voice) -> list[str]:
    """What is not there and should be, as speaking against a cause."""
    there = {view.name for view in results.seen if view.verdict is Verdict.CONFIRMED}
    absent = [each for each in names if each not in there]
    return [voice.say("against", names=voice.names(absent, _MOST))] if absent else []


def render_overturn(overturn: OverturnView | None, lifted: Text | None, voice: Voice) -> str:
    """The open answer that would change the leader, or make `lifted` the leader; empty if there is none.

    That what the person said might be otherwise is no check to make.
    """
    if overturn is None or overturn.verdict_now or not overturn.name.say(voice.language):
        return ""
    then = overturn.verdict_then
    verdict = voice.say(_VERDICTS[then] if then else "unspecified")
    what = voice.say("overturn_open", name=overturn.name.say(voice.language), verdict=verdict)
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
