"""What a summary has to tell: each part in a sentence of its own, with how much it weighs where few are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang.numbers.values import read_values
from lang.tokens import read_text
from lang.vocabulary import Unit
from services.planner.model import (
    Aftermath,
    Brief,
    BriefPart,
    ConclusionView,
    EvidenceView,
    Reader,
    TurnResults,
    Verdict,
)
from services.planner.speak.case.remedy_steps import done_in_words, next_action
from services.planner.speak.objects import name_object, objects_known
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.bearing import lacks_any
from services.planner.treatment.wants import tells
from services.planner.understand.text.word_lists import listed

_LEADING, _OBJECTS = 2, 3
# Longer words are no figure to pass on; without a limit to tell which figure is meant, fewer are.
_LONG, _ONE_FACT, _LEAST = 60, 50, 2
# A cause is likely, or suspected, from so much on.
_LIKELY, _SUSPECTED = 0.8, 0.3
# Kinds of object that a summary names, and only where one of the kind fits.
_KINDS = ("pid", "slot", "gid", "app", "table", "index")
# A time of the day tells the part of the day, and not which day it was.
_OTHER_DAYS = ("last_night", "yesterday", "before_yesterday")
_DAYS = (*_OTHER_DAYS, "small_hours", "morning", "noon", "afternoon", "evening")
# Terms of the trade in a text of either language, and where an aside of a sentence begins.
_ALARMED, _BRACKETS = listed("briefs.alarmed"), listed("briefs.brackets")
_BEGAN_WITH = listed("briefs.began_with")
_TERM, _TERM_EN, _ASIDE = listed("briefs.term"), listed("briefs.term_en"), listed("briefs.aside")


class Case(NamedTuple):
    """A case as a summary sees it: the cause that leads, whether it is concluded, and for whom it is told."""

    found: ConclusionView | None
    concluded: bool
    results: TurnResults
    reader: Reader | None
    # It recovered by what treats this cause.
    borne_out: bool = False

    @property
    def confirmed(self) -> list[EvidenceView]:
        """What is on record as present."""
        return [view for view in self.results.seen if view.verdict is Verdict.CONFIRMED]

    @property
    def standing(self) -> str:
        """How sure the cause is: sure, likely, suspected, open."""
        if self.concluded:
            return "sure"
        belief = self.found.confidence if self.found is not None else 0.0
        return "likely" if belief >= _LIKELY or self.borne_out else "suspected" if belief >= _SUSPECTED else "open"

    @property
    def known(self) -> bool:
        """True if the cause is sure enough to act on."""
        return self.standing in ("sure", "likely")

    @property
    def nothing(self) -> bool:
        """True if there is nothing to tell of the cause, and nothing was seen."""
        return not self.confirmed and self.standing == "open"

    @property
    def well(self) -> bool:
        """True if the trouble is over."""
        return self.results.aftermath is Aftermath.WELL


class Told(NamedTuple):
    """A part of a summary. weight: 1 is told before all others."""

    weight: int
    text: str


def parts_of(case: Case, brief: Brief, voice: Voice) -> list[Told]:
    """The parts in their order, without those that are to be left out."""
    if case.nothing:
        return [Told(1, voice.say("brief_nothing")), *_treated(case, voice)]
    wanted = {BriefPart(part) for part in BriefPart} - {*brief.without}
    parts = [
        (BriefPart.NOTICED, Told(4 if case.known else 3, _noticed(case, wanted, voice))),
        (BriefPart.CAUSE, Told(1, _cause(case, brief, voice))),
        (BriefPart.FIGURES, Told(7, _grounds(case, brief, voice))),
        *((BriefPart.DONE, each) for each in _done(case, voice)),
        *((BriefPart.STATE, each) for each in _state(case, voice)),
        *((BriefPart.STATE, each) for each in _open(case, brief, voice)),
        (BriefPart.NEXT, Told(2 if case.known and not case.results.treatments else 5, _next(case, voice))),
        (BriefPart.PREVENTION, Told(6, _prevention(case, voice))),
    ]
    told = [part._replace(weight=2 if key in brief.within else part.weight) for key, part in parts if key in wanted]
    return [part._replace(text=_unsaid(part.text, brief)) for part in told]


def _unsaid(text: str, brief: Brief) -> str:
    """A text without the brackets that hold what is not to be said; empty where it is said outside of them."""
    for words in brief.unsaid:
        text = "".join(
            part for part in _BRACKETS.split(text) if not (_BRACKETS.fullmatch(part) and words in part.lower())
        )
        text = "" if words in text.lower() else text
    return text


def extras_of(case: Case, voice: Voice) -> list[Told]:
    """What fills up where more sentences are wanted than there is to tell."""
    checked = voice.say("brief_rests", count=len(case.confirmed)) if case.confirmed else ""
    said = [voice.say(f"brief_sure_{case.standing}"), checked, voice.say("brief_follow_up"), voice.say("brief_contact")]
    return [Told(9, each) for each in said if each]


def _noticed(case: Case, wanted: set[BriefPart], voice: Voice) -> str:
    """What users noticed, and since when, else the time alone; that the person has no right is no trouble of theirs."""
    own = "permission denied" if lacks_any(case.results.objects) else "\0"
    seen = [view for view in case.confirmed if view.complaint and own not in view.name.en]
    names = [_named(view, case, voice) for view in seen]
    noticed = voice.listed(name for name in names if name)
    since = _since(case, voice) if BriefPart.SINCE in wanted else ""
    if noticed:
        return voice.say("brief_noticed_since" if since else "brief_noticed", names=noticed, since=since)
    return voice.say("brief_since", since=since) if since else ""


def _since(case: Case, voice: Voice) -> str:
    day, _, time = case.results.began.rpartition(" ")
    if ":" not in time:
        day, time = time, ""
    if not time or not day:
        return time or (voice.say(f"began_{day}") if day in _DAYS else "")
    return voice.say("brief_day_time", day=voice.say(f"began_{day}"), time=time) if day in _OTHER_DAYS else time


def _named(view: EvidenceView, case: Case, voice: Voice) -> str:
    """A phenomenon by its name; for a plain reader only where the name has no term in it."""
    name = voice.name(view.name, view.phenomenon_id)
    return _without_terms(name, voice) if case.reader is Reader.PLAIN else name + _figure(view, voice)


def _without_terms(text: str, voice: Voice) -> str:
    """A text as far as its first aside with a term of the trade in it; empty if it begins with one."""
    terms = _TERM if voice.stop == "" else _TERM_EN
    found = terms.search(text)
    if found is None:
        return text
    ends = [each.start() for each in _ASIDE.finditer(text, 0, found.start())]
    return text[: ends[-1]].strip() if ends else ""


def _figure(view: EvidenceView, voice: Voice) -> str:
    """The amounts that were last said of it, in brackets: in the unit of its limit, where its name has one."""
    text = read_text(view.words)
    limits = {unit for each in read_values(read_text(voice.name(view.name))) for unit in each.readings}
    if "|" in view.words or len(view.words) > (_LONG if limits else _ONE_FACT):
        return ""
    told = [each for each in read_values(text) if not each.bare or each.number >= _LEAST]
    amounts = [text.quote(each.first, each.last).strip() for each in told if not limits or limits & {*each.readings}]
    return voice.say("leave_bracket", names=voice.listed(dict.fromkeys(amounts))) if amounts else ""


def _cause(case: Case, brief: Brief, voice: Voice) -> str:
    found, open_case = case.found, case.results.diagnosis
    if found is not None and case.standing != "open":
        told = voice.say(f"brief_cause_{case.standing}", cause=_in_words(found, case, brief, voice))
        began = _trigger(case, voice) if BriefPart.SINCE not in brief.without else ""
        return f"{told.rstrip(' .。')}{began}" if began else told
    leading = open_case.hypotheses[:_LEADING] if open_case is not None and case.reader is not Reader.PLAIN else ()
    names = voice.listed(voice.quoted(each.name, each.root_cause_id) for each in leading)
    return voice.say("brief_cause_among", names=names) if names else voice.say("brief_cause_open")


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


def _grounds(case: Case, brief: Brief, voice: Voice) -> str:
    if case.reader is Reader.PLAIN and BriefPart.FIGURES not in brief.within:
        return ""
    case = case._replace(reader=None)
    names = [_named(view, case, voice) for view in case.confirmed if not view.complaint]
    return voice.say("brief_grounds", names=voice.listed(names)) if names else ""


def _treated(case: Case, voice: Voice) -> Iterator[Told]:
    yield from _done(case, voice)
    if case.results.treatments or case.results.aftermath is not None:
        yield from _state(case, voice)


def _done(case: Case, voice: Voice) -> Iterator[Told]:
    if case.results.treatments:
        yield Told(3, voice.say("brief_done", done=done_in_words(case.results, voice)))


def _state(case: Case, voice: Voice) -> Iterator[Told]:
    results = case.results
    if case.well:
        yield Told(2, voice.say("brief_well"))
    elif results.treatments:
        unchanged = results.aftermath is Aftermath.UNCHANGED
        yield Told(2, voice.say("brief_unchanged" if unchanged else "brief_watched"))
    else:
        yield Told(5, voice.say("brief_untreated"))


def _open(case: Case, brief: Brief, voice: Voice) -> Iterator[Told]:
    """What was done only for the moment, and is still to be set back; the person's own words for it hold."""
    last = {each.action: each for each in case.results.treatments}
    for action, done in last.items():
        is_open = f"open_{action}" in voice.phrases and not tells(read_actions(done.words), "undo")
        if is_open and not brief.added:
            yield Told(2, voice.say(f"open_{action}"))


def _trigger(case: Case, voice: Voice) -> str:
    """What it began with, by what is on record."""
    names = [_named(view, case, voice) for view in case.confirmed if _BEGAN_WITH.search(view.name.en)]
    told = voice.listed(name[:1].lower() + name[1:] for name in names if name)
    return voice.say("brief_trigger", names=told) if told and case.known else ""


def _next(case: Case, voice: Voice) -> str:
    """What is done next: the treatment of a cause that is known well enough, and the check that would settle it."""
    told = [_treatment(case, voice)]
    open_case = case.results.diagnosis
    if not case.concluded and open_case is not None and case.reader is not Reader.PLAIN:
        told += [
            voice.say("brief_next_check", name=voice.name(each.name, each.phenomenon_id))
            for each in open_case.recommendations[:1]
        ]
    if any(told) or case.concluded or case.well:
        return voice.say("semicolon").join(each for each in told if each)
    return voice.say("brief_next_plain")


def _treatment(case: Case, voice: Voice) -> str:
    treats = case.found is not None and case.known and not case.well
    action = next_action(case.found, case.results, voice) if case.found is not None and treats else ""
    told = _for(action, case, voice)
    return voice.say("brief_next_action", action=told) if told else voice.say("brief_next_treating") if action else ""


def _prevention(case: Case, voice: Voice) -> str:
    """What keeps it from coming back, and the limit to alert at that the trouble was seen by."""
    if case.found is None or not case.known:
        return ""
    step = next((step for step in case.found.solution if step.prevents), None)
    alarm = next((name for view in case.confirmed if (name := _limit(view, case, voice))), "")
    if step is None:
        return voice.say("brief_alarm", alarm=alarm) if alarm else ""
    action = _for(voice.name(step.action, step.how), case, voice) or voice.say("brief_known_step")
    watched = alarm and not _ALARMED.search(action.lower())
    return voice.say("brief_prevent_alarm" if watched else "brief_prevent", action=action, alarm=alarm)


def _limit(view: EvidenceView, case: Case, voice: Voice) -> str:
    """The name of what speaks for the cause where it has a limit with a unit: that is what an alarm watches."""
    speaks = case.found is not None and view.name in case.found.supporting
    name = voice.name(view.name, view.phenomenon_id)
    measured = any(set(each.readings) != {Unit.COUNT} for each in read_values(read_text(name)))
    return _for(name, case, voice) if speaks and measured else ""


def _for(text: str, case: Case, voice: Voice) -> str:
    """A text of the library as the reader can take it; empty where no part of it is for that reader."""
    return _without_terms(text, voice) if case.reader is Reader.PLAIN else text
