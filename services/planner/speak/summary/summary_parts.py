"""What a summary has to tell: each part in a sentence of its own, with how much it weighs where few are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lang.numbers.values import read_values
from lang.tokens import read_text
from services.planner.model import (
    Brief,
    BriefPart,
    EvidenceView,
    Reader,
)
from services.planner.speak.case.remedy_steps import is_done, next_action
from services.planner.speak.summary.record_in_words import done_in_record, hurts_in_words, state_in_words
from services.planner.speak.summary.summary_cause import Case, cause_and_not, trigger_told
from services.planner.speak.voice import Voice
from services.planner.treatment.actions import read_actions
from services.planner.treatment.bearing import lacks_any
from services.planner.treatment.wanted.wants import tells
from services.planner.understand.text.word_lists import listed

# Longer words are no figure to pass on; without a limit to tell which figure is meant, fewer are.
_LONG, _ONE_FACT, _LEAST = 60, 50, 2
# Terms of the trade in a text of either language, and where an aside of a sentence begins.
_BRACKETS, _PIECES = listed("briefs.brackets"), listed("briefs.pieces")
_TERM, _TERM_EN, _ASIDE = listed("briefs.term"), listed("briefs.term_en"), listed("briefs.aside")


class Told(NamedTuple):
    """A part of a summary. weight: 1 is told before all others."""

    weight: int
    text: str
    key: BriefPart


def parts_of(case: Case, brief: Brief, voice: Voice) -> list[Told]:
    """The parts in their order, without those that are to be left out: a part of which nothing is sure is not there."""
    if case.nothing and not brief.cause:
        bare = (voice.say("brief_nothing"), _done(case, brief, voice), state_in_words(case.record, case.results, voice))
        return [Told(weight, text, BriefPart.CAUSE) for weight, text in enumerate(bare, 1)]
    wanted = {BriefPart(part) for part in BriefPart} - {*brief.without}
    parts = [
        Told(4, _began(case, wanted, voice), BriefPart.NOTICED),
        Told(1, voice.say("semicolon").join(cause_and_not(case, brief, voice)), BriefPart.CAUSE),
        Told(6, trigger_told(case, brief, voice), BriefPart.CAUSE),
        Told(8, _grounds(case, brief, voice), BriefPart.FIGURES),
        # Where few sentences are wanted, that it is over goes before how.
        Told(3 if case.well else 2, _done(case, brief, voice), BriefPart.DONE),
        Told(2 if case.well else 3, _state(case, brief, voice), BriefPart.STATE),
        *_open(case, brief, voice),
        Told(3 if case.known and not case.record.deeds else 7, _next(case, voice), BriefPart.NEXT),
        Told(5, _prevention(case, voice), BriefPart.PREVENTION),
    ]
    told = [part._replace(weight=min(part.weight, 2)) if part.key in brief.within else part for part in parts]
    return [part._replace(text=_unsaid(part.text, brief)) for part in told if part.key in wanted]


def missing(case: Case, voice: Voice) -> str:
    """That nobody told how it is since something was done: the one thing that a summary cannot do without."""
    told = case.record.figures or case.record.better or case.results.aftermath is not None
    return voice.say("brief_lacks_state") if case.record.deeds and not told else ""


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


def _began(case: Case, wanted: set[BriefPart], voice: Voice) -> str:
    """What users noticed, and since when: as it was told, else by the names of what is on record."""
    since = case.record.since if BriefPart.SINCE in wanted else None
    told = hurts_in_words(case.record, voice) or _noticed(case, voice)
    if since is None:
        return told
    time = since.say(voice.language)
    return voice.say("brief_from", since=time, hurts=told) if told else voice.say("brief_since", since=time)


def _noticed(case: Case, voice: Voice) -> str:
    """What is on record of what users notice; that the person has no right is no trouble of theirs."""
    own = "permission denied" if lacks_any(case.results.objects) else "\0"
    seen = [view for view in case.confirmed if view.complaint and own not in view.name.en]
    names = [name for view in seen if (name := _named(view, case, voice))]
    return voice.say("brief_noticed", names=voice.listed(names)) if names else ""


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


def _grounds(case: Case, brief: Brief, voice: Voice) -> str:
    if case.reader is Reader.PLAIN and BriefPart.FIGURES not in brief.within:
        return ""
    case = case._replace(reader=None)
    names = [_named(view, case, voice) for view in case.confirmed if not view.complaint]
    return voice.say("brief_grounds", names=voice.listed(names)) if names else ""


def _done(case: Case, brief: Brief, voice: Voice) -> str:
    bare = case.reader is Reader.PLAIN and BriefPart.FIGURES not in brief.within
    done = done_in_record(case.record, case.results, voice, bare, brief.unsaid)
    return voice.say("brief_done", done=done) if done else ""


def _state(case: Case, brief: Brief, voice: Voice) -> str:
    """How it is now, with what was measured; without figures that it is over alone."""
    record = case.record._replace(figures=()) if BriefPart.FIGURES in brief.without else case.record
    return state_in_words(record, case.results, voice, case.reader is Reader.PLAIN)


def _open(case: Case, brief: Brief, voice: Voice) -> Iterator[Told]:
    """What was done only for the moment, and is still to be set back; the person's own words for it hold."""
    last = {each.action: each for each in case.results.treatments}
    for action, done in last.items():
        is_open = f"open_{action}" in voice.phrases and not tells(read_actions(done.words), "undo")
        if is_open and not brief.added:
            yield Told(2, voice.say(f"open_{action}"), BriefPart.STATE)


def _next(case: Case, voice: Voice) -> str:
    """What is done next: the treatment of a cause that is known well enough, and the check that would settle it."""
    if case.record.better:
        return ""
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
    """What keeps it from coming back: as it was decided, else the first step that is not done yet."""
    if case.record.plans:
        return voice.say("brief_prevent", action=voice.listed(each.say(voice.language) for each in case.record.plans))
    if case.found is None or not case.known:
        return ""
    left = (each for each in case.found.solution if each.prevents and not is_done(each, case.results, voice))
    step = next(left, None)
    return voice.say("brief_prevent", action=voice.name(step.action, step.how)) if step is not None else ""
