"""The row or words on record that name an object, and where something on record is from."""

from __future__ import annotations

from collections.abc import Sequence

from lang import deferred_re as re
from lang.concepts.named_things import things_named
from services.planner.model import DiagnosisView, EvidenceView, HelpAnswer, TurnResults, Verdict
from services.planner.speak.objects import shown_behind
from services.planner.speak.voice import Voice, brief, verdict

_MOST = 3
_NUMBER = re.compile(r"(?<![\w.])\d{2,}", re.ASCII)
_WORDS = 120
# Names of columns and signals of the session in the way.
_IN_THE_WAY = r"\w*(?:blocked_by|blocker|blocking|holder|root)\w*\s*=\s*\{?"


def tell_source(answer: HelpAnswer, results: TurnResults, voice: Voice) -> str:
    """The source of each entry that is asked about, and how it is taken off; or that nothing of it is on record."""
    asked = answer.evidence[:_MOST]
    if not asked:
        return "" if results.noted else _of_none(answer.text, results.diagnosis, voice)
    by_source: dict[tuple[str, int], list[EvidenceView]] = {}
    for view in asked:
        by_source.setdefault((view.words or view.value, view.turn), []).append(view)
    kept = [view for view in asked if view in results.seen]
    off = [voice.say("source_off", name=voice.name(kept[0].name, kept[0].phenomenon_id))] if kept else []
    return "\n".join([*(_from(*source, views, results, voice) for source, views in by_source.items()), *off])


def _from(words: str, turn: int, views: Sequence[EvidenceView], results: TurnResults, voice: Voice) -> str:
    """What was read from these words, the words themselves, and when they were said."""
    names = voice.listed(_named(view, voice) for view in views)
    ago = results.turn - turn
    when = voice.say("source_just_now") if ago <= 1 else voice.say("source_ago", ago=ago)
    if not words:
        return voice.say("source_unquoted", names=names, when=when)
    quoted = voice.say("quoted", words=brief(" ".join(words.split()), _WORDS))
    return voice.say("source", names=names, words=quoted, when=when)


def _named(view: EvidenceView, voice: Voice) -> str:
    name = voice.name(view.name, view.phenomenon_id)
    if view.verdict is None:
        return name
    return voice.say("with_verdict", name=name, verdict=verdict(view.verdict, voice))


def _of_none(asked: str, found: DiagnosisView | None, voice: Voice) -> str:
    """That nobody said it: that it is a number of the last answer, else a cause or a check of the library."""
    mine = next((number for number in _NUMBER.findall(asked) if number in _NUMBER.findall(voice.previous)), "")
    if mine:
        return voice.say("source_mine", number=mine)
    return voice.stop.join([voice.say("source_none"), *_of_the_library(asked, found, voice)])


def _of_the_library(asked: str, found: DiagnosisView | None, voice: Voice) -> list[str]:
    """That what is asked about is a cause that is weighed or a check that is asked for, where it is one."""
    named = things_named(asked)
    if found is None or not named:
        return []
    for item in found.hypotheses:
        if named <= things_named(f"{item.name.zh}\n{item.name.en}"):
            name, percent = voice.name(item.name, item.root_cause_id), voice.percent(item.confidence)
            return [voice.say("source_cause", name=name, percent=percent)]
    for check in found.recommendations:
        if named <= things_named(f"{check.name.zh}\n{check.name.en}"):
            return [voice.say("source_check", name=voice.name(check.name, check.phenomenon_id))]
    return []


def row_of(name: str, results: TurnResults) -> EvidenceView | None:
    """The confirmed row or words that name it: where it is the first cell, else where it stands first."""
    found = [
        view
        for view in results.seen
        if view.verdict is Verdict.CONFIRMED and (stands_in(name, view.words) or stands_in(name, view.value))
    ]
    return min(found, key=lambda view: _place(name, view), default=None)


def stands_in(name: str, text: str) -> bool:
    """Whether a name or number stands in a text by itself."""
    return _found(name, text) is not None


def _found(name: str, text: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)", text, re.ASCII)


def _place(name: str, view: EvidenceView) -> int:
    at = _found(name, view.words)
    return at.start() if at else len(view.words) + 1


def is_shown_in_the_way(name: str, results: TurnResults) -> bool:
    """Whether a row of the case or a confirmed check names this session as the one in the way."""
    confirmed = (view for view in results.seen if view.verdict is Verdict.CONFIRMED)
    return bool(shown_behind(name, results)) or any(tells_blocker(view.value, name) for view in confirmed)


def tells_blocker(value: str, name: str) -> bool:
    """Whether what a check or a row showed names this session as the one in the way."""
    return re.compile(rf"(?<![A-Za-z0-9_]){_IN_THE_WAY}{re.escape(name)}(?!\d)").search(value) is not None
