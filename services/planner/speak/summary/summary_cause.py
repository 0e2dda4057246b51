"""The cause in a summary: as the person puts it, as it was found, or what may have set it off; and what it was not."""

from __future__ import annotations

from typing import NamedTuple

from services.planner.account.changes import Change
from services.planner.account.record import Record
from services.planner.model import Aftermath, Brief, ConclusionView, EvidenceView, Reader, TurnResults, Verdict
from services.planner.speak.objects import name_object, objects_known
from services.planner.speak.voice import Voice

_LEADING, _OBJECTS = 2, 3
# A cause is likely, or suspected, from so much on; so many of those that lead may come of a change.
_LIKELY, _SUSPECTED, _CLOSE, LEADS = 0.8, 0.3, 3, 0.5
# Kinds of object that a summary names, and only where one of the kind fits.
_KINDS = ("pid", "slot", "gid", "app", "table", "index")


class Case(NamedTuple):
    """A case as a summary sees it: the cause that leads, whether it is concluded, and for whom it is told."""

    found: ConclusionView | None
    concluded: bool
    results: TurnResults
    reader: Reader | None
    record: Record = Record()
    # It got better by what treats this cause.
    borne_out: bool = False

    @property
    def confirmed(self) -> list[EvidenceView]:
        """What is on record as present."""
        return [view for view in self.results.seen if view.verdict is Verdict.CONFIRMED]

    @property
    def standing(self) -> str:
        """How sure the cause is: sure, likely, suspected, open."""
        belief = self.found.confidence if self.found is not None else 0.0
        if self.concluded or (self.borne_out and belief >= LEADS):
            return "sure"
        return "likely" if belief >= _LIKELY else "suspected" if belief >= _SUSPECTED else "open"

    @property
    def known(self) -> bool:
        """True if the cause is sure enough to act on."""
        return self.standing in ("sure", "likely")

    @property
    def nothing(self) -> bool:
        """True if there is nothing to tell of the cause, and nothing was seen."""
        told = self.record.hurts or self.record.changes
        return not self.confirmed and self.standing == "open" and not told

    @property
    def well(self) -> bool:
        """True if the trouble is over."""
        return self.results.aftermath is Aftermath.WELL

    @property
    def trigger(self) -> Change | None:
        """What set it off, as far as that can be told."""
        named = self.found is not None and self.standing != "open"
        words = f"{self.found.name.en} {self.found.mechanism.en}" if self.found is not None and named else ""
        return self.record.trigger(words, self.results)


def cause_and_not(case: Case, brief: Brief, voice: Voice) -> list[str]:
    """The cause, and beside it what it was not."""
    told = [_cause(case, brief, voice), *(_cleared(words, case, voice) for words in brief.cleared)]
    return [each.rstrip(" .。") for each in told if each]


def _cause(case: Case, brief: Brief, voice: Voice) -> str:
    """The cause: as the person wants it put, as it was found, or where nothing was found what may have set it off."""
    if brief.cause:
        change = case.record.change_called(brief.cause)
        return voice.say("brief_cause_told", cause=change.say(voice.language) if change is not None else brief.cause)
    if case.found is not None and case.known:
        return voice.say(f"brief_cause_{case.standing}", cause=_in_words(case.found, case, brief, voice))
    if undone := case.record.undone:
        cause = voice.say("brief_undone", change=undone.say(voice.language))
        return voice.say("brief_cause_told", cause=cause)
    if (change := _coincides(case)) is not None:
        return voice.say("brief_cause_suspected", cause=change.say(voice.language))
    if case.found is not None and case.standing == "suspected":
        return voice.say("brief_cause_suspected", cause=_in_words(case.found, case, brief, voice))
    open_case = case.results.diagnosis
    leading = open_case.hypotheses[:_LEADING] if open_case is not None and case.reader is not Reader.PLAIN else ()
    names = voice.listed(voice.quoted(each.name, each.root_cause_id) for each in leading)
    return voice.say("brief_cause_among", names=names) if names else voice.say("brief_cause_open")


def _coincides(case: Case) -> Change | None:
    """A change of the hour in which it began, of which one of the leading causes may come."""
    since, open_case = case.record.since, case.results.diagnosis
    names = [each.name.en for each in open_case.hypotheses[:_CLOSE]] if open_case is not None else []
    return next((each for each in case.record.changes if each.fits(since, names)), None)


def _in_words(found: ConclusionView, case: Case, brief: Brief, voice: Voice) -> str:
    """The cause in a sentence that anybody understands, with its name, or by its name with the objects it is about."""
    mechanism = found.mechanism.say(voice.language)
    plain = found.plain.say(voice.language) or mechanism
    if case.reader is Reader.PLAIN and plain:
        return plain.rstrip(" .。") + voice.say("brief_cause_called", name=voice.name(found.name, found.root_cause_id))
    name = voice.name(found.name, found.root_cause_id) + name_objects(case.results, voice)
    if case.reader is not Reader.TECHNICAL:
        return name
    told = voice.say("brief_cause_technical", name=name, percent=voice.percent(found.confidence))
    return voice.say("semicolon").join([told, mechanism]) if mechanism and not brief.sentences else told


def name_objects(results: TurnResults, voice: Voice) -> str:
    """The objects that the case is about, in brackets: the one of each kind that fits."""
    seen = {(each.kind, each.name): each for each in objects_known(results)}
    names = [
        name_object(each, voice)
        for (kind, name), each in seen.items()
        if kind in _KINDS and voice.objects.get(kind) == name
    ]
    return voice.say("leave_bracket", names=voice.listed(names[:_OBJECTS])) if names else ""


def trigger_told(case: Case, brief: Brief, voice: Voice) -> str:
    """What set it off, where the cause does not tell it."""
    change = case.trigger
    if change is None or (brief.cause and case.record.change_called(brief.cause) is change):
        return ""
    told = change.say(voice.language)
    if told in _cause(case, brief, voice):
        return ""
    return voice.say("brief_trigger" if case.known else "brief_beforehand", change=told)


def _cleared(words: str, case: Case, voice: Voice) -> str:
    """That it was not what the person names, as sure as the cause is; nothing of what the cause itself is about."""
    cause = f"{case.found.name.en} {case.found.name.zh}".lower() if case.found is not None else ""
    if words.lower() in cause:
        return ""
    return voice.say("brief_not_it" if case.known or case.well else "brief_nothing_points", words=words)
