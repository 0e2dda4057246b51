"""What a summary has to tell: each part in a sentence of its own, with how much it weighs where few are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang.numbers.values import read_values
from lang.tokens import read_text
from services.planner.account.own_words import OwnWords
from services.planner.account.told import cause_told
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
from services.planner.speak.case.remedy_steps import is_done, next_action
from services.planner.speak.objects import name_object, objects_known
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.bearing import lacks_any
from services.planner.treatment.wanted.wants import tells
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
_BRACKETS, _PIECES = listed("briefs.brackets"), listed("briefs.pieces")
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
    """The parts in their order, without those that are to be left out: a part of which nothing is sure is not there."""
    own = OwnWords.of(case.results, voice)
    if case.nothing and not own.begun and not brief.cause:
        bare = (voice.say("brief_nothing"), _done(own, case, voice), _state(own, case, voice))
        return [Told(weight, text) for weight, text in enumerate(bare, 1)]
    wanted = {BriefPart(part) for part in BriefPart} - {*brief.without}
    parts = [
        (BriefPart.NOTICED, Told(4, own.begun_in_words(voice) or _noticed(case, wanted, voice))),
        (BriefPart.CAUSE, Told(1, voice.say("semicolon").join(_cause_and_not(case, brief, voice)))),
        (BriefPart.CAUSE, Told(6, own.changed_in_words(voice))),
        (BriefPart.FIGURES, Told(8, _grounds(case, brief, voice))),
        # Where few sentences are wanted, that it is over goes before how.
        (BriefPart.DONE, Told(3 if case.well else 2, _done(own, case, voice))),
        (BriefPart.STATE, Told(2 if case.well else 3, _state(own, case, voice))),
        *((BriefPart.STATE, each) for each in _open(case, brief, voice)),
        (BriefPart.NEXT, Told(3 if case.known and not case.results.treatments else 7, _next(case, voice))),
        (BriefPart.PREVENTION, Told(5, _prevention(case, voice))),
    ]
    told = [part._replace(weight=2 if key in brief.within else part.weight) for key, part in parts if key in wanted]
    return [part._replace(text=_unsaid(part.text, brief)) for part in told]


def missing(case: Case, voice: Voice) -> str:
    """What the summary lacks because nobody told it: named once, beside the text."""
    own = OwnWords.of(case.results, voice)
    told = {"done": _done(own, case, voice), "state": _state(own, case, voice)}
    names = [voice.say(f"brief_lacks_{name}") for name, text in told.items() if not text]
    return voice.say("brief_missing", names=voice.listed(names)) if names and not case.nothing else ""


def _unsaid(text: str, brief: Brief) -> str:
    """A text without the pieces that hold what is not to be said; empty where its first one does."""
    for words in brief.unsaid:
        whole = "".join(
            part for part in _BRACKETS.split(text) if not (_BRACKETS.fullmatch(part) and words in part.lower())
        )
        first, *others = _PIECES.split(whole)
        pieces = zip(others[::2], others[1::2], strict=True)
        kept = [sign + piece for sign, piece in pieces if words not in piece.lower()]
        text = "" if words in first.lower() else "".join([first, *kept])
    return text


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
    """The cause: as the person wants it put, as it was found, or where nothing was found as they told it."""
    found, open_case = case.found, case.results.diagnosis
    told = brief.cause or ("" if case.known else cause_told(case.results.remarks))
    if told:
        return voice.say("brief_cause_told", cause=told)
    if found is not None and case.standing != "open":
        return voice.say(f"brief_cause_{case.standing}", cause=_in_words(found, case, brief, voice))
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


def _done(own: OwnWords, case: Case, voice: Voice) -> str:
    """What was done, as the person told it; by the names of the actions where only statements show it."""
    done = own.done_in_words(case.results, voice)
    return voice.say("brief_done", done=done) if done else ""


def _state(own: OwnWords, case: Case, voice: Voice) -> str:
    """How it is now, where that was told; whether it helped is never guessed."""
    if case.well:
        told = voice.say("brief_well")
        return voice.say("brief_as_told", state=told, words=own.good) if own.good else told
    unchanged = case.results.aftermath is Aftermath.UNCHANGED and (own.bad or not case.results.remarks)
    if unchanged:
        told = voice.say("brief_unchanged")
        return voice.say("brief_as_told", state=told, words=own.bad) if own.bad else told
    return voice.say("brief_last_told", words=own.good) if own.good else ""


def _cause_and_not(case: Case, brief: Brief, voice: Voice) -> list[str]:
    """The cause, and beside it what it was not."""
    told = [_cause(case, brief, voice), *(_cleared(words, case, voice) for words in brief.cleared)]
    return [each.rstrip(" .。") for each in told if each]


def _cleared(words: str, case: Case, voice: Voice) -> str:
    """That it was not what the person names, as sure as the cause is; nothing of what the cause itself is about."""
    cause = f"{case.found.name.en} {case.found.name.zh}".lower() if case.found is not None else ""
    if words.lower() in cause:
        return ""
    return voice.say("brief_not_it" if case.known or case.well else "brief_nothing_points", words=words)


def _open(case: Case, brief: Brief, voice: Voice) -> Iterator[Told]:
    """What was done only for the moment, and is still to be set back; the person's own words for it hold."""
    last = {each.action: each for each in case.results.treatments}
    for action, done in last.items():
        is_open = f"open_{action}" in voice.phrases and not tells(read_actions(done.words), "undo")
        if is_open and not brief.added:
            yield Told(2, voice.say(f"open_{action}"))


def _next(case: Case, voice: Voice) -> str:
    """What is done next: the treatment of a cause that is known well enough, and the check that would settle it."""
    told = [_treatment(case, voice)]
    open_case = case.results.diagnosis
    if not case.concluded and open_case is not None and case.reader is not Reader.PLAIN:
        told += [
            voice.say("brief_next_check", name=voice.name(each.name, each.phenomenon_id))
            for each in open_case.recommendations[:1]
        ]
    return voice.say("semicolon").join(each for each in told if each)


def _treatment(case: Case, voice: Voice) -> str:
    treats = case.found is not None and case.known and not case.well
    action = next_action(case.found, case.results, voice) if case.found is not None and treats else ""
    return voice.say("brief_next_action", action=action) if action else ""


def _prevention(case: Case, voice: Voice) -> str:
    """What keeps it from coming back: the first step that is not done yet, in its own words."""
    if case.found is None or not (case.known or case.well):
        return ""
    left = (each for each in case.found.solution if each.prevents and not is_done(each, case.results, voice))
    step = next(left, None)
    return voice.say("brief_prevent", action=voice.name(step.action, step.how)) if step is not None else ""
