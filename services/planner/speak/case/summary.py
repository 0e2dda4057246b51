"""The case in a few plain sentences: what was wrong, what was done, how it is, what keeps it from coming back."""

from __future__ import annotations

from lang.numbers.values import read_values
from lang.tokens import read_text
from services.planner.model import Aftermath, ConclusionView, DiagnosisView, TurnResults, Verdict
from services.planner.speak import diagnosis
from services.planner.speak.case.remedy_steps import done_in_words, next_action
from services.planner.speak.checks import is_unknown
from services.planner.speak.objects import name_object, objects_known
from services.planner.speak.voice import Voice, polish

_LEADING, _GROUNDS, _OBJECTS, _FIGURES = 2, 3, 3, 3
# Longer words are no figure to pass on, and a smaller bare number is rather that of an item.
_LONG, _LEAST = 60, 10
# A cause that leads so clearly is named as the likely one; it is concluded from more.
_LIKELY = 0.8
# Kinds of object that a summary names, and only where one of the kind fits.
_KINDS = ("pid", "slot", "gid", "app", "table", "index")


def summarise(found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """A concluded case, for somebody who was not there."""
    name = voice.name(found.name, found.root_cause_id)
    return _fresh(voice.say("summary_cause", name=name, objects=_objects(results, voice)), found, results, voice)


def _fresh(cause: str, found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """The case, or in one sentence where it was just told."""
    told = _tell(cause, found, results, voice)
    name = voice.name(found.name, found.root_cause_id)
    return told if polish(told, voice.language) not in voice.previous else _in_short(name, found, results, voice)


def _in_short(name: str, found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    """What was just told, in one sentence."""
    action = next_action(found, results, voice)
    following = voice.say("summary_undone", action=action) if action and not results.treatments else ""
    standing = voice.say(_standing(results)) if results.treatments or results.aftermath is not None else following
    return voice.say("summary_again", name=name, standing=standing.rstrip("。."))


def summarise_open(
    leading: ConclusionView | None, found: DiagnosisView | None, results: TurnResults, voice: Voice
) -> str:
    """A case without a conclusion: what is likely, what was seen, what is checked next."""
    if found is None or is_unknown(found):
        return voice.say("nothing_yet")
    leader = found.hypotheses[0]
    if leader.confidence >= _LIKELY:
        name, percent = voice.name(leader.name, leader.root_cause_id), voice.percent(leader.confidence)
        cause = voice.say("summary_cause_likely", name=name, objects=_objects(results, voice), percent=percent)
        told = _fresh(cause, leading, results, voice) if leading is not None else cause
        parts = [told] if results.treatments else [told, _seen(results, voice).strip(), _next(found, voice).strip()]
        return voice.stop.join(part for part in parts if part)
    causes = voice.listed([diagnosis.cause(item, voice) for item in found.hypotheses[:_LEADING]])
    told = voice.say("summary_early", causes=causes, seen=_seen(results, voice), next=_next(found, voice))
    return voice.stop.join([told, *_treated(results, voice)])


def _tell(cause: str, found: ConclusionView, results: TurnResults, voice: Voice) -> str:
    action = next_action(found, results, voice)
    parts = [cause, _figures(results, voice)]
    parts += _treated(results, voice)
    if action and not results.treatments and results.aftermath is not Aftermath.WELL:
        parts.append(voice.say("summary_undone", action=action))
    prevention = next((step for step in found.solution if step.prevents), None)
    if prevention is not None:
        parts.append(voice.say("summary_prevent", action=voice.name(prevention.action, prevention.how)))
    return voice.stop.join(part for part in parts if part)


def _figures(results: TurnResults, voice: Voice) -> str:
    """What the person reported with a figure in it, in their own words; rows of an output are nobody's words."""
    confirmed = (view.words for view in results.seen if view.verdict is Verdict.CONFIRMED)
    told = [words for words in confirmed if "|" not in words and len(words) <= _LONG and _has_figure(words)]
    quoted = (voice.say("quoted", words=words) for words in dict.fromkeys(told[-_FIGURES:]))
    return voice.say("summary_reported", words=voice.listed(quoted)) if told else ""


def _has_figure(words: str) -> bool:
    """True if words hold an amount, and not just the number of an item: "1有"."""
    return any(not value.bare or value.number >= _LEAST for value in read_values(read_text(words)))


def _treated(results: TurnResults, voice: Voice) -> list[str]:
    """What was done and how it is since; empty if nothing was done and nothing told."""
    done = [voice.say("summary_done", done=done_in_words(results, voice))] if results.treatments else []
    return [*done, voice.say(_standing(results))] if done or results.aftermath is not None else []


def _standing(results: TurnResults) -> str:
    if results.aftermath is Aftermath.WELL:
        return "summary_well"
    return "summary_unchanged" if results.aftermath is Aftermath.UNCHANGED else "summary_watched"


def _objects(results: TurnResults, voice: Voice) -> str:
    """The objects that the case is about, in brackets: the one of each kind that fits."""
    seen = {(each.kind, each.name): each for each in objects_known(results)}
    names = [
        name_object(each, voice)
        for (kind, name), each in seen.items()
        if kind in _KINDS and voice.objects.get(kind) == name
    ]
    return voice.say("leave_bracket", names=voice.listed(names[:_OBJECTS])) if names else ""


def _seen(results: TurnResults, voice: Voice) -> str:
    confirmed = [view for view in results.seen if view.verdict is Verdict.CONFIRMED][-_GROUNDS:]
    names = voice.listed(voice.quoted(view.name, view.phenomenon_id) for view in confirmed)
    return voice.say("summary_seen", names=names) if names else ""


def _next(found: DiagnosisView, voice: Voice) -> str:
    following = next(iter(found.recommendations), None)
    name = voice.name(following.name, following.phenomenon_id) if following is not None else ""
    return voice.say("summary_next", name=name) if name else ""
