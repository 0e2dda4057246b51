"""Whether a cause, an area of causes or a change is it: by the beliefs now, with the facts that speak either way."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from services.planner.model import AppliedSuggestion, EvidenceView, HypothesisView, MatterView, Verdict
from services.planner.speak.voice import Voice, brief

# From these beliefs on a cause is sure, likely, or one that may be.
_SURE, _HALF, _SOME = 0.85, 0.5, 0.2
# A belief that fell to less than this part of what it was before anything was told has something against it.
_FALLEN = 0.5
# Longer words are an output; so many suspicions are weighed in one answer.
_LONGEST, _MOST, _QUOTED = 60, 2, 100


class Standing(StrEnum):
    """How far the record bears out what is asked."""

    SURE = "sure"
    LIKELY = "likely"
    POSSIBLE = "possible"
    UNLIKELY = "unlikely"
    OPEN = "open"


def judge(matter: MatterView) -> Standing:
    """How far it is borne out; nothing is unlikely unless another cause leads or something speaks against it."""
    belief = matter.confidence
    if belief >= _HALF:
        return Standing.SURE if belief >= _SURE else Standing.LIKELY
    if belief >= _SOME:
        return Standing.POSSIBLE
    other = matter.leader.root_cause_id != matter.root_cause_id and matter.leader.confidence >= _HALF
    return Standing.UNLIKELY if other or belief < matter.prior * _FALLEN else Standing.OPEN


def tell_suspicions(suggestions: Sequence[AppliedSuggestion], voice: Voice) -> list[str]:
    """A verdict on each thing that a message suspects; what it is instead is told once."""
    told: list[str] = []
    for each in suggestions[:_MOST]:
        said = tell_verdict(each.matter, voice)
        instead = voice.stop.join(_leading(each.matter.leader, voice))
        again = any(voice.name(each.matter.leader.name) in before for before in told) if instead else False
        told.append(said.removesuffix(instead).rstrip() if again else said)
    return told


def open_suspects(suggestions: Sequence[AppliedSuggestion]) -> list[str]:
    """The suspected causes that may still be it."""
    open_still = (each for each in suggestions if judge(each.matter) is not Standing.UNLIKELY)
    return [each.root_cause_id for each in open_still if each.root_cause_id]


def tell_verdict(matter: MatterView, voice: Voice) -> str:
    """The verdict on what is asked, which names it, then the facts and what they speak for instead."""
    parts = [] if matter.area or matter.root_cause_id else [_of_change(matter, voice)]
    if matter.area or matter.root_cause_id:
        parts = [*_of_cause(matter, voice), _of_change(matter, voice) if matter.change else ""]
    elif not matter.change:
        parts = [voice.say("verdict_unknown", asked=_quoted(matter.words, voice)), *_leading(matter.leader, voice)]
    return voice.stop.join(part for part in parts if part)


def _of_cause(matter: MatterView, voice: Voice) -> list[str]:
    if not matter.root_cause_id:  # An area that no cause of the library is in.
        phrase, shown = "verdict_sign" if matter.speaking else "verdict_no_sign", _listed(matter.speaking, voice)
        said = voice.say(phrase, asked=_area(matter, voice), facts=shown)
        return [said, *_leading(matter.leader, voice)]
    standing = judge(matter)
    cause = f"**{voice.name(matter.name, matter.root_cause_id)}**"
    asked = _area(matter, voice) if matter.area else cause
    named = matter.area and standing in (Standing.SURE, Standing.LIKELY, Standing.POSSIBLE)
    detail = voice.say("verdict_detail", name=cause) if named else ""
    said = voice.say(f"verdict_{standing}", asked=asked, detail=detail, percent=voice.percent(matter.confidence))
    return [said, *_facts(matter, standing, voice)]


def _area(matter: MatterView, voice: Voice) -> str:
    named = f"area_{matter.area}"
    return voice.say(named) if voice.has(named) else _quoted(matter.words, voice)


def _facts(matter: MatterView, standing: Standing, voice: Voice) -> list[str]:
    """What speaks for it and against it; where it would show, as long as nothing speaks for it."""
    leads = matter.leader.root_cause_id == matter.root_cause_id
    if standing is Standing.UNLIKELY and matter.opposing and not leads and matter.leader.confidence >= _SOME:
        return [_rather(matter, voice)]
    speaking = _listed(matter.speaking, voice)
    opposing = _listed(matter.opposing, voice)
    told = [voice.say("verdict_for", facts=speaking)] if speaking and standing is not Standing.UNLIKELY else []
    told += [voice.say("verdict_against", facts=opposing)] if opposing and standing is not Standing.OPEN else []
    if standing is Standing.OPEN and not speaking and matter.missing:
        told.append(voice.say("related_missing", names=voice.names(matter.missing)))
    return [*told, *([] if leads else _leading(matter.leader, voice))]


def _rather(matter: MatterView, voice: Voice) -> str:
    """What speaks for the leading cause rather."""
    name, percent = voice.name(matter.leader.name, matter.leader.root_cause_id), voice.percent(matter.leader.confidence)
    facts = _listed(matter.opposing, voice)
    return voice.say("verdict_rather", facts=facts, name=name, percent=percent)


def _leading(leader: HypothesisView, voice: Voice) -> list[str]:
    if leader.confidence < _SOME:
        return []
    name, percent = voice.name(leader.name, leader.root_cause_id), voice.percent(leader.confidence)
    return [voice.say("related_unknown", name=name, percent=percent)]


def _of_change(matter: MatterView, voice: Voice) -> str:
    """Whether a change may have set it off: by how it lies to the beginning, both in the person's words."""
    if not matter.change:
        return ""
    leading = [] if matter.root_cause_id else _leading(matter.leader, voice)
    return voice.stop.join([tell_times(matter, voice), *leading])


def tell_times(matter: MatterView, voice: Voice) -> str:
    """How a change lies in time to the beginning of the trouble."""
    change, onset = _quoted(matter.change, voice), _quoted(matter.onset, voice) if matter.onset else ""
    return voice.say(_phrase_of_times(matter), change=change, onset=onset)


def _phrase_of_times(matter: MatterView) -> str:
    if not matter.onset or matter.onset == matter.change:
        return "change_recorded" if matter.onset else "change_open"
    return f"change_{matter.timing}" if matter.timing else "change_unclear"


def _listed(facts: Sequence[EvidenceView], voice: Voice) -> str:
    return voice.listed(_fact(each, voice) for each in facts)


def _fact(fact: EvidenceView, voice: Voice) -> str:
    """A fact on record in the person's words, where they are short; by its name else."""
    words = " ".join(fact.words.split())
    if words and len(words) <= _LONGEST and "|" not in words and "\n" not in fact.words:
        return _quoted(words, voice)
    named = voice.marked(fact.name, fact.phenomenon_id)
    return voice.say("answer_no", name=named) if fact.verdict is Verdict.DENIED else named


def _quoted(words: str, voice: Voice) -> str:
    return voice.say("quoted", words=brief(" ".join(words.split()).strip('。.,，?？!！"“”'), _LONGEST))
